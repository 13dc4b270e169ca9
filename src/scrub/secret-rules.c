#include "scrub/secret-rules.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

static const struct {
	const char *name;
	bool begins; /* a word or a path */
} forms[RULE_FORMS] = {
	[RULE_MARK] = { "mark", true },
	[RULE_SCHEME] = { "scheme", true },
	[RULE_URL] = { "url", true },
	[RULE_BLOCK] = { "block", true },
	[RULE_DIGEST] = { "digest", true },
	[RULE_LABEL] = { "label", true },
	[RULE_PLACE] = { "place", true },
	[RULE_HEADER] = { "header", false },
	[RULE_SETTER] = { "setter", false },
	[RULE_BEHIND] = { "behind", false },
	[RULE_JOINER] = { "joiner", false },
	[RULE_ARGUMENT] = { "argument", true },
	[RULE_OPTION] = { "option", false },
	[RULE_VALUE] = { "value", false },
	[RULE_HARMLESS] = { "harmless", false },
	[RULE_NAMED] = { "named", false },
	[RULE_NOBODY] = { "nobody", false },
	[RULE_WRAPPER] = { "wrapper", false },
	[RULE_SEVERAL] = { "several", false },
	[RULE_PAIR] = { "pair", false },
	[RULE_PHRASE] = { "phrase", false },
	[RULE_LOGIN] = { "login", false },
	[RULE_PIPED] = { "piped", true },
};

static const char *const kinds[] = {
	[SECRET_USER] = "user",
	[SECRET_HOST] = "host",
	[SECRET_SERIAL] = "serial",
};

/* "20w": the letters that a mark is followed by. */
static const char *letters_of(char set)
{
	switch (set) {
	case 'w':
		return "_-";
	case 'd':
		return "_-.";
	case 'b':
		return "+/=_-";
	case 'c':
		return "./$=,+";
	default:
		return "";
	}
}

static bool read_more(struct secret_rule *r)
{
	size_t digits = r->more.len - (r->form == RULE_MARK && r->more.len > 0);

	r->kind = SECRET_TOKEN;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (span_lists(r->more, kinds[i]))
			r->kind = (enum secret_kind)i;
	r->top = span_lists(r->more, "top");
	r->blanks = span_lists(r->more, "blanks");
	if (r->form == RULE_MARK && r->more.len > 0)
		r->also = letters_of(r->more.data[r->more.len - 1]);
	return (r->form != RULE_MARK && r->form != RULE_ARGUMENT) ||
	       span_u64((struct span){ r->more.data, digits }, &r->least);
}

static bool add_row(struct secret_rules *ret, const struct secret_row *row)
{
	struct secret_rule *r = arena_alloc(&ret->arena, sizeof(*r));
	struct secret_rule **list;

	while (r->form < RULE_FORMS && !span_is(row->kind, forms[r->form].name))
		r->form++;
	if (r->form == RULE_FORMS || row->text.len == 0)
		return false;
	r->text = row->text;
	r->more = row->more;
	list = forms[r->form].begins ? &ret->by_first[tolower((unsigned char)row->text.data[0])]
				     : &ret->by_form[r->form];
	while (*list) /* in the order of the table: the longer label stands first */
		list = &(*list)->next;
	*list = r;
	return read_more(r);
}

bool secret_rules_load(struct secret_rules *ret)
{
	struct span rest = { NULL, 0 };
	struct secret_row row;

	if (!secret_names_load(&ret->names))
		return false;
	while (secret_rows_next(&rest, &row))
		if (!span_is(row.kind, "word") && !span_is(row.kind, "except") &&
		    !add_row(ret, &row))
			return false;
	return true;
}

void secret_rules_done(struct secret_rules *r)
{
	arena_done(&r->arena);
}

bool secret_rule_is_at(const struct secret_rule *r, struct span text, size_t at)
{
	if (text.len - at < r->text.len)
		return false;
	if (r->form == RULE_MARK || r->form == RULE_PLACE || r->form == RULE_BLOCK)
		return memcmp(text.data + at, r->text.data, r->text.len) == 0;
	return strncasecmp(text.data + at, r->text.data, r->text.len) == 0;
}
