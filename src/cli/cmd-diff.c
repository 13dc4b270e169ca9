#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "facts/column.h"
#include "facts/select.h"
#include "fleet/compare.h"
#include "fleet/merged.h"
#include "report/outliers.h"

/* One after the other into the same tables; NULL is this machine. */
static int add_machine(const struct options *o, const char *path, const char *node,
		       struct machine *m, struct merger *merger)
{
	struct buf said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct context_options options = open_options(o, &progress);
	int status;

	options.from = path;
	status = machine_next(&options, m, &said);
	progress_line_end(&progress);
	say_lines(&said);
	if (status == 0)
		merger_add(merger, node, path ? path : "this machine", NULL);
	return status;
}

static int load_two(const struct options *o, sqlite3 **ret)
{
	struct machine m = { .facts = facts_new() };
	struct buf bytes BUF_SCOPED = { 0 };
	struct merger merger = { 0 };
	int status = EXIT_OWN_FAULT;

	*ret = merged_new();
	if (!merger_begin(&merger, m.facts))
		say("SQLite does not start");
	else
		status = add_machine(o, o->words[0], "1", &m, &merger);
	if (status == 0)
		status = add_machine(o, o->word_count > 1 ? o->words[1] : NULL, "2", &m, &merger);
	if (status == 0)
		merger_bytes(&merger, &bytes);
	if (status == 0 && !merged_take(*ret, buf_get(&bytes)))
		status = EXIT_OWN_FAULT;
	merger_done(&merger);
	machine_close(&m);
	return status;
}

static size_t list_pairs(sqlite3 *db, struct arena *a, struct outliers_pair **ret)
{
	struct compare_fact *facts;
	size_t fact_count = compare_facts(db, a, &facts), count = 0;

	*ret = NULL;
	for (size_t i = 0; i < fact_count; i++) {
		sqlite3_stmt *stmt = compare_two(db, &facts[i]);

		while (select_next(stmt)) {
			struct buf name BUF_SCOPED = { 0 };

			compare_name(&facts[i], column_text(stmt, 0), &name);
			*ret = arena_grow(a, *ret, count, sizeof(**ret));
			(*ret)[count++] = (struct outliers_pair){ arena_text(a, buf_get(&name)),
								  column_copy(stmt, 1, a),
								  column_copy(stmt, 2, a) };
		}
		sqlite3_finalize(stmt);
	}
	return count;
}

static int answer(const struct options *o, sqlite3 *db)
{
	struct buf text BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct outliers_pair *pairs;
	size_t count = list_pairs(db, &arena, &pairs);
	int status;

	if (o->json)
		outliers_pairs_json(pairs, count, &text);
	else
		outliers_pairs_text(pairs, count, o->words[0],
				    o->word_count > 1 ? o->words[1] : "this machine",
				    o->output ? 0 : say_width(), &text);
	status = say_answer(o->output, buf_get(&text));
	arena_done(&arena);
	return status != 0 ? status : count > 0 ? EXIT_CHANGED : 0;
}

int cmd_diff(const struct options *o)
{
	sqlite3 *db = NULL;
	int status;

	if (o->word_count < 1 || o->word_count > 2)
		return say_usage("diff", "diff takes two snapshots, or one to compare with this "
					 "machine");
	if (o->word_count == 2 && strcmp(o->words[0], "-") == 0 && strcmp(o->words[1], "-") == 0)
		return say_usage("diff", "standard input can be read only once");
	status = load_two(o, &db);
	if (status == 0)
		status = answer(o, db);
	sqlite3_close(db);
	return status;
}
