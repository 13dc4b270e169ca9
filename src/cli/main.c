#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/program.h"
#include "cli/say.h"
#include "cli/version.h"

static int help(void)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, "rocsteady: a doctor for AMD ROCm machines\n\n"
			"usage: rocsteady [COMMAND] [options]\n\n");
	for (size_t i = 0; i < program.count; i++)
		buf_addf(&text, "  %-11s %s\n", program.commands[i].name, program.commands[i].says);
	buf_addf(&text,
		 "\n%s\n\n"
		 "  rocsteady COMMAND --help    options and examples\n"
		 "  rocsteady --version [--json]\n\n"
		 "Exit status 64 is a wrong command line, 70 our own failure.\n",
		 program.alone);
	return say_answer(NULL, buf_get(&text));
}

static int unknown(const char *word)
{
	struct near near = near_to(word);

	if (program_lacks(word))
		return program_refuse("", word);
	for (size_t i = 0; i < program.count; i++)
		near_try(&near, span_of(program.commands[i].name));
	return say_no("", "command", &near, "");
}

static int run(const struct command *command, int argc, char **argv)
{
	struct buf text BUF_SCOPED = { 0 };
	struct options options;
	int status = options_parse(command, argc, argv, &options);

	if (status != 0)
		return status;
	if (options.help) {
		options_help(command, &text);
		return say_answer(NULL, buf_get(&text));
	}
	return command->run(&options);
}

static int version(int count, char **words)
{
	bool json = count > 0 && strcmp(words[0], "--json") == 0;

	if (count > (json ? 1 : 0))
		return say_usage("", "--version takes --json or nothing, not %s",
				 words[json ? 1 : 0]);
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

int main(int argc, char **argv)
{
	const struct command *check = program_find("check");
	const struct command *command;

	hold_standard_descriptors();
	if (argc < 2 || strcmp(argv[1], "run") != 0) /* a job begins with what we began with */
		signal(SIGPIPE, SIG_IGN);
	if (argc < 2 && check)
		return run(check, argc, argv);
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return help();
	if (strcmp(argv[1], "--version") == 0)
		return version(argc - 2, argv + 2);
	command = program_find(argv[1]);
	if (command)
		return run(command, argc - 1, argv + 1);
	if (argv[1][0] == '-' && check) /* `rocsteady --json` is a check too */
		return run(check, argc, argv);
	return unknown(argv[1][0] == '-' ? "check" : argv[1]);
}
