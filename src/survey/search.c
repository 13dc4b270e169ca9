#include "survey/search.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "door/standing.h"
#include "parse/pyvenv.h"

#define LINKS_MAX 200 /* links of one directory that are followed */
#define SITES_MAX 16

/* ---- lines of the answer ---- */

static bool first_time(struct search *s, const char *what)
{
	static char yes;

	if (map_find(&s->seen, span_of(what)))
		return false;
	map_put(&s->seen, arena_span(&s->arena, span_of(what)), &yes);
	return true;
}

void search_line(struct search *s, const char *key, const char *path)
{
	buf_addf(s->out, "%s ", key);
	text_word(s->out, span_of(path));
	buf_char(s->out, '\n');
}

void search_left(struct search *s, const char *why, const char *path)
{
	char key[32];

	if (!first_time(s, arena_format(&s->arena, "left %s", path)))
		return;
	snprintf(key, sizeof(key), "left %.20s", why);
	search_line(s, key, path);
}

/* ---- bounds ---- */

static bool is_over(struct search *s, const char *dir)
{
	const char *why = s->user.looks >= SEARCH_LOOKS_MAX ? "many"
			  : s->found >= SEARCH_FOUND_MAX    ? "found"
			  : beacon_past(s->until_ms)        ? "time"
							    : NULL;

	if (why && !s->ended)
		search_left(s, why, dir);
	s->ended |= why != NULL;
	return s->ended;
}

bool search_is_lost(struct search *s, const char *dir)
{
	const char *point;

	if (s->user.door->stuck_count == 0)
		return false;
	point = mounts_point(&s->mounts, dir);
	for (size_t i = 0; i < s->user.door->stuck_count; i++) {
		const char *lost = arena_text(&s->arena, s->user.door->stuck[i]);

		if (lost[0] == '/' && point[1] != '\0' &&
		    strcmp(mounts_point(&s->mounts, lost), point) == 0) {
			search_left(s, "stuck", point);
			return true;
		}
	}
	if (!door_is_stuck(s->user.door, span_of(dir)))
		return false;
	search_left(s, "stuck", dir);
	return true;
}

static bool is_named(struct search *s, const char *dir)
{
	return s->named &&
	       strcmp(mounts_point(&s->mounts, s->named), mounts_point(&s->mounts, dir)) == 0;
}

bool search_may_enter(struct search *s, const char *dir)
{
	const char *why = mounts_refusal(&s->mounts, dir);

	if (is_over(s, dir))
		return false;
	if (why && !is_named(s, dir)) {
		search_left(s, why, mounts_point(&s->mounts, dir));
		return false;
	}
	return !search_is_lost(s, dir);
}

/* ---- one environment ---- */

static const char *join(struct search *s, const char *dir, const char *name)
{
	return arena_format(&s->arena, "%s/%s", dir[1] ? dir : "", name);
}

static int by_name(const void *a, const void *b)
{
	const struct search_entry *one = a, *other = b;

	return door_natural_order(one->name, other->name);
}

static void read_names(struct search *s, const char *dir, DIR *d, struct search_names *ret)
{
	struct buf list BUF_SCOPED = { 0 };
	struct dirent *e;

	while (ret->count < SEARCH_ENTRIES_MAX && (e = readdir(d))) {
		struct search_entry one = { NULL, door_type(ret->fd, e) };

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		one.name = arena_text(&s->arena, span_of(e->d_name));
		buf_add(&list, &one, sizeof(one));
		ret->count++;
	}
	if (ret->count == SEARCH_ENTRIES_MAX)
		search_left(s, "many", dir);
	ret->entries = arena_alloc(&s->arena, list.len + 1);
	if (list.len > 0)
		memcpy(ret->entries, list.data, list.len);
	qsort(ret->entries, ret->count, sizeof(*ret->entries), by_name);
}

struct search_names search_names(struct search *s, const char *dir)
{
	struct search_names names = { .fd = as_user_dir(&s->user, dir) };
	int copy = names.fd < 0 ? -1 : fcntl(names.fd, F_DUPFD_CLOEXEC, 3);
	DIR *d = door_dir(copy);

