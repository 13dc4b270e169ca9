#include "run/timeline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/names.h"
#include "base/text.h"
#include "run/left-memory.h"
#include "run/sample-text.h"

#define EVERY_MS     1000
#define AGES         512                 /* samples until one is written in twice the time */
#define AGE_BYTES    ((size_t)256 << 10) /* the same for large samples */
#define DUMPS_MAX    8
#define KEPT_FOR_END ((size_t)512 << 10)
#define KERNEL_MAX   256 /* lines in all */
#define KERNEL_LOOK  64  /* lines in one look */
#define KERNEL_TOLD  ((size_t)8 << 10)
#define CUT          "...\n"

extern const char data_kernel_log[], data_gpu_stalls[], data_gpu_faults[];

static struct run_journal *journal(struct timeline *t)
{
	return &t->evidence->journal;
}

static void say(struct timeline *t, enum run_journal_kind kind, const char *text)
{
	run_journal_add(journal(t), kind, clock_date_ms(), span_of(text));
}

void timeline_open(struct timeline *t, struct evidence *e)
{
	int r;

	memset(t, 0, sizeof(*t));
	t->evidence = e;
	t->started = clock_ms();
	t->news.fd = -1;
	t->sampler = sampler_open();
	if (!t->sampler)
		say(t, RUN_JOURNAL_EVENT, "sampler none\n");
	if (klog_table_parse(&t->arena, span_of(data_kernel_log), &t->classes, NULL) < 0 ||
	    door_init(&t->door, DOOR_LIVE, "/", &(struct door_options){ 0 }) < 0)
		return;
	host_gauges_oom(&t->door, &t->oom);
	r = kernel_news_open(&t->news, &t->door);
	if (r < 0)
		say(t, RUN_JOURNAL_EVENT,
		    r == -ENOENT || r == -ENXIO ? "kernel-log absent\n" : "kernel-log denied\n");
}

/* ---- samples ---- */

static bool is_due(const struct timeline *t, uint64_t last, uint64_t now)
{
	uint64_t age = now - t->started, every = age / AGES;

	if (t->sample_bytes > AGE_BYTES / AGES)
		every = age * t->sample_bytes / AGE_BYTES;
	/* looks do not fall exactly on the second */
	return last == 0 || now - last + EVERY_MS / 4 >= (every > EVERY_MS ? every : EVERY_MS);
}

static void write_sample(struct timeline *t, size_t slot)
{
	struct buf text BUF_SCOPED = { 0 };

	if (t->minute[slot].written)
		return;
	t->minute[slot].written = true;
	sample_text(&text, &t->minute[slot].sample);
	t->sample_bytes = text.len;
	run_journal_add(journal(t), RUN_JOURNAL_SAMPLE, t->minute[slot].sample.date_ms,
			buf_get(&text));
}

static bool has_room(struct timeline *t)
{
	return journal(t)->at + KEPT_FOR_END < RUN_JOURNAL_BYTES;
}

static void take_sample(struct timeline *t, uint64_t now)
{
	size_t slot = t->taken % TIMELINE_MINUTE;

	if (!sampler_newest(t->sampler, &t->minute[slot].sample))
		return;
	t->minute[slot].written = false;
	if (t->taken++ == 0)
		t->first = t->minute[slot].sample;
	if (!is_due(t, t->sampled, now) || !has_room(t))
		return;
	t->sampled = now;
	write_sample(t, slot);
}

static void write_minute(struct timeline *t)
{
	size_t n = t->taken < TIMELINE_MINUTE ? t->taken : TIMELINE_MINUTE;

	for (size_t i = t->taken - n; i < t->taken; i++)
		write_sample(t, i % TIMELINE_MINUTE);
}

const struct sample *timeline_newest(const struct timeline *t)
{
	return t->taken > 0 ? &t->minute[(t->taken - 1) % TIMELINE_MINUTE].sample : NULL;
}

/* ---- progress ---- */

void timeline_bytes(struct timeline *t, int stream, struct span bytes)
{
	progress_rate_bytes(&t->rate, stream, bytes, clock_ms());
	resumed_bytes(&t->resumed, stream, bytes);
}

static void write_progress(struct timeline *t, int stream, const struct progress *p)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_text(&text, stream ? "stderr" : "stdout");
	progress_text(&text, p);
	buf_char(&text, '\n');
	run_journal_add(journal(t), RUN_JOURNAL_PROGRESS, clock_date_ms(), buf_get(&text));
}

static void tell_progress(struct timeline *t, uint64_t now, bool last)
{
	progress_rate_rest(&t->rate, now);
	if (t->rate.is_lost && !t->loss_told) {
		t->loss_told = true;
		write_progress(t, t->rate.stream, &t->rate.lost);
	}
	if (t->rate.steps == t->steps_told || (!last && !is_due(t, t->told, now)))
		return;
	if (t->steps_told == 0 && t->rate.steps > 1)
		write_progress(t, t->rate.stream, &t->rate.first);
	t->steps_told = t->rate.steps;
	t->told = now;
	t->rate.has_loss = false;
	write_progress(t, t->rate.stream, &t->rate.newest);
}

