#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_CHECK | OPTIONS_WALK, "",
	  "What is wrong with this machine, why, and what to do; also without a word.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 undecided, 64 usage, 70 own failure.\n\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a machine that somebody sent\n"
	  "  rocsteady check --why gpu-missing  every line of a sum\n"
	  "  rocsteady check --quiet && srun job\n" },
	{ "explain", cmd_explain, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_EXPLAIN,
	  "[FILE...|-]", "What a log or an error message means, why it happened and what to do.",
	  "Exit status: 0 nothing found, 2 a cause, 3 undecided, 64 usage, 70 own failure.\n\n"
	  "  rocsteady explain train.log        a log of any size\n"
	  "  python train.py 2>&1 | rocsteady explain\n"
	  "  rocsteady explain --set gfx=gfx1031 --set rocm=6.2 error.txt\n" },
	{ "advise", cmd_advise, OPTIONS_MACHINE | OPTIONS_ADVISE, "",
	  "What to install for a GPU: one line to paste, why, and since when it is known.",
	  "Exit status: 0 a way is known, 2 none is, 64 usage, 70 own failure.\n\n"
	  "  rocsteady advise                             torch for this machine\n"
	  "  rocsteady advise --gpu \"Strix Halo\" --for ollama\n"
	  "  rocsteady advise --gpu gfx1201 --os windows --python 3.13\n" },
	{ "facts", cmd_facts, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FACTS, "[TOPIC]",
	  "What is known about this machine, with sources.",
	  "Topics are the tables of docs/schema.md and gpus, links, access, env, log, gaps, ...\n\n"
	  "  rocsteady facts                    the machine on one screen\n"
	  "  rocsteady facts owners             who holds the memory of each GPU\n"
	  "  rocsteady facts gaps               what could not be learned, and why\n"
	  "  rocsteady facts --from report.snap a machine that somebody sent\n" },
	{ "fix", cmd_fix, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FIX, "[REMEDY [SUBJECT]]",
	  "What to do about what is wrong, best first; shown, applied, undone or verified.",
	  "Exit status: 0 nothing to do, shown, done or cured; 1 declined; 2 something to do, or not\n"
	  "done or not cured; 3 undecided; 64 usage; 70 own failure.\n\n"
	  "  rocsteady fix                      the remedies of this machine\n"
	  "  rocsteady fix join-render-group    its steps: a dry run\n"
	  "  sudo rocsteady fix join-render-group --apply\n"
	  "  rocsteady fix join-render-group --verify\n"
	  "  sudo rocsteady fix join-render-group --undo\n"
	  "  rocsteady fix --from report.snap   a machine that somebody sent\n" },
	{ "kb", cmd_kb, OPTIONS_KB, "build|lint|list|score|show|test|version ...",
	  "What rocsteady knows: show it, test it, or make your own.",
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   its story, evidence, remedies and sources\n"
	  "  rocsteady kb version               which knowledge is used\n"
	  "  rocsteady kb lint kb               check the YAML below kb/\n"
	  "  rocsteady kb build kb -o kb.db     compile it\n"
	  "  rocsteady kb test                  run the cases of every cause\n" },
	{ "probe", cmd_probe, OPTIONS_MACHINE | OPTIONS_PROBE | OPTIONS_PROBE_REPORT, "",
	  "Try the GPUs layer by layer, in processes that may die, and name what breaks.",
	  "Exit status: 0 all answered, 2 something breaks, 3 no GPU was asked, 64 usage, 70 own failure.\n\n"
	  "  rocsteady probe                    seconds, 64 MiB of each GPU\n"
	  "  rocsteady probe -l 2               rocBLAS, hipBLASLt, MIOpen, RCCL too\n"
	  "  rocsteady probe --layer rocblas    one layer, and what it rests on\n"
	  "  rocsteady probe --like torch@$VIRTUAL_ENV -l 2\n" },
	{ "query", cmd_query, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_QUERY, "'SELECT ...'",
	  "Ask the facts in SQL; nothing can be changed.",
	  "  rocsteady query 'SELECT address, gfx, vram_used_bytes FROM gpu'\n"
	  "  rocsteady query --from report.snap 'SELECT * FROM gap'\n" },
	{ "run", cmd_run, OPTIONS_RUN, "[--] COMMAND...",
	  "Run a job as if it were bare, keep evidence, and say why it failed.",
	  "Exit status: the job's; 125 own failure, 126 not executable, 127 not found.\n\n"
	  "  rocsteady run -- python train.py --epochs 3\n"
	  "  rocsteady run --dir /var/tmp/night -- torchrun train.py\n"
	  "  rocsteady run --report /var/tmp/night\n" },
	{ "snapshot", cmd_snapshot,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_SNAPSHOT | OPTIONS_WALK, "",
	  "Record this machine for a bug report, without names and secrets.",
	  "  rocsteady snapshot -o machine.snap.gz\n"
	  "  rocsteady snapshot --from machine.snap --unpack tree/\n" },
	{ "targets", cmd_targets, OPTIONS_MACHINE | OPTIONS_TARGETS, "PATH...",
	  "Which GPUs a library, a wheel or a directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 undecided, 64 usage, 70 own failure.\n\n"
	  "  rocsteady targets libtorch_hip.so            one file\n"
	  "  rocsteady targets /opt/rocm                  a tree, with its kernel directories\n"
	  "  rocsteady targets dist/*.whl --require gfx1100,gfx942\n"
	  "  rocsteady targets ~/venv --for-this-machine  would it run here?\n" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int help(void)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, "rocsteady: a doctor for AMD ROCm machines\n\n"
			"usage: rocsteady [COMMAND] [options]\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		buf_addf(&text, "  %-10s %s\n", commands[i].name, commands[i].says);
	buf_text(&text, "\n  rocsteady COMMAND --help    options and examples\n"
			"  rocsteady --version\n");
	return say_answer(NULL, buf_get(&text));
}

static int unknown(const char *word)
{
	const struct command *near = NULL;
	size_t best = 3;

	for (size_t i = 0; i < COMMANDS; i++) {
		size_t d = say_distance(word, commands[i].name);

		if (d < best) {
			best = d;
			near = &commands[i];
		}
	}
	if (near)
		return say_usage("", "no command %s; did you mean %s?", word, near->name);
	return say_usage("", "no command %s", word);
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
		return say_answer(NULL, SPAN_LITERAL("rocsteady " ROCSTEADY_VERSION "\n"));
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run(&commands[i], argc - 1, argv + 1);
	if (argv[1][0] == '-') /* `rocsteady --json` is a check too */
		return run(&commands[0], argc, argv);
	return unknown(argv[1]);
}
