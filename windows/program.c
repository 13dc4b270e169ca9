/* The commands of rocsteady.exe; src/cli/commands.c has those for Linux. */

#include "cli/program.h"

#include "cli/commands.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_CHECK, "",
	  "Find what is wrong with this machine, and how to fix it.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 unclear.\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a snapshot of any system\n"
	  "  rocsteady check --format markdown  to paste into a bug report, without names\n",
	  OPTIONS_SUBJECT | OPTIONS_WALK, .part = "Commands" },
	{ "facts", cmd_facts, OPTIONS_MACHINE | OPTIONS_FACTS, "[TOPIC]",
	  "Show the facts about this machine, with their sources.",
	  "  rocsteady facts                    a summary\n"
	  "  rocsteady facts gpu                one table\n"
	  "  rocsteady facts --paths            all that is ever asked of a machine\n",
	  OPTIONS_SUBJECT },
	{ "query", cmd_query, OPTIONS_MACHINE | OPTIONS_QUERY, "'SELECT ...'",
	  "Query the facts in SQL (read-only).",
	  "Exit status: 0 done, 3 some snapshots were not readable.\n"
	  "  rocsteady query \"SELECT address, gfx, vram_total_bytes FROM gpu\"\n"
	  "  rocsteady query \"SELECT wanted, how, path FROM load\"    the DLLs of each program\n"
	  "  rocsteady query --from report.snap \"SELECT * FROM gap\"\n",
	  OPTIONS_SUBJECT },
	{ "snapshot", cmd_snapshot, OPTIONS_MACHINE | OPTIONS_SNAPSHOT, "",
	  "Record this machine for a bug report, without names or secrets.",
	  "  rocsteady snapshot -o report.snap\n", OPTIONS_SUBJECT | OPTIONS_WALK },
	{ "explain", cmd_explain, OPTIONS_MACHINE | OPTIONS_EXPLAIN, "[FILE|DIR...|-]",
	  "Explain a log or an error message, and how to fix it.",
	  HELP_OF_SET
	  "Exit status: 0 no error, 2 cause found, 3 unclear or not recognised; never 1.\n"
	  "  python train.py 2>&1 | rocsteady explain\n"
	  "  rocsteady explain train.log        a log of any size, .gz .zst .xz too\n"
	  "  rocsteady explain logs             every file in it, one answer each\n"
	  "  rocsteady explain --set gpu=\"RX 7900 XTX\" --set rocm=7.1 error.txt\n"
	  "  rocsteady explain --from report.snap error.txt   beside a snapshot of any system\n",
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
	  "List the GPUs that a library, program or directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 unclear.\n"
	  "  rocsteady targets torch_hip.dll              libraries for Linux too\n"
	  "  rocsteady targets rocblas\\library --require gfx1100,gfx1201\n",
	  OPTIONS_MACHINE | OPTIONS_HERE },
};

static const char *const elsewhere[] = {
	"completion", "diff",    "expect", "fix",       "gate",     "mcp",
	"outliers",   "probe",   "run",    "watch",     "kb build", "kb lint",
	"kb score",   "kb test", "kb try", "kb update", NULL,
};

const struct program program = {
	.word = "rocsteady",
	.title = "a doctor for AMD ROCm machines",
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.start = "This machine:        rocsteady\n"
		 "Something fails?     COMMAND 2>&1 | rocsteady explain\n",
	.changes =
		"rocsteady.exe changes nothing, writes only the FILE of -o and uses no network.\n"
		"check prints the steps of each fix, to be typed; fix, run, probe and gate are in the\n"
		"rocsteady for Linux, which runs in WSL too.\n",
	.elsewhere = elsewhere,
	.name = "rocsteady.exe",
	.other = "the rocsteady for Linux",
	.where = "install it in WSL or on Linux, as a wheel, a .deb or one static file: "
		 "see docs/packages.md in its source",
};
