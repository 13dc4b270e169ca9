#include "diagnose/refute.h"

#include <ctype.h>
#include <string.h>

static const struct rule rule = {
	.id = "refuted",
	.sql = "SELECT cause AS subject, effect AS value, source, 'refuted' AS origin FROM refuted",
};

/* A word without quotes and what follows a name: "torch[device-gfx1100]" and torch==2.9 are torch. */
static struct span bare(struct span word)
{
	size_t end = 0;

	while (word.len > 0 && strchr("\"'", word.data[0]))
		word = (struct span){ word.data + 1, word.len - 1 };
	while (end < word.len && !strchr("\"'[=<>~!,;)", word.data[end]))
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
		open = is_any(word, verbs) || (open && anywhere);
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
	return span_is(verb, "installs") && has_behind(line, install, object, true);
}

bool refute_acts(struct span line)
{
	struct span word;

	if (line.len > 0 && memchr(line.data, '=', line.len))
		return true;
	while (span_word(&line, &word))
		if (is_any(word, unset) || is_any(word, install))
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

/* Without an effect: any. Of the steps only lines of commands do something. */
static bool does(const char *title, const char *steps, const char *effect)
{
	struct span rest = span_of(steps ? steps : ""), line = span_of(title);

	do
		if (effect ? refute_does(line, span_of(effect)) : refute_acts(line))
			return true;
	while (next_command(&rest, &line));
	return false;
}

bool refute_step(struct asker *asker, const char *cause, const char *title, const char *steps)
{
	struct asked asked;

	if (!does(title, steps, NULL))
		return false; /* most steps look, reboot or drain: the view need not be worked out */
	ask_statement(asker, &rule, &asked);
	for (size_t i = 0; i < asked.count; i++)
		if ((asked.facts[i].subject[0] == '\0' ||
		     strcmp(asked.facts[i].subject, cause) == 0) &&
		    does(title, steps, asked.facts[i].value))
			return true;
	return false;
}
