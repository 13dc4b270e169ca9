#include "probe/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "check-span.h"

/* Ends a task that was started: with what `script` says for it, else answered. */
static void end_task(struct plan *p, struct task *t, const char *script, int devices)
{
	struct span rest = span_of(script), one, name;

	for (int i = 0; strcmp(t->question->name, "hip.devices") == 0 && i < devices; i++) {
		char line[64];

		snprintf(line, sizeof(line), "value %d 0000:%02x:00.0", i, i);
		answer_line(&t->answer, span_of(line));
	}
	if (strcmp(t->question->name, "memory.info") == 0)
		answer_line(&t->answer, SPAN_LITERAL("value free 8589934592"));
	while (span_cut(&rest, ';', &one)) {
		char who[128];

		snprintf(who, sizeof(who), "%s%s%s", t->question->name, t->alone ? "!" : "",
			 t->device ? t->device->address + 5 : "");
		if (span_cut(&one, '=', &name) &&
		    (span_is(name, t->question->name) || span_is(name, who)))
			answer_line(&t->answer, one);
	}
	if (t->answer.ending == ANSWER_NONE)
		answer_line(&t->answer, SPAN_LITERAL("answered"));
	plan_end(p, t);
}

static void stick_task(struct plan *p, struct task *t)
{
	t->answer.ending = ANSWER_STUCK;
	plan_end(p, t);
}

/* The whole walk, one after the other; the rows with `ms` as 0. */
static void run(const struct probe_options *o, const char *script, int devices, struct buf *ret)
{
	struct plan p;
	struct task *t;

	CHECK(plan_init(&p, o) == 0);
	while ((t = plan_next(&p, 0, 1)))
		if (span_is(span_of(script), t->question->name))
			stick_task(&p, t);
		else
			end_task(&p, t, script, devices);
	CHECK(plan_is_done(&p));
	plan_write(&p, ret);
	plan_done(&p);
}

static bool has(const struct buf *text, const char *line)
{
	struct buf whole BUF_SCOPED = { 0 };

	buf_addf(&whole, "\n%s\n", line);
	return span_starts(buf_get(text), whole.data + 1) ||
	       span_find(buf_get(text), buf_get(&whole)) != SIZE_MAX;
}

static size_t count_rows(const struct buf *text)
{
	struct span rest = buf_get(text), line;
	size_t count = 0;

	while (span_line(&rest, &line))
		count += line.len > 0 && line.data[0] != ' ' && !span_starts(line, "left ");
	return count;
}

/* "left 9900 answers" */
static bool has_line(const struct buf *text, const char *wanted)
{
	struct span rest = buf_get(text), line;

	while (span_line(&rest, &line))
		if (span_is(line, wanted))
			return true;
	return false;
}

static void check_walks(void)
{
	struct probe_options o = { .level = 1 };
	struct buf text BUF_SCOPED = { 0 };

	run(&o, "", 2, &text);
	CHECK_INT(count_rows(&text), 4 + 2 * 7);
	CHECK(has(&text, "kernel.run 0000:01:00.0 all answered 0"));

	buf_clear(&text);
	run(&o, "hsa.init=refused 4104", 2, &text); /* the ground is broken */
	CHECK(has(&text, "hsa.init - all refused 0 4104"));
	CHECK(has(&text, "memory.malloc - all skipped 0\n said not asked: hsa.init refused"));

	buf_clear(&text);
	run(&o, "memory.malloc00:00.0=refused 2", 2, &text); /* of one device */
	CHECK(has(&text, "memory.malloc 0000:00:00.0 all refused 0 2"));
	CHECK(has(&text, "memory.malloc 0000:00:00.0 alone answered 0"));
	CHECK(has(&text,
		  "copy.check 0000:00:00.0 all skipped 0\n said not asked: memory.malloc refused"));
	CHECK(has(&text, "copy.check 0000:01:00.0 all answered 0"));

	buf_clear(&text);
	run(&o, "memory.malloc=refused 2", 1, &text); /* one device is always alone */
	CHECK(!has(&text, "memory.malloc 0000:00:00.0 alone answered 0"));
}

static size_t count_of(const struct buf *text, const char *start)
{
	struct span rest = buf_get(text), line;
	size_t count = 0;

	while (span_line(&rest, &line))
		count += span_starts(line, start);
	return count;
}

