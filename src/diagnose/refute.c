#include "diagnose/refute.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

/* A word without quotes and what follows a name: "torch[device-gfx1100]" and torch==2.9 are torch. */
static struct span bare(struct span word)
{
	size_t end = 0;

	while (word.len > 0 && strchr("\"'", word.data[0]))
		word = (struct span){ word.data + 1, word.len - 1 };
	while (end < word.len && !strchr("\"'[=<>~!,;)|", word.data[end]))
		end++;
	return (struct span){ word.data, end };
}

static bool is_any(struct span word, const char *const *list)
{
	for (; *list; list++)
		if (span_is(word, *list))
			return true;
	return false;
}

/* One of the verbs, and the object behind it: right behind it, or anywhere later in the line. */
static bool has_behind(struct span line, const char *const *verbs, struct span object,
		       bool anywhere)
{
	struct span word;
	bool open = false;

	while (span_word(&line, &word)) {
		if (open && span_same(bare(word), object))
			return true;
		open = is_any(bare(word), verbs) || (open && anywhere);
	}
	return false;
}

/* NAME=VALUE as the shell, docker -e, a unit file and PowerShell ($env:NAME = 'VALUE') have it. */
static bool sets(struct span line, struct span name)
{
	size_t at;

	while (name.len > 0 && (at = span_find(line, name)) != SIZE_MAX) {
		size_t end = at + name.len;
		bool begins = at == 0 || !(isalnum((unsigned char)line.data[at - 1]) ||
					   line.data[at - 1] == '_');

		if (end + 1 < line.len && line.data[end] == ' ')
			end++;
		if (begins && end < line.len && line.data[end] == '=')
			return true;
		line = (struct span){ line.data + end, line.len - end };
	}
	return false;
}

static const char *const unset[] = { "unset", "Unset", "-u", NULL };
static const char *const install[] = { "install", "Install", "--for", NULL };
static const char *const ask[] = { "import", "show", "grep", "findstr", NULL };

bool refute_does(struct span line, struct span effect)
{
	struct span verb, object = effect;

	if (!span_word(&object, &verb))
		return false;
	object = span_trim(object);
	if (span_is(verb, "sets"))
		return sets(line, object);
	if (span_is(verb, "unsets"))
		return has_behind(line, unset, object, false);
	if (span_is(verb, "asks"))
		return has_behind(line, ask, object, true);
	return span_is(verb, "installs") && has_behind(line, install, object, true);
}

/* A name in capitals is given a value; "--device=/dev/kfd" is none. */
static bool assigns(struct span line)
{
	for (size_t i = 1; i < line.len; i++) {
		size_t name = i;

		if (line.data[i] != '=')
			continue;
		while (name > 0 && line.data[name - 1] == ' ')
			name--;
		if (name > 0 &&
		    (isupper((unsigned char)line.data[name - 1]) ||
		     isdigit((unsigned char)line.data[name - 1]) || line.data[name - 1] == '_'))
			return true;
	}
	return false;
}

static bool has_any(struct span line, const char *const *words)
{
	struct span word;

	while (span_word(&line, &word))
		if (is_any(word, words))
			return true;
	return false;
}

static bool unsets(struct span line)
{
	return has_any(line, unset);
}

static bool installs(struct span line)
{
	return has_any(line, install);
}

static bool asks(struct span line)
{
	struct span word;

	while (span_word(&line, &word))
		if (is_any(bare(word), ask))
			return true;
	return false;
}

/* Of a kind of effects: which lines may have one, and what is refuted. Most steps look, reboot or drain: no view need be worked out for them. */
static const struct kind {
	bool (*acts)(struct span line);
	struct rule rule;
} kinds[] = {
	{ assigns,
	  { .id = "refuted values",
	    .sql = "SELECT cause AS subject, effect AS value, source, 'refuted' AS origin"
		   " FROM refuted_set" } },
	{ unsets,
	  { .id = "refuted unsetting",
	    .sql = "SELECT cause AS subject, effect AS value, source, 'refuted' AS origin"
		   " FROM refuted_unset" } },
	{ installs,
	  { .id = "refuted installs",
	    .sql = "SELECT cause AS subject, effect AS value, source, 'refuted' AS origin"
		   " FROM refuted_install" } },
};

static const struct kind question = {
	asks,
	{ .id = "refuted questions",
	  .sql = "SELECT cause AS subject, effect AS value, source, 'refuted' AS origin"
		 " FROM refuted_question" }
};

bool refute_acts(struct span line)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].acts(line))
			return true;
	return false;
}

static bool next_command(struct span *rest, struct span *ret_line)
{
	while (span_line(rest, ret_line))
		if (span_starts(*ret_line, "    "))
			return true;
	return false;
}

/* Without an effect: any of that kind. Of the steps only lines of commands do something. */
static bool does(const struct kind *kind, const char *title, const char *steps, const char *effect)
{
	struct span rest = span_of(steps ? steps : ""), line = span_of(title);

	do
		if (effect ? refute_does(line, span_of(effect)) : kind->acts(line))
			return true;
	while (next_command(&rest, &line));
	return false;
}

static bool is_refuted(struct asker *asker, const struct kind *kind, const char *cause,
		       const char *title, const char *steps)
{
	struct asked asked;

	if (!does(kind, title, steps, NULL))
		return false;
	ask_statement(asker, &kind->rule, &asked);
	for (size_t i = 0; i < asked.count; i++)
		if ((asked.facts[i].subject[0] == '\0' ||
		     strcmp(asked.facts[i].subject, cause) == 0) &&
		    does(kind, title, steps, asked.facts[i].value))
			return true;
	return false;
}

bool refute_step(struct asker *asker, const char *cause, const char *title, const char *steps)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (is_refuted(asker, &kinds[i], cause, title, steps))
			return true;
	return false;
}

bool refute_look(struct asker *asker, const char *cause, const char *says, const char *steps)
{
	return is_refuted(asker, &question, cause, says, steps);
}
