#include "base/rules.h"

#include "base/buf.h"

void rules_flag(struct rules_found *r, const char *name)
{
	if (r->flag_count < RULES_FLAGS)
		r->flags[r->flag_count++] = name;
}

void rules_flag_if(struct rules_found *r, const char *name, bool holds)
{
	if (holds)
		rules_flag(r, name);
}

void rules_value(struct rules_found *r, const char *name, const char *value)
{
	if (r->value_count == RULES_VALUES)
		return;
	r->values[r->value_count].name = name;
	r->values[r->value_count++].value = value;
}

bool rules_row(const char *table, const char *kind, size_t nth, struct span *ret)
{
	struct span rest = span_of(table), line, word;

	while (span_line(&rest, &line))
		if (span_cut(&line, '\t', &word) && span_is(word, kind) && nth-- == 0) {
			*ret = line;
			return true;
		}
	return false;
}

long long rules_number(const char *table, const char *name)
{
	struct span row, word;
	int64_t n = 0;

	for (size_t i = 0; rules_row(table, "number", i, &row); i++)
		if (span_cut(&row, '\t', &word) && span_is(word, name))
			return span_i64(span_trim(row), &n) ? n : 0;
	return 0;
}

static bool has_flag(const struct rules_found *r, struct span name)
{
	for (size_t i = 0; i < r->flag_count; i++)
		if (span_is(name, r->flags[i]))
			return true;
	return false;
}

static bool holds_all(const struct rules_found *r, struct span terms)
{
	struct span term;

	while (span_cut(&terms, '+', &term)) {
		bool denied = span_starts(term = span_trim(term), "!");

		if (denied)
			term = (struct span){ term.data + 1, term.len - 1 };
		if (!span_is(term, "-") && has_flag(r, term) == denied)
			return false;
	}
	return true;
}

bool rules_hold(const struct rules_found *r, struct span conditions)
{
	struct span terms;

	while (span_cut(&conditions, '|', &terms))
		if (holds_all(r, terms))
			return true;
	return false;
}

/* The value of "{name}..." and the length of the name with its brackets; NULL: it has none. */
static const char *value_at(const struct rules_found *r, struct span text, size_t *ret_length)
{
	size_t end = span_find(text, SPAN_LITERAL("}"));
	struct span name = { text.data + 1, end - 1 };

	if (text.data[0] != '{' || end == SIZE_MAX)
		return NULL;
	*ret_length = end + 1;
	for (size_t i = 0; i < r->value_count; i++)
		if (span_is(name, r->values[i].name))
			return r->values[i].value;
	return NULL;
}

const char *rules_fill(const struct rules_found *r, struct span text, struct arena *a)
{
	struct buf out BUF_SCOPED = { 0 };

	while (text.len > 0) {
		size_t n = 1;
		const char *value = value_at(r, text, &n);

		if (value) {
			buf_text(&out, value);
		} else {
			n = 1;
			buf_char(&out, text.data[0]);
		}
		text = (struct span){ text.data + n, text.len - n };
	}
	return arena_text(a, buf_get(&out));
}
