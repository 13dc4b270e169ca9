#include "cli/options.h"

#include <ctype.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/program.h"
#include "cli/say.h"
#include "cli/stated.h"
#include "parse/expect.h"

#define FIELD(name) offsetof(struct options, name)

static const struct option_row {
	const char *name;
	char letter;
	const char *argument; /* NULL: a switch */
	size_t field;         /* const char * or bool */
	unsigned int groups;  /* 0: every command */
	const char *says;
	const char *words; /* the only values that it takes, or NULL */
	const char *value; /* a switch that is short for this value of its field */
	bool rare;         /* the help lists it below the others */
	bool loose;        /* one of its words may be written otherwise and go on: "Windows 11" */
} rows[] = {
	{ "from", 0, "FILE", FIELD(context.from), OPTIONS_MACHINE,
	  "examine a snapshot, not this machine (- for stdin)" },
	{ "from", 0, "FILE", FIELD(context.from), OPTIONS_TRY,
	  "kb try: a snapshot, or a directory of snapshots" },
	{ "from", 0, "FILE", FIELD(context.from), OPTIONS_WATCH,
	  "answer from a look that --raw wrote" },
	{ "raw", 0, NULL, FIELD(raw), OPTIONS_WATCH, "print what was seen, for --from" },
	{ "root", 0, "DIR", FIELD(context.root), OPTIONS_MACHINE,
	  "examine the files of a machine, unpacked in DIR", .rare = true },
	{ "host-root", 0, "DIR", FIELD(context.host_root), OPTIONS_MACHINE,
	  "examine a live host that is mounted at DIR", .rare = true },
	{ "no-open", 0, NULL, FIELD(context.door.no_open), OPTIONS_MACHINE,
	  "never open /dev/kfd or a render node", .rare = true },
	{ "wake", 0, NULL, FIELD(context.door.may_wake), OPTIONS_MACHINE,
	  "also read files that wake a sleeping GPU", .rare = true },
	{ "env", 0, "DIR", FIELD(context.door.environments),
	  OPTIONS_FACTS | OPTIONS_QUERY | OPTIONS_SNAPSHOT | OPTIONS_CHECK | OPTIONS_PROBE |
		  OPTIONS_FIX | OPTIONS_RUN,
	  "also look for Python environments in DIR (DIR:DIR)", .rare = true },
	{ "user", 0, "NAME", FIELD(context.door.user), OPTIONS_SUBJECT, "check as another user",
	  .rare = true },
	{ "pid", 0, "PID", FIELD(context.door.pid), OPTIONS_SUBJECT,
	  "check as a process: its rights, variables, limits", .rare = true },
	{ "unit", 0, "UNIT", FIELD(context.door.unit), OPTIONS_SUBJECT,
	  "check as a running systemd unit", .rare = true },
	{ "container", 0, "ID", FIELD(context.door.container), OPTIONS_SUBJECT,
	  "check as a running container", .rare = true },
	{ "probe", 0, NULL, FIELD(probe), OPTIONS_WALK,
	  "first test the GPUs, as rocsteady probe does" },
	{ "level", 'l', "N", FIELD(level), OPTIONS_PROBE,
	  "1 quick (default), 2 every library, 3 minutes of load", "1 2 3" },
	{ "level", 'l', "N", FIELD(level), OPTIONS_WALK,
	  "with --probe: 1 quick, 2 every library, 3 minutes", "1 2 3", .rare = true },
	{ "layer", 0, "LAYERS", FIELD(layer), OPTIONS_PROBE,
	  "test only these and what they need: memory,rocblas" },
	{ "layer", 0, "LAYERS", FIELD(layer), OPTIONS_WALK,
	  "with --probe: test only these and what they need", .rare = true },
	{ "device", 0, "GPU", FIELD(device), OPTIONS_PROBE,
	  "test only this GPU: its index or PCI address" },
	{ "like", 0, "ENV", FIELD(like), OPTIONS_PROBE,
	  "test the libraries of a venv: torch@/path/to/venv" },
	{ "like", 0, "ENV", FIELD(like), OPTIONS_WALK, "with --probe: test the libraries of a venv",
	  .rare = true },
	{ "like-pid", 0, "PID", FIELD(like_pid), OPTIONS_PROBE | OPTIONS_WALK,
	  "test the libraries that this process has loaded", .rare = true },
	{ "libraries", 0, "DIR", FIELD(libraries), OPTIONS_PROBE | OPTIONS_WALK,
	  "test the libraries in DIR", .rare = true },
	{ "keep-going", 0, NULL, FIELD(keep_going), OPTIONS_PROBE, "continue after a layer fails",
	  .rare = true },
	{ "force", 0, NULL, FIELD(force), OPTIONS_PROBE,
	  "also test GPUs that are in use or drive a display" },
	{ "require", 0, "TARGETS", FIELD(require), OPTIONS_TARGETS,
	  "exit 2 unless all of these have code: gfx1100,gfx942" },
	{ "skip", 0, "GLOBS", FIELD(skip), OPTIONS_TARGETS,
	  "do not judge members like '*_rocm62.so,gemm/*'" },
	{ "rules", 0, "FILE", FIELD(rules), OPTIONS_TARGETS,
	  "what to require and skip, one rule on each line" },
	{ "baseline", 0, "OLD", FIELD(baseline), OPTIONS_TARGETS,
	  "exit 2 if less has code than in OLD, the last release" },
	{ "if-any", 0, NULL, FIELD(if_any), OPTIONS_TARGETS,
	  "exit 0 if the files have no GPU code at all" },
	{ "for-this-machine", 0, NULL, FIELD(for_this_machine), OPTIONS_HERE,
	  "exit 2 unless every GPU of this machine has code" },
	{ "gpu", 0, "NAME", FIELD(gpu), OPTIONS_ADVISE,
	  "the GPU: gfx1100 or \"7900 xtx\"; commas for several" },
	{ "for", 0, "WHAT", FIELD(application), OPTIONS_ADVISE,
	  "the program, torch by default (see below)" },
	{ "for", 0, "PROGRAM", FIELD(reader), OPTIONS_GATE,
	  "answer as this program reads it (see below)",
	  "text npd nagios nfd textfile json slurm-prolog slurm-epilog slurm-health" },
	{ "verdict", 0, "FILE", FIELD(verdict), OPTIONS_GATE,
	  "keep the verdict in FILE (/run/rocsteady/verdict)" },
	{ "config", 0, "FILE", FIELD(config), OPTIONS_GATE,
	  "which problems to act on (/etc/rocsteady/gate.conf)" },
	{ "by", 0, "WHAT", FIELD(by), OPTIONS_OUTLIERS, "list by fact (default) or by node",
	  "fact node" },
	{ "problems", 0, NULL, FIELD(problems), OPTIONS_CHECK,
	  "with --from DIR: leave out nodes that are ready" },
	{ "with", 0, "probe", FIELD(with), OPTIONS_GATE,
	  "test the GPUs first, if none is in use: at most 30 s", "probe" },
	{ "every", 0, "SECONDS", FIELD(every), OPTIONS_GATE,
	  "renew the verdict again and again: in a container", .rare = true },
	{ "against", 0, "FILE", FIELD(against), OPTIONS_GATE,
	  "with --from DIR: compare with this gate.conf or kb.db", .rare = true },
	{ "observed", 0, NULL, FIELD(observed), OPTIONS_GATE,
	  "with --for npd: True also for what is only observed", .rare = true },
	{ "allow", 0, "DIR", FIELD(allow), OPTIONS_MCP,
	  "let clients name files below DIR (DIR:DIR)" },
	{ "allow", 0, "DIR", FIELD(allow), OPTIONS_TARGETS, "open nothing outside of DIR (DIR:DIR)",
	  .rare = true },
	{ "os", 0, "SYSTEM", FIELD(system), OPTIONS_ADVISE,
	  "operating system: linux, windows or wsl", "linux windows wsl", .loose = true },
	{ "python", 0, "VERSION", FIELD(python), OPTIONS_ADVISE,
	  "the Python version, for example 3.12" },
	{ "set", 0, "NAME=VALUE", FIELD(set), OPTIONS_EXPLAIN,
	  "state a fact about the machine: rocm=7.1 (see below)" },
	{ "facts", 0, "FILE", FIELD(facts), OPTIONS_EXPLAIN,
	  "state facts as JSON: {\"gpu\": \"MI300X\", \"rocm\": \"7.1\"}", .rare = true },
	{ "no-machine", 0, NULL, FIELD(no_machine), OPTIONS_EXPLAIN,
	  "explain the text alone; do not read this machine" },
	{ "together", 0, NULL, FIELD(together), OPTIONS_EXPLAIN,
	  "explain all files as one: train.log with dmesg.txt" },
	{ "follow", 'f', NULL, FIELD(follow), OPTIONS_FOLLOW,
	  "read a log as it grows; Ctrl-C ends and explains" },
	{ "format", 0, "NAME", FIELD(format),
	  OPTIONS_FACTS | OPTIONS_KB | OPTIONS_PROBE_REPORT | OPTIONS_ADVISE | OPTIONS_FIX |
		  OPTIONS_EXPECT | OPTIONS_COMPARE | OPTIONS_SCORE | OPTIONS_WATCH,
	  "text (default) or json", "text json" },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_GATE,
	  "with --from DIR: text (default) or json", "text json", .rare = true },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_QUERY,
	  "text (default), json or csv (RFC 4180)", "text json csv" },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_CHECK, "text, json, html, markdown or github",
	  "text json html markdown github" },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_EXPLAIN,
	  "text, json, html, markdown, comment or github",
	  "text json markdown html comment github" },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_RUN,
	  "with --report: text (default), json or html", "text json html", .rare = true },
	{ "format", 0, "NAME", FIELD(format), OPTIONS_TARGETS,
	  "text, json, sarif or github (annotations)", "text json sarif github" },
	{ "json", 0, NULL, FIELD(format),
	  OPTIONS_FACTS | OPTIONS_QUERY | OPTIONS_TARGETS | OPTIONS_KB | OPTIONS_PROBE_REPORT |
		  OPTIONS_ADVISE | OPTIONS_FIX | OPTIONS_RUN | OPTIONS_EXPECT | OPTIONS_COMPARE |
		  OPTIONS_SCORE | OPTIONS_GATE | OPTIONS_WATCH,
	  "same as --format json", NULL, "json" },
	{ "json", 0, NULL, FIELD(format), OPTIONS_CHECK | OPTIONS_EXPLAIN,
	  "same as --format json; with --verbose everything there is", NULL, "json" },
	{ "csv", 0, NULL, FIELD(format), OPTIONS_QUERY, "same as --format csv", NULL, "csv" },
	{ "sarif", 0, NULL, FIELD(format), OPTIONS_TARGETS,
	  "same as --format sarif, which code scanning reads", NULL, "sarif" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_CHECK | OPTIONS_EXPLAIN,
	  "show all evidence, and all fixes with their steps" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_KB,
	  "kb show: also how a cause is weighed, with the queries" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_FIX, "also list optional fixes" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_ADVISE,
	  "also print alternatives and sources" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_TARGETS,
	  "list every file, and how its code was found" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_PROBE_REPORT,
	  "show every test and how long it took" },
	{ "verbose", 'v', NULL, FIELD(verbose), OPTIONS_RUN,
	  "with --report: print every record of the journal", .rare = true },
	{ "quiet", 'q', NULL, FIELD(quiet), OPTIONS_CHECK | OPTIONS_TARGETS | OPTIONS_PROBE_REPORT,
	  "print nothing; use the exit status" },
	{ "why", 0, "CAUSE", FIELD(why), OPTIONS_CHECK,
	  "show how a cause was judged (names: rocsteady kb list)" },
	{ "only", 0, "CHECKS", FIELD(only), OPTIONS_CHECK,
	  "run only these checks: vram-exhausted,link", .rare = true },
	{ "skip", 0, "CHECKS", FIELD(skip), OPTIONS_CHECK, "do not run these checks",
	  .rare = true },
	{ "list-checks", 0, NULL, FIELD(list_checks), OPTIONS_CHECK,
	  "list the checks that would run, and exit", .rare = true },
	{ "shell", 0, "NAME", FIELD(shell), OPTIONS_CHECK | OPTIONS_EXPLAIN | OPTIONS_FIX,
	  "command syntax: bash, fish, powershell or dockerfile", "bash fish powershell dockerfile",
	  .rare = true },
	{ "ack", 0, "DIR", FIELD(context.ack),
	  OPTIONS_CHECK | OPTIONS_FIX | OPTIONS_RUN | OPTIONS_GATE,
	  "lists of accepted problems (/etc/rocsteady/ack.d)", .rare = true },
	{ "expect", 0, "gpus=N", FIELD(context.expect),
	  OPTIONS_CHECK | OPTIONS_FIX | OPTIONS_RUN | OPTIONS_PROBE_REPORT | OPTIONS_GATE |
		  OPTIONS_EXPECT,
	  "report what differs from gpus=8,nics=8 or from a FILE", .rare = true },
	{ "kb", 0, "FILE", FIELD(context.kb),
	  OPTIONS_CHECK | OPTIONS_KB | OPTIONS_EXPLAIN | OPTIONS_ADVISE | OPTIONS_RUN |
		  OPTIONS_FIX | OPTIONS_GATE | OPTIONS_TEST | OPTIONS_SCORE,
	  "use this knowledge base, made by rocsteady-kb build", .rare = true },
	{ "print-scrubbed", 0, NULL, FIELD(scrub), OPTIONS_EXPLAIN,
	  "print the text without names and secrets, and no answer", .rare = true },
	{ "batch", 0, NULL, FIELD(batch), OPTIONS_EXPLAIN,
	  "read a log per JSON line of stdin, print a line each", .rare = true },
	{ "jobs", 0, "N", FIELD(jobs), OPTIONS_EXPLAIN,
	  "read N files at a time (default: one per CPU)", .rare = true },
	{ "heal", 0, NULL, FIELD(heal), OPTIONS_RUN,
	  "before the start, set variables against known problems" },
	{ "attempts", 0, "N", FIELD(attempts), OPTIONS_RUN,
	  "with --heal: run the job at most N times (1)" },
	{ "resume", 0, "WORDS", FIELD(resume), OPTIONS_RUN,
	  "append these to the command from attempt 2 on" },
	{ "allow-cpu", 0, NULL, FIELD(allow_cpu), OPTIONS_RUN,
	  "with --heal: make the last attempt on the CPU" },
	{ "on-hang", 0, "WHAT", FIELD(on_hang), OPTIONS_RUN,
	  "if it hangs: notify (default), dump, end or retry", "notify dump end retry" },
	{ "hang-after", 0, "SECONDS", FIELD(hang_after), OPTIONS_RUN,
	  "call it a hang after SECONDS without progress (60)" },
	{ "strict", 0, NULL, FIELD(strict), OPTIONS_RUN,
	  "do not start if the machine would break the job" },
	{ "no-preflight", 0, NULL, FIELD(no_preflight), OPTIONS_RUN,
	  "do not check the machine before the start" },
	{ "dir", 0, "DIR", FIELD(dir), OPTIONS_RUN,
	  "keep the journal in DIR (.rocsteady/TIME-HOST-PID)" },
	{ "report", 0, "DIR", FIELD(report), OPTIONS_RUN,
	  "show the run or the runs kept in DIR; start nothing" },
	{ "leave", 0, NULL, FIELD(leave), OPTIONS_RUN,
	  "do not kill processes the job leaves behind", .rare = true },
	{ "survive", 0, NULL, FIELD(survive), OPTIONS_RUN,
	  "keep the job running if rocsteady is killed", .rare = true },
	{ "apply", 0, NULL, FIELD(apply), OPTIONS_FIX, "make the change, after asking" },
	{ "yes", 0, NULL, FIELD(yes), OPTIONS_FIX, "with --apply: do not ask" },
	{ "yes", 0, NULL, FIELD(yes), OPTIONS_SNAPSHOT, "with --proof: do not ask", .rare = true },
	{ "undo", 0, NULL, FIELD(undo), OPTIONS_FIX, "revert an applied change" },
	{ "verify", 0, NULL, FIELD(verify), OPTIONS_FIX,
	  "check whether the problem of REMEDY is gone" },
	{ "applied", 0, NULL, FIELD(applied), OPTIONS_FIX, "list applied changes" },
	{ "healthy", 0, "DIR", FIELD(healthy), OPTIONS_SCORE,
	  "a directory of healthy logs to mix in" },
	{ "cures", 0, "FILE", FIELD(cures), OPTIONS_SCORE,
	  "what cured each failure, to grade the steps" },
	{ "each-fact", 0, NULL, FIELD(each_fact), OPTIONS_SCORE,
	  "what each stated fact and each pair makes worse" },
	{ "paths", 0, NULL, FIELD(paths), OPTIONS_FACTS,
	  "list every path that rocsteady may read, and exit" },
	{ "brief", 0, NULL, FIELD(context.brief), OPTIONS_SNAPSHOT,
	  "record only the main facts, at most 32 kB" },
	{ "proof", 0, NULL, FIELD(proof), OPTIONS_SNAPSHOT,
	  "test the GPUs and record all for rocsteady's authors" },
	{ "unpack", 0, "DIR", FIELD(unpack), OPTIONS_SNAPSHOT,
	  "write the snapshot as files under DIR" },
	{ "no-scrub", 0, NULL, FIELD(no_scrub), OPTIONS_SNAPSHOT,
	  "keep names, serial numbers and tokens" },
	{ "no-scrub", 0, NULL, FIELD(no_scrub), OPTIONS_CHECK | OPTIONS_EXPLAIN,
	  "keep names and secrets in html, markdown and github", .rare = true },
	{ "no-scrub", 0, NULL, FIELD(no_scrub), OPTIONS_RUN,
	  "with --report: keep names and secrets in html", .rare = true },
	{ "scrub-key", 0, "TEXT", FIELD(scrub_key),
	  OPTIONS_SNAPSHOT | OPTIONS_CHECK | OPTIONS_RUN | OPTIONS_EXPLAIN,
	  "hide names; the same TEXT gives the same pseudonyms", .rare = true },
	{ "tests", 0, "DIR", FIELD(tests), OPTIONS_TEST, "the test cases (tests/causes)" },
	{ "tests", 0, "DIR", FIELD(tests), OPTIONS_LINT, "check the form of these test cases" },
	{ "machines", 0, "DIR", FIELD(machines), OPTIONS_TEST,
	  "the snapshots of the cases (tests/machines)" },
	{ "machines", 0, "DIR", FIELD(machines), OPTIONS_SCORE,
	  "healthy machines that must stay without an alarm" },
	{ "machine", 0, "FILE", FIELD(machine), OPTIONS_LINT,
	  "run every query on this snapshot, or on all of a DIR" },
	{ "output", 'o', "FILE", FIELD(output),
	  OPTIONS_FACTS | OPTIONS_QUERY | OPTIONS_SNAPSHOT | OPTIONS_CHECK | OPTIONS_KB |
		  OPTIONS_TARGETS | OPTIONS_EXPLAIN | OPTIONS_PROBE_REPORT | OPTIONS_ADVISE |
		  OPTIONS_FIX | OPTIONS_GATE | OPTIONS_EXPECT | OPTIONS_COMPARE | OPTIONS_BUILD |
		  OPTIONS_SCORE | OPTIONS_WATCH,
	  "write to FILE instead of standard output" },
	{ "output", 'o', "FILE", FIELD(output), OPTIONS_RUN, "with --report: write to FILE",
	  .rare = true },
	{ "color", 0, "WHEN", FIELD(color), 0, "auto (default), always or never",
	  "auto always never", .rare = true },
	{ "help", 'h', NULL, FIELD(help), 0, "print this help" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool takes(const struct command *command, const struct option_row *row)
{
	return row->groups == 0 || row->groups & command->groups;
}

static size_t fill_long(const struct command *command, struct option *longs, char *shorts)
{
	size_t count = 0;

	if (command->groups & OPTIONS_RUN) /* what follows the job's name is the job's */
		*shorts++ = '+';
	*shorts++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		if (!takes(command, &rows[i]))
			continue;
		longs[count++] =
			(struct option){ rows[i].name,
					 rows[i].argument ? required_argument : no_argument, NULL,
					 256 + (int)i };
		if (rows[i].letter)
			*shorts++ = rows[i].letter;
		if (rows[i].letter && rows[i].argument)
			*shorts++ = ':';
	}
	*shorts = '\0';
	longs[count] = (struct option){ 0 };
	return count;
}

