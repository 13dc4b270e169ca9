#include "story/journals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"

#define READ_MAX     (2 * RUN_JOURNAL_BYTES)
#define ATTEMPTS_MAX 99
#define KEY_BYTES    16

/* Reads the journal of an attempt, from 1. */
static int read_journal(const char *directory, unsigned int attempt, struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 };
	int fd;

	buf_addf(&path, attempt > 1 ? "%s/journal-%u" : "%s/journal", directory, attempt);
	fd = open(path.data, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO must not stop us */
	if (fd < 0)
		return -errno;
	if (fd_is_regular(fd))
		return fd_head(fd, READ_MAX, ret);
	close(fd);
	return -EBADMSG;
}

static void add_time(struct buf *out, uint64_t at_ms)
{
	time_t seconds = (time_t)(at_ms / 1000);
	char when[32];
	struct tm t;

	localtime_r(&seconds, &t);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &t);
	buf_addf(out, "%s.%03u", when, (unsigned int)(at_ms % 1000));
}

/* Words are turned back, and made safe to show. */
static void add_words(struct buf *out, struct span line)
{
	struct buf plain BUF_SCOPED = { 0 };
	struct span word;
	bool first = true;

	while (span_word(&line, &word)) {
		buf_clear(&plain);
		if (!first)
			buf_char(out, ' ');
		first = false;
		if (text_unword(&plain, word))
			text_clean(out, buf_get(&plain), false);
		else
			text_clean(out, word, false);
	}
}

static void add_record(struct buf *out, const struct run_journal_record *r)
{
	struct span rest = r->payload, line;
	bool first = true;

	while (span_line(&rest, &line)) {
		if (first)
			add_time(out, r->at_ms);
		buf_addf(out, "%*s  %-9s ", first ? 0 : 23, "",
			 first ? run_journal_kind_name(r->kind) : "");
		add_words(out, line);
		buf_char(out, '\n');
		first = false;
	}
}

static int dump(struct span rest, struct buf *ret)
{
	struct run_journal_record record = { 0 };

	if (!run_journal_begins(&rest) && story_is_torn(rest) && rest.len >= RUN_JOURNAL_FIRST)
		return -EBADMSG;
	while (run_journal_next(&rest, &record))
		add_record(ret, &record);
	if (story_is_torn(rest))
		buf_text(ret, "the journal is incomplete after this point\n");
	if (record.kind != RUN_JOURNAL_END)
		buf_text(
			ret,
			"no exit recorded: the job still runs, or rocsteady or its watcher was killed\n");
	return 0;
}

int journals_dump(const char *directory, struct buf *ret)
{
	int r = 0;

	for (unsigned int attempt = 1; r == 0 && attempt <= ATTEMPTS_MAX; attempt++) {
		struct buf bytes BUF_SCOPED = { 0 };

		r = read_journal(directory, attempt, &bytes);
		if (r == -ENOENT && attempt > 1)
			return 0;
		if (r == 0)
			r = dump(buf_get(&bytes), ret);
	}
	return r;
}

/* One for all journals of a run, so that they name the same thing alike. */
static const char *make_key(char ret[static 2 * KEY_BYTES + 1])
{
	unsigned char bytes[KEY_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return NULL;
	for (size_t i = 0; i < KEY_BYTES; i++) {
		ret[2 * i] = (char)('a' + (bytes[i] >> 4));
		ret[2 * i + 1] = (char)('a' + (bytes[i] & 15));
	}
	ret[2 * KEY_BYTES] = '\0';
	return ret;
}

int journals_tell(const char *directory, const struct journals_telling *how, struct story *ret)
{
	char own[2 * KEY_BYTES + 1];
	const char *key = how->scrub && !how->key ? make_key(own) : how->key;
	int r = 0;

	*ret = (struct story){ 0 };
	for (unsigned int attempt = 1; r == 0 && attempt <= ATTEMPTS_MAX; attempt++) {
		struct buf bytes BUF_SCOPED = { 0 };

		r = read_journal(directory, attempt, &bytes);
		if (r == -ENOENT && attempt > 1)
			break;
		if (r == 0 && how->scrub)
			r = story_read_scrubbed(ret, buf_get(&bytes), key);
		else if (r == 0)
			r = story_read(ret, buf_get(&bytes));
	}
	story_sort(ret);
	return r == -ENOENT && ret->attempt_count > 0 ? 0 : r;
}
