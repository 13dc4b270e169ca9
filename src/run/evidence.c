#include "run/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "door/paths.h"
#include "door/trust.h"
#include "parse/rank.h"
#include "run/ending.h"
#include "run/run-dir.h"
#include "run/status-line.h"

#define FAILURES_MAX 64

extern char **environ;

/* ---- the directory ---- */

/* A later attempt of another run, whose first journal is gone, would be taken for ours. */
static bool has_later(int dir)
{
	int fd = openat(dir, "journal-2", O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A named directory may hold files of another run: then the journal gets a new one below it. */
static int open_journal(struct evidence *e, const struct run_order *order, int keeper,
			struct buf *ret_why)
{
	const char *top = order->directory ? order->directory : order->own_directory;
	int r = -EEXIST, dir;

	buf_text(&e->directory, top);
	e->dir = trust_dir(top, ret_why);
	if (e->dir < 0)
		return e->dir;
	if (order->directory && (order->attempt > 1 || !has_later(e->dir)))
		r = run_journal_open(&e->journal, e->dir, order->attempt);
	if (r != -EEXIST)
		return r;
	dir = run_dir_new(e->dir, &e->directory, keeper);
	close(e->dir);
	e->dir = dir;
	return dir < 0 ? dir : run_journal_open(&e->journal, dir, order->attempt);
}

/* ---- records ---- */

static void add_variables(struct buf *text)
{
	for (char **v = environ; *v && text->len < RUN_JOURNAL_PAYLOAD / 2; v++) {
		struct span rest = span_of(*v), name;

		if (!span_cut(&rest, '=', &name) || !paths_kept_variable(name))
			continue;
		buf_text(text, "variable ");
		text_word(text, name);
		buf_char(text, ' ');
		text_word(text, paths_secret_variable(name) ? span_of(PATHS_WITHHELD) : rest);
		buf_char(text, '\n');
	}
}

static void add_start(struct evidence *e, const struct run_order *order,
		      const struct shared_memory *s)
{
	struct buf text BUF_SCOPED = { 0 };
	char here[4096] = "?", host[65] = "?";

	(void)!getcwd(here, sizeof(here));
	(void)gethostname(host, sizeof(host) - 1);
	buf_text(&text, "command");
	for (char *const *word = order->arguments; *word && text.len < RUN_JOURNAL_PAYLOAD / 4;
	     word++) {
		buf_char(&text, ' ');
		text_word(&text, span_of(*word));
	}
	buf_text(&text, "\ndirectory ");
	text_word(&text, span_of(here));
	buf_text(&text, "\nhost ");
	text_word(&text, span_of(host));
	buf_addf(&text, "\nprogram rocsteady %s\nkeeper %d\n", ROCSTEADY_VERSION, s->keeper);
	add_variables(&text);
	run_journal_add(&e->journal, RUN_JOURNAL_START, clock_date_ms(), buf_get(&text));
}

static void add_attempt(struct evidence *e, const struct run_order *order)
{
	struct buf text BUF_SCOPED = { 0 };

	if (order->attempts == 0)
		return;
	buf_addf(&text, "attempt %u %u\n", order->attempt, order->attempts);
	for (size_t i = order->setting_count - order->setting_new; i < order->setting_count; i++)
		retry_write_workaround(&text, &order->settings[i]);
	if (order->why_cause) {
		buf_text(&text, "why ");
		text_word(&text, span_of(order->why_cause));
		buf_char(&text, ' ');
		text_word(&text, span_of(order->why_title));
		buf_char(&text, '\n');
	}
	if (order->resume) {
		buf_text(&text, "resume ");
		text_word(&text, span_of(order->resume));
		buf_char(&text, '\n');
	}
	run_journal_add(&e->journal, RUN_JOURNAL_ATTEMPT, clock_date_ms(), buf_get(&text));
}

void evidence_open(struct evidence *e, const struct run_order *order, struct shared_memory *s)
{
	struct buf said BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	bool wanted = order->directory || order->own_directory;
	int r;

	*e = (struct evidence){ .journal.fd = -1, .dir = -1, .disk = DISK_NONE };
	r = wanted ? open_journal(e, order, s->keeper, &why) : 0;
	if (wanted && r == 0)
		disk_open(&e->disk, e->dir, e->journal.fd);
	if (r < 0) {
		buf_addf(&said, "no journal is kept in %s: %s", e->directory.data,
			 why.len ? why.data : strerror(-r));
		(void)status_line_say(s, buf_get(&said), clock_ms());
		buf_clear(&e->directory);
	}
	add_start(e, order, s);
	add_attempt(e, order);
	if (order->preflight.len > 0)
		run_journal_add(&e->journal, RUN_JOURNAL_PREFLIGHT, clock_date_ms(),
				order->preflight);
}

void evidence_event(struct evidence *e, const struct shared_event *event)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %lld\n", shared_event_name(event->kind), (long long)event->number);
	run_journal_add(&e->journal, RUN_JOURNAL_EVENT, event->at_ms, buf_get(&text));
}

void evidence_word(struct evidence *e, const char *name, int64_t number)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %lld\n", name, (long long)number);
	run_journal_add(&e->journal, RUN_JOURNAL_EVENT, clock_date_ms(), buf_get(&text));
}

