#include "explain/failure.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/text.h"
#include "explain/failure-tables.h"
#include "explain/log.h"
#include "explain/origin.h"
#include "explain/recovery.h"
#include "explain/symptom-words.h"
#include "explain/told-apart.h"
#include "explain/traceback.h"
#include "parse/progress.h"
#include "parse/rank.h"
#include "scan/marks.h"
#include "scan/undress.h"

/* How much after a mark shows that work went on. */
#define WORK_AFTER_ERROR 2
#define WORK_AFTER_DEATH 3    /* other processes may live a little longer */
#define CALM_AFTER_ERROR 4    /* lines of information of a logger */
#define PLAIN_AFTER      20   /* any other lines, after an error that ended nothing */
#define BARE_LINES       40   /* so many without a word of work are a fragment, and no log */
#define SCRAP_LINES      8    /* so many are what a person copied out of something */
#define WEAK_LINES       1    /* words that healthy programs use too count so near to the end */
#define TOLD_LINES       200  /* a person's report is no longer; a log may quote one */
#define WORDS_KEPT       8192 /* bytes: they are looked up one by one */
#define WORK_IN_REPORT   3    /* so many lines of work are a log, and no report */
#define TITLE_LINES      3    /* of a log that a person sends: what it is about */
#define ABOVE_BYTES      512  /* of the lines above a remark */
#define REMARK_LINES     3    /* below a log: "(hangs here)" */

enum kind {
	NONE,
	CALM,
	OVER,
	SUCCESS,
	WORK,
	COMPLAINT,
	TOLD,
	WEAK,
	WRAPPER,
	ERROR,
	EXCEPTION,
	DEATH
};

static const struct {
	const char *name;
	enum kind kind;
} kinds[] = {
	{ "calm", CALM },   { "over", OVER },           { "success", SUCCESS },
	{ "work", WORK },   { "weak", WEAK },           { "wrapper", WRAPPER },
	{ "error", ERROR }, { "exception", EXCEPTION }, { "death", DEATH },
	{ "told", TOLD },   { "complaint", COMPLAINT }, { "fine", NONE },
};

struct mark {
	enum kind kind;
	uint64_t line, begins;
	uint64_t nth; /* among lines that say something */
	struct span text, frame;
	unsigned long frame_line;
	struct span wait; /* a person stopped it in this function, which waits for a GPU */
};

/* One rank, or the lines that belong to none. */
struct stream {
	long rank;
	struct mark first, shown, weak;
	enum kind strongest; /* NONE: nothing has failed, or work went on */
	unsigned int work, calm, plain;
	struct progress told; /* the last progress that it showed */
	struct traceback traceback;
};

struct walk {
	const struct failure_tables *tables;
	struct recovery recovery;
	uint64_t
		weak_line; /* the last one with words of failure that stand when questions are left out */
	char above[ABOVE_BYTES]; /* the last lines that said something, newest last */
	size_t above_count;
	struct scan *scan;
	const struct log_signatures *signatures;
	struct arena *arena;
	struct buf bare;
	struct mark told; /* what a person writes of a failure */
	struct mark seen; /* the same of a symptom, by this rule */
	const struct symptom_rule *symptom;
	struct span told_symptom; /* what is named in the end */
	unsigned int works;       /* lines that show work */
	struct stream *streams;   /* as many as there are ranks */
	size_t stream_count;
	uint64_t number, said;    /* line, and how many say something */
	struct traceback stopped; /* by a person; what it was in then */
	bool advanced;            /* some line shows that a part of it was done */
	bool worked, calm;        /* some line shows work or success, or that all is calm */
	struct failure *failure;
	struct failure_line *survived; /* its list of these */
};

static enum kind kind_of(const struct marks_row *row)
{
	for (size_t i = 0; row && i < COUNT(kinds); i++)
		if (span_is(row->kind, kinds[i].name))
			return kinds[i].kind;
	return NONE;
}

static const char *kept_text(struct walk *w, struct span line)
{
	struct buf clean BUF_SCOPED = { 0 };

	line = span_trim(line);
	if (line.len > SCAN_TEXT_MAX)
		line.len = SCAN_TEXT_MAX;
	text_clean(&clean, line, false);
	return arena_text(w->arena, buf_get(&clean));
}

