#include "run/night.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "run/stacks.h"

#define M (1ll << 20)

static struct story story;

static void record(enum run_journal_kind kind, uint64_t at, const char *payload)
{
	struct run_journal_record r = { .kind = kind, .at_ms = at, .payload = span_of(payload) };

	story_record(&story, &r);
}

/* One step a second from `first` on; memory by a start and a slope in MiB, CPU in milliseconds a second. */
static void train(int first, int count, double start, double slope, int cpu)
{
	char text[300];

	for (int i = 0; i < count; i++) {
		uint64_t at = 2000 + 1000 * (uint64_t)(first + i);

		snprintf(text, sizeof(text), "stdout step %d steps 2000 loss 0.5", first + i);
		record(RUN_JOURNAL_PROGRESS, at, text);
		snprintf(text, sizeof(text),
			 "host used %lld total %lld\ncgroup used - max -\njob rss %lld cpu_ms %d\n",
			 3000 * M, 24000 * M, (long long)((start + slope * i) * (double)M),
			 cpu * i);
		record(RUN_JOURNAL_SAMPLE, at + 1, text);
	}
}

static void begin(void)
{
	story = (struct story){ 0 };
	record(RUN_JOURNAL_START, 1000, "command x\n");
	record(RUN_JOURNAL_EVENT, 1000, "started 4711\n");
}

static bool has_note(const struct night *n, const char *name)
{
	for (size_t i = 0; i < n->note_count; i++)
		if (strcmp(n->notes[i].name, name) == 0)
			return true;
	return false;
}

static struct night look(struct arena *a, int signal, bool failed)
{
	struct night n;

	story_sort(&story);
	night_of(&story, &(struct night_end){ .signal = signal, .failed = failed }, a, &n);
	return n;
}