void evidence_rank(struct evidence *e, const char *name, long rank, int64_t process)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %ld %lld\n", name, rank, (long long)process);
	run_journal_add(&e->journal, RUN_JOURNAL_EVENT, clock_date_ms(), buf_get(&text));
}

static void add_counts(struct buf *text, struct shared_memory *s)
{
	static const char *const names[] = { "out", "err" };

	for (int i = 0; i < 2; i++) {
		struct shared_stream *stream = &s->streams[i];
		unsigned long long lost = atomic_load(&stream->lost);

		buf_addf(text, "%s %llu\n", names[i], (unsigned long long)shared_bytes(stream));
		if (lost > 0)
			buf_addf(text, "lost-%s %llu %s\n", names[i], lost,
				 strerrorname_np(atomic_load(&stream->lost_why)));
	}
	buf_addf(text, "unscanned %llu\n", (unsigned long long)shared_unscanned(s));
}

/* That a reader went away is no news to whoever sent him. */
static void note_lost(struct evidence *e, struct shared_memory *s)
{
	static const char *const names[] = { "output", "error output" };

	for (int i = 0; i < 2; i++) {
		unsigned long long lost = atomic_load(&s->streams[i].lost);
		int why = atomic_load(&s->streams[i].lost_why);

		if (lost > 0 && why != EPIPE && why != ECONNRESET)
			buf_addf(&e->notes, "%llu bytes of its %s could not be written: %s\n", lost,
				 names[i], strerror(why));
	}
}

void evidence_output(struct evidence *e, struct shared_memory *s)
{
	struct buf text BUF_SCOPED = { 0 };

	add_counts(&text, s);
	run_journal_add(&e->journal, RUN_JOURNAL_OUTPUT, clock_date_ms(), buf_get(&text));
}

/*
 * `raise RuntimeError("HIP error: ...")` is the source line of a traceback, which comes before the
 * exception itself: as that is printed.
 */
static void add_raised(struct buf *out, struct span line)
{
	struct span text = span_trim(line), name, quoted;
	char quote;

	if (span_starts(text, "raise ") && text.len > 10 && text.data[text.len - 1] == ')') {
		text = (struct span){ text.data + 6, text.len - 7 };
		quoted = text;
		span_cut(&quoted, '(', &name);
		quote = quoted.len > 2 ? quoted.data[0] : '\0';
		if ((quote == '"' || quote == '\'') && quoted.data[quoted.len - 1] == quote) {
			buf_addf(out, "%.*s: %.*s", (int)name.len, name.data, (int)quoted.len - 2,
				 quoted.data + 1);
			return;
		}
	}
	buf_span(out, line);
}

