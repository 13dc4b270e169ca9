#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/program.h"
#include "cli/say.h"
#include "facts/column.h"
#include "facts/devices.h"
#include "facts/select.h"
#include "probe/questions.h"
#include "report/facts.h"

/*
 * `completion SHELL` prints a script for the shell, which asks `completion --
 * WORD...` for what fits in place of the last word. So the table of options is
 * all there is to maintain: an argument is completed by the name that the help
 * gives it.
 */

extern const char data_completion_bash[], data_completion_zsh[], data_completion_fish[];

struct completion {
	const struct command *command;
	const char *current; /* the word that is being typed */
	const char *before;  /* what stands in it and stays: "--why=", "memory," */
	struct buf *out;
};

static void offer(const struct completion *c, struct span word, const char *says)
{
	size_t kept = strlen(c->before);

	if (word.len < strlen(c->current) - kept ||
	    memcmp(word.data, c->current + kept, strlen(c->current) - kept) != 0)
		return;
	buf_addf(c->out, "%s%.*s", c->before, (int)word.len, word.data);
	buf_addf(c->out, says ? "\t%s\n" : "\n", says);
}

static void offer_words(const struct completion *c, const char *words)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		offer(c, word, NULL);
}

/* ---- where values come from ---- */

static void offer_rows(const struct completion *c, sqlite3_stmt *stmt)
{
	while (select_next(stmt))
		offer(c, span_of(column_text(stmt, 0)), column_text_or_null(stmt, 1));
	sqlite3_finalize(stmt);
}

static void offer_known(const struct completion *c, enum knowledge_kind kind)
{
	struct options none = { 0 };
	struct context context;

	if (open_bare(&none, &context) != 0)
		return;
	offer_rows(c, knowledge_names(context_db(&context), kind));
	context_close(&context);
}

static void offer_layers(const struct completion *c)
{
	for (size_t i = 0; questions[i].name; i++)
		if (i == 0 || strcmp(questions[i].layer, questions[i - 1].layer) != 0)
			offer(c, span_of(questions[i].layer), NULL);
}

/* Nothing is opened and nothing woken for a key that was pressed. */
static void offer_devices(const struct completion *c)
{
	struct options here = { .context.door.no_open = true };
	struct machine m = { 0 };

	if (open_machine(&here, &m) != 0)
		return;
	offer_rows(c, devices_list(facts_db(m.facts)));
	machine_close(&m);
}

static void offer_topics(const struct completion *c)
{
	struct facts *f = facts_new();
	struct buf names BUF_SCOPED = { 0 };

	facts_topics(f, &names);
	offer_words(c, names.data);
	facts_free(f);
}

/* By the names that arguments have in the help. */
static const struct {
	const char *argument;
	const char *directive; /* what the shell does by itself, */
	void (*offer)(const struct completion *c);
	enum knowledge_kind kind; /* or, without both, names of the knowledge */
} values[] = {
	{ "FILE", ":files" },
	{ "PATH", ":files" },
	{ "DIR", ":dirs" },
	{ "COMMAND", ":commands" },
	{ "CAUSE", .kind = KNOWLEDGE_CAUSES },
	{ "CHECKS", .kind = KNOWLEDGE_CHECKS },
	{ "REMEDY", .kind = KNOWLEDGE_REMEDIES },
	{ "CAUSE-OR-REMEDY", .kind = KNOWLEDGE_CAUSES_REMEDIES },
	{ "TARGETS", .kind = KNOWLEDGE_TARGETS },
	{ "WHAT", .kind = KNOWLEDGE_APPLICATIONS },
	{ "LAYERS", NULL, offer_layers },
	{ "GPU", NULL, offer_devices },
	{ "TOPIC", NULL, offer_topics },
};

static void offer_values(struct completion *c, const char *argument, const char *words)
{
	const char *comma = strrchr(c->current, ',');
	const char *before = c->before;
	struct buf kept BUF_SCOPED = { 0 };

	if (words)
		offer_words(c, words);
	for (size_t i = 0; !words && i < sizeof(values) / sizeof(values[0]); i++) {
		if (strcmp(values[i].argument, argument) != 0)
			continue;
		if (comma && argument[strlen(argument) - 1] == 'S') { /* several, with commas */
			buf_add(&kept, c->current, (size_t)(comma + 1 - c->current));
			c->before = kept.data;
		}
		if (values[i].directive)
			buf_addf(c->out, "%s\n", values[i].directive);
		else if (values[i].offer)
			values[i].offer(c);
		else
			offer_known(c, values[i].kind);
	}
	c->before = before;
}

/* ---- what is being typed ---- */

static void offer_options(const struct completion *c)
{
	struct option_said said;
	size_t at = 0;

	while (options_next(c->command, &at, &said)) {
		char name[64];

		snprintf(name, sizeof(name), "--%s", said.name);
		offer(c, span_of(name), said.says);
	}
}

static bool is_option(const struct option_said *said, const char *word)
{
	if (word[0] == '-' && word[1] && word[1] != '-')
		return said->letter && word[1] == said->letter && !word[2];
	return strncmp(word, "--", 2) == 0 && strcmp(word + 2, said->name) == 0;
}