static const struct option_row *row_of(int c)
{
	if (c >= 256)
		return &rows[c - 256];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter == c)
			return &rows[i];
	return NULL;
}

/* A second value would silently replace the first one. */
static int set_value(const struct command *command, const struct option_row *row, char *field,
		     const char *value)
{
	const char *before;

	memcpy(&before, field, sizeof(before));
	if (before && strcmp(before, value) != 0 && row->field == FIELD(format))
		return say_usage(command->name, "use only one of --format %s and --format %s",
				 before, value);
	if (before && strcmp(before, value) != 0)
		return say_usage(command->name, "--%s takes one %s, not %s and also %s", row->name,
				 row->argument, before, value);
	memcpy(field, &value, sizeof(value));
	return 0;
}

static int set(const struct command *command, struct options *o, const struct option_row *row,
	       const char *argument)
{
	char *field = (char *)o + row->field;

	if (row->field == FIELD(set)) {
		o->set = arena_grow(&o->arena, o->set, o->set_count, sizeof(*o->set));
		o->set[o->set_count++] = argument;
	} else if (row->argument || row->value) {
		return set_value(command, row, field, row->value ? row->value : argument);
	} else {
		*(bool *)field = true;
	}
	return 0;
}

/* "text, json or html" of "text json html". */
static void add_words(struct buf *out, const char *words)
{
	struct span rest = span_of(words), word;
	bool first = true;

	while (span_word(&rest, &word)) {
		buf_text(out, first ? "" : span_trim(rest).len > 0 ? ", " : " or ");
		buf_span(out, word);
		first = false;
	}
}