void evidence_failure(struct evidence *e, const struct scanner_failure *f)
{
	struct buf text BUF_SCOPED = { 0 }, raised BUF_SCOPED = { 0 };
	struct span first;
	long rank;

	add_raised(&raised, span_of(f->text));
	first = buf_get(&raised);
	if (!e->first.len) {
		/* The report names the rank that failed; the launcher's own mark is cut off. */
		if (rank_parse(first, &rank, &first))
			buf_addf(&e->first, "rank %ld: ", rank);
		buf_span(&e->first, first);
		e->first_signature = f->signature;
		e->first_line = f->line;
		if (e->progress)
			e->first_progress = *e->progress;
	}
	if (e->failures++ >= FAILURES_MAX)
		return;
	buf_addf(&text, "%s %llu %s ", f->stream ? "stderr" : "stdout", (unsigned long long)f->line,
		 f->signature);
	text_word(&text, buf_get(&raised));
	buf_char(&text, '\n');
	run_journal_add(&e->journal, RUN_JOURNAL_FAILURE, clock_date_ms(), buf_get(&text));
	disk_sync(&e->disk);
}

/* ---- the end ---- */

static void hand_over(struct shared_memory *s, struct span verdict, struct span plan)
{
	static const char cut[] = "\n...";
	size_t n =
		verdict.len < SHARED_VERDICT_MAX ? verdict.len : SHARED_VERDICT_MAX - sizeof(cut);

	if (plan.len < SHARED_PLAN_MAX) {
		memcpy(s->plan, plan.data, plan.len);
		s->plan_len = (uint32_t)plan.len;
	}
	memcpy(s->verdict, verdict.data, n);
	if (n < verdict.len) {
		memcpy(s->verdict + n, cut, sizeof(cut) - 1);
		n += sizeof(cut) - 1;
	}
	atomic_store(&s->verdict_len, (uint32_t)n);
}

/* The machine of before the first attempt may be hours old: a workaround rests on what is now. */
static void look_again(struct evidence *e, const struct run_order *order,
		       const struct shared_memory *s)
{
	uint64_t start = clock_ms();

	if (!order->look_again || s->status == 0 || s->exec_error || !e->first.len)
		return;
	if (order->look_again(order->look_again_ctx))
		evidence_word(e, "looked-again", (int64_t)(clock_ms() - start));
	else
		evidence_word(e, "not-looked-again", (int64_t)(clock_ms() - start));
}

void evidence_end(struct evidence *e, const struct run_order *order, struct shared_memory *s,
		  struct scanner *scanner)
{
	struct buf text BUF_SCOPED = { 0 }, plan BUF_SCOPED = { 0 };
	struct ending v = { 0 };
	struct span rest, line;

	look_again(e, order, s);
	ending_make(&v, e, order, s, scanner);
	if (order->attempts > 0) {
		buf_addf(&text, "outcome %s ", retry_outcome_name(v.plan.outcome));
		text_word(&text, span_of(v.plan.says));
		buf_char(&text, '\n');
		run_journal_add(&e->journal, RUN_JOURNAL_ATTEMPT, clock_date_ms(), buf_get(&text));
		buf_clear(&text);
	}
	if (s->exec_error)
		buf_addf(&text, "unexecuted %s\n", strerrorname_np(s->exec_error));
	else if (WIFSIGNALED(s->status))
		buf_addf(&text, "signal %d\n", WTERMSIG(s->status));
	else
		buf_addf(&text, "status %d\n", WEXITSTATUS(s->status));
	add_counts(&text, s);
	note_lost(e, s);
	if (e->failures > FAILURES_MAX)
		evidence_word(e, "failures-left-out", (int64_t)e->failures - FAILURES_MAX);
	if (status_line_back(s, &e->notes))
		buf_char(&e->notes, '\n');
	if (v.text.len && e->notes.len && v.text.data[v.text.len - 1] != '\n')
		buf_char(&v.text, '\n');
	buf_span(&v.text, span_trim(buf_get(&e->notes)));
	rest = buf_get(&v.text);
	while (span_line(&rest, &line)) {
		buf_text(&text, "said ");
		text_word(&text, line);
		buf_char(&text, '\n');
	}
	buf_span(&text, buf_get(&v.helps));
	if (e->journal.left_out > 0)
		buf_addf(&text, "left-out %llu\n", (unsigned long long)e->journal.left_out);
	run_journal_add(&e->journal, RUN_JOURNAL_END, clock_date_ms(), buf_get(&text));
	retry_write(&plan, &v.plan);
	hand_over(s, buf_get(&v.text), buf_get(&plan));
	ending_done(&v);
	run_journal_end(&e->journal);
	disk_close(&e->disk);
}
