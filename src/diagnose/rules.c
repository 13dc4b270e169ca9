#include "diagnose/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"

static const char *severity_of(const char *word)
{
	static const char *const words[] = { "info", "warning", "problem" };

	for (size_t i = 0; word && i < 3; i++)
		if (strcmp(word, words[i]) == 0)
			return words[i];
	return "info"; /* a word of later knowledge must not alarm */
}

static void read_cause(sqlite3_stmt *stmt, struct arena *a, struct cause *ret)
{
	*ret = (struct cause){
		.slug = column_copy_or_null(stmt, 0, a),
		.kind = column_copy_or_null(stmt, 1, a),
		.title = column_copy_or_null(stmt, 2, a),
		.story = column_copy_or_null(stmt, 3, a),
		.scope = column_copy_or_null(stmt, 4, a),
		.severity = severity_of(column_text_or_null(stmt, 5)),
		.action = column_copy_or_null(stmt, 6, a),
		.prior = sqlite3_column_int(stmt, 7),
		.undecided = column_copy_or_null(stmt, 8, a),
		.share = sqlite3_column_int(stmt, 9),
		.plain = column_copy_or_null(stmt, 10, a),
		.headline = column_copy_or_null(stmt, 11, a),
	};
}

/*
 * Room for one more at the end of an array in the arena: it doubles at each
 * power of two, so its length is all that must be kept.
 */
static void *grow(struct arena *a, void *array, size_t count, size_t size)
{
	void *larger;

	if (count & (count - 1))
		return array;
	larger = arena_alloc(a, size * (count ? 2 * count : 1));
	if (count > 0)
		memcpy(larger, array, size * count);
	return larger;
}

static void read_rule(sqlite3_stmt *stmt, struct arena *a, struct cause *c)
{
	c->rules = grow(a, c->rules, c->rule_count, sizeof(*c->rules));
	c->rules[c->rule_count++] = (struct rule){
		.id = column_copy_or_null(stmt, 1, a),
		.weight = sqlite3_column_int(stmt, 2),
		.group = column_copy_or_null(stmt, 3, a),
		.says = column_copy_or_null(stmt, 4, a),
		.sql = column_copy_or_null(stmt, 5, a),
		.absence = sqlite3_column_int(stmt, 6) != 0,
		.gate = column_copy_or_null(stmt, 7, a),
		.reads = column_copy_or_null(stmt, 8, a),
		.position = sqlite3_column_int64(stmt, 9),
	};
}

static void read_explained(sqlite3_stmt *stmt, struct arena *a, struct cause *c)
{
	c->explained_by = grow(a, c->explained_by, c->explained_by_count, sizeof(char *));
	c->explained_by[c->explained_by_count++] = column_copy_or_null(stmt, 1, a);
}

/* Columns of a remedy, behind one that others use. */
#define REMEDY_COLUMNS                                                                  \
	"r.id, r.title, r.steps, r.risk, r.verify, r.sql, r.needs, r.changes, r.undo, " \
	"r.minutes, l.costs = 'cpu', "                                                  \
	"coalesce((SELECT group_concat(kind, ' ') FROM kb.cure WHERE owner = r.id), '') FROM kb.remedy r LEFT JOIN kb.workaround l ON l.remedy = r.id "

static struct remedy *remedy_at(sqlite3_stmt *stmt, struct arena *a)
{
	struct remedy *r = arena_alloc(a, sizeof(*r));

	*r = (struct remedy){
		.id = column_copy_or_null(stmt, 1, a),
		.title = column_copy_or_null(stmt, 2, a),
		.steps = column_copy_or_null(stmt, 3, a),
		.risk = column_copy_or_null(stmt, 4, a),
		.verify = column_copy_or_null(stmt, 5, a),
		.sql = column_copy_or_null(stmt, 6, a),
		.needs = column_copy_or_null(stmt, 7, a),
		.changes = column_copy_or_null(stmt, 8, a),
		.undo = column_copy_or_null(stmt, 9, a),
		.minutes = sqlite3_column_int(stmt, 10),
		.gives_gpu_up = sqlite3_column_int(stmt, 11) != 0,
		.kinds = column_copy(stmt, 12, a),
	};
	return r;
}

static void read_remedy(sqlite3_stmt *stmt, struct arena *a, struct cause *c)
{
	c->remedies = grow(a, c->remedies, c->remedy_count, sizeof(struct remedy *));
	c->remedies[c->remedy_count++] = remedy_at(stmt, a);
}

