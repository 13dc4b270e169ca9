#include <errno.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/printable.h"

/*
 * A file of printable/, which tools/mine writes: lines with tabs between.
 *
 *	component  RCCL
 *	tree       ROCm/rccl  rocm-6.2.2  0123456789ab
 *	file       src/transport/p2p.cc
 *	41f5b6a3c2d1e0ff  31  e  0  0
 *
 * Of a text: digest, length, error or warning, and by their numbers in this
 * file the trees that had it first and last.
 */

#define COLUMNS_MAX 5

struct printable {
	struct compiler *c;
	const char *component;
	unsigned int line;
	int tree, trees; /* the first of this file, and how many it has */
	int file;        /* the last one */
	bool has_file;   /* in this file */
};

static void fault(struct printable *p, const char *what)
{
	faults_add(p->c->faults, p->c->file, p->line, "%s", what);
}

static size_t cut(struct span line, struct span ret[COLUMNS_MAX])
{
	size_t count = 0;

	while (count < COLUMNS_MAX && span_cut(&line, '\t', &ret[count]))
		count++;
	return line.len > 0 ? COLUMNS_MAX + 1 : count;
}

static void take_component(struct printable *p, const struct span *columns)
{
	if (p->component)
		fault(p, "a file has one component");
	p->component = arena_text(&p->c->arena, columns[1]);
}

static void take_tree(struct printable *p, const struct span *columns)
{
	struct arena *a = &p->c->arena;

	compile_insert(p->c, "printable_tree", "issss", p->tree + p->trees++, p->component,
		       arena_text(a, columns[1]), arena_text(a, columns[2]),
		       arena_text(a, columns[3]));
}

static void take_file(struct printable *p, const struct span *columns)
{
	p->has_file = true;
	compile_insert(p->c, "printable_file", "iss", ++p->file, p->component,
		       arena_text(&p->c->arena, columns[1]));
}

static bool is_length(uint64_t length)
{
	return length >= PRINTABLE_MIN && length <= PRINTABLE_MAX;
}

static void take_text(struct printable *p, const struct span *columns)
{
	uint64_t digest, length, first, last;

	if (!p->has_file || !span_hex(columns[0], &digest) || digest > INT64_MAX ||
	    !span_u64(columns[1], &length) || !is_length(length & ~(uint64_t)PRINTABLE_ALONE) ||
	    !(span_is(columns[2], "e") || span_is(columns[2], "w")) ||
	    !span_u64(columns[3], &first) || !span_u64(columns[4], &last) || first > last ||
	    last >= (uint64_t)p->trees) {
		fault(p, "a text is: digest, length, e or w, first and last tree, below a file");
		return;
	}
	if (compile_insert(p->c, "printable", "liiiii", (int64_t)digest, (int)length,
			   (int)span_is(columns[2], "e"), p->file, p->tree + (int)first,
			   p->tree + (int)last) == -EEXIST)
		fault(p, "another component has this text too, or it stands here twice");
}

static const struct {
	const char *name;
	size_t columns;
	void (*take)(struct printable *p, const struct span *columns);
} kinds[] = {
	{ "component", 2, take_component },
	{ "tree", 4, take_tree },
	{ "file", 2, take_file },
	{ NULL, COLUMNS_MAX, take_text },
};

static void take_line(struct printable *p, struct span line)
{
	struct span columns[COLUMNS_MAX] = { 0 };
	size_t count = cut(line, columns), i = 0;

	while (kinds[i].name && !span_is(columns[0], kinds[i].name))
		i++;
	if (count != kinds[i].columns)
		fault(p, "no line of component, tree, file or text");
	else if (i > 0 && !p->component)
		fault(p, "the component is named first");
	else
		kinds[i].take(p, columns);
}

void compile_printable(struct compiler *c, struct span text)
{
	struct printable p = { .c = c };
	struct span line;

	p.tree = 1 + (int)select_count(c->db, "SELECT count(*) FROM printable_tree");
	p.file = (int)select_count(c->db, "SELECT count(*) FROM printable_file");
	for (p.line = 1; span_line(&text, &line); p.line++)
		if (line.len > 0 && line.data[0] != '#')
			take_line(&p, line);
}

/* Whoever asks looks at so many texts that begin alike, and at no more. */
static void check_alike(struct compiler *c)
{
	sqlite3_stmt *stmt = select_from(
		c->db,
		"SELECT f.path, count(*) FROM printable p JOIN printable_file f ON f.id = p.file"
		" GROUP BY p.digest >> " PRINTABLE_SHIFT " HAVING count(*) > " PRINTABLE_ALIKE);

	while (select_next(stmt))
		faults_add(c->faults, "printable", 1, "%s texts begin alike: %s",
			   column_text(stmt, 1), column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

void compile_check_printable(struct compiler *c)
{
	sqlite3_stmt *stmt =
		select_from(c->db, "SELECT DISTINCT component FROM printable_file"
				   " WHERE component NOT IN (SELECT name FROM component)");

	while (select_next(stmt))
		faults_add(c->faults, "printable", 1, "no component: %s", column_text(stmt, 0));
	sqlite3_finalize(stmt);
	check_alike(c);
}
