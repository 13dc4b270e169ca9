#include "parse/klog.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"

#define ANCHOR_ALONE 10
#define ANCHOR_PAIR  14
#define WINDOW_MAX   32
#define BLOCK        3 /* bytes that select a slot */

static const char *const severities[] = {
	[KLOG_INFO] = "info",
	[KLOG_WARNING] = "warning",
	[KLOG_PROBLEM] = "problem",
};

static const char *const actions[] = {
	[KLOG_NOTHING] = "nothing", [KLOG_NOTE] = "note",       [KLOG_DRAIN] = "drain",
	[KLOG_REBOOT] = "reboot",   [KLOG_REPLACE] = "replace",
};

static bool is_lower_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Words of letters and digits, each two joined by one `joint`. */
static bool is_name(struct span s, char joint)
{
	bool joined = true;

	for (size_t i = 0; i < s.len; i++) {
		if (!is_lower_or_digit(s.data[i]) && (joined || s.data[i] != joint))
			return false;
		joined = s.data[i] == joint;
	}
	return !joined;
}

static const char *add_hole(struct klog_row *row, struct span name)
{
	if (row->holes == KLOG_HOLES_MAX)
		return "more than 8 holes";
	if (!is_name(name, '_'))
		return "a hole's name is words of a-z and 0-9 joined by _";
	if (row->holes > 0 && row->literals[row->holes].len == 0)
		return "two holes touch";
	for (unsigned int i = 0; i < row->holes; i++) {
		if (span_same(row->names[i], name))
			return "two holes have one name";
	}
	row->names[row->holes++] = name;
	return NULL;
}

/* Cut the pattern into literals and holes; NULL, or what is wrong with it. */
static const char *cut_pattern(struct klog_row *row)
{
	struct span rest = row->pattern;
	size_t at = 0;

	for (;;) {
		const char *why;
		struct span name;

		while (at < rest.len && rest.data[at] != '{' && rest.data[at] != '}')
			at++;
		row->literals[row->holes] = (struct span){ rest.data, at };
		if (at == rest.len)
			return NULL;
		if (rest.data[at] == '}')
			return "a } without its {";
		rest = (struct span){ rest.data + at + 1, rest.len - at - 1 };
		if (!memchr(rest.data, '}', rest.len) || !span_cut(&rest, '}', &name))
			return "a { without its }";
		why = add_hole(row, name);
		if (why)
			return why;
		at = 0;
	}
}

static const char *choose_anchor(struct klog_row *row)
{
	size_t second = 0;

	for (unsigned int i = 0; i <= row->holes; i++) {
		struct span literal = row->literals[i];

		if (literal.len > row->anchor.len) {
			second = row->anchor.len;
			row->anchor = literal;
		} else if (literal.len > second) {
			second = literal.len;
		}
	}
	if (row->anchor.len < ANCHOR_ALONE && row->anchor.len + second < ANCHOR_PAIR)
		return "the pattern's literals are too short";
	return NULL;
}

/* The place of the word in the list, or -1. */
static int word_number(struct span word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_is(word, words[i]))
			return (int)i;
	return -1;
}

static const char *read_meaning(struct span severity, struct span action, struct klog_row *row)
{
	int s = word_number(severity, severities, COUNT(severities));
	int a = word_number(action, actions, COUNT(actions));

	if (s < 0)
		return "the severity is none of info, warning, problem";
	if (a < 0)
		return "the action is none of nothing, note, drain, reboot, replace";
	row->severity = (enum klog_severity)s;
	row->action = (enum klog_action)a;
	if ((row->severity == KLOG_INFO) != (row->action == KLOG_NOTHING))
		return "an information asks for nothing, and nothing else does";
	return NULL;
}

static const char *read_row(struct span line, struct klog_row *ret)
{
	struct span columns[5];
	const char *why;

	for (int i = 0; i < 5; i++) {
		if (!span_cut(&line, '\t', &columns[i]) || columns[i].len == 0)
			return "a row has five columns";
	}
	if (line.len > 0 || line.data[-1] == '\t')
		return "a row has five columns";
	*ret = (struct klog_row){ .class = columns[0],
				  .pattern = columns[3],
				  .source = columns[4] };
	if (!is_name(ret->class, '-'))
		return "a class is words of a-z and 0-9 joined by -";
	why = read_meaning(columns[1], columns[2], ret);
	if (!why)
		why = cut_pattern(ret);
	return why ? why : choose_anchor(ret);
}

static const char *compare_rows(const struct klog_table *table, const struct klog_row *row)
{
	for (size_t i = 0; i < table->count; i++) {
		if (span_same(table->rows[i].pattern, row->pattern))
			return "the pattern stands in an earlier row";
		if (span_same(table->rows[i].class, row->class) &&
		    (table->rows[i].severity != row->severity ||
		     table->rows[i].action != row->action))
			return "the class has another severity or action in an earlier row";
	}
	return NULL;
}

static bool is_blank(struct span line)
{
	return line.len == 0 || line.data[0] == '#';
}

