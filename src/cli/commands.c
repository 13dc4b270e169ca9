#include "cli/commands.h"

#include "cli/program.h"

#define ONLY_ERRORS "Exit status: 0 done; 64, 66 and 70 as in rocsteady --help.\n"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_CHECK | OPTIONS_WALK, "",
	  "Find what is wrong with this machine, and how to fix it.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 unclear.\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a snapshot, or a directory of them\n"
	  "  rocsteady check -q && srun job     start a job only on a ready machine\n"
	  "  rocsteady check --format markdown  to paste into a bug report, without names\n",
	  .part = "Find and fix a problem" },
	{ "explain", cmd_explain,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_EXPLAIN | OPTIONS_FOLLOW,
	  "[FILE|DIR|TEXT...|-]", "Explain a log or an error message, and how to fix it.",
	  HELP_OF_SET
	  "Exit status: 0 no error, 2 cause found, 3 unclear or not recognised.\n"
	  "  python train.py 2>&1 | rocsteady explain\n"
	  "  rocsteady explain 'RuntimeError: HIP error: out of memory'\n"
	  "  rocsteady explain                  then paste the error, and press Ctrl-D\n"
	  "  rocsteady explain train.log        a log of any size, .gz too; or a directory\n"
	  "  rocsteady explain --set gpu=\"RX 7900 XTX\" --set rocm=7.1 error.txt\n" },
	{ "fix", cmd_fix, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FIX, "[REMEDY [SUBJECT]]",
	  "Show, apply or revert the fixes for what check found.",
	  "REMEDY is the name of a fix, as rocsteady fix lists it. SUBJECT is the GPU, user\n"
	  "or Python environment that it is for, if there are several. fix examines this\n"
	  "machine as check does; it knows nothing of a log that explain has read.\n"
	  "Only --apply and --undo change anything.\n\n"
	  "Exit status: 0 nothing to fix or done, 1 declined, 2 not fixed, 3 unclear.\n"
	  "  rocsteady fix                      the fixes for this machine, by name\n"
	  "  rocsteady fix join-render-group    the steps of one; nothing is changed\n"
	  "  sudo rocsteady fix join-render-group --apply\n" },
	{ "probe", cmd_probe, OPTIONS_MACHINE | OPTIONS_PROBE | OPTIONS_PROBE_REPORT, "",
	  "Test the GPUs, from the driver up to torch, and name what fails.",
	  "Layers are the parts of ROCm that are tested, from the lowest: nodes (/dev/kfd\n"
	  "and /dev/dri), hsa, hip, memory, copy, kernel, rocblas, hipblas, hipblaslt,\n"
	  "miopen, rccl, peer (from GPU to GPU) and torch (with --like).\n\n"
	  "Exit status: 0 all passed, 2 a layer fails, 3 no GPU was tested.\n"
	  "  rocsteady probe                    device nodes, runtime and a small kernel\n"
	  "  rocsteady probe -l 2               rocBLAS, hipBLASLt, MIOpen, RCCL too\n"
	  "  rocsteady probe --like torch@$VIRTUAL_ENV -l 2     as your torch sees them\n"
	  "  rocsteady probe --from report.snap results in a snapshot; nothing is tested\n" },
	{ "advise", cmd_advise, OPTIONS_MACHINE | OPTIONS_ADVISE, "",
	  "Print the install command for a GPU and a program.",
	  HELP_OF_ADVISE "Exit status: 0 command printed, 2 no command known.\n"
			 "  rocsteady advise                             torch for this machine\n"
			 "  rocsteady advise --gpu \"Strix Halo\" --for ollama\n"
			 "  rocsteady advise --gpu gfx1201 --os windows --python 3.13\n",
	  .part = "Install and run" },
	{ "targets", cmd_targets, OPTIONS_MACHINE | OPTIONS_TARGETS | OPTIONS_HERE, "PATH...",
	  "List the GPUs that a library, wheel or directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 unclear.\n"
	  "  rocsteady targets libtorch_hip.so            one file\n"
	  "  rocsteady targets /opt/rocm                  a directory tree\n"
	  "  rocsteady targets dist/*.whl --require gfx1100,gfx942\n"
	  "  rocsteady targets dist/*.whl --rules targets.rules --baseline last.whl\n"
	  "  rocsteady targets ~/venv --for-this-machine  does it run here?\n" },
	{ "run", cmd_run, OPTIONS_MACHINE | OPTIONS_RUN, "[--] COMMAND...",
	  "Run a job unchanged, and explain it if it fails.",
	  "A journal of the run is kept: errors, progress, memory and load of the GPUs.\n\n"
	  "Exit status: the job's; 125 job not started, 126 not executable, 127 not found.\n"
	  "  rocsteady run -- python train.py --epochs 3\n"
	  "  rocsteady run --heal --attempts 3 --resume '--load last.pt' -- python train.py\n"
	  "  rocsteady run --report .rocsteady  show the runs kept there\n" },
	{ "watch", cmd_watch, OPTIONS_WATCH, "PID",
	  "Say what a running process does or waits for, by one look.",
	  "Reads small files of /proc for two seconds; nothing is attached to the process.\n\n"
	  "Exit status: 0 it works, 2 it is stuck, 3 unclear.\n"
	  "  rocsteady watch 4711               the process and those below it\n"
	  "  rocsteady watch $(pgrep -n python) the newest python\n"
	  "  rocsteady watch --raw 4711 -o job.look; rocsteady watch --from job.look\n" },
	{ "snapshot", cmd_snapshot,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_SNAPSHOT | OPTIONS_WALK, "",
	  "Record this machine for a bug report, without names or secrets.",
	  ONLY_ERRORS
	  "  rocsteady snapshot -o machine.snap.gz              attach it to the bug report\n"
	  "  rocsteady snapshot --proof                         show us a real GPU\n"
	  "  rocsteady snapshot --from machine.snap --unpack tree/\n"
	  "  rocsteady check --from machine.snap.gz             examine it anywhere\n",
	  .part = "Report and look up" },
	{ "facts", cmd_facts, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_FACTS, "[TOPIC]",
	  "Show the facts about this machine, with their sources.",
	  "Topics: gpus agents access nodes links log gaps owners limits groups drivers\n"
	  "services setters sensors installs environments frameworks packages libraries\n"
	  "targets kernels loads, and the tables of rocsteady query: run gap host\n"
	  "kernel_arg driver module_parameter module_rule gpu other_gpu agent firmware ras\n"
	  "sensor pcie nic rdma_port pcie_error pcie_path memory_controller agent_link\n"
	  "device_node identity identity_group known_group env env_setter service\n"
	  "container wsl_host wsl_distribution resource_limit vram_owner kernel_log\n"
	  "cxx_headers rocm_install statement setting expected event event_value walk\n"
	  "probe probe_value library target_set kernel_dir environment framework package\n"
	  "load explained no_gpu nic_absent gpu_name visible_devices vram vram_held\n"
	  "env_told env_setter_told probe_break walk_verdict vram_full probe_failure\n"
	  "left_out device set_fit library_fit blas_fit framework_fit environment_fit\n\n" ONLY_ERRORS
	  "  rocsteady facts                    the machine on one screen\n"
	  "  rocsteady facts owners             which processes hold VRAM\n"
	  "  rocsteady facts gaps               what could not be read, and why\n"
	  "  rocsteady facts --from report.snap a snapshot of another machine\n" },
	{ "query", cmd_query, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_QUERY, "'SELECT ...'",
	  "Query the facts in SQL (read-only).",
	  "Exit status: 0 done, 3 some snapshots were not readable.\n"
	  "  rocsteady query 'SELECT address, gfx, vram_used_bytes FROM gpu'\n"
	  "  rocsteady query --from report.snap 'SELECT * FROM gap'\n"
	  "  rocsteady query --from snapshots/ 'SELECT node, kernel FROM host'   many nodes\n"
	  "  rocsteady query --from snapshots/ -o fleet.db     all their facts, for sqlite3\n"
	  "  rocsteady query 'SELECT name, sql FROM sqlite_schema'     tables and columns\n" },
	{ "kb", cmd_kb, OPTIONS_KB | OPTIONS_TRY, "list|show|try|update|version",
	  "Show or update the knowledge base.",
	  "Exit status: 0 done, 1 try: something would change.\n"
	  "  rocsteady kb list                  every cause, with its severity\n"
	  "  rocsteady kb show vram-exhausted   one cause: evidence, fixes, sources\n"
	  "  rocsteady kb version               its date, its file, and who signed it\n"
	  "  rocsteady kb try new.db --from dir what it would change on recorded machines\n"
	  "  rocsteady kb update new.db         install it; needs new.db.minisig beside it\n"
	  "To write your own, see rocsteady-kb --help.\n",
	  OPTIONS_LINT | OPTIONS_TEST | OPTIONS_SCORE },
	{ "gate", cmd_gate, OPTIONS_MACHINE | OPTIONS_GATE, "",
	  "Decide whether this node may take the next job.",
	  "PROGRAM is npd (node-problem-detector), nagios, nfd (node-feature-discovery),\n"
	  "textfile (node_exporter), json, slurm-prolog, slurm-epilog, slurm-health, or\n"
	  "text for people.\n"
	  "The three for Slurm drain this node if gate.conf lets them.\n\n"
	  "Exit status: 0 yes, 2 no, 3 unclear; with --for npd: 0 yes, 1 no, 2 unclear.\n"
	  "  sudo rocsteady gate                look at this node, keep the verdict\n"
	  "  rocsteady gate --for nagios        the verdict that is kept, for a monitor\n"
	  "  rocsteady gate --for textfile -o /var/lib/node_exporter/rocsteady.prom\n"
	  "  rocsteady gate --from snapshots/ --config gate.conf   what it would do\n",
	  .part = "For clusters and other tools" },
	{ "expect", cmd_expect, OPTIONS_MACHINE | OPTIONS_EXPECT, "record|show",
	  "Record what this node has, to compare other nodes with it.",
	  "Exit status: 0 written; with show: 2 nothing is expected, 3 not readable.\n"
	  "  rocsteady expect record -o expect.conf       what nodes like this one have\n"
	  "  rocsteady check --expect expect.conf         is another node like it?\n"
	  "  rocsteady expect show    compare /etc/rocsteady/expect.conf with this machine\n" },
	{ "outliers", cmd_outliers, OPTIONS_COMPARE | OPTIONS_OUTLIERS, "DIR|FILE",
	  "List nodes that differ from most others of the same model.",
	  "Of the same model, or class, are nodes with the same vendor and product name and\n"
	  "the same number of the same GPUs.\n\n"
	  "Exit status: 0 none differs, 1 some do, 3 some snapshots were not readable.\n"
	  "  rocsteady outliers snapshots/      firmware, driver, links, memory, packages\n"
	  "  rocsteady outliers fleet.db        written by: rocsteady query --from DIR -o\n"
	  "  rocsteady outliers snapshots/ --json | jq -r .node | sort | uniq -c\n" },
	{ "diff", cmd_diff, OPTIONS_COMPARE, "FILE [FILE]",
	  "Compare two snapshots, or one with this machine.",
	  "Exit status: 0 no difference, 1 they differ.\n"
	  "  rocsteady diff good.snap bad.snap  what differs between two machines\n"
	  "  rocsteady diff before.snap         what has changed on this machine\n" },
	{ "mcp", cmd_mcp, OPTIONS_MCP, "",
	  "Serve these commands to a coding agent (Model Context Protocol).",
	  "A client starts it and speaks to it by standard input and output. It offers\n"
	  "only commands that read: a client cannot apply a fix.\n\n"
	  "Exit status: 0 the client has ended; 64 and 66 as in rocsteady --help.\n"
	  "  {\"mcpServers\": {\"rocsteady\": {\"command\": \"rocsteady\", \"args\": [\"mcp\"]}}}\n"
	  "  rocsteady mcp --allow /data/logs   a client may also name files in there\n" },
	{ "completion", cmd_completion, 0, "bash|fish|zsh",
	  "Print a completion script for bash, fish or zsh.",
	  "  eval \"$(rocsteady completion bash)\"                       in ~/.bashrc\n"
	  "  rocsteady completion fish > ~/.config/fish/completions/rocsteady.fish\n"
	  "  rocsteady completion zsh > ~/.zfunc/_rocsteady             in $fpath\n" },
};

const struct program program = {
	.word = "rocsteady",
	.title = "a doctor for AMD ROCm machines",
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.start = "Something fails?     COMMAND 2>&1 | rocsteady explain\n"
		 "Check this machine:  rocsteady\n",
	.changes =
		"These change the machine: fix --apply, fix --undo, kb update; gate may drain a\n"
		"Slurm node. These write files: run (.rocsteady), gate (/run), -o FILE. probe\n"
		"puts load on the GPUs. All else only reads. rocsteady uses no network; the pip\n"
		"that fix --apply may start does.\n",
	.elsewhere = (const char *const[]){ "kb build", "kb lint", "kb score", "kb test", NULL },
	.name = "rocsteady",
	.other = "rocsteady-kb",
	.where =
		"the Debian, RPM and Arch packages and the source have it; see: rocsteady-kb --help",
};
