#include "scrub/value-pair.h"

#include <strings.h>

#include "scrub/glyph.h"
#include "scrub/shapes.h"

static bool is_word(struct span name, struct span word)
{
	return name.len == word.len && strncasecmp(name.data, word.data, word.len) == 0;
}

bool value_pair_is(const struct secret_rules *rules, struct span name)
{
	for (const struct secret_rule *r = rules->by_form[RULE_PAIR]; r; r = r->next)
		if (is_word(name, r->text))
			return true;
	return false;
}

static size_t skip_back(struct span text, size_t end, const char *set)
{
	size_t from = end, n;
	char c;

	while (end - from < NAMED_VALUE_BACK && (n = glyph_before(text, from, &c)) > 0 &&
	       shape_is_in(c, set))
		from -= n;
	return from;
}

static size_t start_of(const struct named_value *n)
{
	return n->quote != SIZE_MAX ? n->quote : n->at;
}

/* Before the value: "name": "HF_TOKEN", */
static bool find_before(struct span text, const struct named_value *value, struct span word,
			struct named_value *ret)
{
	struct named_value label;
	size_t end = skip_back(text, start_of(value), " \t\n\r,;");
	size_t sign;

	if (!named_value_find(text, end, ret))
		return false;
	sign = skip_back(text, start_of(ret), " \t");
	if (sign == 0 || !shape_is_in(text.data[sign - 1], "=:"))
		return false;
	return named_value_find(text, skip_back(text, sign - 1, " \t"), &label) &&
	       is_word(label.name, word);
}

static size_t skip(struct span text, size_t at, const char *set)
{
	size_t end = at, n;
	char c;

	while (end - at < NAMED_VALUE_BACK && (n = glyph_at(text, end, &c)) > 0 &&
	       shape_is_in(c, set))
		end += n;
	return end;
}

/* Behind it: , "name": "HF_TOKEN" */
static struct span find_behind(struct span text, size_t at, struct span word)
{
	struct span none = { text.data, 0 };
	size_t label, sign;

	at = skip(text, at, " \t\n\r,;\"'");
	label = shape_run(text, at, "_-");
	if (!is_word((struct span){ text.data + at, label }, word))
		return none;
	sign = skip(text, at + label, " \t\"'");
	if (!shape_is_in(shape_byte(text, sign), "=:"))
		return none;
	at = skip(text, sign + 1, " \t\"'");
	return (struct span){ text.data + at, shape_run(text, at, "_-.") };
}

enum secret_name value_pair_judge(const struct secret_rules *rules, struct span text,
				  const struct named_value *value, size_t behind)
{
	enum secret_name says = SECRET_NAME_NONE;
	struct named_value name;

	for (const struct secret_rule *r = rules->by_form[RULE_PAIR]; r; r = r->next) {
		if (!is_word(value->name, r->text))
			continue;
		if (find_before(text, value, r->more, &name))
			says = secret_names_judge(&rules->names, name.name);
		if (says == SECRET_NAME_NONE)
			says = secret_names_judge(&rules->names,
						  find_behind(text, behind, r->more));
		if (says != SECRET_NAME_NONE)
			return says;
	}
	return SECRET_NAME_NONE;
}