const char *options_word(const char *words, const char *value, char ret[static OPTIONS_WORD])
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		if (word.len < OPTIONS_WORD && strncasecmp(value, word.data, word.len) == 0 &&
		    !isalpha((unsigned char)value[word.len])) {
			memcpy(ret, word.data, word.len);
			ret[word.len] = '\0';
			return ret;
		}
	return NULL;
}

static int check_words(const struct command *command, const struct options *o)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct buf allowed BUF_SCOPED = { 0 };
		char word[OPTIONS_WORD];
		const char *value = NULL;
		struct did_you_mean near;

		if (!rows[i].words || !takes(command, &rows[i]))
			continue;
		memcpy(&value, (const char *)o + rows[i].field, sizeof(value));
		if (!value || span_lists(span_of(rows[i].words), value) ||
		    (rows[i].loose && options_word(rows[i].words, value, word)))
			continue;
		near = did_you_mean(value);
		did_you_mean_try_words(&near, rows[i].words);
		add_words(&allowed, rows[i].words);
		if (near.best[0])
			return say_usage(command->name, "--%s is %s; did you mean %s?",
					 rows[i].name, allowed.data, near.best);
		return say_usage(command->name, "--%s is %s", rows[i].name, allowed.data);
	}
	return 0;
}

/* Without an equals sign it is a file, which is looked at when it is read. */
static int check_expect(const struct command *command, const char *words)
{
	struct span rest = span_of(words), part;

	if (!words || !strchr(words, '='))
		return 0;
	while (span_cut(&rest, ',', &part)) {
		struct expect e = { 0 };

		if (!expect_next(&part, &e) || e.name.len == 0 || part.len > 0)
			return say_usage(command->name,
					 "--expect takes gpus=NUMBER, more of the names in "
					 "rocsteady-expect(1) behind commas, or a file");
	}
	return 0;
}

