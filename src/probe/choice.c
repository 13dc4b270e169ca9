#include "probe/choice.h"

#include <errno.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "parse/maps.h"
#include "probe/library-names.h"

_Static_assert(LIBRARY_NAMES <= CHOICE_LIBRARIES_MAX, "a choice has room for all of them");

static const char gpus_sql[] =
	"SELECT g.address, EXISTS (SELECT 1 FROM vram_owner o WHERE o.address = g.address "
	"AND o.share IN ('kfd', 'kfd-outside')), coalesce(g.display_attached, 0) "
	"FROM gpu g ORDER BY g.rowid";

/* The newest of several installs. */
static const char system_sql[] =
	"SELECT l.path FROM library l LEFT JOIN rocm_install i ON i.prefix = l.install "
	"WHERE l.name = ?1 AND l.environment IS NULL "
	"ORDER BY i.prefix IS NULL, (SELECT count(*) FROM rocm_install j "
	"WHERE version_cmp(j.version, i.version) > 0), l.path LIMIT 1";

static const char loaded_sql[] =
	"SELECT path FROM load WHERE environment = ?2 AND framework = ?3 AND path IS NOT NULL "
	"AND wanted GLOB 'lib' || ?1 || '.so*' LIMIT 1";

/* The directory of the framework's libraries: one that it does not load is expected there. */
static const char beside_sql[] =
	"SELECT path FROM load WHERE environment = ?2 AND framework = ?3 AND path IS NOT NULL "
	"AND wanted GLOB 'libamdhip64.so*' LIMIT 1";

static const char framework_sql[] =
	"SELECT e.prefix, (SELECT f.name FROM framework f WHERE f.environment = e.prefix "
	"AND (?2 = '' OR f.name = ?2) ORDER BY f.name <> 'torch', f.rowid LIMIT 1), e.python IS NOT NULL "
	"FROM environment e WHERE e.prefix = ?1";

static const char package_sql[] = "SELECT path FROM framework WHERE ?1 = '' AND environment = ?2 "
				  "AND name = ?3 AND path GLOB '/*' LIMIT 1";

/* The first column of the first row; NULL if there is none. */
static const char *ask(struct choice *c, sqlite3 *db, const char *sql, const char *library,
		       const char *environment, const char *framework)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	const char *found = NULL;

	if (!stmt)
		return NULL;
	sqlite3_bind_text(stmt, 1, library, -1, SQLITE_STATIC);
	if (environment)
		sqlite3_bind_text(stmt, 2, environment, -1, SQLITE_STATIC);
	if (framework)
		sqlite3_bind_text(stmt, 3, framework, -1, SQLITE_STATIC);
	if (select_next(stmt))
		found = column_copy_or_null(stmt, 0, &c->arena);
	sqlite3_finalize(stmt);
	return found;
}

static void add_library(struct choice *c, const char *name, const char *path)
{
	c->libraries[c->library_count++] = (struct probe_library){ name, path };
}

static void choose_gpus(struct choice *c, sqlite3 *db)
{
	sqlite3_stmt *stmt = select_from(db, gpus_sql);

	if (!stmt)
		return;
	while (select_next(stmt)) {
		c->gpus = arena_grow(&c->arena, c->gpus, c->gpu_count, sizeof(*c->gpus));
		c->gpus[c->gpu_count++] = (struct probe_gpu){
			.address = column_copy(stmt, 0, &c->arena),
			.in_use = sqlite3_column_int(stmt, 1) != 0,
			.display = sqlite3_column_int(stmt, 2) != 0,
		};
	}
	sqlite3_finalize(stmt);
}

static void choose_loaded(struct choice *c, sqlite3 *db, const char *prefix, const char *framework)
{
	const char *beside = ask(c, db, beside_sql, "", prefix, framework);
	const char *slash = beside ? strrchr(beside, '/') : NULL;

	beside = slash ? arena_text(&c->arena, (struct span){ beside, (size_t)(slash - beside) })
		       : NULL;
	for (size_t i = 0; i < LIBRARY_NAMES; i++) {
		const char *path = ask(c, db, loaded_sql, library_names[i].file, prefix, framework);

		if (!path && beside)
			path = arena_format(&c->arena, "%s/lib%s.so", beside,
					    library_names[i].file);
		if (path)
			add_library(c, library_names[i].name, path);
	}
}

/* "torch@/path" or "/path". */
static int choose_like(struct choice *c, sqlite3 *db, const char *like)
{
	const char *at = like[0] == '/' ? NULL : strchr(like, '@');
	const char *named =
		at ? arena_text(&c->arena, (struct span){ like, (size_t)(at - like) }) : "";
	const char *prefix = at ? at + 1 : like;
	const char *framework = NULL;
	sqlite3_stmt *stmt = select_from(db, framework_sql);
	int r = -ENOENT;

	if (!stmt)
		return -EIO;
	sqlite3_bind_text(stmt, 1, prefix, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, named, -1, SQLITE_STATIC);
	if (select_next(stmt)) {
		framework = column_copy_or_null(stmt, 1, &c->arena);
		r = framework ? 0 : -ENXIO;
		if (sqlite3_column_int(stmt, 2))
			c->python = arena_format(&c->arena, "%s/bin/python", prefix);
	}
	sqlite3_finalize(stmt);
	if (r < 0)
		return r;
	c->like = arena_format(&c->arena, "%s@%s", framework, prefix);
	c->package = ask(c, db, package_sql, "", prefix, framework);
	choose_loaded(c, db, prefix, framework);
	return 0;
}

int choice_make(sqlite3 *facts, const char *like, struct choice *ret)
{
	int r = 0;

	*ret = (struct choice){ 0 };
	choose_gpus(ret, facts);
	if (like)
		r = choose_like(ret, facts, like);
	else
		ret->like = "system";
	for (size_t i = 0; i < LIBRARY_NAMES && !like; i++) {
		const char *path = ask(ret, facts, system_sql, library_names[i].file, NULL, NULL);

		if (path)
			add_library(ret, library_names[i].name, path);
	}
	if (r < 0)
		choice_done(ret);
	return r;
}

void choice_of_directory(const char *dir, struct choice *c)
{
	if (strcmp(c->like, "system") == 0)
		c->like = arena_format(&c->arena, "libraries@%s", dir);
	c->library_count = 0;
	for (size_t i = 0; i < LIBRARY_NAMES; i++)
		add_library(c, library_names[i].name,
			    arena_format(&c->arena, "%s/lib%s.so", dir, library_names[i].file));
}

bool choice_has(const struct choice *c, const char *name)
{
	for (size_t i = 0; i < c->library_count; i++)
		if (strcmp(c->libraries[i].name, name) == 0)
			return true;
	return false;
}

void choice_take(struct choice *c, struct span path)
{
	for (size_t i = 0; i < LIBRARY_NAMES; i++)
		if (maps_is_library(path, library_names[i].file) &&
		    !choice_has(c, library_names[i].name))
			add_library(c, library_names[i].name, arena_text(&c->arena, path));
}

void choice_done(struct choice *c)
{
	arena_done(&c->arena);
}