	if (names.fd < 0)
		search_failed(s, dir, names.fd);
	if (d) {
		read_names(s, dir, d, &names);
		closedir(d);
	}
	return names;
}

void search_names_done(struct search_names *names)
{
	if (names->fd >= 0)
		close(names->fd);
	names->fd = -1;
}

/* Directories of packages below lib or lib64, and the newest version of Python there. */
struct sites {
	const char *dirs[SITES_MAX];
	size_t count;
	char python[16];
};

static void add_site(struct search *s, struct sites *sites, const char *dir)
{
	dir = search_follow(s, dir);
	if (!dir || as_user_kind(&s->user, dir) != 'd')
		return;
	if (sites->count == SITES_MAX)
		search_left(s, "many", dir);
	else
		sites->dirs[sites->count++] = dir;
}

static void find_sites(struct search *s, const char *lib, struct sites *sites)
{
	struct search_names names;

	lib = search_follow(s, lib);
	if (!lib)
		return;
	names = search_names(s, lib);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.entries[i].name;

		if (strncmp(name, "python3", 7) != 0)
			continue;
		add_site(s, sites, arena_format(&s->arena, "%s/%s/site-packages", lib, name));
		add_site(s, sites, arena_format(&s->arena, "%s/%s/dist-packages", lib, name));
		if (name[7] == '.' && strlen(name + 6) < sizeof(sites->python))
			snprintf(sites->python, sizeof(sites->python), "%s", name + 6);
	}
	search_names_done(&names);
}

static struct sites sites_of(struct search *s, const char *prefix)
{
	const char *lib64 = join(s, prefix, "lib64");
	struct sites sites = { 0 };
	char target[AS_USER_PATH_MAX];

	find_sites(s, join(s, prefix, "lib"), &sites);
	if (as_user_link(&s->user, lib64, target) < 0) /* a venv has lib64 -> lib */
		find_sites(s, lib64, &sites);
	return sites;
}

static void write_down(struct search *s, const char *kind, const char *prefix,
		       const struct sites *sites, const struct sites *behind)
{
	static const char *const programs[] = { "bin/python3", "bin/python" };
	const char *python = sites->python[0] ? sites->python : behind ? behind->python : "";
	const char *program = NULL;

	s->found++;
	buf_addf(s->out, "env %s ", kind);
	text_word(s->out, span_of(prefix));
	buf_addf(s->out, "%s%s\n", python[0] ? " " : "", python);
	for (size_t i = 0; i < sites->count; i++)
		search_line(s, "site", sites->dirs[i]);
	for (size_t i = 0; behind && i < behind->count; i++)
		search_line(s, "site", behind->dirs[i]);
	for (size_t i = 0; i < 2 && !program; i++)
		program = search_follow(s, join(s, prefix, programs[i]));
	if (program)
		search_line(s, "program", program);
}

static bool is_new_prefix(struct search *s, const char *dir, char real[static AS_USER_PATH_MAX])
{
	if (as_user_real(&s->user, dir, real) < 0)
		return false;
	return first_time(s, arena_format(&s->arena, "env %s", real));
}

static bool take_venv(struct search *s, const char *dir, const char *kind, struct span text)
{
	struct sites sites, behind = { 0 };
	struct pyvenv venv;
	char real[AS_USER_PATH_MAX];

	if (!pyvenv_parse(text, &venv))
		return false;
	if (!is_new_prefix(s, dir, real))
		return true;
	sites = sites_of(s, real);
	if (venv.system_site && venv.home.len > 4 && span_ends(venv.home, "/bin")) {
		struct span base = { venv.home.data, venv.home.len - 4 };

		behind = sites_of(s, arena_text(&s->arena, base));
		if (span_is(base, "/usr"))
			find_sites(s, "/usr/local/lib", &behind);
	}
	write_down(s, kind ? kind : venv.uv.len ? "uv" : "venv", real, &sites, &behind);
	return true;
}

