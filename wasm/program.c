/* The commands of rocsteady.wasm; src/cli/commands.c has those for Linux. */

#include "cli/program.h"

#include "cli/commands.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_CHECK, "--from FILE",
	  "Find what is wrong with a recorded machine, and how to fix it.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 unclear.\n"
	  "  rocsteady check --from report.snap --format html\n",
	  OPTIONS_SUBJECT | OPTIONS_WALK, .part = "Commands" },
	{ "explain", cmd_explain, OPTIONS_MACHINE | OPTIONS_EXPLAIN, "[FILE|-]",
	  "Explain a log or an error message, and how to fix it.",
	  HELP_OF_SET
	  "Exit status: 0 no error, 2 cause found, 3 unclear or not recognised; never 1.\n"
	  "  rocsteady explain train.log        a log of any size, .gz .zst .xz too\n"
	  "  rocsteady explain --set gpu=\"RX 7900 XTX\" --set rocm=7.1 error.txt\n",
	  OPTIONS_SUBJECT | OPTIONS_FOLLOW },
	{ "advise", cmd_advise, OPTIONS_ADVISE, "--gpu NAME",
	  "Print the install command for a GPU and a program.",
	  HELP_OF_ADVISE "Exit status: 0 command printed, 2 no command known.\n"
			 "  rocsteady advise --gpu \"7900 xtx\" --os windows\n"
			 "  rocsteady advise --gpu \"Strix Halo\" --for ollama --os wsl\n",
	  OPTIONS_MACHINE },
	{ "kb", cmd_kb, OPTIONS_KB, "list|show|version", "Show the knowledge base.",
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   one cause: evidence, fixes, sources\n"
	  "  rocsteady kb version               its date, its file, and who signed it\n",
	  OPTIONS_TRY | OPTIONS_LINT | OPTIONS_TEST | OPTIONS_SCORE },
	{ "targets", cmd_targets, OPTIONS_TARGETS, "PATH...",
	  "List the GPUs that a library, wheel or package has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 unclear.\n"
	  "  rocsteady targets torch-2.9.1-cp312-linux_x86_64.whl\n"
	  "  rocsteady targets libtorch_hip.so --require gfx1100,gfx1201\n",
	  OPTIONS_MACHINE | OPTIONS_HERE },
};

static const char *const elsewhere[] = {
	"completion", "diff",    "expect", "facts",     "fix",      "gate",     "mcp",
	"outliers",   "probe",   "query",  "run",       "snapshot", "watch",    "kb build", "kb lint",
	"kb score",   "kb test", "kb try", "kb update", NULL,
};

const struct program program = {
	.word = "rocsteady",
	.title = "a doctor for AMD ROCm machines",
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.start = "Something fails?     rocsteady explain error.txt\n",
	.changes =
		"rocsteady.wasm changes nothing, writes only the FILE of -o and uses no network.\n"
		"fix, run, probe and the other commands that read a machine are in the\n"
		"rocsteady for Linux.\n",
	.elsewhere = elsewhere,
	.name = "rocsteady.wasm",
	.other = "the rocsteady for Linux",
	.where = "install it on Linux, as a wheel, a .deb or one static file: "
		 "see docs/packages.md in its source",
};
