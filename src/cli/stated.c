#include "cli/stated.h"

#include <ctype.h>
#include <string.h>

#include "cli/say.h"
#include "explain/input.h"
#include "explain/state.h"
#include "kb/gpu-names.h"
#include "kb/words.h"
#include "parse/code-object.h"

/* Facts that take free words; every other fact takes a number or a version. */
#define FREE " gpu framework os container image targets "

/* ---- values ---- */

static bool has_digit(struct span value)
{
	for (size_t i = 0; i < value.len; i++)
		if (isdigit((unsigned char)value.data[i]))
			return true;
	return false;
}

static bool is_processor(struct span word, struct did_you_mean *near)
{
	bool known = false;

	for (uint32_t mach = 0; mach < 256; mach++) {
		const char *name = code_object_processor(mach);

		known = known || (name && span_is(word, name));
		did_you_mean_try(near, span_of(name));
	}
	return known;
}

/* "gfx1100, gfx1036", "gfx90a:xnack+", "gfx1030 (by override)": each that begins with gfx. */
static int check_targets(const char *command, struct span value)
{
	struct span rest = value, word;
	bool any = false;

	while (span_word(&rest, &word)) {
		struct buf name BUF_SCOPED = { 0 };
		struct did_you_mean near;

		if (!span_starts(word, "gfx"))
			continue;
		for (size_t i = 0; i < word.len && isalnum((unsigned char)word.data[i]); i++)
			buf_char(&name, word.data[i]);
		near = did_you_mean(name.data);
		if (!is_processor(buf_get(&name), &near))
			return say_no(command, "target", &near, "targets are named like gfx1100");
		any = true;
	}
	return any ? 0 : say_usage(command, "--set gfx takes a target, for example gfx=gfx1100");
}

static int check_words(const char *command, struct span name, struct span value, const char *words)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest = span_of(words), word;
	struct did_you_mean near;

	while (span_word(&rest, &word))
		if (span_same(word, value))
			return 0;
	buf_span(&text, value);
	near = did_you_mean(text.data ? text.data : "");
	did_you_mean_try_words(&near, words);
	return say_usage(command, "--set %.*s takes one of: %s%s%s%s", (int)name.len, name.data,
			 words, near.best[0] ? "; did you mean " : "", near.best,
			 near.best[0] ? "?" : "");
}

static const struct {
	const char *name, *words;
} closed[] = {
	{ "integrated", "0 1" },
	{ "system", "linux windows wsl" },
	{ "torch_build", "rocm cuda cpu" },
};

static int check_value(const char *command, const char *name, struct span value)
{
	struct buf padded BUF_SCOPED = { 0 };

	buf_addf(&padded, " %s ", name);
	if (value.len == 0)
		return say_usage(command, "--set %s has no value", name);
	if (strcmp(name, "gfx") == 0)
		return check_targets(command, value);
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		if (strcmp(name, closed[i].name) == 0)
			return check_words(command, span_of(name), value, closed[i].words);
	if (!strstr(FREE, padded.data) && !has_digit(value))
		return say_usage(command, "--set %s takes a number or a version, as %s=6", name,
				 name);
	return 0;
}

/* ---- names ---- */

static int no_name(const char *command, const char *name)
{
	struct did_you_mean near = did_you_mean(name);
	struct buf all BUF_SCOPED = { 0 };

	buf_text(&all, "names:");
	for (size_t i = 0; words_stated[i]; i++) {
		did_you_mean_try(&near, span_of(words_stated[i]));
		buf_addf(&all, " %s", words_stated[i]);
	}
	buf_text(&all, " env:NAME");
	return say_no(command, "name in --set:", &near, all.data);
}

static int check_statement(const char *command, const char *word)
{
	const char *equals = strchr(word, '=');
	struct buf name BUF_SCOPED = { 0 };

	if (!equals || equals == word)
		return say_usage(command, "--set takes NAME=VALUE, for example gfx=gfx1100");
	buf_add(&name, word, (size_t)(equals - word));
	if (strncmp(name.data, "env:", 4) == 0)
		return 0;
	if (!words_has(words_stated, name.data))
		return no_name(command, name.data);
	return check_value(command, name.data, span_trim(span_of(equals + 1)));
}

int stated_check(const struct command *command, const struct options *o)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < o->set_count; i++)
		status = check_statement(command->name, o->set[i]);
	return status;
}

/* ---- a GPU ---- */

/* "RX_9060_XT+iGPU" names two, of which one is known. */
static bool names_a_part(sqlite3 *db, struct arena *a, struct span said)
{
	struct gpu_named *found;
	struct span part;
	size_t count;

	while (span_cut(&said, '+', &part)) {
		char *name = arena_text(a, part);

		for (char *p = name; *p; p++)
			*p = *p == '_' ? ' ' : *p;
		if (gpu_names_find(db, a, name, &found, &count) == GPU_NAMES_ONE)
			return true;
	}
	return false;
}

static void doubt_gpu(sqlite3 *db, struct arena *a, struct span said)
{
	struct buf text BUF_SCOPED = { 0 };
	struct gpu_named *found;
	size_t count;
	enum gpu_names_answer answer = gpu_names_find(db, a, arena_text(a, said), &found, &count);

	if (answer != GPU_NAMES_ONE && !names_a_part(db, a, said)) {
		gpu_names_tell(answer, arena_text(a, said), found, count, &text);
		say("%s", text.data);
	}
}

static void doubt(sqlite3 *db, struct span name, struct span value)
{
	struct arena arena = { 0 };
	struct gpu_said said;

	if (span_is(name, "gpu") && !gpu_names_said(db, &arena, value, &said))
		doubt_gpu(db, &arena, value);
	arena_done(&arena);
}

/* ---- a file of them ---- */

#define DOUBTS_SHOWN 8 /* enough to see that the file is of another kind */

static bool is_second(const struct json_node *map, const struct json_node *n)
{
	const struct json_node *first = map->children;

	while (!span_same(first->key, n->key))
		first = first->next;
	return first != n;
}

/* The author of the file would not notice that one of its facts is not used. */
static void doubt_file(const struct explain_input *stated, sqlite3 *db)
{
	struct arena arena = { 0 };
	size_t doubts = 0;

	for (const struct json_node *n = stated->facts->children; n; n = n->next) {
		const char *why = n->kind == JSON_NULL ? NULL
				  : !state_takes(n)    ? "no fact that --facts takes; left out"
				  : is_second(stated->facts, n) ? "stated twice; the first counts"
								: NULL;

		if (!why)
			doubt(db, n->key, n->text);
		else if (doubts++ < DOUBTS_SHOWN)
			say("%s: %s: %s", stated->facts_path, arena_text(&arena, n->key), why);
	}
	if (doubts > DOUBTS_SHOWN)
		say("%s: %zu more facts that are not used", stated->facts_path,
		    doubts - DOUBTS_SHOWN);
	arena_done(&arena);
}

void stated_doubt(const struct explain_input *stated, sqlite3 *db)
{
	for (size_t i = 0; i < stated->stated_count; i++)
		doubt(db, span_of(stated->stated[i].name), stated->stated[i].value);
	if (stated->facts)
		doubt_file(stated, db);
}
