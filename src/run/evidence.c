#include "run/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "door/paths.h"
#include "parse/rank.h"
#include "run/ending.h"
#include "run/speech.h"

#define FAILURES_MAX 64

extern char **environ;

/* ---- the directory ---- */

static void add_own_name(struct buf *path, int keeper)
{
	char host[65] = "host", when[32];
	time_t now = (time_t)(share_date() / 1000);
	struct tm t;

	(void)gethostname(host, sizeof(host) - 1);
	localtime_r(&now, &t);
	strftime(when, sizeof(when), "%Y-%m-%dT%H-%M-%S", &t);
	buf_addf(path, "/%s-%s-%d", when, host, keeper);
}

static void make_parents(const char *path)
{
	struct buf part BUF_SCOPED = { 0 };

	for (const char *at = path; *at; at++) {
		if (*at == '/' && at > path)
			(void)mkdir(part.data, 0777); /* the last one tells what went wrong */
		buf_char(&part, *at);
	}
}

static bool make(const char *path)
{
	return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* A later attempt of another run, whose first journal is gone, would be taken for ours. */
static bool has_later(const char *directory)
{
	struct buf path BUF_SCOPED = { 0 };
	int fd;

	buf_addf(&path, "%s/journal-2", directory);
	fd = open(path.data, O_PATH | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What somebody else has kept in a directory that was named is not touched. */
static int open_journal(struct evidence *e, const struct run_order *order, int keeper)
{
	const char *named = order->directory ? order->directory : getenv("ROCSTEADY_RUN_DIR");
	int r = -EEXIST;

	buf_text(&e->directory, named && named[0] ? named : ".rocsteady");
	make_parents(e->directory.data);
	if (!make(e->directory.data))
		return -errno;
	if (named && named[0] && (order->attempt > 1 || !has_later(named)))
		r = diary_open(&e->diary, e->directory.data, order->attempt);
	if (r != -EEXIST)
		return r;
	add_own_name(&e->directory, keeper);
	return make(e->directory.data) ? diary_open(&e->diary, e->directory.data, order->attempt)
				       : -errno;
}

/* ---- records ---- */

static void add_variables(struct buf *text)
{
	for (char **v = environ; *v && text->len < DIARY_PAYLOAD / 2; v++) {
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

static void add_start(struct evidence *e, const struct run_order *order, const struct share *s)
{
	struct buf text BUF_SCOPED = { 0 };
	char here[4096] = "?", host[65] = "?";

	(void)!getcwd(here, sizeof(here));
	(void)gethostname(host, sizeof(host) - 1);
	buf_text(&text, "command");
	for (char *const *word = order->arguments; *word && text.len < DIARY_PAYLOAD / 4; word++) {
		buf_char(&text, ' ');
		text_word(&text, span_of(*word));
	}
	buf_text(&text, "\ndirectory ");
	text_word(&text, span_of(here));
	buf_text(&text, "\nhost ");
	text_word(&text, span_of(host));
	buf_addf(&text, "\nprogram rocsteady %s\nkeeper %d\n", ROCSTEADY_VERSION, s->keeper);
	add_variables(&text);
	diary_add(&e->diary, DIARY_START, share_date(), buf_get(&text));
}

static void add_attempt(struct evidence *e, const struct run_order *order)
{
	struct buf text BUF_SCOPED = { 0 };

	if (order->attempts == 0)
		return;
	buf_addf(&text, "attempt %u %u\n", order->attempt, order->attempts);
	for (size_t i = order->setting_count - order->setting_new; i < order->setting_count; i++)
		ladder_write_lever(&text, &order->settings[i]);
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
	diary_add(&e->diary, DIARY_ATTEMPT, share_date(), buf_get(&text));
}

static void say_unkept(struct evidence *e, struct share *s, int error)
{
	struct buf line BUF_SCOPED = { 0 };

	buf_addf(&line, "no journal is kept in %s: %s", e->directory.data, strerror(error));
	(void)speech_say(s, buf_get(&line), share_clock());
	buf_clear(&e->directory);
}

void evidence_open(struct evidence *e, const struct run_order *order, struct share *s)
{
	int r;

	*e = (struct evidence){ .diary.fd = -1 };
	r = open_journal(e, order, s->keeper);
	if (r < 0)
		say_unkept(e, s, -r);
	add_start(e, order, s);
	add_attempt(e, order);
	if (order->preflight.len > 0)
		diary_add(&e->diary, DIARY_PREFLIGHT, share_date(), order->preflight);
}

void evidence_event(struct evidence *e, const struct share_event *event)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %lld\n", share_event_name(event->kind), (long long)event->number);
	diary_add(&e->diary, DIARY_EVENT, event->at_ms, buf_get(&text));
}

void evidence_word(struct evidence *e, const char *name, int64_t number)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %lld\n", name, (long long)number);
	diary_add(&e->diary, DIARY_EVENT, share_date(), buf_get(&text));
}

void evidence_rank(struct evidence *e, const char *name, long rank, int64_t process)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "%s %ld %lld\n", name, rank, (long long)process);
	diary_add(&e->diary, DIARY_EVENT, share_date(), buf_get(&text));
}

static void add_counts(struct buf *text, struct share *s)
{
	static const char *const names[] = { "out", "err" };

	for (int i = 0; i < 2; i++) {
		struct share_stream *stream = &s->streams[i];
		unsigned long long lost = atomic_load(&stream->lost);

		buf_addf(text, "%s %llu\n", names[i], (unsigned long long)share_bytes(stream));
		if (lost > 0)
			buf_addf(text, "lost-%s %llu %s\n", names[i], lost,
				 strerrorname_np(atomic_load(&stream->lost_why)));
	}
	buf_addf(text, "unscanned %llu\n", (unsigned long long)share_unscanned(s));
}

/* That a reader went away is no news to whoever sent him. */
static void note_lost(struct evidence *e, struct share *s)
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

void evidence_output(struct evidence *e, struct share *s)
{
	struct buf text BUF_SCOPED = { 0 };

	add_counts(&text, s);
	diary_add(&e->diary, DIARY_OUTPUT, share_date(), buf_get(&text));
}

/* Of several processes the one that failed comes first, not its launcher's mark. */
static void add_first(struct buf *out, struct span text)
{
	long rank;

	if (rank_parse(text, &rank, &text))
		buf_addf(out, "rank %ld: ", rank);
	buf_add(out, text.data, text.len);
}

void evidence_failure(struct evidence *e, const struct scanner_failure *f)
{
	struct buf text BUF_SCOPED = { 0 };

	if (!e->first.len) {
		add_first(&e->first, span_of(f->text));
		e->first_signature = f->signature;
		e->first_line = f->line;
		if (e->progress)
			e->first_progress = *e->progress;
	}
	if (e->failures++ >= FAILURES_MAX)
		return;
	buf_addf(&text, "%s %llu %s ", f->stream ? "stderr" : "stdout", (unsigned long long)f->line,
		 f->signature);
	text_word(&text, span_of(f->text));
	buf_char(&text, '\n');
	diary_add(&e->diary, DIARY_FAILURE, share_date(), buf_get(&text));
	diary_sync(&e->diary);
}

/* ---- the end ---- */

static void add_ending(struct buf *text, const struct share *s)
{
	if (s->exec_error)
		buf_addf(text, "unexecuted %s\n", strerrorname_np(s->exec_error));
	else if (WIFSIGNALED(s->status))
		buf_addf(text, "signal %d\n", WTERMSIG(s->status));
	else
		buf_addf(text, "status %d\n", WEXITSTATUS(s->status));
}

static void hand_over(struct share *s, struct span verdict, struct span plan)
{
	size_t n = verdict.len < SHARE_VERDICT_MAX - 1 ? verdict.len : SHARE_VERDICT_MAX - 1;

	if (plan.len < SHARE_PLAN_MAX) {
		memcpy(s->plan, plan.data, plan.len);
		s->plan_len = (uint32_t)plan.len;
	}
	memcpy(s->verdict, verdict.data, n);
	atomic_store(&s->verdict_len, (uint32_t)n);
}

static void add_outcome(struct evidence *e, const struct run_order *order, const struct ending *v)
{
	struct buf text BUF_SCOPED = { 0 };

	if (order->attempts == 0)
		return;
	buf_addf(&text, "outcome %s ", ladder_outcome_name(v->plan.outcome));
	text_word(&text, span_of(v->plan.says));
	buf_char(&text, '\n');
	diary_add(&e->diary, DIARY_ATTEMPT, share_date(), buf_get(&text));
}

/* The machine of before the first attempt may be hours old: a lever rests on what is now. */
static void look_again(struct evidence *e, const struct run_order *order, const struct share *s)
{
	uint64_t start = share_clock();

	if (!order->look_again || s->status == 0 || s->exec_error || !e->first.len)
		return;
	if (order->look_again(order->look_again_ctx))
		evidence_word(e, "looked-again", (int64_t)(share_clock() - start));
	else
		evidence_word(e, "not-looked-again", (int64_t)(share_clock() - start));
}

void evidence_end(struct evidence *e, const struct run_order *order, struct share *s,
		  struct scanner *scanner)
{
	struct buf text BUF_SCOPED = { 0 }, plan BUF_SCOPED = { 0 };
	struct ending v = { 0 };
	struct span rest, line;

	look_again(e, order, s);
	ending_make(&v, e, order, s, scanner);
	add_outcome(e, order, &v);
	add_ending(&text, s);
	add_counts(&text, s);
	note_lost(e, s);
	if (speech_back(s, &e->notes))
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
	diary_add(&e->diary, DIARY_END, share_date(), buf_get(&text));
	ladder_write(&plan, &v.plan);
	hand_over(s, buf_get(&v.text), buf_get(&plan));
	ending_done(&v);
	diary_end(&e->diary);
}
