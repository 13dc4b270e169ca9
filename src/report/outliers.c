#include "report/outliers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json-write.h"
#include "base/table-write.h"

#define NODES_SHOWN 8 /* of those that have the same other value */

static bool is_same_fact(const struct outliers_row *a, const struct outliers_row *b)
{
	return a->class == b->class && strcmp(a->fact, b->fact) == 0;
}

static bool is_divided(const struct outliers_row *row)
{
	return !row->node[0];
}

static void add_node(const struct outliers_row *row, struct buf *ret)
{
	buf_addf(ret, " %s", row->node);
	if (row->devices[0])
		buf_addf(ret, " (%s)", row->devices);
}

/* The nodes from `at` on that have the same value; returns how many there are. */
static size_t add_value(const struct outliers_report *r, size_t at, struct buf *ret)
{
	const struct outliers_row *first = &r->rows[at];
	size_t count = 0;

	buf_addf(ret, "    %s:", first->value);
	for (; at + count < r->row_count && is_same_fact(first, &r->rows[at + count]) &&
	       strcmp(first->value, r->rows[at + count].value) == 0;
	     count++)
		if (count < NODES_SHOWN)
			add_node(&r->rows[at + count], ret);
	if (count > NODES_SHOWN)
		buf_addf(ret, " and %zu more", count - NODES_SHOWN);
	buf_char(ret, '\n');
	return count;
}

static void add_class(const struct outliers_class *c, struct buf *ret)
{
	buf_addf(ret, "\n%s (%zu %s)\n", c->label, c->nodes, c->nodes == 1 ? "node" : "nodes");
}

static void add_head(const struct outliers_report *r, struct buf *ret)
{
	size_t divided = 0;

	for (size_t i = 0; i < r->row_count; i++)
		divided += is_divided(&r->rows[i]);
	buf_addf(ret, "%zu %s in %zu %s: %s\n", r->nodes, r->nodes == 1 ? "node" : "nodes",
		 r->class_count, r->class_count == 1 ? "class" : "classes",
		 r->row_count > divided || r->counter_count > 0
			 ? "these differ from the majority of their class"
		 : divided > 0 ? "none differs from a majority, and some facts have none"
			       : "none differs from the majority of its class");
}

static void add_counter(const struct outliers_counter *c, struct buf *ret)
{
	buf_addf(ret, "%s (%s) %g", c->node, c->device, c->value);
}

/* The devices from `at` on of the same class and name; returns how many there are. */
static size_t add_counters(const struct outliers_report *r, size_t at, struct buf *ret)
{
	const struct outliers_counter *first = &r->counters[at];
	size_t count = 0;

	buf_addf(ret,
		 "  %s: median %g, deviation %.3g over %zu devices\n    far above:", first->name,
		 first->median, first->deviation, first->devices);
	for (; at + count < r->counter_count && first->class == r->counters[at + count].class &&
	       strcmp(first->name, r->counters[at + count].name) == 0;
	     count++)
		if (count < NODES_SHOWN) {
			buf_text(ret, count ? ", " : " ");
			add_counter(&r->counters[at + count], ret);
		}
	if (count > NODES_SHOWN)
		buf_addf(ret, " and %zu more", count - NODES_SHOWN);
	buf_char(ret, '\n');
	return count;
}

static void add_all_counters(const struct outliers_report *r, struct buf *ret)
{
	for (size_t i = 0; i < r->counter_count;) {
		if (i == 0 || r->counters[i].class != r->counters[i - 1].class)
			add_class(&r->classes[r->counters[i].class], ret);
		i += add_counters(r, i, ret);
	}
}

void outliers_text(const struct outliers_report *r, struct buf *ret)
{
	add_head(r, ret);
	for (size_t i = 0; i < r->row_count;) {
		const struct outliers_row *row = &r->rows[i];

		if (i == 0 || row->class != row[-1].class)
			add_class(&r->classes[row->class], ret);
		if (is_divided(row)) {
			buf_addf(ret, "  %s: no majority: %s\n", row->fact, row->value);
			i++;
			continue;
		}
		if (i == 0 || !is_same_fact(row, row - 1))
			buf_addf(ret, "  %s: %s on %zu of %zu\n", row->fact, row->most,
				 row->most_nodes, row->of_nodes);
		i += add_value(r, i, ret);
	}
	add_all_counters(r, ret);
}

/* ---- by node ---- */

