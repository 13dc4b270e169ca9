#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/version.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_CHECK | OPTIONS_WALK, "",
	  "What is wrong with this machine, why, and what to do.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 undecided.\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a machine that somebody sent\n"
	  "  rocsteady check --quiet && srun job\n" },
	{ "explain", cmd_explain, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_EXPLAIN,
	  "[FILE...|-]", "What a log or an error message means, why, and what to do.",
	  "Exit status: 0 nothing found, 2 a cause, 3 undecided.\n"
	  "  rocsteady explain train.log        a log of any size\n"
	  "  python train.py 2>&1 | rocsteady explain\n"
	  "  rocsteady explain --set gfx=gfx1031 --set rocm=6.2 error.txt\n" },
	{ "advise", cmd_advise, OPTIONS_MACHINE | OPTIONS_ADVISE, "",
	  "What to install for a GPU: one line to paste, and why.",
	  "Exit status: 0 a way is known, 2 none is.\n"
	  "  rocsteady advise                             torch for this machine\n"
	  "  rocsteady advise --gpu \"Strix Halo\" --for ollama\n"
	  "  rocsteady advise --gpu gfx1201 --os windows --python 3.13\n" },
	{ "facts", cmd_facts, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FACTS, "[TOPIC]",
	  "What is known about this machine, with sources.",
	  "Topics: gpus, links, access, env, log, gaps, and every table of docs/schema.md.\n\n"
	  "  rocsteady facts                    the machine on one screen\n"
	  "  rocsteady facts owners             who holds the memory of each GPU\n"
	  "  rocsteady facts gaps               what could not be learned, and why\n"
	  "  rocsteady facts --from report.snap a machine that somebody sent\n" },
	{ "fix", cmd_fix, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FIX, "[REMEDY [SUBJECT]]",
	  "What to do about what is wrong: shown, applied or undone.",
	  "Exit status: 0 fine or done, 1 declined, 2 to do or not done, 3 undecided.\n"
	  "  rocsteady fix join-render-group    its steps: a dry run\n"
	  "  sudo rocsteady fix join-render-group --apply\n" },
	{ "completion", cmd_completion, 0, "bash|fish|zsh",
	  "A script for a shell, to complete commands, options and causes.",
	  "  eval \"$(rocsteady completion bash)\"                       in ~/.bashrc\n"
	  "  rocsteady completion fish > ~/.config/fish/completions/rocsteady.fish\n"
	  "  rocsteady completion zsh > ~/.zfunc/_rocsteady             in $fpath\n" },
	{ "kb", cmd_kb, OPTIONS_KB, "build|lint|list|score|show|test|try|update|version",
	  "What rocsteady knows: show it, test it, or make your own.",
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   its story, evidence, remedies and sources\n"
	  "  rocsteady kb version               which knowledge is used, and who signed it\n"
	  "  rocsteady kb try new.db --from dir what would change on recorded machines\n"
	  "  rocsteady kb update new.db         use it: new.db.minisig is beside it\n"
	  "  rocsteady kb lint kb               check the YAML below kb/\n"
	  "  rocsteady kb build kb -o kb.db     compile it\n"
	  "  rocsteady kb test                  run the cases of every cause\n" },
	{ "probe", cmd_probe, OPTIONS_MACHINE | OPTIONS_PROBE | OPTIONS_PROBE_REPORT, "",
	  "Try the GPUs layer by layer, and name what breaks.",
	  "Exit status: 0 all answered, 2 something breaks, 3 no GPU was asked.\n"
	  "  rocsteady probe -l 2               rocBLAS, hipBLASLt, MIOpen, RCCL too\n"
	  "  rocsteady probe --layer rocblas    one layer, and what it rests on\n"
	  "  rocsteady probe --like torch@$VIRTUAL_ENV -l 2\n" },
	{ "query", cmd_query, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_QUERY, "'SELECT ...'",
	  "Ask the facts in SQL; nothing can be changed.",
	  "  rocsteady query 'SELECT address, gfx, vram_used_bytes FROM gpu'\n"
	  "  rocsteady query --from report.snap 'SELECT * FROM gap'\n" },
	{ "run", cmd_run, OPTIONS_MACHINE | OPTIONS_RUN, "[--] COMMAND...",
	  "Run a job as if it were bare, and say why it failed.",
	  "Exit status: the job's; 125 own failure, 126 not executable, 127 not found.\n"
	  "  rocsteady run -- python train.py --epochs 3\n"
	  "  rocsteady run --heal --attempts 3 --resume '--resume x' -- python train.py\n"
	  "  rocsteady run --report /var/tmp/night\n" },
	{ "snapshot", cmd_snapshot,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_SNAPSHOT | OPTIONS_WALK, "",
	  "Record this machine for a bug report, without names and secrets.",
	  "  rocsteady snapshot -o machine.snap.gz\n"
	  "  rocsteady snapshot --from machine.snap --unpack tree/\n" },
	{ "targets", cmd_targets, OPTIONS_MACHINE | OPTIONS_TARGETS, "PATH...",
	  "Which GPUs a library, a wheel or a directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 undecided.\n"
	  "  rocsteady targets libtorch_hip.so            one file\n"
	  "  rocsteady targets /opt/rocm                  a tree, and its kernels\n"
	  "  rocsteady targets dist/*.whl --require gfx1100,gfx942\n"
	  "  rocsteady targets ~/venv --for-this-machine  would it run here?\n" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

const struct command *commands_all(size_t *ret_count)
{
	*ret_count = COMMANDS;
	return commands;
}

static int help(void)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, "rocsteady: a doctor for AMD ROCm machines\n\n"
			"usage: rocsteady [COMMAND] [options]\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		buf_addf(&text, "  %-11s %s\n", commands[i].name, commands[i].says);
	buf_text(&text, "\nWithout a command it is check.\n\n"
			"  rocsteady COMMAND --help    options and examples\n"
			"  rocsteady --version [--json]\n\n"
			"Exit status 64 is a wrong command line, 70 our own failure.\n");
	return say_answer(NULL, buf_get(&text));
}

static int unknown(const char *word)
{
	struct near near = near_to(word);

	for (size_t i = 0; i < COMMANDS; i++)
		near_try(&near, span_of(commands[i].name));
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
	hold_standard_descriptors();
	if (argc < 2 || strcmp(argv[1], "run") != 0) /* a job begins with what we began with */
		signal(SIGPIPE, SIG_IGN);
	if (argc < 2)
		return run(&commands[0], argc, argv);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return help();
	if (strcmp(argv[1], "--version") == 0)
		return version(argc - 2, argv + 2);
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run(&commands[i], argc - 1, argv + 1);
	if (argv[1][0] == '-') /* `rocsteady --json` is a check too */
		return run(&commands[0], argc, argv);
	return unknown(argv[1]);
}
