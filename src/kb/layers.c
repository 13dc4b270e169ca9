#include "kb/layers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/guard.h"
#include "kb/schema-check.h"
#include "kb/words.h"

/*
 * What belongs to a cause or stands for itself, in the order of copying. A
 * cause goes only where its name is free; its parts go where it went.
 */
static const struct {
	const char *table;
	const char *where; /* of the rows that are copied, r */
} parts[] = {
	{ "explained_by", "r.cause IN temp.adopted" },
	{ "cause_remedy", "r.cause IN temp.adopted" },
	{ "evidence", "r.cause IN temp.adopted" },
	{ "source", "r.owner IN temp.adopted OR r.owner NOT IN (SELECT owner FROM kb.source)" },
	{ "cause", "r.slug IN temp.adopted" },
	{ "apply",
	  "r.remedy NOT IN (SELECT id FROM kb.remedy)" }, /* before it: not for another's */
	{ "apply_action", "r.remedy NOT IN (SELECT id FROM kb.remedy)" },
	{ "workaround", "r.remedy NOT IN (SELECT id FROM kb.remedy)" }, /* goes with its remedy */
	{ "cure", "r.owner NOT IN (SELECT id FROM kb.remedy UNION SELECT id FROM kb.defect)" },
	{ "unchecked", "r.owner NOT IN (SELECT id FROM kb.remedy UNION SELECT id FROM kb.defect)" },
	{ "remedy", "1" },
	{ "advice", "1" },
	{ "signature", "1" },
	{ "literal", "1" },
	{ "suggests", "1" },
	{ "states", "1" },
	{ "defect", "1" },
	{ "defect_when", "1" },
	{ "defect_signature", "1" },
	/* Its numbers mean nothing in another layer: the first that has it is taken whole. */
	{ "printable_tree", "NOT EXISTS (SELECT 1 FROM kb.printable)" },
	{ "printable_file", "NOT EXISTS (SELECT 1 FROM kb.printable)" },
	{ "printable", "NOT EXISTS (SELECT 1 FROM kb.printable)" },
	{ "report_word", "NOT EXISTS (SELECT 1 FROM kb.report_word)" }, /* weighed as a whole */
};

static void saying(struct buf *said, const char *format, const char *what)
{
	if (said)
		buf_addf(said, format, what);
}

/* ---- an empty one to copy into ---- */

/*
 * This one can be written, unlike the bytes that kb_attach opens: what keeps
 * the statements of the knowledge from writing into it is the guard alone.
 */