static int check(const struct command *command, const struct options *o)
{
	const char *machines[] = { o->context.from, o->context.root, o->context.host_root };
	const char *subjects[] = { o->context.door.user, o->context.door.pid, o->context.door.unit,
				   o->context.door.container };
	int machine_count = 0;
	int subject_count = 0;

	for (size_t i = 0; i < 3; i++)
		machine_count += machines[i] != NULL;
	for (size_t i = 0; i < 4; i++)
		subject_count += subjects[i] != NULL;
	if (command->groups & OPTIONS_WALK && !o->probe &&
	    (o->level || o->layer || o->like || o->like_pid || o->libraries))
		return say_usage(
			command->name,
			"--level, --layer, --like, --like-pid and --libraries need --probe");
	if (machine_count > 1)
		return say_usage(command->name, "use only one of --from, --root and --host-root");
	if (subject_count > 1)
		return say_usage(command->name,
				 "use only one of --user, --pid, --unit and --container");
	if (subject_count > 0 && machine_count > 0)
		return say_usage(command->name,
				 "--user, --pid, --unit and --container work only on this host");
	if (check_expect(command, o->context.expect) != 0)
		return EXIT_USAGE;
	return stated_check(command, o);
}

/* An option that this command has in the other build. */
static bool is_lacked(const struct command *command, const char *word)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].groups & command->lacks &&
		    ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, rows[i].name) == 0) ||
		     (rows[i].letter && word[0] == '-' && word[1] == rows[i].letter)))
			return true;
	return false;
}

