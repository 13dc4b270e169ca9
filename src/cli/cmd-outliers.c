#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fleet-load.h"
#include "cli/pool.h"
#include "cli/say.h"
#include "facts/column.h"
#include "facts/select.h"
#include "fleet/compare.h"
#include "fleet/counters.h"
#include "fleet/merged.h"
#include "report/outliers.h"

/*
 * The facts of each table are compared in a process of its own, which sends a
 * line with tabs for each row; facts hold no control characters.
 */
struct outliers {
	sqlite3 *db;
	const char *file; /* that it was read from; NULL: from a directory of snapshots */
	struct arena arena;
	struct compare_fact *facts;
	size_t *tables; /* the first fact of each, and behind the last the number of facts */
	size_t table_count;
	struct outliers_class *classes;
	size_t class_count;
	struct outliers_row *rows;
	size_t row_count;
	struct outliers_counter *counters;
	size_t counter_count;
	bool lost;   /* a process has died */
	bool unread; /* or met a row that cannot be read */
};

enum cell { FACT, CLASS, KEY, VALUE, MOST, MOST_NODES, OF_NODES, NODE, DEVICES, COLUMNS };

/* ---- in a process of its own ---- */

static void compare_fact(const struct outliers *o, size_t fact, struct buf *ret)
{
	sqlite3_stmt *stmt = compare_outliers(o->db, &o->facts[fact]);

	while (select_next(stmt)) {
		buf_addf(ret, "%zu", fact);
		for (int c = CLASS; c < COLUMNS; c++) {
			buf_char(ret, '\t');
			buf_span(ret, column_span(stmt, c - CLASS));
		}
		buf_char(ret, '\n');
	}
	sqlite3_finalize(stmt);
}

static void compare_table(void *ctx, size_t table, struct buf *ret)
{
	const struct outliers *o = ctx;
	size_t first = o->tables[table], end = o->tables[table + 1];

	if (compare_weigh(o->db, &o->facts[first], end - first))
		for (size_t i = first; i < end; i++)
			compare_fact(o, i, ret);
	buf_text(ret, select_error() ? "unread\n" : "done\n");
}

/* ---- here ---- */

static size_t number_of(struct span text)
{
	uint64_t number = 0;

	return span_u64(text, &number) ? (size_t)number : 0;
}

static void take_row(struct outliers *o, struct span line)
{
	struct span cells[COLUMNS] = { 0 };
	struct buf name BUF_SCOPED = { 0 };
	size_t class, fact;

	for (int c = 0; c < COLUMNS; c++)
		span_cut(&line, '\t', &cells[c]);
	class = number_of(cells[CLASS]);
	fact = number_of(cells[FACT]);
	if (class == 0 || class > o->class_count || fact >= o->tables[o->table_count])
		return;
	compare_name(&o->facts[fact], arena_text(&o->arena, cells[KEY]), &name);
	o->rows = arena_grow(&o->arena, o->rows, o->row_count, sizeof(*o->rows));
	o->rows[o->row_count++] = (struct outliers_row){
		class - 1,
		arena_text(&o->arena, buf_get(&name)),
		arena_text(&o->arena, cells[VALUE]),
		arena_text(&o->arena, cells[MOST]),
		number_of(cells[MOST_NODES]),
		number_of(cells[OF_NODES]),
		arena_text(&o->arena, cells[NODE]),
		arena_text(&o->arena, cells[DEVICES]),
	};
}

static void take_table(void *ctx, size_t table, struct span answer, bool whole)
{
	struct outliers *o = ctx;
	struct span line;
	bool done = false, unread = false;

	(void)table; /* each line names its fact */
	while (span_line(&answer, &line)) {
		done = answer.len == 0 && span_is(line, "done");
		unread = answer.len == 0 && span_is(line, "unread");
		if (!done && !unread)
			take_row(o, line);
	}
	o->unread = o->unread || unread;
	o->lost = o->lost || !whole || (!done && !unread);
}

static void list_classes(struct outliers *o)
{
	sqlite3_stmt *stmt = compare_class_list(o->db);

	while (select_next(stmt)) {
		o->classes = arena_grow(&o->arena, o->classes, o->class_count, sizeof(*o->classes));
		o->classes[o->class_count++] =
			(struct outliers_class){ column_copy(stmt, 1, &o->arena),
						 (size_t)sqlite3_column_int64(stmt, 2) };
	}
	sqlite3_finalize(stmt);
}