static int attach_empty(sqlite3 *db)
{
	int64_t size = 0;
	unsigned char *bytes = kb_empty(&size);

	if (!bytes || sqlite3_exec(db, "ATTACH ':memory:' AS kb", NULL, NULL, NULL) != SQLITE_OK) {
		sqlite3_free(bytes);
		return -ENOMEM;
	}
	/* SQLite owns the bytes from here on, also when it fails. */
	if (sqlite3_deserialize(db, "kb", bytes, size, size,
				SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
	    SQLITE_OK) {
		kb_detach(db, "kb");
		return -ENOMEM;
	}
	return sqlite3_exec(db, LAYERS_LATER, NULL, NULL, NULL) == SQLITE_OK ? 0 : -ENOMEM;
}

/* ---- which causes are understood ---- */

/* A cause of the layer, and what speaks for and against it. */
struct layer_cause {
	const char *slug;
	bool taken;           /* its name is there already */
	const char *strange;  /* what this program does not understand of it, or NULL */
	unsigned int skipped; /* statements that it does not understand */
	const char **statements;
	size_t statement_count;
};

static bool words_are_known(sqlite3_stmt *cause)
{
	return words_has(words_kind, column_text(cause, 1)) &&
	       words_has(words_scope, column_text(cause, 2)) &&
	       words_has(words_severity, column_text(cause, 3)) &&
	       words_has(words_action, column_text(cause, 4));
}

static size_t list_causes(sqlite3 *db, struct arena *arena, struct layer_cause **ret)
{
	size_t most = select_count(db, "SELECT count(*) FROM layer.cause");
	struct layer_cause *list = arena_alloc(arena, (most + 1) * sizeof(*list));
	sqlite3_stmt *stmt = select_from(
		db, "SELECT slug, kind, scope, severity, action,"
		    " slug IN (SELECT slug FROM kb.cause) FROM layer.cause ORDER BY slug");
	size_t count = 0;

	while (count < most && select_next(stmt))
		list[count++] = (struct layer_cause){
			.slug = column_copy(stmt, 0, arena),
			.strange = words_are_known(stmt) ? NULL : "a word of a later version",
			.taken = sqlite3_column_int(stmt, 5),
		};
	sqlite3_finalize(stmt);
	*ret = list;
	return count;
}

/* Both lists are in the order of the slugs. */
static void list_statements(sqlite3 *db, struct arena *arena, struct layer_cause *list,
			    size_t count)
{
	size_t most = select_count(db, "SELECT count(*) FROM layer.evidence");
	const char **all = arena_alloc(arena, (most + 1) * sizeof(*all));
	sqlite3_stmt *stmt =
		select_from(db, "SELECT cause, sql FROM layer.evidence ORDER BY cause, position");
	size_t at = 0, n = 0;

	while (n < most && select_next(stmt)) {
		while (at < count && strcmp(list[at].slug, column_text(stmt, 0)) < 0)
			at++;
		if (at == count || strcmp(list[at].slug, column_text(stmt, 0)) != 0)
			continue;
		all[n] = column_copy(stmt, 1, arena);
		if (list[at].statement_count++ == 0)
			list[at].statements = &all[n];
		n++;
	}
	sqlite3_finalize(stmt);
}

/* Half a cause would be another one: without its rules-out it would cry wolf. */
static void try_statements(struct guard *g, struct arena *arena, struct layer_cause *c)
{
	for (size_t i = 0; i < c->statement_count; i++) {
		struct buf clean BUF_SCOPED = { 0 };
		const char *why = "";
		sqlite3_stmt *stmt = guard_prepare(g, c->statements[i], &why);

		sqlite3_finalize(stmt);
		if (stmt)
			continue;
		text_clean(&clean, span_of(why), false);
		c->strange = c->strange ? c->strange : arena_text(arena, buf_get(&clean));
		c->skipped++;
	}
}

static int insert(sqlite3 *db, char *sql)
{
	int r = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return r == SQLITE_OK ? 0 : -ENOMEM;
}

static int note_adopted(sqlite3 *db, const struct layer_cause *list, size_t count, struct buf *said,
			struct kb_info *info)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++) {
		const struct layer_cause *c = &list[i];

		info->left_out += c->taken || c->strange;
		info->later += !c->taken && c->strange;
		if (c->taken)
			saying(said, "%s is there already: the second one is left out\n", c->slug);
		else if (c->strange)
			r = insert(db, sqlite3_mprintf(
					       "INSERT OR IGNORE INTO kb.later VALUES (%Q, %u, %Q)",
					       c->slug, c->skipped, c->strange));
		else
			r = insert(db, sqlite3_mprintf("INSERT INTO temp.adopted VALUES (%Q)",
						       c->slug));
	}
	return r;
}

/* The guard refuses our own statements too: it stands only while theirs are tried. */
static int list_adopted(sqlite3 *db, bool strict, struct buf *said, struct kb_info *info)
{
	struct arena arena = { 0 };
	struct layer_cause *list;
	size_t count = list_causes(db, &arena, &list);
	bool other = strict || info->newer || info->near;
	struct guard g;
	int r;

	list_statements(db, &arena, list, count);
	guard_on(&g, db);
	for (size_t i = 0; i < count; i++)
		if (other)
			try_statements(&g, &arena, &list[i]);
		else
			list[i].strange = NULL; /* each statement is judged when it is asked */
	guard_off(&g);
	r = note_adopted(db, list, count, said, info);
	arena_done(&arena);
	return r;
}

/* ---- copying ---- */

static int copy(sqlite3 *db, const char *table, const char *where)
{
	struct buf columns BUF_SCOPED = { 0 };
	char *sql;

	schema_check_columns(db, "kb", "layer", table, &columns);
	if (columns.len == 0)
		return 0; /* a table that the layer does not have yet */
	sql = sqlite3_mprintf("INSERT OR IGNORE INTO kb.%s (%s) SELECT %s FROM layer.%s r WHERE %s",
			      table, columns.data, columns.data, table, where);
	return insert(db, sql) == 0 ? 0 : -EBADMSG;
}