static void who_killed_it_is_told(void)
{
	static const struct {
		const char *record, *name, *certainty, *why;
	} rows[] = {
		{ "oom-kills 0 0\n", "killed-from-outside", "certain", "nobody was killed by it" },
		{ "oom-kills 0 -1\n", "killed-from-outside", "certain", "no control group" },
		{ "oom-kills 1 1\n", "oom-killer-group", "certain", "one of our group" },
		{ "oom-kills 1 0\n", "oom-killer", "likely", "somebody on this machine" },
		{ "oom-kills -1 -1\n", "killed", "unclear", "nothing can be read" },
		{ "looked-again 3\n", "killed", "unclear", "nothing was read" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a = { 0 };
		struct night n;

		begin();
		train(1, 20, 500, 0, 900);
		record(RUN_JOURNAL_EVENT, 30000, rows[i].record);
		n = look(&a, SIGKILL, true);
		CHECK_TEXT(n.ending.name ? n.ending.name : "", rows[i].name);
		CHECK_TEXT(n.ending.certainty, rows[i].certainty);
		CHECK_INT(n.note_count, 0);
		story_done(&story);
		arena_done(&a);
	}
}

static void the_kernel_log_names_the_job(void)
{
	static const struct {
		const char *line, *name;
	} rows[] = {
		{ "oom-killed-cgroup - Killed\\x20process\\x204711\\x20(python)\n",
		  "oom-killer-group" },
		{ "oom-killed - Killed\\x20process\\x2099\\x20(cc1)\n", "oom-killer" },
		{ "gpu-page-fault-gfx - Killed\\x20process\\x204711\n", "killed" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a = { 0 };

		begin();
		train(1, 20, 500, 0, 900);
		record(RUN_JOURNAL_KERNEL, 30000, rows[i].line);
		CHECK_TEXT(look(&a, SIGKILL, true).ending.name, rows[i].name);
		story_done(&story);
		arena_done(&a);
	}
}

static void growth_is_told(void)
{
	static const struct {
		int count;
		double slope;
		bool grows;
		const char *why;
	} rows[] = {
		{ 60, 12, true, "12 MiB a step" },
		{ 60, 0.5, false, "20 MiB in all" },
		{ 60, -12, false, "it shrinks" },
		{ 7, 12, false, "too few samples" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena a = { 0 };
		struct night n;

		begin();
		train(1, rows[i].count, 1000, rows[i].slope, 900);
		n = look(&a, 0, true);
		CHECK_INT(has_note(&n, "grows"), rows[i].grows);
		if (rows[i].grows)
			CHECK_TEXT(
				n.notes[0].says,
				"Host memory of the job grew 12.0 MiB a step: from 1.2 GiB at step 21"
				" to 1.7 GiB at step 59");
		CHECK_INT(look(&a, 0, false).note_count, 0); /* of a job that ended well */
		story_done(&story);
		arena_done(&a);
	}
}

/* A model that is loaded late, and then nothing more. */
static void a_step_is_no_growth(void)
{
	struct arena a = { 0 };
	struct night n;

	begin();
	train(1, 30, 1000, 0, 900);
	train(31, 30, 4000, 0, 900);
	n = look(&a, 0, true);
	CHECK(!has_note(&n, "grows"));
	story_done(&story);
	arena_done(&a);
}

static void a_lost_loss_is_told(void)
{
	struct arena a = { 0 };
	struct night n;

	begin();
	train(1, 20, 500, 0, 900);
	record(RUN_JOURNAL_PROGRESS, 30000, "stdout step 21 steps 2000 loss nan");
	record(RUN_JOURNAL_PROGRESS, 31000, "stdout step 25 steps 2000 loss nan");
	n = look(&a, 0, true);
	CHECK_TEXT(n.ending.name, "nan");
	CHECK_TEXT(n.ending.says, "the loss became NaN at step 21");
	CHECK(!has_note(&n, "nan"));
	CHECK_TEXT(n.reached, "step 25 of 2000; loss NaN; 1.17 s a step");
	n = look(&a, 0, false);
	CHECK(!n.ending.name && has_note(&n, "nan"));
	story_done(&story);
	arena_done(&a);
}

static void waiting_is_told(void)
{
	struct arena a = { 0 };

	begin();
	train(1, 40, 500, 0, 20);
	CHECK_TEXT(look(&a, SIGTERM, true).ending.name, "terminated-idle");
	story_done(&story);
	begin();
	train(1, 40, 500, 0, 900);
	CHECK_TEXT(look(&a, SIGTERM, true).ending.name, "terminated");
	story_done(&story);
	arena_done(&a);
}

static void what_became_slower_is_told(void)
{
	struct arena a = { 0 };
	struct night n;
	char text[64];

	begin();
	for (int i = 0; i < 200; i++) {
		uint64_t at =
			i < 180 ? 2000 + 1000 * (uint64_t)i : 182000 + 3000 * (uint64_t)(i - 180);

		snprintf(text, sizeof(text), "stdout step %d loss 0.5", i);
		record(RUN_JOURNAL_PROGRESS, at, text);
	}
	n = look(&a, SIGTERM, true);
	CHECK(has_note(&n, "slower"));
	CHECK_TEXT(n.notes[0].says, "It became slower: from 1 s a step to 2.73 s a step");
	story_done(&story);
	arena_done(&a);
}

static void nothing_is_made_of_nothing(void)
{
	struct arena a = { 0 };
	struct night n;

	story = (struct story){ 0 };
	n = look(&a, SIGKILL, true);
	CHECK(!n.ending.name);
	begin();
	n = look(&a, 0, true);
	CHECK(!n.ending.name && n.note_count == 0);
	CHECK_TEXT(n.reached, "");
	record(RUN_JOURNAL_PROGRESS, 5, "stdout step 1e300 steps -5 loss inf rate nan");
	record(RUN_JOURNAL_PROGRESS, 2000, "stdout step -1 batch nan");
	record(RUN_JOURNAL_SAMPLE, 2000, "job rss 99999999999999 cpu_ms x\nhost used 1 total 0\n");
	record(RUN_JOURNAL_EVENT, 2000, "oom-kills x\n");
	(void)look(&a, SIGKILL, true);
	story_done(&story);
	arena_done(&a);
}

static void standstills_are_told_apart(void)
{
	static const struct {
		const char *class, *frames, *file, *name;
	} rows[] = {
		{ "waits-for-lock", "    wait (threading.py:320)", "", "deadlock" },
		{ "waits-for-lock", "    log (train.py:7)", "", "lock" },
		{ "waits-for-lock", "", "", "lock" },
		{ "waits-for-events", "    _try_get_data (torch/utils/data/dataloader.py:1133)", "",
		  "data" },
		{ "waits-for-events", "", "thread 1 2 S x pt_data_worker", "data" },
		{ "waits-for-events", "    poll (mine.py:3)", "thread 1 2 S x pt_data_worker",
		  "frames" },
		{ "waits-for-lock", "    all_reduce (torch/distributed/distributed_c10d.py:2501)",
		  "", "rank" },
		{ "waits-for-rank", "", "", "rank" },
		{ "sleeps", "", "thread 1 1 S hrtimer_nanosleep pt_elastic", "ranks" },
		{ "sleeps", "", "", "sleeps" },
		{ "driver", "", "process 1: python -m torch.distributed.run x", "driver" },
		{ "spins", "    compile (torch/_inductor/compile_fx.py:1)", "", "compiles" },
		{ "spins", "    mine (train.py:1)", "", "spins" },
		{ "waits-for-events", "", "", "unclear" },
		{ "", "", "", "unclear" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct night_hang h = { rows[i].class, "host-stall", span_of(rows[i].frames),
					span_of(rows[i].file) };
		struct arena a = { 0 };
		struct night_line line;

		night_hang_of(&h, &a, &line);
		CHECK_TEXT(line.name, rows[i].name);
		CHECK(line.step[0]);
		arena_done(&a);
	}
}

static const char file[] =
	"No progress for 3 s: every thread waits (host-stall).\n"
	"\npy-spy of process 5\n  said\n    Process 5: torchrun\n    Thread 5 (idle): \"MainThread\"\n"
	"        _invoke_run (torch/distributed/elastic/agent/server/api.py:870)\n"
	"\npy-spy of process 6\n  said\n    Thread 7 (idle): \"Thread-1\"\n        other (a.py:1)\n"
	"    Thread 6 (idle): \"MainThread\"\n        inner (a.py:2)\n        outer (a.py:3)\n"
	"\nUser stacks are scanned\n\nprocess 6: python\nthread 6 6 S x y\n\nclass waits-for-lock\n";

static void a_file_is_read_back(void)
{
	struct stacks_found f;
	struct arena a = { 0 };

	stacks_find(span_of(file), &f);
	CHECK(span_is(f.class, "waits-for-lock"));
	CHECK(span_is(f.main, "        inner (a.py:2)\n        outer (a.py:3)"));
	CHECK(span_starts(f.all, "    Thread 7"));
	CHECK_INT(f.python.len, 0);
	for (size_t n = 0; n < strlen(file); n++)
		stacks_find((struct span){ file, n }, &f);
	stacks_find(span_of("py-spy of process 5\n  said\n    Error: x\n\npython failed\n\n"), &f);
	CHECK(span_is(f.python, "failed") && f.main.len == 0);
	CHECK(strstr(night_python(f.python, &a), "SYS_PTRACE"));
	CHECK_TEXT(night_python(SPAN_LITERAL("none"), &a), "");
	CHECK(night_is_python("/home/a/venv/bin/python3") && night_is_python("torchrun"));
	CHECK(!night_is_python("/opt/python/bin/sh") && !night_is_python("mypython"));
	arena_done(&a);
}

int main(void)
{
	who_killed_it_is_told();
	the_kernel_log_names_the_job();
	growth_is_told();
	a_step_is_no_growth();
	a_lost_loss_is_told();
	waiting_is_told();
	what_became_slower_is_told();
	nothing_is_made_of_nothing();
	standstills_are_told_apart();
	a_file_is_read_back();
	return check_end();
}
