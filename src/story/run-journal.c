#include "story/run-journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/siphash.h"

#define FIRST_LINE "rocsteady journal 1\n"
_Static_assert(sizeof(FIRST_LINE) - 1 == RUN_JOURNAL_FIRST, "the first line is part of the form");

/* Little endian: length of the payload, kind, time, then the checksum of all else. */
#define HEAD   24
#define SUM_AT 16

static const struct siphash_key key = { 0x726f637374656164, 0x79206a6f75726e61 };

static const char *const kind_names[RUN_JOURNAL_KINDS] = {
	[RUN_JOURNAL_START] = "start",
	[RUN_JOURNAL_OUTPUT] = "output",
	[RUN_JOURNAL_FAILURE] = "failure",
	[RUN_JOURNAL_EVENT] = "event",
	[RUN_JOURNAL_END] = "end",
	[RUN_JOURNAL_SAMPLE] = "sample",
	[RUN_JOURNAL_PROGRESS] = "progress",
	[RUN_JOURNAL_KERNEL] = "kernel",
	[RUN_JOURNAL_PREFLIGHT] = "preflight",
	[RUN_JOURNAL_HANG] = "hang",
	[RUN_JOURNAL_ATTEMPT] = "attempt",
	[RUN_JOURNAL_TAIL] = "tail",
};

const char *run_journal_kind_name(enum run_journal_kind kind)
{
	assert(kind >= RUN_JOURNAL_START && kind < RUN_JOURNAL_KINDS);
	return kind_names[kind];
}

int run_journal_open(struct run_journal *j, int dir, unsigned int attempt)
{
	struct buf path BUF_SCOPED = { 0 };
	int error;

	*j = (struct run_journal){ .fd = -1 };
	buf_text(&path, "journal");
	if (attempt > 1)
		buf_addf(&path, "-%u", attempt);
	/* The job's words and arguments, with whatever is secret in them. */
	j->fd = openat(dir, path.data, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (j->fd < 0)
		return -errno;
	error = posix_fallocate(j->fd, 0, (off_t)RUN_JOURNAL_BYTES);
	if (pwrite(j->fd, FIRST_LINE, RUN_JOURNAL_FIRST, 0) != RUN_JOURNAL_FIRST) {
		error = error ? error : ENOSPC;
		close(j->fd);
		j->fd = -1;
		return -error;
	}
	j->at = RUN_JOURNAL_FIRST;
	return 0;
}

static uint64_t sum(const char *head, struct span payload)
{
	uint64_t of_payload = siphash(key, payload);
	char all[SUM_AT + 8];

	memcpy(all, head, SUM_AT);
	endian_put_u64(all + SUM_AT, of_payload);
	return siphash(key, (struct span){ all, sizeof(all) });
}

bool run_journal_add(struct run_journal *j, enum run_journal_kind kind, uint64_t at_ms,
		     struct span payload)
{
	char record[HEAD + RUN_JOURNAL_PAYLOAD];
	size_t most = RUN_JOURNAL_BYTES - (kind == RUN_JOURNAL_END ? 0 : RUN_JOURNAL_LAST);
	size_t n = payload.len < RUN_JOURNAL_PAYLOAD ? payload.len : RUN_JOURNAL_PAYLOAD;

	assert(kind >= RUN_JOURNAL_START && kind < RUN_JOURNAL_KINDS);
	j->left_out += j->fd >= 0 && (n < payload.len || j->at + HEAD + n > most);
	if (j->fd < 0 || j->at + HEAD + n > most)
		return false;
	endian_put_u64(record, (uint64_t)n | (uint64_t)kind << 32);
	endian_put_u64(record + 8, at_ms);
	memcpy(record + HEAD, payload.data, n);
	endian_put_u64(record + SUM_AT, sum(record, (struct span){ record + HEAD, n }));
	if (pwrite(j->fd, record, HEAD + n, (off_t)j->at) != (ssize_t)(HEAD + n))
		return false; /* the next one is written over it */
	j->at += HEAD + n;
	return true;
}

void run_journal_end(struct run_journal *j)
{
	if (j->fd >= 0)
		(void)!ftruncate(j->fd, (off_t)j->at);
}

int run_journal_read(const struct run_journal *j, struct buf *ret)
{
	ssize_t n;

	if (j->fd < 0)
		return -ENOENT;
	buf_room(ret, j->at);
	n = pread(j->fd, ret->data, j->at, 0);
	if (n < 0)
		return -errno;
	ret->len = (size_t)n;
	return 0;
}

bool run_journal_begins(struct span *bytes)
{
	if (!span_starts(*bytes, FIRST_LINE))
		return false;
	*bytes = (struct span){ bytes->data + RUN_JOURNAL_FIRST, bytes->len - (RUN_JOURNAL_FIRST) };
	return true;
}

bool run_journal_next(struct span *rest, struct run_journal_record *ret)
{
	struct run_journal_record r;
	uint64_t lead;

	if (rest->len < HEAD)
		return false;
	lead = endian_u64(rest->data);
	r.kind = (enum run_journal_kind)(lead >> 32);
	r.at_ms = endian_u64(rest->data + 8);
	r.payload = (struct span){ rest->data + HEAD, (size_t)(lead & UINT32_MAX) };
	if (r.kind < RUN_JOURNAL_START || r.kind >= RUN_JOURNAL_KINDS ||
	    r.payload.len > RUN_JOURNAL_PAYLOAD || r.payload.len > rest->len - HEAD ||
	    endian_u64(rest->data + SUM_AT) != sum(rest->data, r.payload))
		return false;
	*rest = (struct span){ r.payload.data + r.payload.len, rest->len - HEAD - r.payload.len };
	*ret = r;
	return true;
}
