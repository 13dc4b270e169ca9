#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug.h"
#include "base/memory.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "cli/version.h"
#include "facts/sqlite-memory.h"

/* By what they are used for; the first of each part names it. */
static void add_commands(struct buf *text)
{
	for (size_t i = 0; i < program.count; i++) {
		const struct command *one = &program.commands[i];

		if (one->part)
			buf_addf(text, "%s:\n", one->part);
		buf_addf(text, "  %-11s %s\n", one->name, one->says);
	}
}

static int help(void)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text,
		 "%s: %s\n\n%s\n"
		 "usage: %s %s [options]\n\n",
		 program.word, program.title, program.start, program.word,
		 program_find("check") ? "[COMMAND]" : "COMMAND");
	add_commands(&text);
	buf_addf(&text,
		 "\n%s\n"
		 "Exit status: 0 good, 2 problem found, 3 unclear; 64 wrong command line,\n"
		 "66 unreadable input, 70 internal error. The help of a command says more.\n\n"
		 "  %s help COMMAND      options and examples, as COMMAND --help\n"
		 "  %s -V, --version [--json]\n",
		 program.changes, program.word, program.word);
	return say_answer(NULL, buf_get(&text));
}

static int unknown(const char *word)
{
	struct did_you_mean near = did_you_mean(word);

	if (program_lacks(word))
		return program_refuse("", word);
	for (size_t i = 0; i < program.count; i++)
		did_you_mean_try(&near, span_of(program.commands[i].name));
	return say_no("", "command", &near, "");
}

/* The words of other commands are topics, names, or a job's own. */
static bool is_input(const struct command *command, const struct options *o)
{
	bool files = command->groups & (OPTIONS_EXPLAIN | OPTIONS_TARGETS | OPTIONS_TRY |
					OPTIONS_BUILD | OPTIONS_SCORE);
	int words = files ? o->word_count : 0;

	for (int i = 0; i < words; i++)
		if (say_is_output(o->output, o->words[i]))
			return true;
	if (command->groups & OPTIONS_EXPLAIN && say_is_output(o->output, "/dev/stdin"))
		return true;
	return say_is_output(o->output, o->context.from) || say_is_output(o->output, o->facts) ||
	       say_is_output(o->output, o->context.kb);
}

/* An answer must not take the place of what it is made from. */
static int look_at_output(const struct command *command, const struct options *o)
{
	if (!o->output || o->help)
		return 0;
	if (!o->output[0])
		return say_usage(command->name, "-o needs the name of a file");
	return is_input(command, o) ? say_overwritten(command->name, o->output) : 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct buf text BUF_SCOPED = { 0 };
	struct options options;
	int status;

	if (command->groups & OPTIONS_RUN)
		memory_ends_with(EXIT_NOT_RUN);
	status = options_parse(command, argc, argv, &options);
	if (status == 0 && (status = look_at_output(command, &options)) != 0)
		options_done(&options);
	if (status != 0) /* 64 may be the status of the job that was not run */
		return command->groups & OPTIONS_RUN ? EXIT_NOT_RUN : status;
	terminal_color(options.color);
	if (options.help) {
		options_help(command, &text);
		status = say_answer(NULL, buf_get(&text));
	} else {
		status = command->run(&options);
	}
	options_done(&options);
	return status;
}

/* `help COMMAND` is `COMMAND --help`. */
static int help_of(int count, char **words)
{
	const struct command *command = count > 0 ? program_find(words[0]) : NULL;
	struct buf text BUF_SCOPED = { 0 };

	if (count == 0)
		return help();
	if (!command)
		return unknown(words[0]);
	if (count > 1)
		return say_usage("", "help takes one command; leave out %s", words[1]);
	options_help(command, &text);
	return say_answer(NULL, buf_get(&text));
}

static int version(int count, char **words)
{
	bool json = count > 0 && strcmp(words[0], "--json") == 0;

	if (count > (json ? 1 : 0))
		return say_usage("", "--version takes only --json, not %s", words[json ? 1 : 0]);
	return version_answer(json);
}

/*
 * A closed descriptor 1 would be the next file that we open, and the answer
 * would go there. Now writing to it fails and is said.
 */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDONLY); /* the lowest free number: fd */
}

/* A wrong word must not keep anybody from the answer: it is told, and the others count. */
static void start_debug(void)
{
	struct span rest = span_of(getenv("ROCSTEADY_DEBUG")), word;
	unsigned int parts = 0;

	while (span_cut(&rest, ',', &word)) {
		struct buf name BUF_SCOPED = { 0 };
		struct did_you_mean near;

		word = span_trim(word);
		parts |= debug_parts(word);
		if (word.len == 0 || debug_parts(word))
			continue;
		buf_span(&name, word);
		near = did_you_mean(name.data);
		did_you_mean_try_words(&near, DEBUG_WORDS);
		say("ROCSTEADY_DEBUG: no part %s%s%s%s Parts: %s", name.data,
		    near.best[0] ? "; did you mean " : "", near.best, near.best[0] ? "?" : ".",
		    DEBUG_WORDS);
	}
	debug_start(parts);
}

int main(int argc, char **argv)
{
	const struct command *check = program_find("check");
	const struct command *command;

	hold_standard_descriptors();
	sqlite_memory_or_end();
	start_debug();
	if (argc < 2 || strcmp(argv[1], "run") != 0) /* a job begins with what we began with */
		signal(SIGPIPE, SIG_IGN);
	if (argc < 2 && check)
		return run(check, argc, argv);
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help();
	if (strcmp(argv[1], "help") == 0)
		return help_of(argc - 2, argv + 2);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return version(argc - 2, argv + 2);
	command = program_find(argv[1]);
	if (command)
		return run(command, argc - 1, argv + 1);
	if (argv[1][0] == '-' && check) /* `rocsteady --json` is a check too */
		return run(check, argc, argv);
	return unknown(argv[1][0] == '-' ? "check" : argv[1]);
}
