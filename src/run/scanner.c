#include "run/scanner.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "explain/log.h"
#include "facts/collect.h"
#include "facts/select.h"
#include "kb/files.h"
#include "kb/layers.h"
#include "run/shared-memory.h"

static const char *const stream_names[] = { "stdout", "stderr" };

struct scanner {
	struct facts *facts;
	bool machine;       /* they are of one, with the knowledge attached, and not ours */
	struct arena arena; /* holds the knowledge */
	struct buf kb;
	struct log_signatures signatures;
	struct scan *scans[2];
	bool *told;                 /* of each signature */
	struct failure failures[2]; /* how each stream ends */
};

static int attach(struct scanner *s, const char *kb)
{
	struct buf said BUF_SCOPED = { 0 };
	struct files_layers layers;
	struct kb_info info;
	struct span bytes;
	int r;

	if (kb) {
		r = kb_read(kb, &s->kb, &bytes);
		return r < 0 ? r : kb_attach(facts_db(s->facts), bytes, &info);
	}
	files_read_layers(FILES_UPDATED, FILES_SITE, &s->arena, &layers, &said);
	return files_attach(facts_db(s->facts), &layers, &info, &said);
}

struct scanner *scanner_open(const char *kb, struct facts *facts)
{
	struct scanner *s = memory_new(1, sizeof(*s));

	s->machine = facts != NULL;
	s->facts = facts ? facts : facts_new();
	if ((!facts && attach(s, kb) < 0) ||
	    log_signatures_load(facts_db(s->facts), &s->signatures) < 0)
		return scanner_close(s);
	s->told = memory_new(s->signatures.count + 1, sizeof(bool));
	for (int i = 0; i < 2; i++)
		s->scans[i] = log_scan(&s->signatures);
	return s;
}

struct scanner *scanner_close(struct scanner *s)
{
	if (!s)
		return NULL;
	for (int i = 0; i < 2; i++)
		scan_free(s->scans[i]);
	log_signatures_done(&s->signatures);
	if (!s->machine)
		facts_free(s->facts);
	arena_done(&s->arena);
	buf_done(&s->kb);
	free(s->told);
	free(s);
	return NULL;
}

char *scanner_room(struct scanner *s, int stream, size_t *ret_size)
{
	assert(stream == 0 || stream == 1);
	return scan_room(s->scans[stream], ret_size);
}

void scanner_added(struct scanner *s, int stream, size_t n)
{
	assert(stream == 0 || stream == 1);
	scan_added(s->scans[stream], n);
}

bool scanner_failure(struct scanner *s, struct scanner_failure *ret)
{
	for (int stream = 0; stream < 2; stream++) {
		size_t count;
		const struct scan_event *const *events = scan_events(s->scans[stream], &count);

		for (size_t i = 0; i < count; i++) {
			size_t which = (size_t)(events[i]->signature - s->signatures.list);

			if (s->told[which] ||
			    strcmp(s->signatures.more[which].kind, "failure") != 0)
				continue;
			s->told[which] = true;
			*ret = (struct scanner_failure){ stream, events[i]->samples[0].line,
							 events[i]->signature->id,
							 events[i]->samples[0].text };
			return true;
		}
	}
	return false;
}

struct span scanner_tail(const struct scanner *s, int stream)
{
	struct scan_tail tail;

	assert(stream == 0 || stream == 1);
	scan_tail(s->scans[stream], &tail);
	return tail.text;
}

uint64_t scanner_lines(const struct scanner *s)
{
	return scan_lines(s->scans[0]) + scan_lines(s->scans[1]);
}

void scanner_end(struct scanner *s)
{
	for (int i = 0; i < 2; i++) {
		scan_end(s->scans[i]);
		failure_find(s->scans[i], &s->signatures, stream_names[i], &s->arena,
			     &s->failures[i]);
	}
}

void scanner_heard(struct scanner *s, const struct klog_table *classes, struct span lines,
		   uint64_t began_s)
{
	char sql[96];

	if (!s->machine)
		return;
	snprintf(sql, sizeof(sql), "UPDATE run SET job_wall_s = %llu", (unsigned long long)began_s);
	select_exec(facts_db(s->facts), sql);
	if (classes)
		collect_kernel_news(s->facts, classes, lines, clock_date_ms() / 1000);
}

int scanner_explain(struct scanner *s, struct explanation *ret)
{
	struct state state = { .facts = s->facts, .has_gpu = s->machine };

	for (int i = 0; i < 2; i++)
		log_events(&state, &s->signatures, s->scans[i], stream_names[i]);
	state_conclude(&state);
	state_done(&state);
	if (!s->machine)
		facts_end(s->facts);
	return explain(&(struct explain_means){ .db = facts_db(s->facts) },
		       failure_of(s->failures, 2), ret);
}

const struct failure *scanner_unknown(const struct scanner *s)
{
	const struct failure *f = failure_of(s->failures, 2);

	return f && f->counts ? f : NULL;
}

sqlite3 *scanner_db(struct scanner *s)
{
	return facts_db(s->facts);
}
