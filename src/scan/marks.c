#include "scan/marks.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define GROUPS_MAX  8
#define MATCH_STEPS 20000
#define BITS        12
#define BUCKETS     ((size_t)1 << BITS)

struct marks {
	struct arena arena;
	struct marks_row *rows;
	pcre2_code **codes; /* compiled when a line asks for them */
	size_t count;
	struct literal {
		struct span text;
		unsigned short row, next; /* in its bucket, as `first` */
	} literals[MARKS_LITERALS_MAX];
	size_t literal_count;
	unsigned short first[BUCKETS]; /* number + 1 of a literal that begins so, or 0 */
	pcre2_match_data *match;
	pcre2_match_context *context;
	const pcre2_code *held; /* that held last */
};

static size_t bucket_of(const char *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return (word * 2654435761u) >> (32 - BITS);
}

/* ---- the table ---- */

static const char *take_columns(struct marks *m, struct span line, struct marks_row *ret)
{
	struct span columns[5];

	for (size_t i = 0; i < 5; i++)
		if (!span_cut(&line, '\t', &columns[i]) || columns[i].len == 0)
			return "five columns, none of them empty, are parted by tabs";
	if (line.len > 0)
		return "more than five columns";
	*ret = (struct marks_row){
		.kind = columns[0], .literals = columns[1], .example = columns[3], .line = ret->line
	};
	if (!span_is(columns[2], "-"))
		ret->pattern = arena_text(&m->arena, columns[2]);
	if (!span_is(columns[4], "-"))
		ret->near = columns[4];
	return NULL;
}

static const char *enter_literals(struct marks *m, size_t row)
{
	struct span rest = m->rows[row].literals, text;

	while (span_cut(&rest, '|', &text)) {
		struct literal *literal = &m->literals[m->literal_count];
		unsigned short *first;

		if (text.len < MARKS_LITERAL_MIN)
			return "a literal of less than four bytes";
		if (m->literal_count == MARKS_LITERALS_MAX)
			return "more literals than a table may have";
		first = &m->first[bucket_of(text.data)];
		*literal = (struct literal){ text, (unsigned short)row, *first };
		*first = (unsigned short)++m->literal_count;
	}
	return NULL;
}

static const char *read_table(struct marks *m, struct span table, unsigned int *ret_line)
{
	struct span line;

	m->rows = arena_alloc(&m->arena, MARKS_ROWS_MAX * sizeof(*m->rows));
	for (*ret_line = 1; span_line(&table, &line); (*ret_line)++) {
		const char *why;

		if (line.len == 0 || line.data[0] == '#')
			continue;
		if (m->count == MARKS_ROWS_MAX)
			return "more rows than a table may have";
		m->rows[m->count].line = *ret_line;
		why = take_columns(m, line, &m->rows[m->count]);
		if (!why)
			why = enter_literals(m, m->count++);
		if (why)
			return why;
	}
	return NULL;
}

struct marks *marks_new(struct span table, struct marks_flaw *ret_flaw)
{
	struct marks *m = memory_new(1, sizeof(*m));
	struct marks_flaw flaw = { 0 };

	m->match = pcre2_match_data_create(GROUPS_MAX, NULL);
	m->context = pcre2_match_context_create(NULL);
	if (!m->match || !m->context)
		memory_out();
	pcre2_set_match_limit(m->context, MATCH_STEPS);
	flaw.why = read_table(m, table, &flaw.line);
	if (!flaw.why) {
		m->codes = arena_alloc(&m->arena, (m->count + 1) * sizeof(pcre2_code *));
		return m;
	}
	if (ret_flaw)
		*ret_flaw = flaw;
	return marks_free(m);
}

struct marks *marks_free(struct marks *m)
{
	if (!m)
		return NULL;
	for (size_t i = 0; m->codes && i < m->count; i++)
		pcre2_code_free(m->codes[i]);
	pcre2_match_data_free(m->match);
	pcre2_match_context_free(m->context);
	arena_done(&m->arena);
	free(m);
	return NULL;
}

