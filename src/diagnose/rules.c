#include "diagnose/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/rows.h"

static const char *severity_of(const char *word)
{
	static const char *const words[] = { "info", "warning", "problem" };

	for (size_t i = 0; word && i < 3; i++)
		if (strcmp(word, words[i]) == 0)
			return words[i];
	return "info"; /* a word of later knowledge must not alarm */
}

static void read_cause(const struct kb_rows *row, struct cause *ret)
{
	*ret = (struct cause){
		.slug = kb_rows_text(row, 0),
		.kind = kb_rows_text(row, 1),
		.title = kb_rows_text(row, 2),
		.story = kb_rows_text(row, 3),
		.scope = kb_rows_text(row, 4),
		.severity = severity_of(kb_rows_look(row, 5)),
		.action = kb_rows_text(row, 6),
		.prior = kb_rows_int(row, 7),
		.undecided = kb_rows_text(row, 8),
		.share = kb_rows_int(row, 9),
		.plain = kb_rows_text(row, 10),
		.headline = kb_rows_text(row, 11),
		.tells = kb_rows_text(row, 12),
		.repair = kb_rows_text(row, 14),
	};
}

static void read_rule(const struct kb_rows *row, struct arena *a, struct cause *c)
{
	c->rules = arena_grow(a, c->rules, c->rule_count, sizeof(*c->rules));
	c->rules[c->rule_count++] = (struct rule){
		.id = kb_rows_text(row, 1),
		.weight = kb_rows_int(row, 2),
		.group = kb_rows_text(row, 3),
		.says = kb_rows_text(row, 4),
		.sql = kb_rows_text(row, 5),
		.absence = kb_rows_int(row, 6) != 0,
		.gate = kb_rows_text(row, 7),
		.reads = kb_rows_text(row, 8),
		.position = kb_rows_int(row, 9),
	};
}

static void read_explained(const struct kb_rows *row, struct arena *a, struct cause *c)
{
	c->explained_by = arena_grow(a, c->explained_by, c->explained_by_count, sizeof(char *));
	c->explained_by[c->explained_by_count++] = kb_rows_text(row, 1);
}

static void read_remedy(const struct kb_rows *row, struct remedy *ret)
{
	*ret = (struct remedy){
		.id = kb_rows_text(row, 0),
		.title = kb_rows_text(row, 1),
		.steps = kb_rows_text(row, 2),
		.risk = kb_rows_text(row, 3),
		.verify = kb_rows_text(row, 4),
		.sql = kb_rows_text(row, 5),
		.needs = kb_rows_text(row, 6),
		.changes = kb_rows_text(row, 7),
		.undo = kb_rows_text(row, 8),
		.minutes = kb_rows_int(row, 9),
		.gives_gpu_up = kb_rows_int(row, 10) != 0,
		.kinds = kb_rows_text(row, 11),
		.gate = kb_rows_text(row, 12),
		.windows = kb_rows_text(row, 13),
		.unchecked = kb_rows_text(row, 14),
		.wsl = kb_rows_text(row, 15),
		.acts = kb_rows_text(row, 16),
	};
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
	enum kb_rows_of rows;
	void (*read)(const struct kb_rows *row, struct arena *a, struct cause *c);
} parts[] = {
	{ KB_ROWS_EVIDENCE, read_rule },
	{ KB_ROWS_EXPLAINED_BY, read_explained },
};

static int load_part(sqlite3 *db, struct arena *a, const struct map *by_slug, const struct part *p)
{
	struct kb_rows rows = kb_rows_of(db, p->rows, a);

	while (kb_rows_next(&rows)) {
		struct cause *c = map_find(by_slug, span_of(kb_rows_look(&rows, 0)));

		if (c)
			p->read(&rows, a, c);
	}
	return kb_rows_done(&rows);
}

static int list_remedies(sqlite3 *db, struct arena *a, struct rules *ret)
{
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_REMEDIES, a);

	while (kb_rows_next(&rows)) {
		ret->remedies =
			arena_grow(a, ret->remedies, ret->remedy_count, sizeof(*ret->remedies));
		read_remedy(&rows, &ret->remedies[ret->remedy_count++]);
	}
	return kb_rows_done(&rows);
}

/* Each is read once, however many causes it helps. */
static int load_remedies(sqlite3 *db, struct arena *a, const struct map *by_slug, struct rules *ret)
{
	struct map by_id = { 0 };
	int r = list_remedies(db, a, ret);
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_CAUSE_REMEDIES, a);

	for (size_t i = 0; i < ret->remedy_count; i++)
		map_put(&by_id, span_of(ret->remedies[i].id), &ret->remedies[i]);
	while (r == 0 && kb_rows_next(&rows)) {
		struct cause *c = map_find(by_slug, span_of(kb_rows_look(&rows, 0)));
		struct remedy *remedy = map_find(&by_id, span_of(kb_rows_look(&rows, 1)));

		if (!c || !remedy)
			continue;
		c->remedies = arena_grow(a, c->remedies, c->remedy_count, sizeof(struct remedy *));
		c->remedies[c->remedy_count++] = remedy;
	}
	map_done(&by_id);
	return kb_rows_done(&rows);
}

const struct remedy *rules_remedy(const struct rules *rules, const char *id)
{
	for (size_t i = 0; i < rules->remedy_count; i++)
		if (strcmp(rules->remedies[i].id, id) == 0)
			return &rules->remedies[i];
	return NULL;
}

static bool is_chosen(const struct rules_choice *choice, const struct kb_rows *row)
{
	return (!choice->only || strcmp(kb_rows_look(row, 0), choice->only) == 0) &&
	       (!choice->closes_node || kb_rows_int(row, 13) != 0);
}

static int load_causes(sqlite3 *db, struct arena *a, const struct rules_choice *choice,
		       struct rules *ret)
{
	struct kb_rows rows = kb_rows_of(db, KB_ROWS_CAUSES, a);

	while (kb_rows_next(&rows)) {
		if (!is_chosen(choice, &rows))
			continue;
		ret->causes = arena_grow(a, ret->causes, ret->count, sizeof(*ret->causes));
		read_cause(&rows, &ret->causes[ret->count++]);
	}
	return kb_rows_done(&rows);
}

/* Only knowledge of another program has the table. */
static void load_later(sqlite3 *db, struct arena *a, const char *only, struct rules *ret)
{
	static const char sql[] = "SELECT cause, why, statements FROM kb.later "
				  "WHERE ?1 IS NULL OR cause = ?1 ORDER BY cause";
	sqlite3_stmt *stmt = select_has(db, "kb", "later") ? select_from(db, sql) : NULL;

	sqlite3_bind_text(stmt, 1, only, -1, SQLITE_STATIC);
	while (select_next(stmt)) {
		ret->later = arena_grow(a, ret->later, ret->later_count, sizeof(*ret->later));
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
	if (r == 0 && !choice->closes_node) /* whoever closes a node prescribes nothing */
		r = load_remedies(db, a, &by_slug, &rules);
	map_done(&by_slug);
	sort_rules(&rules);
	if (r == 0)
		*ret = rules;
	return r;
}