static int by_node(const void *a, const void *b)
{
	const struct outliers_row *x = *(const struct outliers_row *const *)a;
	const struct outliers_row *y = *(const struct outliers_row *const *)b;
	int r = strcmp(x->node, y->node);

	return r ? r : (x > y) - (x < y);
}

static void add_facts(const struct outliers_row *const *rows, size_t count, struct buf *ret)
{
	buf_addf(ret, "\n%s: %zu %s\n", rows[0]->node, count, count == 1 ? "fact" : "facts");
	for (size_t i = 0; i < count; i++) {
		const struct outliers_row *row = rows[i];

		buf_addf(ret, "  %s: %s", row->fact, row->value);
		if (row->devices[0])
			buf_addf(ret, " (%s)", row->devices);
		buf_addf(ret, "; %s on %zu of %zu\n", row->most, row->most_nodes, row->of_nodes);
	}
}

void outliers_by_node(const struct outliers_report *r, struct buf *ret)
{
	struct arena arena = { 0 };
	const struct outliers_row **rows = arena_alloc(&arena, sizeof(*rows) * (r->row_count + 1));
	size_t count = 0, n;

	add_head(r, ret);
	for (size_t i = 0; i < r->row_count; i++)
		if (is_divided(&r->rows[i]))
			buf_addf(ret, "  %s: no majority: %s\n", r->rows[i].fact, r->rows[i].value);
		else
			rows[count++] = &r->rows[i];
	qsort(rows, count, sizeof(struct outliers_row *), by_node);
	for (size_t i = 0; i < count; i += n) {
		for (n = 1; i + n < count && strcmp(rows[i]->node, rows[i + n]->node) == 0;)
			n++;
		add_facts(&rows[i], n, ret);
	}
	add_all_counters(r, ret);
	arena_done(&arena);
}

static void add_json_counter(const struct outliers_report *r, const struct outliers_counter *c,
			     struct buf *ret)
{
	struct json j = json_on(ret);

	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "node", c->node);
	json_string(&j, "fact", c->name);
	json_real(&j, "value", c->value);
	json_string(&j, "devices", c->device);
	json_real(&j, "median", c->median);
	json_real(&j, "deviation", c->deviation);
	json_int(&j, "of_devices", (int64_t)c->devices);
	json_string(&j, "class", r->classes[c->class].label);
	json_close(&j, '}');
}

void outliers_json(const struct outliers_report *r, struct buf *ret)
{
	for (size_t i = 0; i < r->counter_count; i++)
		add_json_counter(r, &r->counters[i], ret);
	for (size_t i = 0; i < r->row_count; i++) {
		const struct outliers_row *row = &r->rows[i];
		struct json j = json_on(ret);

		j.compact = true;
		json_open(&j, NULL, '{');
		json_string(&j, "node", is_divided(row) ? NULL : row->node);
		json_string(&j, "fact", row->fact);
		json_string(&j, "value", row->value);
		if (row->devices[0])
			json_string(&j, "devices", row->devices);
		json_string(&j, "majority", is_divided(row) ? NULL : row->most);
		json_int(&j, "majority_nodes", (int64_t)row->most_nodes);
		json_int(&j, "of_nodes", (int64_t)row->of_nodes);
		json_string(&j, "class", r->classes[row->class].label);
		json_close(&j, '}');
	}
}

void outliers_pairs_text(const struct outliers_pair *pairs, size_t count, const char *one,
			 const char *two, size_t width, struct buf *ret)
{
	struct table_text t = { 0 };

	table_column(&t, "fact", false);
	table_column(&t, one, false);
	table_column(&t, two, false);
	for (size_t i = 0; i < count; i++) {
		size_t row = table_row(&t);

		table_cell(&t, row, 0, span_of(pairs[i].fact));
		table_cell(&t, row, 1, span_of(pairs[i].one));
		table_cell(&t, row, 2, span_of(pairs[i].two));
	}
	if (count > 0)
		table_write(&t, ret, width);
	else
		buf_text(ret, "no difference\n");
	table_done(&t);
}

void outliers_pairs_json(const struct outliers_pair *pairs, size_t count, struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		struct json j = json_on(ret);

		j.compact = true;
		json_open(&j, NULL, '{');
		json_string(&j, "fact", pairs[i].fact);
		json_string(&j, "one", pairs[i].one);
		json_string(&j, "two", pairs[i].two);
		json_close(&j, '}');
	}
}
