#include "run/diary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/siphash.h"

#define FIRST_LINE "rocsteady journal 1\n"
_Static_assert(sizeof(FIRST_LINE) - 1 == DIARY_FIRST, "the first line is part of the form");

/* Little endian: length of the payload, kind, time, then the checksum of all else. */
#define HEAD   24
#define SUM_AT 16

static const struct siphash_key key = { 0x726f637374656164, 0x79206a6f75726e61 };

int diary_open(struct diary *j, const char *directory, unsigned int attempt)
{
	struct buf path BUF_SCOPED = { 0 };
	int error;

	*j = (struct diary){ .fd = -1 };
	buf_addf(&path, "%s/journal", directory);
	if (attempt > 1)
		buf_addf(&path, "-%u", attempt);
	/* The job's words and arguments, with whatever is secret in them. */
	j->fd = open(path.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (j->fd < 0)
		return -errno;
	error = posix_fallocate(j->fd, 0, (off_t)DIARY_BYTES);
	if (pwrite(j->fd, FIRST_LINE, DIARY_FIRST, 0) != DIARY_FIRST) {
		error = error ? error : ENOSPC;
		close(j->fd);
		j->fd = -1;
		return -error;
	}
	j->at = DIARY_FIRST;
	return 0;
}

static void put_u64(char *to, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		to[i] = (char)(value >> 8 * i);
}

static uint64_t sum(const char *head, struct span payload)
{
	uint64_t of_payload = siphash(key, payload);
	char all[SUM_AT + 8];

	memcpy(all, head, SUM_AT);
	put_u64(all + SUM_AT, of_payload);
	return siphash(key, (struct span){ all, sizeof(all) });
}

bool diary_add(struct diary *j, enum diary_kind kind, uint64_t at_ms, struct span payload)
{
	char record[HEAD + DIARY_PAYLOAD];
	size_t most = DIARY_BYTES - (kind == DIARY_END ? 0 : DIARY_LAST);
	size_t n = payload.len < DIARY_PAYLOAD ? payload.len : DIARY_PAYLOAD;

	if (j->fd < 0 || j->at + HEAD + n > most)
		return false;
	put_u64(record, (uint64_t)n | (uint64_t)kind << 32);
	put_u64(record + 8, at_ms);
	memcpy(record + HEAD, payload.data, n);
	put_u64(record + SUM_AT, sum(record, (struct span){ record + HEAD, n }));
	if (pwrite(j->fd, record, HEAD + n, (off_t)j->at) != (ssize_t)(HEAD + n))
		return false; /* the next one is written over it */
	j->at += HEAD + n;
	return true;
}

void diary_sync(struct diary *j)
{
	if (j->fd >= 0)
		(void)fdatasync(j->fd);
}

void diary_end(struct diary *j)
{
	if (j->fd >= 0)
		(void)!ftruncate(j->fd, (off_t)j->at);
	diary_sync(j);
}

bool diary_begins(struct span *bytes)
{
	if (!span_starts(*bytes, FIRST_LINE))
		return false;
	*bytes = (struct span){ bytes->data + DIARY_FIRST, bytes->len - (DIARY_FIRST) };
	return true;
}

bool diary_next(struct span *rest, struct diary_record *ret)
{
	struct diary_record r;
	uint64_t lead;

	if (rest->len < HEAD)
		return false;
	lead = endian_u64(rest->data);
	r.kind = (enum diary_kind)(lead >> 32);
	r.at_ms = endian_u64(rest->data + 8);
	r.payload = (struct span){ rest->data + HEAD, (size_t)(lead & UINT32_MAX) };
	if (r.kind < DIARY_START || r.kind >= DIARY_KINDS || r.payload.len > DIARY_PAYLOAD ||
	    r.payload.len > rest->len - HEAD ||
	    endian_u64(rest->data + SUM_AT) != sum(rest->data, r.payload))
		return false;
	*rest = (struct span){ r.payload.data + r.payload.len, rest->len - HEAD - r.payload.len };
	*ret = r;
	return true;
}
