/* The commands of rocsteady-kb; src/cli/commands.c has those of rocsteady. */

#include "cli/program.h"

#include "author/commands.h"

static const struct command commands[] = {
	{ "lint", cmd_lint, OPTIONS_LINT, "DIR", "Check the YAML files under DIR.",
	  "Exit status: 0 no fault, 66 faults, each as file:line.\n"
	  "  rocsteady-kb lint kb\n"
	  "  rocsteady-kb lint kb --tests tests/causes --machine tests/machines\n",
	  .part = "Commands" },
	{ "test", cmd_test, OPTIONS_TEST, "[DIR [CAUSE...]]",
	  "Run the test cases of every cause, or of those named.",
	  "Without DIR the knowledge that this program carries is tested, or that of --kb.\n\n"
	  "Exit status: 0 all passed, 2 a case failed.\n"
	  "  rocsteady-kb test kb device-permission\n" },
	{ "build", cmd_build, OPTIONS_BUILD, "DIR",
	  "Compile the YAML files under DIR into one file.",
	  "Exit status: 0 written, 66 faults, each as file:line.\n"
	  "  rocsteady-kb build kb -o kb.db\n"
	  "  rocsteady-kb build site -o /etc/rocsteady/kb.d/site.db\n" },
	{ "score", cmd_score, OPTIONS_SCORE, "FILE", "Grade explain on labelled failures.",
	  "FILE has a JSON object a line: rocsteady-kb(1) lists its keys.\n\n"
	  "Exit status: 0 graded.\n"
	  "  rocsteady-kb score cases.jsonl\n"
	  "  rocsteady-kb score cases.jsonl --cures cures.jsonl --json -o score.json\n" },
};

const struct program program = {
	.word = "rocsteady-kb",
	.title = "write and test knowledge for rocsteady",
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.start = "The keys of each file:  man 5 rocsteady-kb\n"
		 "Add a cause:            CONTRIBUTING.md in the source of rocsteady\n",
	.changes = "rocsteady-kb writes only the FILE of -o and uses no network.\n",
	.elsewhere = (const char *const[]){ "list", "show", "try", "update", "version", NULL },
	.name = "rocsteady-kb",
	.other = "rocsteady",
	.where = "see: rocsteady kb --help",
};