/* getopt names a letter in optopt, and a switch with a value by its number. */
static int unknown(const struct command *command, const char *word)
{
	char name[DID_YOU_MEAN_MAX + 1];
	struct did_you_mean near;

	if (optopt >= 256)
		return say_usage(command->name, "--%s takes no value", rows[optopt - 256].name);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	if (optopt > 0)
		snprintf(name, sizeof(name), "-%c", optopt);
	if (is_lacked(command, name))
		return program_refuse(command->name, name);
	if (optopt > 0)
		return say_usage(command->name, "unknown option -%c", optopt);
	near = did_you_mean(name);
	for (size_t i = 0; i < ROWS; i++) {
		char known[DID_YOU_MEAN_MAX];

		snprintf(known, sizeof(known), "--%s", rows[i].name);
		if (takes(command, &rows[i]))
			did_you_mean_try(&near, span_of(known));
	}
	return say_no(command->name, "option", &near, "");
}

/*
 * getopt takes the beginning of a name for the whole, so that `--scrub --no-machine` was a
 * key for pseudonyms. A name is written out.
 */
static bool is_written_out(const struct option_row *row, const char *word)
{
	return span_is((struct span){ word + 2, strcspn(word + 2, "=") }, row->name);
}

/* The word that getopt has just read: its value may be the one behind it. */
static const char *word_read(char **argv)
{
	return argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
}