/* The word is an option, and the next word is its value. */
static bool wants_value(const struct command *command, const char *word, struct option_said *ret)
{
	size_t at = 0;

	while (options_next(command, &at, ret))
		if (ret->argument && is_option(ret, word))
			return true;
	return false;
}

/* --why=vram: false if there is no such option. */
static bool offer_behind_sign(struct completion *c)
{
	const char *sign = strchr(c->current, '=');
	struct buf name BUF_SCOPED = { 0 }, kept BUF_SCOPED = { 0 };
	struct option_said said;

	if (!sign)
		return false;
	buf_add(&name, c->current, (size_t)(sign - c->current));
	buf_addf(&kept, "%s=", buf_get(&name).data);
	if (!wants_value(c->command, buf_get(&name).data, &said))
		return false;
	c->before = kept.data;
	offer_values(c, said.argument, said.words);
	c->before = "";
	return true;
}

/* The arguments that the words of `kb` take, by their names in the help. */
static const struct {
	const char *word, *argument;
} of_kb[] = {
	{ "build", "DIR" }, { "lint", "DIR" }, { "score", "FILE" },  { "show", "CAUSE-OR-REMEDY" },
	{ "test", "DIR" },  { "try", "FILE" }, { "update", "FILE" },
};

/* "[FILE...|-]", "[REMEDY [SUBJECT]]", "build|lint|...": the number'th of them. */
static void offer_argument(struct completion *c, const char *const *plain, int number)
{
	char text[256];
	char *rest, *word;
	int at = 0;

	snprintf(text, sizeof(text), "%s", c->command->arguments);
	for (char *s = text; *s; s++)
		if (strchr("[].", *s))
			*s = ' ';
	word = strtok_r(text, " ", &rest);
	if (number > 0 && word && word[0] >= 'a' && word[0] <= 'z') {
		for (size_t i = 0; i < sizeof(of_kb) / sizeof(of_kb[0]); i++)
			if (strcmp(of_kb[i].word, plain[0]) == 0)
				offer_values(c, of_kb[i].argument, NULL);
		return;
	}
	for (; word && at < number && strstr(c->command->arguments, "...") == NULL; at++)
		word = strtok_r(NULL, " ", &rest);
	for (char *more = NULL, *one = word ? strtok_r(word, "|", &more) : NULL; one;
	     one = strtok_r(NULL, "|", &more)) {
		if (one[0] >= 'a' && one[0] <= 'z')
			offer(c, span_of(one), NULL);
		else
			offer_values(c, one, NULL);
	}
}

static void complete_command(struct completion *c, const char *const *words, int count)
{
	const char *plain[2] = { "", "" };
	struct option_said said;
	bool job = strstr(c->command->arguments, "COMMAND") != NULL;
	int number = 0;

	for (int i = 0; i < count; i++) {
		if (wants_value(c->command, words[i], &said)) {
			if (++i == count) {
				offer_values(c, said.argument, said.words);
				return;
			}
			continue;
		}
		if (words[i][0] == '-' && strcmp(words[i], "--") != 0 && !(job && number > 0))
			continue;
		if (strcmp(words[i], "--") != 0 && number < 2)
			plain[number] = words[i];
		number += strcmp(words[i], "--") != 0;
	}
	if (job && number > 0)
		buf_text(c->out, ":files\n"); /* the job's own words */
	else if (c->current[0] == '-' && (count == 0 || strcmp(words[count - 1], "--") != 0)) {
		if (!offer_behind_sign(c))
			offer_options(c);
	} else if (job)
		buf_text(c->out, ":commands\n");
	else
		offer_argument(c, plain, number);
}

static void complete(const char *const *words, int count, struct buf *ret)
{
	const struct command *all = program.commands;
	struct completion c = { .command = &all[0], .before = "", .out = ret };
	bool named = false;

	c.current = count > 0 ? words[count - 1] : "";
	for (size_t i = 0; i < program.count; i++) {
		if (count < 2 || (count == 2 && strcmp(words[0], "help") == 0))
			offer(&c, span_of(all[i].name), all[i].says);
		else if (strcmp(words[0], all[i].name) == 0) {
			c.command = &all[i];
			named = true;
		}
	}
	if (count < 2)
		offer(&c, SPAN_LITERAL("help"), "Show the options and examples of a command.");
	if (count > 1 && !named && words[0][0] != '-')
		return;
	if (count < 2 && c.current[0] == '-')
		offer(&c, SPAN_LITERAL("--version"), "show the version");
	if (named || count > 1 || c.current[0] == '-')
		complete_command(&c, words + named, count > 0 ? count - 1 - named : 0);
}

/* ---- the command ---- */

static const struct {
	const char *shell, *script;
} scripts[] = {
	{ "bash", data_completion_bash },
	{ "fish", data_completion_fish },
	{ "zsh", data_completion_zsh },
};

/* Behind -- it is a shell that asks: options are no options, and nothing is a mistake. */
int cmd_completion(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };

	if (o->separated) {
		complete(o->words, o->word_count, &text);
		return say_answer(NULL, buf_get(&text));
	}
	for (size_t i = 0; o->word_count == 1 && i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (strcmp(scripts[i].shell, o->words[0]) == 0)
			return say_answer(NULL, span_of(scripts[i].script));
	return say_usage("completion", "completion takes a shell: bash, fish or zsh");
}