const struct marks_row *marks_rows(const struct marks *m, size_t *ret_count)
{
	*ret_count = m->count;
	return m->rows;
}

/* ---- a line ---- */

static pcre2_code *code_of(struct marks *m, size_t row)
{
	int error = 0;
	PCRE2_SIZE at;

	if (!m->codes[row])
		m->codes[row] = pcre2_compile(
			(PCRE2_SPTR)m->rows[row].pattern, PCRE2_ZERO_TERMINATED,
			PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY, &error,
			&at, NULL);
	if (!m->codes[row] && error == PCRE2_ERROR_HEAP_FAILED)
		memory_out();
	return m->codes[row];
}

bool marks_compiles(struct marks *m, size_t row)
{
	return !m->rows[row].pattern || code_of(m, row);
}

static bool holds(struct marks *m, size_t row, struct span line)
{
	const pcre2_code *code;

	m->held = NULL;
	if (!m->rows[row].pattern)
		return true;
	code = code_of(m, row);
	if (!code ||
	    pcre2_match(code, (PCRE2_SPTR)line.data, line.len, 0, 0, m->match, m->context) < 0)
		return false;
	m->held = code;
	return true;
}

/* The rows whose literal stands in the line, as bits. */
static bool nominate(const struct marks *m, struct span line, uint64_t *ret)
{
	bool any = false;

	for (size_t i = 0; i + MARKS_LITERAL_MIN <= line.len; i++)
		for (size_t n = m->first[bucket_of(line.data + i)]; n;
		     n = m->literals[n - 1].next) {
			const struct literal *l = &m->literals[n - 1];

			if (line.len - i < l->text.len ||
			    memcmp(line.data + i, l->text.data, l->text.len) != 0)
				continue;
			ret[l->row / 64] |= (uint64_t)1 << l->row % 64;
			any = true;
		}
	return any;
}

/* The kinds wanted: this one, those with this start, those without the other; NULL: any. */
struct wanted {
	const char *kind, *start, *other_start;
};

static bool is_wanted(const struct wanted *w, struct span kind)
{
	return (!w->kind || span_is(kind, w->kind)) && (!w->start || span_starts(kind, w->start)) &&
	       (!w->other_start || !span_starts(kind, w->other_start));
}

static const struct marks_row *find(struct marks *m, struct span line, struct wanted wanted)
{
	uint64_t named[MARKS_ROWS_MAX / 64] = { 0 };

	m->held = NULL;
	if (!nominate(m, line, named))
		return NULL;
	for (size_t row = 0; row < m->count; row++)
		if (named[row / 64] >> row % 64 & 1 && is_wanted(&wanted, m->rows[row].kind) &&
		    holds(m, row, line))
			return &m->rows[row];
	return NULL;
}

const struct marks_row *marks_find(struct marks *m, struct span line)
{
	return find(m, line, (struct wanted){ 0 });
}

const struct marks_row *marks_find_kind(struct marks *m, struct span line, const char *kind)
{
	return find(m, line, (struct wanted){ .kind = kind });
}

const struct marks_row *marks_find_part(struct marks *m, struct span line, const char *start,
					bool inside)
{
	struct wanted wanted = { .start = inside ? start : NULL,
				 .other_start = inside ? NULL : start };

	return find(m, line, wanted);
}

bool marks_value(struct marks *m, struct span line, const char *name, struct span *ret)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(m->match);
	int group = m->held ? pcre2_substring_number_from_name(m->held, (PCRE2_SPTR)name) : -1;

	if (group < 0 || group >= GROUPS_MAX || ends[2 * group] == PCRE2_UNSET ||
	    ends[2 * group + 1] < ends[2 * group] || ends[2 * group + 1] > line.len)
		return false;
	*ret = (struct span){ line.data + ends[2 * group], ends[2 * group + 1] - ends[2 * group] };
	return true;
}
