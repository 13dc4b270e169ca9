#include "run/status-line.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "run/thread.h"

#define FIRST "rocsteady: "

struct status_text {
	char bytes[SHARED_STATUS_LINE + 32];
	size_t len;
};

static void add(struct status_text *l, const char *bytes, size_t n)
{
	memcpy(l->bytes + l->len, bytes, n);
	l->len += n;
}

static void put(int fd, const struct status_text *l)
{
	for (size_t at = 0; at < l->len;) {
		ssize_t n = write(fd, l->bytes + at, l->len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return;
	}
}

/* Our terminal is raw while the job runs. */
static void say(struct status_line *s)
{
	struct shared_memory *shared = s->shared;
	size_t n = atomic_load(&shared->status_line_len);
	const char *end = s->terminal ? "\r\n" : "\n";
	struct status_text l = { .len = 0 };

	if (n == 0) /* it was taken back */
		return;
	/* A carriage return leaves a progress bar on the line. */
	if (s->beside->last != '\n')
		add(&l, end, strlen(end));
	add(&l, FIRST, sizeof(FIRST) - 1);
	add(&l, shared->status_line, n < SHARED_STATUS_LINE ? n : SHARED_STATUS_LINE);
	add(&l, end, strlen(end));
	atomic_store(&shared->status_line_len, 0);
	put(s->beside->out, &l);
	s->beside->last = '\n';
}

static void *work(void *ctx)
{
	struct status_line *s = ctx;

	while (!atomic_load(&s->ends)) {
		if (sem_wait(&s->ready) < 0 || atomic_load(&s->shared->status_line_len) == 0)
			continue;
		pthread_mutex_lock(&s->beside->turn);
		say(s);
		pthread_mutex_unlock(&s->beside->turn);
	}
	return NULL;
}

int status_line_start(struct status_line *s, struct shared_memory *shared, struct relay *beside,
		      bool terminal)
{
	int error;

	*s = (struct status_line){ .shared = shared, .beside = beside, .terminal = terminal };
	if (sem_init(&s->ready, 0, 0) < 0)
		return -errno;
	error = thread_start(&s->thread, THREAD_STACK, work, s);
	if (error < 0)
		s->shared = NULL;
	return error;
}

void status_line_look(struct status_line *s)
{
	if (s->shared && atomic_load(&s->shared->status_line_len) > 0)
		sem_post(&s->ready);
}

bool status_line_end(struct status_line *s)
{
	struct timespec until;

	if (!s->shared)
		return true;
	atomic_store(&s->ends, true);
	sem_post(&s->ready);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_timedjoin_np(s->thread, NULL, &until) != 0)
		return false;
	sem_destroy(&s->ready);
	s->shared = NULL;
	return true;
}

bool status_line_back(struct shared_memory *s, struct buf *ret)
{
	size_t n = atomic_exchange(&s->status_line_len, 0);

	buf_add(ret, s->status_line, n < SHARED_STATUS_LINE ? n : SHARED_STATUS_LINE);
	return n > 0;
}

bool status_line_say(struct shared_memory *s, struct span text, uint64_t now)
{
	struct buf clean BUF_SCOPED = { 0 };
	size_t n;

	text_clean(&clean, text, false);
	n = clean.len < SHARED_STATUS_LINE ? clean.len : SHARED_STATUS_LINE;
	if (n == 0 || atomic_load(&s->status_line_len) > 0 ||
	    (s->spoke_at && now - s->spoke_at < STATUS_LINE_PAUSE_MS))
		return false;
	s->spoke_at = now;
	memcpy(s->status_line, clean.data, n);
	atomic_store(&s->status_line_len, (uint32_t)n);
	shared_wake_keeper(s);
	return true;
}
