/* The commands of rocsteady.exe; src/cli/commands.c has those for Linux. */

#include "cli/program.h"

#include "cli/commands.h"

static const struct command commands[] = {
	{ "explain", cmd_explain, OPTIONS_EXPLAIN, "[FILE|DIR...|-]",
	  "What a log or an error message means, why, and what to do.",
	  "Exit status: 0 nothing found, 2 a cause, 3 undecided.\n"
	  "  rocsteady explain train.log        a log of any size, .gz .zst .xz too\n"
	  "  rocsteady explain logs             every file in it by itself\n"
	  "  python train.py 2>&1 | rocsteady explain\n"
	  "  rocsteady explain --set gfx=gfx1031 --set rocm=6.2 error.txt\n",
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FOLLOW },
	{ "advise", cmd_advise, OPTIONS_ADVISE, "--gpu NAME",
	  "Print the install command for a GPU and a program.",
	  "Exit status: 0 command printed, 2 none known.\n"
	  "  rocsteady advise --gpu \"7900 xtx\" --os windows\n"
	  "  rocsteady advise --gpu \"Strix Halo\" --for ollama --os wsl\n",
	  OPTIONS_MACHINE },
	{ "kb", cmd_kb, OPTIONS_KB, "list|show|version", "What rocsteady knows.",
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   its story, evidence, remedies and sources\n"
	  "  rocsteady kb version               which knowledge is used\n",
	  OPTIONS_KB_MAKE },
	{ "targets", cmd_targets, OPTIONS_TARGETS, "PATH...",
	  "Which GPUs a library or a directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 unclear.\n"
	  "  rocsteady targets libtorch_hip.so            one file of Linux\n"
	  "  rocsteady targets rocblas\\library --require gfx1100,gfx1201\n",
	  OPTIONS_MACHINE | OPTIONS_HERE },
};

static const char *const elsewhere[] = {
	"check",    "completion", "facts",    "fix",     "probe",  "query",     "run", "snapshot",
	"kb build", "kb lint",    "kb score", "kb test", "kb try", "kb update", NULL,
};

const struct program program = {
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.alone =
		"check, fix, run, probe and whatever else asks a machine are in the rocsteady for\n"
		"Linux, which runs in WSL too.",
	.elsewhere = elsewhere,
	.name = "rocsteady.exe",
	.where = "get that one in WSL or on Linux, as a wheel, a .deb or one static file: "
		 "docs/packages.md of its source",
};