/* The first that speaks of a thing of the world is believed: the packaged one. */
static int copy_all(sqlite3 *db)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		r = copy(db, parts[i].table, parts[i].where);
	for (size_t i = 0; r == 0 && words_world[i]; i++)
		r = copy(db, words_world[i], "1");
	return r;
}

/* What is attached as "layer". */
static int adopt_attached(sqlite3 *db, bool strict, struct buf *said, struct kb_info *info)
{
	int r;

	select_exec(db, "CREATE TEMP TABLE adopted (slug TEXT PRIMARY KEY)");
	r = list_adopted(db, strict, said, info);
	if (r == 0)
		r = copy_all(db);
	select_exec(db, "DROP TABLE temp.adopted");
	kb_detach(db, "layer");
	return r;
}

static int adopt(sqlite3 *db, struct span bytes, bool strict, struct buf *said, struct kb_info *ret)
{
	struct kb_info info;
	int r = kb_attach_as(db, "layer", bytes, &info);

	if (r == 0)
		r = adopt_attached(db, strict, said, &info);
	if (r == 0)
		*ret = info;
	return r;
}

static int attach_base(sqlite3 *db, const char *name, const struct layers *l, struct kb_info *ret)
{
	return l->examined ? kb_attach_examined(db, name, l->base, ret)
			   : kb_attach_as(db, name, l->base, ret);
}

static int adopt_base(sqlite3 *db, const struct layers *l, struct buf *said, struct kb_info *ret)
{
	int r = attach_base(db, "layer", l, ret);

	return r == 0 ? adopt_attached(db, false, said, ret) : r;
}

/* Named by what went into it, in order. */
static void add_digest(struct kb_info *to, const struct kb_info *from)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_add(&s, span_of(to->digest));
	sha256_add(&s, span_of(from->digest));
	sha256_end(&s, to->digest);
	to->newer = to->newer || from->newer;
	to->near = to->near || from->near;
	to->left_out += from->left_out;
	to->later += from->later;
}

static int attach_copied(sqlite3 *db, const struct layers *l, struct kb_info *ret, struct buf *said)
{
	struct kb_info all, one;
	int r = attach_empty(db);

	if (r < 0)
		return r;
	r = adopt_base(db, l, said, &all);
	for (size_t i = 0; r == 0 && i < l->site_count; i++)
		if (adopt(db, l->sites[i], false, said, &one) == 0)
			add_digest(&all, &one);
		else
			saying(said, "%s", "a site file is damaged, or no kb.db: left out\n");
	if (r == 0)
		r = insert(db, sqlite3_mprintf("INSERT INTO kb.kb VALUES (%d, %Q, %Q, %Q)",
					       all.format, all.version, all.needs, all.digest));
	if (r < 0)
		kb_detach(db, "kb");
	else
		*ret = all;
	return r;
}

static int attach_layers(sqlite3 *db, const struct layers *l, struct kb_info *ret, struct buf *said)
{
	struct kb_info info;
	int r;

	if (l->site_count > 0)
		return attach_copied(db, l, ret, said);
	r = attach_base(db, "kb", l, &info);
	if (r < 0)
		return r;
	if (info.newer || info.near) {
		kb_detach(db, "kb");
		return attach_copied(db, l, ret, said);
	}
	*ret = info;
	return 0;
}

/* The facts are filled in one transaction, and within one SQLite lets go of no database. */
int layers_attach(sqlite3 *db, const struct layers *l, struct kb_info *ret, struct buf *ret_said)
{
	bool within = !sqlite3_get_autocommit(db);
	int r;

	if (within)
		select_exec(db, "COMMIT");
	r = attach_layers(db, l, ret, ret_said);
	if (within)
		select_exec(db, "BEGIN");
	return r;
}

int layers_try(sqlite3 *db, struct span base, struct kb_info *ret)
{
	int r = attach_empty(db);

	return r == 0 ? adopt(db, base, true, NULL, ret) : r;
}