bool search_environment(struct search *s, const char *dir, const char *kind)
{
	struct buf text BUF_SCOPED = { 0 };
	char real[AS_USER_PATH_MAX];
	struct sites sites;
	int r;

	if (is_over(s, dir))
		return false;
	r = as_user_read(&s->user, join(s, dir, "pyvenv.cfg"), 4096, &text);
	if (r == 0)
		return take_venv(s, dir, kind, buf_get(&text));
	search_failed(s, dir, r);
	if (as_user_kind(&s->user, join(s, dir, "conda-meta")) != 'd')
		return false;
	if (!is_new_prefix(s, dir, real))
		return true;
	sites = sites_of(s, real);
	write_down(s, "conda", real, &sites, NULL);
	/* The base of conda holds the others in envs/. */
	search_below(s, join(s, arena_text(&s->arena, span_of(real)), "envs"), 1, NULL);
	return true;
}

bool search_python(struct search *s, const char *dir, const char *kind)
{
	char real[AS_USER_PATH_MAX];
	struct sites sites;

	dir = search_follow(s, dir);
	if (!dir || as_user_kind(&s->user, dir) != 'd')
		return false;
	sites = sites_of(s, dir);
	if (sites.count == 0 || !is_new_prefix(s, dir, real))
		return false;
	write_down(s, kind, real, &sites, NULL);
	return true;
}

/* ---- going down ---- */

/* Names that nobody keeps an environment in, or that hold millions of files. */
static bool is_dull(const char *name)
{
	static const char *const hidden[] = { ".venv", ".env", ".virtualenvs", ".venvs" };
	static const char *const dull[] = { "node_modules",  "__pycache__", "snap",
					    "lost+found",    "rocm*",       "amdgpu*",
					    "site-packages", "containerd" };

	if (name[0] == '.') {
		for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
			if (strcmp(name, hidden[i]) == 0)
				return false;
		return true;
	}
	for (size_t i = 0; i < sizeof(dull) / sizeof(dull[0]); i++)
		if (span_fits(span_of(name), span_of(dull[i])))
			return true;
	return false;
}

/* Only a look, relative to the directory that is open: this is what costs in a large home. */
static bool is_marked(struct search *s, int parent, const char *name)
{
	static const char *const marks[] = { "pyvenv.cfg", "conda-meta" };
	char path[NAME_MAX + 16];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", name, marks[i]);
		if (as_user_is_below(&s->user, parent, path))
			return true;
	}
	return false;
}

static void enter(struct search *s, int parent, const char *dir, const struct search_entry *e,
		  unsigned int levels, const char *kind, unsigned int *links)
{
	const char *path = join(s, dir, e->name);
	const char *app = e->type == DT_REG ? search_application_name(s, e->name) : NULL;

	if (app)
		search_application(s, app, path);
	if (e->type == DT_LNK && (*links)++ >= LINKS_MAX) {
		search_left(s, "many", path);
		return;
	}
	if (e->type == DT_LNK) {
		const char *real = search_follow(s, path);

		if (real && as_user_kind(&s->user, real) == 'd')
			search_environment(s, real, kind);
		return;
	}
	if (e->type != DT_DIR || !search_may_enter(s, path))
		return;
	beacon_step(s->user.door->beacon, path);
	if (is_marked(s, parent, e->name) && search_environment(s, path, kind))
		return;
	if (levels > 1)
		search_below(s, path, levels - 1, kind);
}

/* The directory itself was judged before: only the directories below are entered. */
void search_below(struct search *s, const char *dir, unsigned int levels, const char *kind)
{
	struct search_names names;
	unsigned int links = 0;

	dir = search_follow(s, dir);
	if (!dir)
		return;
	names = search_names(s, dir);
	for (size_t i = 0; i < names.count && !s->ended; i++)
		if (!is_dull(names.entries[i].name))
			enter(s, names.fd, dir, &names.entries[i], levels, kind, &links);
	search_names_done(&names);
}