/* ---- a line ---- */

bool failure_is_harmless(struct scan *scan, const struct log_signatures *signatures,
			 struct span line)
{
	size_t count;
	const struct scan_event *const *events = scan_events(scan, &count);

	for (size_t i = 0; i < count; i++) {
		size_t which = (size_t)(events[i]->signature - signatures->list);

		if (strcmp(signatures->more[which].kind, "harmless") == 0 &&
		    scan_event_holds(scan, events[i], line))
			return true;
	}
	return false;
}

static struct stream *stream_of(struct walk *w, long rank)
{
	for (size_t i = 0; i < w->stream_count; i++)
		if (w->streams[i].rank == rank)
			return &w->streams[i];
	w->streams = arena_grow(w->arena, w->streams, w->stream_count, sizeof(*w->streams));
	w->streams[w->stream_count].rank = rank;
	return &w->streams[w->stream_count++];
}

/* Of two marks the later one is shown, unless it only tells of the other. */
static bool is_better(enum kind kind, enum kind than)
{
	return (kind > WRAPPER) >= (than > WRAPPER);
}

static void take_mark(struct walk *w, struct stream *s, enum kind kind, struct span line)
{
	struct mark mark = { .kind = kind, .line = w->number, .begins = w->number, .nth = w->said };

	mark.text = span_of(kept_text(w, line));
	if (s->traceback.begins && kind == EXCEPTION) {
		mark.begins = s->traceback.begins;
		mark.frame = s->traceback.frame;
		mark.frame_line = s->traceback.frame_line;
		if (w->stopped.begins == mark.begins)
			mark.wait = w->stopped.wait;
	}
	if (kind == WEAK) {
		s->weak = mark;
		return;
	}
	if (s->strongest == NONE)
		s->first = s->shown = mark;
	else if (is_better(kind, s->shown.kind))
		s->shown = mark;
	if (kind > s->strongest)
		s->strongest = kind;
	s->work = s->calm = s->plain = 0;
}

static struct mark mark_told(struct walk *w, enum kind kind, struct span line)
{
	return (struct mark){ .kind = kind,
			      .line = w->number,
			      .begins = w->number,
			      .nth = w->said,
			      .text = span_of(kept_text(w, line)) };
}

/* Keeps the end of what was said, whole lines. */
static void keep_above(struct walk *w, struct span line)
{
	size_t drop = 0;

	if (line.len > ABOVE_BYTES / REMARK_LINES - 1)
		line.len = ABOVE_BYTES / REMARK_LINES - 1;
	while (w->above_count - drop + line.len + 1 > ABOVE_BYTES)
		drop += (size_t)((char *)memchr(w->above + drop, '\n', w->above_count - drop) -
				 (w->above + drop)) +
			1;
	w->above_count -= drop;
	memmove(w->above, w->above + drop, w->above_count);
	memcpy(w->above + w->above_count, line.data, line.len);
	w->above_count += line.len;
	w->above[w->above_count++] = '\n';
}

/* Whether a symptom of this line counts in a text of which so much has been read. */
static bool is_in_report(const struct walk *w, const struct mark *seen)
{
	if (w->works < WORK_IN_REPORT)
		return seen->nth <= TOLD_LINES;
	return seen->nth <= TITLE_LINES || seen->nth + REMARK_LINES > w->said;
}

/*
 * A line that says what a person sees is told, whatever else it is like: "GPU usage stays at 0%" is
 * no progress, and "it ends without an error" is not calm. Of several symptoms the one of the
 * earliest rule is kept, where the narrow ones stand.
 */
static enum kind take_symptom(struct walk *w, enum kind kind, struct span line)
{
	const struct span above = { w->above, w->above_count };
	const struct symptom_rule *rule =
		kind < WRAPPER ? symptom_words_find(w->tables->symptoms, line, above) : NULL;

	if (!rule)
		return kind;
	if (!w->symptom || rule < w->symptom || !is_in_report(w, &w->seen)) {
		w->symptom = rule;
		w->seen = mark_told(w, TOLD, line);
	}
	return TOLD;
}