/* Facts stay in their order, within a class. */
static int by_class(const void *a, const void *b)
{
	const struct outliers_row *x = *(const struct outliers_row *const *)a;
	const struct outliers_row *y = *(const struct outliers_row *const *)b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct outliers_row *sort_rows(struct outliers *o)
{
	struct outliers_row **order = arena_alloc(&o->arena, sizeof(*order) * (o->row_count + 1));
	struct outliers_row *rows = arena_alloc(&o->arena, sizeof(*rows) * (o->row_count + 1));

	for (size_t i = 0; i < o->row_count; i++)
		order[i] = &o->rows[i];
	qsort(order, o->row_count, sizeof(struct outliers_row *), by_class);
	for (size_t i = 0; i < o->row_count; i++)
		rows[i] = *order[i];
	return rows;
}

/* Rows that we have just written are ours to read; those of a file are damaged. */
static int say_unread(const struct outliers *o)
{
	if (!o->unread && !select_error())
		return 0;
	if (o->file) {
		say("%s is damaged; write it again: rocsteady query --from DIR -o FILE", o->file);
		return EXIT_NO_INPUT;
	}
	say("the snapshots could not be compared completely");
	return EXIT_OWN_FAULT;
}

static void list_tables(struct outliers *o)
{
	size_t count = compare_facts(o->db, &o->arena, &o->facts);

	o->tables = arena_alloc(&o->arena, sizeof(*o->tables) * (count + 1));
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(o->facts[i].table, o->facts[i - 1].table) != 0)
			o->tables[o->table_count++] = i;
	o->tables[o->table_count] = count;
}

static int compare_counters(struct outliers *o)
{
	struct counter_outlier *far;
	size_t count = 0;

	if (!counters_far(o->db, &o->arena, &far, &count))
		return say_unread(o);
	o->counters = arena_alloc(&o->arena, (count + 1) * sizeof(*o->counters));
	for (size_t i = 0; i < count; i++)
		if (far[i].class > 0 && far[i].class <= o->class_count)
			o->counters[o->counter_count++] = (struct outliers_counter){
				far[i].class - 1, far[i].name,   far[i].node,      far[i].device,
				far[i].value,     far[i].median, far[i].deviation, far[i].devices,
			};
	return 0;
}

static int compare_all(struct outliers *o)
{
	struct pool pool = {
		.ctx = o, .work = compare_table, .done = take_table, .in_order = true
	};
	int r;

	list_tables(o);
	pool.count = o->table_count;
	if (!compare_classes(o->db))
		return say_unread(o);
	list_classes(o);
	r = pool_run(&pool);
	if (r < 0)
		say("no process could be started: %s", strerror(-r));
	else if (o->lost)
		say("rocsteady died while it compared the snapshots");
	r = r < 0 || o->lost ? EXIT_OWN_FAULT : say_unread(o);
	return r != 0 ? r : compare_counters(o);
}

static int report(const struct options *options, struct outliers *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct outliers_report report = { .classes = o->classes,
					  .class_count = o->class_count,
					  .rows = sort_rows(o),
					  .row_count = o->row_count,
					  .counters = o->counters,
					  .counter_count = o->counter_count,
					  .nodes = merged_nodes(o->db) - merged_unread(o->db) };

	if (options->json)
		outliers_json(&report, &text);
	else if (options->by && strcmp(options->by, "node") == 0)
		outliers_by_node(&report, &text);
	else
		outliers_text(&report, &text);
	return say_answer(options->output, buf_get(&text));
}

int cmd_outliers(const struct options *options)
{
	struct outliers o = { 0 };
	struct fleet fleet;
	int loaded, status;

	if (options->word_count != 1)
		return say_usage("outliers", "outliers takes one directory of snapshots, or a file "
					     "that rocsteady query --from DIR -o FILE wrote");
	loaded = fleet_load(options, options->words[0], &fleet);
	status = loaded == EXIT_UNDECIDED ? 0 : loaded;
	o.db = fleet.db;
	o.file = fleet.file.len > 0 ? options->words[0] : NULL;
	if (status == 0)
		status = compare_all(&o);
	if (status == 0)
		status = report(options, &o);
	if (status == 0)
		status = o.row_count + o.counter_count > 0 ? EXIT_CHANGED : loaded;
	arena_done(&o.arena);
	fleet_done(&fleet);
	return status;
}
