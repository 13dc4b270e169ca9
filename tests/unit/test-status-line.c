#include "run/status-line.h"

#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "check.h"

#define FLOOD  ((size_t)8 << 20)
#define SPOKEN "rocsteady: one line\n"

/* A relay from `job` to `user`, and a mouth beside it. */
struct scene {
	struct shared_memory *shared;
	struct relay relay;
	struct status_line status_line;
	int job, user, called;
	uint64_t now;
};

static struct scene *set(bool terminal)
{
	struct scene *s = calloc(1, sizeof(*s)); /* its threads outlive the test */
	int in[2], out[2], call[2];

	if (!s || pipe(in) < 0 || pipe(call) < 0 ||
	    (terminal ? openpty(&out[0], &out[1], NULL, NULL, NULL) : pipe(out)) < 0)
		exit(1);
	if (terminal) { /* as the keeper makes it */
		struct termios modes;

		tcgetattr(out[1], &modes);
		cfmakeraw(&modes);
		tcsetattr(out[1], TCSANOW, &modes);
	}
	s->shared = shared_new();
	s->shared->keeper_pipe = call[1];
	s->called = call[0];
	s->job = in[1];
	s->user = out[0];
	s->now = 1;
	s->relay = (struct relay){ .in = in[0],
				   .out = out[1],
				   .over = -1,
				   .shared = s->shared,
				   .stream = &s->shared->streams[0] };
	if (relay_start(&s->relay) < 0 ||
	    status_line_start(&s->status_line, s->shared, &s->relay, terminal) < 0)
		exit(1);
	return s;
}

static bool say(struct scene *s, const char *text)
{
	bool said = status_line_say(s->shared, span_of(text), s->now);

	s->now += STATUS_LINE_PAUSE_MS;
	status_line_look(&s->status_line);
	return said;
}

static void job_writes(struct scene *s, const char *text)
{
	CHECK_INT(write(s->job, text, strlen(text)), strlen(text));
}

static const char *user_reads(struct scene *s, size_t n)
{
	static char text[1024];
	size_t got = 0;
	ssize_t r = 1;

	for (; got < n && r > 0; got += r > 0 ? (size_t)r : 0)
		r = read(s->user, text + got, n - got);
	text[got] = '\0';
	return text;
}

#define READS(s, text) CHECK_TEXT(user_reads(s, sizeof(text) - 1), text)

static void check_pipe(void)
{
	struct scene *s = set(false);
	char byte;

	CHECK(say(s, "before any output"));
	CHECK_INT(read(s->called, &byte, 1), 1);
	READS(s, "rocsteady: before any output\n");
	job_writes(s, "a line\n");
	READS(s, "a line\n");
	CHECK(say(s, "at the start of a line"));
	READS(s, "rocsteady: at the start of a line\n");
	job_writes(s, "half ");
	READS(s, "half ");
	CHECK(say(s, "in the middle"));
	READS(s, "\nrocsteady: in the middle\n");
	CHECK(say(s, "again, with no empty line before"));
	READS(s, "rocsteady: again, with no empty line before\n");
	CHECK(say(s, "see a\x1b]0;x\a"));
	READS(s, "rocsteady: see a\\x1b]0;x\\x07\n");
	job_writes(s, "a line\n");
	READS(s, "a line\n");
}

static void check_terminal(void)
{
	struct scene *s = set(true);

	job_writes(s, "\r 45%|####  |");
	READS(s, "\r 45%|####  |");
	CHECK(say(s, "a bar stands here"));
	READS(s, "\r\nrocsteady: a bar stands here\r\n");
	job_writes(s, "\r 46%|####  |\r");
	READS(s, "\r 46%|####  |\r");
	CHECK(say(s, "a bar stands here, the cursor before it"));
	READS(s, "\r\nrocsteady: a bar stands here, the cursor before it\r\n");
}