/* What a person writes stands until success; `works` tells whether it is a log that quotes people. */
static void take_told(struct walk *w, enum kind kind, struct span line)
{
	struct progress told = { 0 };

	if (kind == SUCCESS) {
		w->told.line = 0;
		if (w->symptom && w->symptom->ends)
			w->symptom = NULL;
	}
	if (kind == TOLD || (kind == COMPLAINT && w->told.line == 0))
		w->told = mark_told(w, kind, line);
	w->works += kind == WORK ||
		    (kind == NONE && progress_parse(line, &told) && (told.known & PROGRESS_PLACE));
}

/* The same bar drawn again, as it is when a program ends, is no progress. */
static bool goes_on(struct stream *s, struct span line)
{
	struct progress now = { 0 };
	const struct progress *told = &s->told;
	bool is_new;

	if (!progress_parse(line, &now) || !(now.known & PROGRESS_PLACE))
		return false;
	is_new = now.known != told->known || now.epoch != told->epoch || now.batch != told->batch ||
		 now.step != told->step || now.percent != told->percent;
	s->told = now;
	return is_new;
}

static bool went_on(const struct stream *s)
{
	if (s->strongest == DEATH || s->strongest == WRAPPER)
		return s->work >= WORK_AFTER_DEATH;
	return s->work >= WORK_AFTER_ERROR || s->calm >= CALM_AFTER_ERROR ||
	       (s->strongest == ERROR && s->plain > PLAIN_AFTER);
}

static bool shows_work(enum kind kind, struct span line)
{
	struct progress told = { 0 };

	return kind == SUCCESS || kind == WORK ||
	       (kind < COMPLAINT && progress_parse(line, &told) && (told.known & PROGRESS_PLACE));
}

/* A bar that stands at 0 of 100 shows work that was begun, and none that was done. */
static bool shows_advance(enum kind kind, struct span line)
{
	struct progress told = { 0 };

	if (!progress_parse(line, &told) || !(told.known & PROGRESS_PLACE))
		return kind == SUCCESS || kind == WORK;
	return told.epoch > 0 || told.batch > 0 || told.step > 0 || told.part > 0 ||
	       told.percent > 0;
}

/*
 * A person ends a job that is good, too. One that has shown no work and waits for a GPU or other
 * ranks was stopped because it hung.
 */
static enum kind kind_of_stop(struct walk *w, const struct stream *s)
{
	w->stopped = s->traceback;
	return s->traceback.wait.len > 0 && !w->advanced ? EXCEPTION : OVER;
}

/* "rocminfo hangs, no error" is a complaint, whatever the last two words are. */
static bool complains_beside(struct walk *w, enum kind kind, struct span line)
{
	return (kind == CALM || kind == WEAK) && w->said <= SCRAP_LINES &&
	       (marks_find_kind(w->tables->marks, line, "complaint") ||
		marks_find_kind(w->tables->marks, line, "told"));
}

/* Loggers write errors that end nothing; an exception or an ended process is worth a line all the same. */
static void take_recovery(struct walk *w, struct stream *s)
{
	struct failure_survived *survived = &w->failure->survived;
	const struct mark *mark = &s->shown;

	if (mark->kind >= EXCEPTION) {
		if (survived->count < FAILURE_SURVIVED)
			w->survived[survived->count] =
				(struct failure_line){ mark->line, mark->text.data };
		survived->count++;
	}
	s->strongest = NONE;
}

static bool is_complaint(const struct walk *w, struct span line)
{
	return marks_find_kind(w->tables->marks, line, "told") ||
	       marks_find_kind(w->tables->marks, line, "complaint") ||
	       symptom_words_find(w->tables->symptoms, line,
				  (struct span){ w->above, w->above_count });
}

/*
 * Whether work that went on made it good: a person's sentence that says more than a question
 * denies it, whatever the lines of programs show.
 */