static void check_repeats(void)
{
	struct probe_options o = { .level = 3, .python = "/usr/bin/python3" };
	struct buf text BUF_SCOPED = { 0 };

	run(&o, "", 2, &text);
	CHECK_INT(count_of(&text, "memory.malloc 0000:00:00.0 all answered"), 5);
	CHECK_INT(count_of(&text, "rocblas.handle 0000:01:00.0 alone answered"), 5);
	CHECK_INT(count_of(&text, "memory.largest 0000:00:00.0 all"), 1);
	CHECK_INT(count_of(&text, "torch.matmul 0000:00:00.0 all"), 1);
	CHECK_INT(count_of(&text, "hip.init -"), 1);
}

static void check_levels(void)
{
	struct probe_options o = { .level = 2 };
	struct buf text BUF_SCOPED = { 0 };

	run(&o, "", 3, &text);
	CHECK(has(&text, "peer.copy 0000:00:00.0>0000:02:00.0 all answered 0"));
	CHECK(has(&text, "peer.copy 0000:02:00.0>0000:00:00.0 all answered 0"));
	CHECK(has(&text, "rccl.allreduce - all answered 0"));
	CHECK(span_find(buf_get(&text), SPAN_LITERAL("torch")) == SIZE_MAX);

	buf_clear(&text);
	o.python = "/usr/bin/python3";
	run(&o, "copy.check00:00.0=wrong bytes", 3, &text);
	CHECK(has(&text, "torch.dataparallel - all answered 0"));
	CHECK(has(
		&text,
		"peer.copy 0000:01:00.0>0000:00:00.0 all skipped 0\n said not asked: copy.check wrong"));
	CHECK(has(&text, "peer.copy 0000:01:00.0>0000:02:00.0 all answered 0"));

	buf_clear(&text);
	run(&o, "memory.info00:00.0=value free 100", 3, &text); /* two values: the first is 8 GiB */
	CHECK(has(&text, "rocblas.handle 0000:00:00.0 all answered 0"));

	buf_clear(&text);
	o.level = 3;
	run(&o, "", 2, &text);
	CHECK(has(&text, "memory.malloc 0000:01:00.0 alone answered 0"));
	o.layers = "nowhere";
	CHECK(plan_init(&(struct plan){ 0 }, &o) == -EINVAL);
}

/* What is stuck is not asked again, whatever the user wants. */
static void check_stuck(void)
{
	struct probe_options o = { .level = 1, .keep_going = true };
	struct buf text BUF_SCOPED = { 0 };

	run(&o, "memory.async", 2, &text);
	CHECK(has(&text, "memory.async 0000:00:00.0 all stuck 0"));
	CHECK(has(
		&text,
		"memory.pinned 0000:00:00.0 all skipped 0\n said not asked: memory.async is stuck in the driver"));
	buf_clear(&text);
	run(&o, "hip.init", 2, &text);
	CHECK(has(&text,
		  "memory.info - all skipped 0\n said not asked: hip.init is stuck in the driver"));
}

static bool is_at(const struct task *t, const struct device *d)
{
	for (size_t i = 0; i < t->member_count; i++)
		if (t->members[i] == d)
			return true;
	return t->device == d || t->peer == d || t->question->scope == QUESTION_TOGETHER;
}

/* Many at once, ended in any order, with any outcome: all are done, and nobody shares a device. */
static void check_storm(unsigned int seed)
{
	static const char *const outcomes[] = { "answered",  "answered",   "answered",
						"refused 2", "missing it", "wrong it" };
	struct probe_options o = { .level = 1 + (int)(seed % 3),
				   .python = "/p",
				   .keep_going = seed % 2 };
	struct task *running[8];
	size_t count = 0;
	struct plan p;
	struct task *t;

	srand(seed);
	CHECK(plan_init(&p, &o) == 0);
	for (;;) {
		while (count < 8 && (t = plan_next(&p, count, 8))) {
			for (size_t i = 0; i < count; i++)
				for (size_t d = 0; d < p.device_count; d++)
					CHECK(!is_at(t, &p.devices[d]) ||
					      !is_at(running[i], &p.devices[d]));
			running[count++] = t;
		}
		if (count == 0)
			break;
		t = running[(size_t)rand() % count];
		for (size_t i = 0; i < count; i++)
			if (running[i] == t) {
				running[i] = running[--count];
				break;
			}
		if (strcmp(t->question->name, "hip.devices") != 0)
			answer_line(&t->answer, span_of(outcomes[rand() % 6]));
		end_task(&p, t, "", (int)(seed % 6));
	}
	CHECK(plan_is_done(&p));
	plan_done(&p);
}

