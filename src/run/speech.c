#include "run/speech.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

#define STACK_BYTES ((size_t)64 << 10)
#define FIRST       "rocsteady: "

struct line {
	char bytes[SHARE_SPEECH + 32];
	size_t len;
};

static void add(struct line *l, const char *bytes, size_t n)
{
	memcpy(l->bytes + l->len, bytes, n);
	l->len += n;
}

static void put(int fd, const struct line *l)
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
static void say(struct speech *s)
{
	struct share *share = s->share;
	size_t n = atomic_load(&share->speech_len);
	const char *end = s->terminal ? "\r\n" : "\n";
	struct line l = { .len = 0 };

	if (n == 0) /* it was taken back */
		return;
	/* A carriage return leaves a progress bar on the line. */
	if (s->beside->last != '\n')
		add(&l, end, strlen(end));
	add(&l, FIRST, sizeof(FIRST) - 1);
	add(&l, share->speech, n < SHARE_SPEECH ? n : SHARE_SPEECH);
	add(&l, end, strlen(end));
	atomic_store(&share->speech_len, 0);
	put(s->beside->out, &l);
	s->beside->last = '\n';
}

static void *work(void *ctx)
{
	struct speech *s = ctx;

	while (!atomic_load(&s->ends)) {
		if (sem_wait(&s->ready) < 0 || atomic_load(&s->share->speech_len) == 0)
			continue;
		pthread_mutex_lock(&s->beside->turn);
		say(s);
		pthread_mutex_unlock(&s->beside->turn);
	}
	return NULL;
}

int speech_start(struct speech *s, struct share *share, struct relay *beside, bool terminal)
{
	pthread_attr_t attributes;
	int error;

	*s = (struct speech){ .share = share, .beside = beside, .terminal = terminal };
	if (sem_init(&s->ready, 0, 0) < 0)
		return -errno;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(&s->thread, &attributes, work, s);
	pthread_attr_destroy(&attributes);
	if (error)
		s->share = NULL;
	return -error;
}

void speech_look(struct speech *s)
{
	if (s->share && atomic_load(&s->share->speech_len) > 0)
		sem_post(&s->ready);
}

bool speech_end(struct speech *s)
{
	struct timespec until;

	if (!s->share)
		return true;
	atomic_store(&s->ends, true);
	sem_post(&s->ready);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_timedjoin_np(s->thread, NULL, &until) != 0)
		return false;
	sem_destroy(&s->ready);
	s->share = NULL;
	return true;
}

bool speech_back(struct share *s, struct buf *ret)
{
	size_t n = atomic_exchange(&s->speech_len, 0);

	buf_add(ret, s->speech, n < SHARE_SPEECH ? n : SHARE_SPEECH);
	return n > 0;
}

bool speech_say(struct share *s, struct span text, uint64_t now)
{
	struct buf clean BUF_SCOPED = { 0 };
	size_t n;

	text_clean(&clean, text, false);
	n = clean.len < SHARE_SPEECH ? clean.len : SHARE_SPEECH;
	if (n == 0 || atomic_load(&s->speech_len) > 0 ||
	    (s->spoke_at && now - s->spoke_at < SPEECH_PAUSE_MS))
		return false;
	s->spoke_at = now;
	memcpy(s->speech, clean.data, n);
	atomic_store(&s->speech_len, (uint32_t)n);
	share_call(s);
	return true;
}