static void take_proof(struct walk *w, enum kind kind, struct span line, bool of_rank)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span stated;

	recovery_take(&w->recovery, &(struct recovery_line){ .number = w->number,
							     .text = line,
							     .fails = kind >= WRAPPER,
							     .of_rank = of_rank });
	if (kind != TOLD && kind != COMPLAINT && kind != WEAK)
		return;
	stated = recovery_stated(&w->recovery, w->number, line, &out);
	if (kind == WEAK && kind_of(marks_find(w->tables->marks, stated)) == WEAK)
		w->weak_line = w->number;
	if (kind != WEAK && is_complaint(w, stated))
		w->failure->recovery.is_denied = true;
}

static void take_line(struct walk *w, struct span line)
{
	struct span rest = line;
	long rank = -1;
	struct stream *s;
	enum kind kind;
	bool is_named, complains;

	if (span_trim(line).len == 0)
		return;
	w->said++;
	w->failure->closing = (struct failure_line){ w->number, NULL };
	(void)rank_parse(line, &rank, &rest);
	s = stream_of(w, rank);
	kind = kind_of(marks_find(w->tables->marks, line));
	is_named = traceback_take(&s->traceback, rest, w->number, w->tables->origins, w->arena);
	if (is_named && span_starts(rest, "KeyboardInterrupt"))
		kind = kind_of_stop(w, s);
	else if (is_named && (kind == NONE || (kind >= WEAK && kind != DEATH)))
		kind = EXCEPTION;
	complains = complains_beside(w, kind, line);
	if ((kind >= WEAK || (kind == NONE && w->said <= SCRAP_LINES)) &&
	    failure_is_harmless(w->scan, w->signatures, line)) {
		kind = CALM;
		complains = false;
	}
	kind = take_symptom(w, kind, rest);
	take_proof(w, complains ? COMPLAINT : kind, rest, rank >= 0);
	keep_above(w, rest);
	w->worked = w->worked || shows_work(kind, line);
	w->advanced = w->advanced || (w->worked && shows_advance(kind, line));
	w->calm = w->calm || kind == CALM || kind == OVER;
	if (kind >= WEAK)
		take_mark(w, s, kind, line);
	else
		take_told(w, kind, line);
	if (complains)
		take_told(w, COMPLAINT, line);
	if (s->strongest == NONE)
		return;
	if (kind < WEAK && kind != OVER && !s->traceback.is_open) {
		s->work += kind == WORK || goes_on(s, line);
		s->calm += kind == CALM;
		s->plain += (kind == NONE || kind == COMPLAINT) &&
			    !isspace((unsigned char)line.data[0]);
	}
	if (kind == SUCCESS || went_on(s))
		take_recovery(w, s);
}

/* One string of JSON may hold a whole traceback. */
static void take_dressed(struct walk *w, struct span line)
{
	size_t at = 0;

	do {
		struct cut cut = undress_cut(line, at, line.len + 1);

		take_line(w, undress(&cut, &w->bare));
		at = (size_t)(cut.raw.data - line.data) + cut.raw.len + 2;
	} while (at < line.len && line.data[0] == '{');
}

static void walk_tail(struct walk *w, struct span tail)
{
	size_t at = 0;
	struct span closing = { 0 };

	while (at < tail.len) {
		size_t end = at;

		while (end < tail.len && tail.data[end] != '\n' && tail.data[end] != '\r')
			end++;
		take_dressed(w, (struct span){ tail.data + at, end - at });
		if (w->failure->closing.line == w->number && end > at)
			closing = (struct span){ tail.data + at, end - at };
		w->number += end < tail.len && tail.data[end] == '\n';
		at = end + 1;
	}
	if (closing.data) {
		struct cut cut = undress_cut(closing, 0, closing.len + 1);

		w->failure->closing.text = kept_text(w, undress(&cut, &w->bare));
	}
}

/* ---- what comes of it ---- */

/* The words that healthy programs use too are all there is. */
static const struct mark *weak_mark(const struct walk *w)
{
	const struct mark *last = NULL;

	for (size_t i = 0; i < w->stream_count; i++) {
		const struct mark *weak = &w->streams[i].weak;

		if (weak->line && weak->nth + WEAK_LINES > w->said &&
		    (!last || weak->nth > last->nth))
			last = weak;
	}
	return last;
}