static void check_bytes(void)
{
	struct probe_options o = { .level = 3 };
	struct plan p;
	struct task *t;

	CHECK(plan_init(&p, &o) == 0);
	while ((t = plan_next(&p, 0, 1))) {
		if (strcmp(t->question->name, "memory.largest") == 0)
			CHECK_INT(plan_bytes(&p, t), ((uint64_t)8 << 30) - ((uint64_t)1 << 30));
		if (strcmp(t->question->name, "memory.malloc") == 0)
			CHECK_INT(plan_bytes(&p, t), 32 << 20);
		if (strcmp(t->question->name, "hip.init") == 0)
			CHECK_INT(plan_bytes(&p, t), 0);
		end_task(&p, t, "", 1);
	}
	plan_done(&p);
}

/* After a time-out a GPU gets less time, but ten times what it has needed; others do not. */
static void check_deadlines(void)
{
	static const struct {
		const char *question;
		unsigned int ms, first, other;
	} cases[] = { { "memory.async", 20000, 20000, 20000 },
		      { "copy.check", 20000, 7000, 20000 },
		      { "kernel.run", 40000, 30000, 40000 } };
	struct probe_options o = { .level = 1 };
	struct plan p;
	struct task *t;
	size_t met = 0;

	CHECK(plan_init(&p, &o) == 0);
	while ((t = plan_next(&p, 0, 1))) {
		bool first = t->device && t->device->index == 0;

		for (size_t i = 0; i < 3; i++) {
			if (strcmp(t->question->name, cases[i].question) != 0 || t->alone)
				continue;
			CHECK_INT(plan_deadline(&p, t, cases[i].ms),
				  first ? cases[i].first : cases[i].other);
			met++;
		}
		t->answer.ms = strcmp(t->question->name, "kernel.compile") == 0 ? 3000 : 700;
		if (first && strcmp(t->question->name, "memory.async") == 0)
			t->answer.ending = ANSWER_TIMEOUT;
		end_task(&p, t, "", 2);
	}
	CHECK_INT(met, 6);
	plan_done(&p);
}

/* The text stays a MiB: lines go, rows stay, but for thousands of pairs that work. */
static void check_text_bound(void)
{
	struct probe_options o = { .level = 1 };
	struct buf text BUF_SCOPED = { 0 }, long_line BUF_SCOPED = { 0 };
	struct plan p;
	struct task *t;

	buf_text(&long_line, "value text ");
	for (int i = 0; i < 1000; i++)
		buf_char(&long_line, 'x');
	CHECK(plan_init(&p, &o) == 0);
	while ((t = plan_next(&p, 0, 1))) {
		for (int i = 0; t->device && i < 10; i++)
			answer_line(&t->answer, buf_get(&long_line));
		end_task(&p, t, "", 200);
	}
	plan_write(&p, &text);
	CHECK(text.len <= (size_t)1 << 20);
	CHECK_INT(count_rows(&text), 4 + 200 * 7);
	CHECK(span_find(buf_get(&text), SPAN_LITERAL("\nleft lines of ")) != SIZE_MAX);
	CHECK(!has_line(&text, "left 0 answers"));
	plan_done(&p);

	buf_clear(&text);
	o.layers = "peer";
	run(&o, "", 100, &text);
	CHECK_INT(count_rows(&text), 4 + 100 * 3);
	CHECK(has_line(&text, "left 9900 answers"));
	buf_clear(&text);
	run(&o, "peer.copy00:00.0=wrong bytes", 100, &text);
	CHECK_INT(count_rows(&text), 4 + 100 * 3 + 99);
	buf_clear(&text);
	run(&o, "copy.check=refused 1", 120, &text);
	CHECK(text.len <= (size_t)1 << 20 && count_rows(&text) > 5000);
}

int main(void)
{
	check_walks();
	check_levels();
	check_repeats();
	check_stuck();
	for (unsigned int seed = 0; seed < 60; seed++)
		check_storm(seed);
	check_bytes();
	check_deadlines();
	check_text_bound();
	return check_end();
}