static void check_seldom(void)
{
	struct scene *s = set(false);
	char longer[2 * SHARED_STATUS_LINE + 1];

	CHECK(status_line_say(s->shared, span_of("one"), 5000));
	CHECK(!status_line_say(s->shared, span_of("nobody has taken the last"),
			       5000 + STATUS_LINE_PAUSE_MS));
	status_line_look(&s->status_line);
	READS(s, "rocsteady: one\n");
	CHECK(!status_line_say(s->shared, span_of("too early"), 4999 + STATUS_LINE_PAUSE_MS));
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CHECK(status_line_say(s->shared, span_of(longer), 5000 + STATUS_LINE_PAUSE_MS));
	status_line_look(&s->status_line);
	longer[SHARED_STATUS_LINE] = '\0';
	READS(s, "rocsteady: ");
	CHECK_TEXT(user_reads(s, SHARED_STATUS_LINE), longer);
	READS(s, "\n");
}

/* Lines of different lengths, so that pieces end anywhere in them. */
static void make_flood(struct buf *ret)
{
	for (unsigned int i = 0; ret->len < FLOOD; i++)
		buf_addf(ret, "%u %.*s\n", i, (int)(i % 60),
			 "............................................................");
}

static pid_t start_flood(struct scene *s, const struct buf *flood)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (size_t at = 0; at < flood->len;) {
			ssize_t n = write(s->job, flood->data + at, flood->len - at);

			at += n > 0 ? (size_t)n : 0;
		}
		_exit(0);
	}
	close(s->job);
	return pid;
}

/* What the user saw without our lines; a newline that we put before ours is ours too. */
static size_t without_ours(struct span seen, const struct buf *flood, struct buf *ret)
{
	size_t spoken = 0;

	while (seen.len > 0) {
		size_t at = span_find(seen, SPAN_LITERAL(SPOKEN));
		size_t n = at == SIZE_MAX ? seen.len : at;

		buf_add(ret, seen.data, n);
		if (at != SIZE_MAX) {
			spoken++;
			n += sizeof(SPOKEN) - 1;
		}
		/* The flood has no empty lines: one behind ours is the end of a cut line. */
		if (at != SIZE_MAX && ret->len > 0 && ret->data[ret->len - 1] == '\n' &&
		    (flood->data[ret->len - 1] != '\n' || (n < seen.len && seen.data[n] == '\n')))
			ret->len--;
		seen = (struct span){ seen.data + n, seen.len - n };
	}
	return spoken;
}

/* Everything has been written and read. */
static bool is_over(struct scene *s)
{
	int waiting = 1;

	return atomic_load(&s->relay.state) == RELAY_DONE &&
	       atomic_load(&s->shared->status_line_len) == 0 && poll(NULL, 0, 10) == 0 &&
	       ioctl(s->user, FIONREAD, &waiting) == 0 && waiting == 0;
}

static void check_flood(void)
{
	struct buf flood BUF_SCOPED = { 0 }, seen BUF_SCOPED = { 0 }, rest BUF_SCOPED = { 0 };
	struct scene *s = set(false);
	size_t said = 0;
	pid_t pid;

	make_flood(&flood);
	pid = start_flood(s, &flood);
	while (!is_over(s)) {
		ssize_t n;

		if (poll(&(struct pollfd){ .fd = s->user, .events = POLLIN }, 1, 10) <= 0)
			continue;
		buf_room(&seen, 4096);
		n = read(s->user, seen.data + seen.len, 4096);
		seen.len += n > 0 ? (size_t)n : 0;
		if (seen.len < FLOOD / 2)
			said += say(s, "one line");
	}
	waitpid(pid, NULL, 0);
	CHECK(said > 0); /* how often is for the scheduler to say */
	CHECK_INT(without_ours(buf_get(&seen), &flood, &rest), said);
	CHECK_INT(rest.len, flood.len);
	CHECK(rest.len == flood.len && memcmp(rest.data, flood.data, flood.len) == 0);
}

int main(void)
{
	check_pipe();
	check_terminal();
	check_seldom();
	check_flood();
	return check_end();
}
