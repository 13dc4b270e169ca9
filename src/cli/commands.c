#include "cli/commands.h"

#include "cli/program.h"

static const struct command commands[] = {
	{ "check", cmd_check, OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_CHECK | OPTIONS_WALK, "",
	  "What is wrong with this machine, why, and what to do.",
	  "Exit status: 0 ready, 1 degraded, 2 not ready, 3 undecided.\n"
	  "  rocsteady                          examine this machine\n"
	  "  rocsteady check --from report.snap a machine that somebody sent\n"
	  "  rocsteady check --quiet && srun job\n" },
	{ "explain", cmd_explain,
	  OPTIONS_MACHINE | OPTIONS_SUBJECT | OPTIONS_EXPLAIN | OPTIONS_FOLLOW, "[FILE|DIR...|-]",
	  "What a log or an error message means, why, and what to do.",
	  "Exit status: 0 nothing found, 2 a cause, 3 undecided.\n"
	  "  rocsteady explain train.log        a log of any size, .gz .zst .xz too\n"
	  "  rocsteady explain slurm-logs/      every file in it by itself\n"
	  "  python train.py 2>&1 | rocsteady explain\n" },
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
	{ "kb", cmd_kb, OPTIONS_KB | OPTIONS_KB_MAKE,
	  "build|lint|list|score|show|test|try|update|version",
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
	{ "targets", cmd_targets, OPTIONS_MACHINE | OPTIONS_TARGETS | OPTIONS_HERE, "PATH...",
	  "Which GPUs a library, a wheel or a directory has code for.",
	  "Exit status: 0 listed or covered, 2 not covered, 3 undecided.\n"
	  "  rocsteady targets libtorch_hip.so            one file\n"
	  "  rocsteady targets /opt/rocm                  a tree, and its kernels\n"
	  "  rocsteady targets dist/*.whl --require gfx1100,gfx942\n"
	  "  rocsteady targets ~/venv --for-this-machine  would it run here?\n" },
};

const struct program program = {
	.commands = commands,
	.count = sizeof(commands) / sizeof(commands[0]),
	.alone = "Without a command it is check.",
	.elsewhere = (const char *const[]){ NULL },
	.name = "rocsteady",
	.where = "",
};
