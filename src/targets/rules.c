#include "targets/rules.h"

#include <string.h>

static void add_rule(struct targets *t, struct span glob, struct span targets, const char *from)
{
	t->rules = arena_grow(&t->arena, t->rules, t->rule_count, sizeof(*t->rules));
	t->rules[t->rule_count++] = (struct targets_rule){
		.glob = arena_text(&t->arena, glob),
		.targets = targets.len > 0 ? arena_text(&t->arena, targets) : NULL,
		.from = from,
	};
}

void targets_rules_skip(struct targets *t, const char *globs)
{
	struct span rest = span_of(globs), glob;

	while (span_cut(&rest, ',', &glob))
		if (span_trim(glob).len > 0)
			add_rule(t, span_trim(glob), (struct span){ 0 }, "--skip");
}

static bool is_list(struct span words)
{
	return span_starts(words, "gfx") || span_starts(words, "amdgcnspirv");
}

static void add_require(struct targets *t, struct span words, const char **ret)
{
	*ret = *ret ? arena_format(&t->arena, "%s,%.*s", *ret, (int)words.len, words.data)
		    : arena_text(&t->arena, words);
}

/* False: it is neither a rule, nor empty, nor a comment. */
static bool take_line(struct targets *t, struct span line, const char *from,
		      const char **ret_require)
{
	struct span comment = line, rest, word, glob;

	if (!span_cut(&comment, '#', &rest) || span_trim(rest).len == 0)
		return true;
	if (!span_word(&rest, &word))
		return true;
	if (span_is(word, "require") && is_list(span_trim(rest))) {
		add_require(t, span_trim(rest), ret_require);
		return true;
	}
	if (!span_is(word, "skip") || !span_word(&rest, &glob))
		return false;
	rest = span_trim(rest);
	if (rest.len > 0 && !is_list(rest))
		return false;
	add_rule(t, glob, rest, from);
	return true;
}

bool targets_rules_parse(struct targets *t, struct span text, const char *file,
			 const char **ret_require, unsigned int *ret_line)
{
	struct span line;
	unsigned int number = 0;

	*ret_require = NULL;
	while (span_line(&text, &line)) {
		const char *from = arena_format(&t->arena, "%s:%u", file, ++number);

		if (!take_line(t, line, from, ret_require)) {
			*ret_line = number;
			return false;
		}
	}
	return true;
}

/* From the start of any part of the path to its end. */
static bool fits(const char *path, const char *glob)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (span_fits(span_of(at), span_of(glob)))
			return true;
	}
	return false;
}

static bool names(const char *targets, const char *target)
{
	struct span rest = span_of(targets), part;

	while (span_cut(&rest, ',', &part))
		if (span_is(span_trim(part), target))
			return true;
	return false;
}

bool targets_rules_leave_out(struct targets *t, const char *path, const char *target)
{
	bool any = false;

	for (size_t i = 0; i < t->rule_count; i++) {
		struct targets_rule *rule = &t->rules[i];
		bool whole = !rule->targets;

		if (!(whole || (target && names(rule->targets, target))) || !fits(path, rule->glob))
			continue;
		rule->used = true;
		any = true;
	}
	return any;
}

void targets_rules_apply(struct targets *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->row_count; i++)
		if (targets_rules_leave_out(t, t->rows[i].path, NULL))
			targets_left_out(t, t->rows[i].path);
		else
			t->rows[kept++] = t->rows[i];
	t->row_count = kept;
}