static int take_words(const struct command *command, int argc, char **argv, struct options *o)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 3];
	int c, status = 0;

	fill_long(command, longs, shorts);
	opterr = 0;
	optind = 1;
	while (status == 0 && (c = getopt_long(argc, argv, shorts, longs, NULL)) >= 0) {
		if (c == ':')
			return say_usage(command->name, "%s needs a value", argv[optind - 1]);
		if (c == '?')
			return unknown(command, argv[optind - 1]);
		if (c >= 256 && !is_written_out(row_of(c), word_read(argv))) {
			optopt = 0;
			return unknown(command, word_read(argv));
		}
		status = set(command, o, row_of(c), optarg);
	}
	o->words = (const char *const *)(argv + optind);
	o->word_count = argc - optind;
	o->separated = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
	o->json = o->format && strcmp(o->format, "json") == 0;
	return status;
}

int options_parse(const struct command *command, int argc, char **argv, struct options *ret)
{
	struct options o = { 0 };
	int status = take_words(command, argc, argv, &o);

	if (status == 0)
		status = check_words(command, &o);
	if (status == 0)
		status = check(command, &o);
	if (status == 0)
		*ret = o;
	else
		options_done(&o);
	return status;
}

void options_done(struct options *o)
{
	arena_done(&o->arena);
}

void options_again(const struct options *o, const char *names, struct buf *ret)
{
	struct span rest = span_of(names), name;

	while (span_word(&rest, &name)) {
		const struct option_row *row = rows;
		const char *value = NULL;

		while (row < rows + ROWS && !span_is(name, row->name))
			row++;
		if (row == rows + ROWS)
			continue;
		if (row->argument)
			memcpy(&value, (const char *)o + row->field, sizeof(value));
		if (row->argument ? !value : !*((const bool *)o + row->field))
			continue;
		buf_addf(ret, " --%s%s", row->name, value ? " " : "");
		if (value)
			text_shell(ret, span_of(value));
	}
}

bool options_next(const struct command *command, size_t *at, struct option_said *ret)
{
	while (*at < ROWS && !takes(command, &rows[*at]))
		++*at;
	if (*at == ROWS)
		return false;
	*ret = (struct option_said){
		rows[*at].name,
		rows[*at].letter,
		rows[*at].argument,
		rows[*at].says,
		rows[*at].words,
		rows[*at].groups == 0 || rows[*at].groups & (OPTIONS_MACHINE | OPTIONS_SUBJECT),
		rows[*at].rare
	};
	++*at;
	return true;
}