static const struct traceback *open_traceback(const struct walk *w)
{
	for (size_t i = 0; i < w->stream_count; i++)
		if (w->streams[i].traceback.is_open)
			return &w->streams[i].traceback;
	return NULL;
}

static const char *place_of(struct walk *w, struct span frame, unsigned long line)
{
	struct buf path BUF_SCOPED = { 0 };

	text_clean(&path, frame, false);
	return arena_format(w->arena, "%s:%lu", path.len ? path.data : "", line);
}

static const char *wait_of(struct walk *w, struct span wait)
{
	struct buf name BUF_SCOPED = { 0 };

	text_clean(&name, wait, false);
	return arena_text(w->arena, buf_get(&name));
}

static void say_stopped(struct walk *w, const struct mark *m)
{
	w->failure->place = place_of(w, m->frame, m->frame_line);
	origin_say(w->arena, "stopped", w->failure->place, wait_of(w, m->wait), w->failure);
}

/* Of a job that is fine as far as its text tells: it did not end by itself. */
static const char *tell_stopped(struct walk *w)
{
	const struct traceback *t = &w->stopped;

	if (t->begins == 0)
		return NULL;
	return arena_format(w->arena,
			    "It was stopped by Ctrl-C (KeyboardInterrupt) in %s. If it hung there,"
			    " watch the next run: rocsteady run --on-hang dump -- COMMAND",
			    t->wait.len ? wait_of(w, t->wait)
					: place_of(w, t->frame, t->frame_line));
}

/* What a person tells, else what the last lines of a program show: a bar that stands at 0 for minutes. */
static void name_symptom(struct walk *w)
{
	struct span above = { w->above, w->above_count }, line;
	const struct marks_row *row;

	if (w->symptom && is_in_report(w, &w->seen)) {
		w->told_symptom = w->symptom->symptom;
		return;
	}
	while (span_line(&above, &line)) {
		row = marks_find(w->tables->closings, line);
		if (!row)
			continue;
		w->told_symptom = row->kind;
		w->seen = mark_told(w, TOLD, line);
	}
}

static void judge(struct walk *w)
{
	struct failure *f = w->failure;
	const struct mark *first = NULL, *last = NULL;

	for (size_t i = 0; i < w->stream_count; i++) {
		const struct stream *s = &w->streams[i];

		if (s->strongest == NONE)
			continue;
		if (!first || s->first.line < first->line)
			first = &s->first;
		if (!last || (is_better(s->shown.kind, last->kind) &&
			      (s->shown.line > last->line || last->kind <= WRAPPER)))
			last = &s->shown;
	}
	if (!last && w->told_symptom.len > 0)
		first = last = &w->seen;
	if (!last)
		first = last = weak_mark(w);
	if (!last && w->told.line && w->works < WORK_IN_REPORT &&
	    w->said <= (w->told.kind == TOLD ? TOLD_LINES : SCRAP_LINES))
		first = last = &w->told;
	if (!last)
		return;
	f->counts = true;
	f->first = (struct failure_line){ first->line, first->text.data };
	f->last = (struct failure_line){ last->line, last->text.data };
	f->begins = last->begins;
	f->is_told = last == &w->told || last == &w->seen;
	f->is_weak = last->kind == WEAK;
	if (f->is_told)
		origin_say(w->arena, "told", NULL, NULL, f);
	else if (last->wait.len > 0)
		say_stopped(w, last);
	else
		origin_find(w->tables->origins, w->arena, last->frame, last->frame_line, f);
}

static enum failure_end end_of(const struct walk *w, const struct scan *scan, struct span tail)
{
	if (scan_lines(scan) == 0 && tail.len == 0)
		return FAILURE_END_EMPTY;
	if (text_is_binary(tail))
		return FAILURE_END_BINARY;
	if (open_traceback(w))
		return FAILURE_END_TRACEBACK;
	return scan_is_open(scan) && scan_lines(scan) > 1 ? FAILURE_END_OPEN : FAILURE_END_WHOLE;
}

