#include "cli/commands.h"

#include "cli/program.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_CHECK | OPTIONS_WALK, "",
	  "Find what is wrong with this machine, and how to fix it.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 unclear.\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a machine that somebody sent; or DIR\n"
	  "  rocsteady check -q && srun job     start a job only on a ready machine\n" },
	{ "explain", cmd_explain,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_EXPLAIN | OPTIONS_FOLLOW, "[FILE|DIR...|-]",
	  "Explain a log or an error message, and how to fix it.",
	  "Exit status: 0 no error, 2 cause found, 3 unclear or not recognised.\n"
	  "  rocsteady explain train.log        a log of any size, .gz .zst .xz too\n"
	  "  rocsteady explain slurm-logs/      every file in it, one answer each\n"
	  "  python train.py 2>&1 | rocsteady explain\n" },
	{ "fix", cmd_fix, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FIX, "[REMEDY [SUBJECT]]",
	  "Show, apply or revert the fixes for what check found.",
	  "Exit status: 0 nothing to fix or done, 1 declined, 2 not fixed, 3 unclear.\n"
	  "  rocsteady fix                      the fixes for this machine, by name\n"
	  "  rocsteady fix join-render-group    the steps of one; nothing is changed\n"
	  "  sudo rocsteady fix join-render-group --apply\n" },
	{ "advise", cmd_advise, OPTIONS_MACHINE | OPTIONS_ADVISE, "",
	  "Print the install command for a GPU and a program.",
	  "Exit status: 0 command printed, 2 no command known.\n"
	  "  rocsteady advise                             torch for this machine\n"
	  "  rocsteady advise --gpu \"Strix Halo\" --for ollama\n"
	  "  rocsteady advise --gpu gfx1201 --os windows --python 3.13\n" },
	{ "run", cmd_run, OPTIONS_MACHINE | OPTIONS_RUN, "[--] COMMAND...",
	  "Run a job unchanged, and explain it if it fails.",
	  "Exit status: the job's; 125 job not started, 126 not executable, 127 not found.\n"
	  "  rocsteady run -- python train.py --epochs 3\n"
	  "  rocsteady run --heal --attempts 3 --resume '--resume x' -- python train.py\n"
	  "  rocsteady run --report .rocsteady  show the runs kept there\n" },
	{ "probe", cmd_probe, OPTIONS_MACHINE | OPTIONS_PROBE | OPTIONS_PROBE_REPORT, "",
	  "Test the GPUs layer by layer, and name the layer that fails.",
	  "Exit status: 0 all passed, 2 a layer fails, 3 no GPU was tested.\n"
	  "  rocsteady probe                    device nodes, runtime and a small kernel\n"
	  "  rocsteady probe -l 2               rocBLAS, hipBLASLt, MIOpen, RCCL too\n"
	  "  rocsteady probe --like torch@$VIRTUAL_ENV -l 2     as your torch sees them\n" },
	{ "targets", cmd_targets, OPTIONS_MACHINE | OPTIONS_TARGETS | OPTIONS_HERE, "PATH...",
	  "List the GPUs that a library, wheel or directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 unclear.\n"
	  "  rocsteady targets libtorch_hip.so            one file\n"
	  "  rocsteady targets /opt/rocm                  a directory tree\n"
	  "  rocsteady targets dist/*.whl --require gfx1100,gfx942\n"
	  "  rocsteady targets ~/venv --for-this-machine  does it run here?\n" },
	{ "snapshot", cmd_snapshot,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_SNAPSHOT | OPTIONS_WALK, "",
	  "Record this machine for a bug report, without names or secrets.",
	  "  rocsteady snapshot -o machine.snap.gz              attach it to the bug report\n"
	  "  rocsteady snapshot --from machine.snap --unpack tree/\n"
	  "  rocsteady check --from machine.snap.gz             examine it anywhere\n" },
	{ "facts", cmd_facts, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FACTS, "[TOPIC]",
	  "Show the facts about this machine, with their sources.",
	  "Topics: gpus, links, access, env, log, gaps, owners, environments, libraries,\n"
	  "and every table that rocsteady query can read.\n\n"
	  "  rocsteady facts                    the machine on one screen\n"
	  "  rocsteady facts owners             which processes hold VRAM\n"
	  "  rocsteady facts gaps               what could not be read, and why\n"
	  "  rocsteady facts --from report.snap a machine that somebody sent\n" },
	{ "query", cmd_query, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_QUERY, "'SELECT ...'",
	  "Query the facts in SQL (read-only).",
	  "  rocsteady query 'SELECT address, gfx, vram_used_bytes FROM gpu'\n"
	  "  rocsteady query --from report.snap 'SELECT * FROM gap'\n"
	  "  rocsteady query --from snapshots/ 'SELECT node, kernel FROM host'   many nodes\n"
	  "  rocsteady query --from snapshots/ -o fleet.db     all their facts, for sqlite3\n"
	  "  rocsteady query 'SELECT name, sql FROM sqlite_schema'     tables and columns\n" },
	{ "outliers", cmd_outliers, OPTIONS_COMPARE, "DIR|FILE",
	  "List nodes that differ from the majority of their class.",
	  "Exit status: 0 none differs, 1 some do, 3 some snapshots were not readable.\n"
	  "  rocsteady outliers snapshots/      firmware, driver, links, memory, packages\n"
	  "  rocsteady outliers fleet.db        written by: rocsteady query --from DIR -o\n"
	  "  rocsteady outliers snapshots/ --json | jq -r .node | sort | uniq -c\n",
	  .aside = true },
	{ "diff", cmd_diff, OPTIONS_COMPARE, "FILE [FILE]",
	  "Compare two snapshots, or one with this machine.",
	  "Exit status: 0 no difference, 1 they differ.\n"
	  "  rocsteady diff good.snap bad.snap  what differs between two machines\n"
	  "  rocsteady diff before.snap         what has changed on this machine\n",
	  .aside = true },
	{ "gate", cmd_gate, OPTIONS_MACHINE | OPTIONS_GATE, "",
	  "Decide whether this node may take the next job.",
	  "Exit status: 0 yes, 2 no, 3 unclear; with --for npd: 0 yes, 1 no, 2 unclear.\n"
	  "  sudo rocsteady gate                look at this node, keep the verdict\n"
	  "  rocsteady gate --for nagios        the verdict that is kept, for a monitor\n"
	  "  rocsteady gate --for textfile -o /var/lib/node_exporter/rocsteady.prom\n",
	  .aside = true },
	{ "mcp", cmd_mcp, OPTIONS_MCP, "",
	  "Serve these commands to a coding agent (Model Context Protocol).",
	  "A client starts it and speaks to it by standard input and output.\n"
	  "  {\"mcpServers\": {\"rocsteady\": {\"command\": \"rocsteady\", \"args\": [\"mcp\"]}}}\n"
	  "  rocsteady mcp --allow /data/logs   a client may also name files in there\n",
	  .aside = true },
	{ "expect", cmd_expect, OPTIONS_MACHINE | OPTIONS_EXPECT, "record|show",
	  "Record what this node has, to compare other nodes with it.",
	  "Exit status: 0 written; with show: 2 nothing is expected, 3 not readable.\n"
	  "  rocsteady expect record -o expect.conf       the class of this node\n"
	  "  rocsteady check --expect expect.conf         is another node like it?\n"
	  "  rocsteady expect show    what /etc/rocsteady/expect.conf expects, and what is\n",
	  .aside = true },
	{ "kb", cmd_kb, OPTIONS_KB | OPTIONS_KB_MAKE,
	  "build|lint|list|score|show|test|try|update|version",
	  "Show, test or update the knowledge base, or build your own.",
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   one cause: evidence, fixes, sources\n"
	  "  rocsteady kb version               version of the knowledge base, and signer\n"
	  "  rocsteady kb try new.db --from dir what it would change on recorded machines\n"
	  "  rocsteady kb update new.db         install it; needs new.db.minisig beside it\n"
	  "  rocsteady kb lint kb               check the YAML files under kb/\n"
	  "  rocsteady kb build kb -o kb.db     compile them into kb.db\n"
	  "  rocsteady kb test                  run the test cases of every cause\n"
	  "  rocsteady kb score cases.jsonl     grade explain on labelled failures\n" },
	{ "completion", cmd_completion, 0, "bash|fish|zsh",
	  "Print a completion script for bash, fish or zsh.",
	  "  eval \"$(rocsteady completion bash)\"                       in ~/.bashrc\n"
	  "  rocsteady completion fish > ~/.config/fish/completions/rocsteady.fish\n"
	  "  rocsteady completion zsh > ~/.zfunc/_rocsteady             in $fpath\n",
	  .aside = true },
};

const struct program program = {
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.alone = "Without a command, rocsteady runs check.",
	.elsewhere = (const char *const[]){ NULL },
	.name = "rocsteady",
	.where = "",
};