/* ---- the kernel's log ---- */

static void raise_alarm(struct timeline *t, enum timeline_alarm kind, const char *address)
{
	size_t i = 0, oldest = 0;

	while (i < t->alarm_count &&
	       (t->alarms[i].kind != kind || strcmp(t->alarms[i].address, address) != 0)) {
		if (t->alarms[i].at_ms < t->alarms[oldest].at_ms)
			oldest = i;
		i++;
	}
	if (i == TIMELINE_ALARMS)
		i = oldest;
	t->alarms[i].kind = kind;
	strcpy(t->alarms[i].address, address);
	t->alarms[i].at_ms = clock_ms();
	t->alarm_count += i == t->alarm_count;
}

/* Keeps the line twice: as an alarm, which a hang is judged by, and as text for its evidence. */
static void remember(struct timeline *t, struct span class, struct span line, const char *address)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)class.len, class.data);
	if (names_has(data_gpu_stalls, name))
		raise_alarm(t, TIMELINE_STALL, address);
	else if (names_has(data_gpu_faults, name))
		raise_alarm(t, TIMELINE_FAULT, address);
	if (t->kernel_told.len + line.len < KERNEL_TOLD) {
		buf_span(&t->kernel_told, line);
		buf_char(&t->kernel_told, '\n');
	} else if (!span_ends(buf_get(&t->kernel_told), CUT)) {
		buf_text(&t->kernel_told, CUT);
	}
}

static void tell_kernel_line(struct timeline *t, struct span line)
{
	struct buf text BUF_SCOPED = { 0 };
	struct pci_address at;
	struct klog_match match;
	char address[PCI_ADDRESS_MAX] = "";

	if (!klog_class(t->classes, line, &match))
		return;
	if (pci_address_find_word(line, &at))
		pci_address_write(&at, address);
	remember(t, match.row->class, line, address);
	if (!t->evidence->heard.len && match.row->severity == KLOG_PROBLEM)
		text_clean(&t->evidence->heard, line, false);
	if (t->kernel_lines++ >= KERNEL_MAX) {
		t->left_out++;
		return;
	}
	buf_span(&text, match.row->class);
	buf_addf(&text, " %s ", address[0] ? address : "-");
	text_word(&text, line);
	buf_char(&text, '\n');
	run_journal_add(journal(t), RUN_JOURNAL_KERNEL, clock_date_ms(), buf_get(&text));
}

static void look_at_kernel(struct timeline *t)
{
	struct buf line BUF_SCOPED = { 0 };

	for (int i = 0; i < KERNEL_LOOK && kernel_news_next(&t->news, &line); i++)
		tell_kernel_line(t, buf_get(&line));
}

/* ---- together ---- */

void timeline_dump(struct timeline *t)
{
	progress_rate_catch_up(&t->rate);
	tell_progress(t, clock_ms(), true);
	if (t->dumps++ < DUMPS_MAX && has_room(t))
		write_minute(t);
}

void timeline_look(struct timeline *t, const struct descendants *descendants)
{
	uint64_t now = clock_ms();
	unsigned int standing;

	tell_progress(t, now, false);
	look_at_kernel(t);
	if (!t->sampler)
		return;
	sampler_follow(t->sampler, descendants);
	take_sample(t, now);
	(void)sampler_holders(t->sampler, &t->held);
	standing = sampler_mend(t->sampler);
	if (standing > 0) {
		evidence_word(t->evidence, "sampler-stuck", standing);
		timeline_dump(t);
	}
}

static int64_t grown(int64_t from, int64_t to)
{
	return from < 0 || to < from ? -1 : to - from;
}

/* Records the OOM kills during the run, on this machine and in our control group. */
static void tell_oom(struct timeline *t)
{
	struct buf text BUF_SCOPED = { 0 };
	struct oom_reading now;

	host_gauges_oom(&t->door, &now);
	if (grown(t->oom.host, now.host) < 0 && grown(t->oom.group, now.group) < 0)
		return;
	buf_addf(&text, "oom-kills %lld %lld\n", (long long)grown(t->oom.host, now.host),
		 (long long)grown(t->oom.group, now.group));
	run_journal_add(journal(t), RUN_JOURNAL_EVENT, clock_date_ms(), buf_get(&text));
}

void timeline_end(struct timeline *t)
{
	look_at_kernel(t);
	tell_oom(t);
	progress_rate_catch_up(&t->rate);
	tell_progress(t, clock_ms(), true);
	if (t->sampler)
		take_sample(t, clock_ms());
	if (t->sampler)
		left_memory(t->sampler, &t->first, &t->held, t->evidence);
	write_minute(t);
	if (t->first.gpus_left_out > 0)
		buf_addf(&t->evidence->notes, "%u GPUs were not watched: the limit is %d\n",
			 t->first.gpus_left_out, SAMPLE_GPUS);
	if (t->left_out > 0)
		evidence_word(t->evidence, "kernel-left-out", t->left_out);
	resumed_write(&t->resumed, journal(t));
}