/* What was not compared with all signatures is not known to be fine. */
static void tell_unasked(struct arena *arena, struct failure *f)
{
	f->unread = arena_format(arena,
				 "Parts of %s were not compared with every known error: they hold "
				 "more error texts than a log is given time for",
				 f->file);
	if (f->counts)
		return;
	f->says = f->unread;
	f->step = "Explain the part of it in which the job fails:";
	f->typed = "tail -n 200 LOG | rocsteady explain";
}

/* Words that healthy programs use, too, take a proof back only as the last line. */
static void judge_recovery(struct walk *w)
{
	struct failure_recovery *r = &w->failure->recovery;

	if (w->weak_line > r->proof.line && w->weak_line == w->failure->closing.line)
		r->failed_after = w->weak_line;
	r->is_long = w->said > RECOVERY_LINES;
}

/* A person's report is read by its words. A longer text is a log, and its end says most. */
static struct span keep_words(struct arena *arena, struct span text)
{
	if (text.len > WORDS_KEPT)
		text = (struct span){ text.data + text.len - WORDS_KEPT, WORDS_KEPT };
	return arena_span(arena, text);
}

void failure_find(struct scan *scan, const struct log_signatures *signatures, const char *file,
		  struct arena *arena, struct failure *ret)
{
	struct failure f = { .file = file };
	const struct failure_tables *tables = failure_tables_get(signatures->failure_tables);
	struct walk w = {
		.tables = tables,
		.scan = scan,
		.signatures = signatures,
		.recovery = { .proofs = tables->proofs, .arena = arena, .told = &f.recovery },
		.arena = arena,
		.failure = &f
	};
	struct scan_tail tail;

	scan_tail(scan, &tail);
	f.from = tail.line;
	w.survived = arena_alloc(arena, FAILURE_SURVIVED * sizeof(*w.survived));
	f.survived.list = w.survived;
	w.number = tail.head_line;
	if (tail.head.len > 0)
		take_dressed(&w, tail.head);
	w.number = tail.line;
	walk_tail(&w, tail.text);
	f.end = end_of(&w, scan, tail.text);
	judge_recovery(&w);
	name_symptom(&w);
	if (f.end != FAILURE_END_BINARY)
		judge(&w);
	if (w.told_symptom.len > 0)
		f.symptom = arena_text(arena, w.told_symptom);
	f.worked = !f.counts && w.worked;
	f.stopped = f.counts ? NULL : tell_stopped(&w);
	f.is_bare = !f.counts && !w.worked && !w.calm && f.end <= FAILURE_END_OPEN &&
		    w.said <= BARE_LINES;
	f.is_scrap = f.is_bare && w.said <= SCRAP_LINES;
	if (!f.counts && f.end >= FAILURE_END_TRACEBACK)
		origin_end(arena, &f);
	if (f.is_bare)
		origin_say(arena, "bare", NULL, NULL, &f);
	if (f.counts && strcmp(f.origin, "unknown") == 0)
		f.words = keep_words(arena, tail.text);
	if (!f.counts && f.worked && f.end <= FAILURE_END_OPEN)
		told_apart(scan, signatures, tables, arena, &f);
	if (scan_given_up(scan) > 0)
		tell_unasked(arena, &f);
	buf_done(&w.bare);
	*ret = f;
}

const struct failure *failure_of(const struct failure *list, size_t count)
{
	for (size_t i = count; i-- > 0;)
		if (list[i].counts || list[i].end == FAILURE_END_TRACEBACK)
			return &list[i];
	for (size_t i = count; i-- > 0;)
		if (list[i].end <= FAILURE_END_OPEN)
			return &list[i];
	return count > 0 ? &list[count - 1] : NULL;
}

void failure_place(struct buf *out, const char *file, uint64_t line)
{
	if (strcmp(file, FAILURE_STDIN) == 0)
		buf_addf(out, "line %llu", (unsigned long long)line);
	else
		buf_addf(out, "%s:%llu", file, (unsigned long long)line);
}

const char *failure_end_name(enum failure_end end)
{
	static const char *const names[] = { "whole", "open", "traceback", "empty", "binary" };

	return names[end];
}