const struct remedy *rules_remedy(sqlite3 *db, struct arena *a, const char *id)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT '', " REMEDY_COLUMNS "WHERE r.id = ?1");
	const struct remedy *found = NULL;

	sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
	if (select_next(stmt))
		found = remedy_at(stmt, a);
	select_done(stmt);
	return found;
}

static int by_position(const void *a, const void *b)
{
	const struct rule *x = a;
	const struct rule *y = b;
	int r = (x->position > y->position) - (x->position < y->position);

	return r ? r : strcmp(x->id, y->id);
}

/* Here and not in SQL, whose sorter would carry every text through its tree. */
static void sort_rules(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		struct cause *c = &rules->causes[i];

		rules->rule_count += c->rule_count;
		if (c->rule_count > 1)
			qsort(c->rules, c->rule_count, sizeof(*c->rules), by_position);
	}
}

/* Rows that belong to a cause, whose slug is their first column. */
static const struct part {
	const char *sql;
	void (*read)(sqlite3_stmt *stmt, struct arena *a, struct cause *c);
} parts[] = {
	{ "SELECT cause, id, weight, \"group\", says, sql, absence, gate, reads, position "
	  "FROM kb.evidence",
	  read_rule },
	{ "SELECT cause, by_cause FROM kb.explained_by ORDER BY cause, by_cause", read_explained },
	{ "SELECT c.cause, " REMEDY_COLUMNS
	  "JOIN kb.cause_remedy c ON r.id = c.remedy ORDER BY c.cause, c.position",
	  read_remedy },
};

static int load_part(sqlite3 *db, struct arena *a, const struct map *by_slug, const struct part *p)
{
	sqlite3_stmt *stmt = select_from(db, p->sql);

	while (select_next(stmt)) {
		struct cause *c = map_find(by_slug, span_of(column_text(stmt, 0)));

		if (c)
			p->read(stmt, a, c);
	}
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

/* Causes for which a node is taken out of service. */
#define CLOSES_A_NODE                                  \
	"scope IN ('node', 'gpu', 'link', 'nic') AND " \
	"action IN ('reset-gpu', 'reboot', 'drain', 'replace')"

static int load_causes(sqlite3 *db, struct arena *a, const struct rules_choice *choice,
		       struct rules *ret)
{
	static const char sql[] =
		"SELECT slug, kind, title, story, scope, severity, action, prior, undecided, share,"
		" plain, headline FROM kb.cause WHERE (?1 IS NULL OR slug = ?1) AND (NOT ?2 OR " CLOSES_A_NODE
		") ORDER BY slug";
	sqlite3_stmt *stmt = select_from(db, sql);

	sqlite3_bind_text(stmt, 1, choice->only, -1, SQLITE_STATIC);
	sqlite3_bind_int(stmt, 2, choice->closes_node);
	while (select_next(stmt)) {
		ret->causes = grow(a, ret->causes, ret->count, sizeof(*ret->causes));
		read_cause(stmt, a, &ret->causes[ret->count++]);
	}
	sqlite3_finalize(stmt);
	return select_error() ? -EIO : 0;
}

/* Only knowledge of another program has the table. */
static void load_later(sqlite3 *db, struct arena *a, const char *only, struct rules *ret)
{
	static const char sql[] = "SELECT cause, why, statements FROM kb.later "
				  "WHERE ?1 IS NULL OR cause = ?1 ORDER BY cause";
	sqlite3_stmt *stmt = select_has(db, "kb", "later") ? select_from(db, sql) : NULL;

	sqlite3_bind_text(stmt, 1, only, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		ret->later = grow(a, ret->later, ret->later_count, sizeof(*ret->later));
		ret->later[ret->later_count++] = (struct later){ column_copy_or_null(stmt, 0, a),
								 column_copy_or_null(stmt, 1, a),
								 sqlite3_column_int(stmt, 2) };
	}
	sqlite3_finalize(stmt);
}

int rules_load(sqlite3 *db, struct arena *a, const struct rules_choice *choice, struct rules *ret)
{
	struct map by_slug = { 0 };
	struct rules rules = { 0 };
	int r = load_causes(db, a, choice, &rules);

	load_later(db, a, choice->only, &rules);
	if (r == 0 && choice->only && rules.count + rules.later_count == 0)
		r = -ENOENT;
	for (size_t i = 0; i < rules.count; i++)
		map_put(&by_slug, span_of(rules.causes[i].slug), &rules.causes[i]);
	for (size_t i = 0; r == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		r = load_part(db, a, &by_slug, &parts[i]);
	map_done(&by_slug);
	sort_rules(&rules);
	if (r == 0)
		*ret = rules;
	return r;
}
