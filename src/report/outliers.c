#include "report/outliers.h"

#include <string.h>

#include "base/json-write.h"
#include "base/table-write.h"

#define NODES_SHOWN 8 /* of those that have the same other value */

static bool is_same_fact(const struct outliers_row *a, const struct outliers_row *b)
{
	return a->class == b->class && strcmp(a->fact, b->fact) == 0;
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
			buf_addf(ret, " %s", r->rows[at + count].node);
	if (count > NODES_SHOWN)
		buf_addf(ret, " and %zu more", count - NODES_SHOWN);
	buf_char(ret, '\n');
	return count;
}

static void add_class(const struct outliers_class *c, struct buf *ret)
{
	buf_addf(ret, "\n%s (%zu %s)\n", c->label, c->nodes, c->nodes == 1 ? "node" : "nodes");
}

void outliers_text(const struct outliers_report *r, struct buf *ret)
{
	buf_addf(ret, "%zu %s in %zu %s: %s\n", r->nodes, r->nodes == 1 ? "node" : "nodes",
		 r->class_count, r->class_count == 1 ? "class" : "classes",
		 r->row_count == 0 ? "none differs from the majority of its class"
				   : "these differ from the majority of their class");
	for (size_t i = 0; i < r->row_count;) {
		const struct outliers_row *row = &r->rows[i];

		if (i == 0 || row->class != row[-1].class)
			add_class(&r->classes[row->class], ret);
		if (i == 0 || !is_same_fact(row, row - 1))
			buf_addf(ret, "  %s: %s on %zu of %zu\n", row->fact, row->most,
				 row->most_nodes, row->of_nodes);
		i += add_value(r, i, ret);
	}
}

void outliers_json(const struct outliers_report *r, struct buf *ret)
{
	for (size_t i = 0; i < r->row_count; i++) {
		const struct outliers_row *row = &r->rows[i];
		struct json j = json_on(ret);

		j.compact = true;
		json_open(&j, NULL, '{');
		json_string(&j, "node", row->node);
		json_string(&j, "fact", row->fact);
		json_string(&j, "value", row->value);
		json_string(&j, "majority", row->most);
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