static unsigned int slot_of(const char *at)
{
	unsigned int a = (unsigned char)at[0], b = (unsigned char)at[1], c = (unsigned char)at[2];

	return (a ^ b << 4 ^ c << 7) % KLOG_SLOTS;
}

/*
 * Wu and Manber's search. A window slides over the line; the three bytes at
 * its end tell how far it may move before an anchor can end there. Zero means
 * that the rows of this slot must be compared.
 */
static void build_search(struct klog_table *table)
{
	table->window = WINDOW_MAX;
	for (size_t i = 0; i < table->count; i++) {
		if (table->rows[i].anchor.len < table->window)
			table->window = table->rows[i].anchor.len;
	}
	memset(table->skip, (int)(table->window - BLOCK + 1), sizeof(table->skip));
	for (size_t i = table->count; i-- > 0;) {
		struct klog_row *row = &table->rows[i];
		size_t last = table->window - BLOCK;

		for (size_t at = 0; at <= last; at++) {
			uint8_t *skip = &table->skip[slot_of(row->anchor.data + at)];

			if (last - at < *skip)
				*skip = (uint8_t)(last - at);
		}
		row->next = table->first[slot_of(row->anchor.data + last)];
		table->first[slot_of(row->anchor.data + last)] = (uint16_t)(i + 1);
	}
}

int klog_table_parse(struct arena *arena, struct span text, struct klog_table **ret,
		     struct klog_flaw *ret_flaw)
{
	struct klog_flaw flaw = { 0 };
	struct span rest = text, line;
	struct klog_table *table;
	size_t count = 0;

	while (span_line(&rest, &line))
		count += !is_blank(line);
	if (count > KLOG_ROWS_MAX) {
		flaw.why = "too many rows";
		goto refused;
	}
	table = arena_alloc(arena, sizeof(*table));
	table->rows = arena_alloc(arena, (count + 1) * sizeof(*table->rows));
	while (span_line(&text, &line)) {
		struct klog_row *row = &table->rows[table->count];

		flaw.line++;
		if (is_blank(line))
			continue;
		flaw.why = read_row(line, row);
		if (!flaw.why && ret_flaw)
			flaw.why = compare_rows(table, row);
		if (flaw.why)
			goto refused;
		row->line = flaw.line;
		table->count++;
	}
	build_search(table);
	*ret = table;
	return 0;

refused:
	if (ret_flaw)
		*ret_flaw = flaw;
	return count > KLOG_ROWS_MAX ? -E2BIG : -EINVAL;
}

/* Set the bit of every row whose anchor stands in the line; false if there is none. */
static bool nominate(const struct klog_table *table, struct span line, uint64_t *rows)
{
	bool any = false;

	for (size_t end = table->window; end <= line.len;) {
		unsigned int slot = slot_of(line.data + end - BLOCK);
		const char *at = line.data + end - table->window;
		size_t left = line.len - (end - table->window);

		if (table->skip[slot] > 0) {
			end += table->skip[slot];
			continue;
		}
		for (unsigned int i = table->first[slot]; i > 0; i = table->rows[i - 1].next) {
			struct span anchor = table->rows[i - 1].anchor;

			if (anchor.len > left || memcmp(at, anchor.data, anchor.len) != 0)
				continue;
			rows[(i - 1) / 64] |= UINT64_C(1) << (i - 1) % 64;
			any = true;
		}
		end++;
	}
	return any;
}

/*
 * Taking the first place of each literal after the one before never misses a
 * match: a later place leaves less for the rest.
 */
static bool match_row(const struct klog_row *row, struct span line, struct klog_match *ret)
{
	struct klog_match match = { .row = row };
	struct span rest = line;

	for (unsigned int i = 0; i <= row->holes; i++) {
		struct span literal = row->literals[i];
		size_t at = span_find(rest, literal);

		if (at == SIZE_MAX)
			return false;
		if (i == row->holes && i > 0 && literal.len == 0)
			at = rest.len;
		if (i > 0)
			match.values[i - 1] = (struct span){ rest.data, at };
		rest.data += at + literal.len;
		rest.len -= at + literal.len;
	}
	*ret = match;
	return true;
}

bool klog_class(const struct klog_table *table, struct span line, struct klog_match *ret)
{
	uint64_t rows[KLOG_ROWS_MAX / 64] = { 0 };
	struct span rest = line;

	if (rest.len > KLOG_LINE_MAX)
		rest.len = KLOG_LINE_MAX;
	if (!span_line(&rest, &line) || !nominate(table, line, rows))
		return false;
	for (size_t i = 0; i < table->count; i++) {
		if ((rows[i / 64] >> i % 64 & 1) && match_row(&table->rows[i], line, ret))
			return true;
	}
	return false;
}

struct span klog_value(const struct klog_match *match, const char *name)
{
	for (unsigned int i = 0; i < match->row->holes; i++) {
		if (span_is(match->row->names[i], name))
			return match->values[i];
	}
	return (struct span){ 0 };
}

const char *klog_action_name(enum klog_action action)
{
	assert((size_t)action < COUNT(actions));
	return actions[action];
}

const char *klog_severity_name(enum klog_severity severity)
{
	assert(severity <= KLOG_PROBLEM);
	return severities[severity];
}
