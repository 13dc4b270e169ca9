#include "base/source.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"

static int read_memory(const struct source *s, uint64_t at, void *ret, size_t n)
{
	memcpy(ret, (const char *)s->of + at, n);
	return 0;
}

/* A file that has shrunk since it was measured ends early: no data, not a fault. */
static int read_file(const struct source *s, uint64_t at, void *ret, size_t n)
{
	char *to = ret;

	while (n > 0) {
		ssize_t got = pread(s->fd, to, n, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ENODATA;
		to += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}

/* The whole counts what was asked, so it is written to through a borrowed pointer. */
static struct source *whole_of(const struct source *part)
{
	return (struct source *)(uintptr_t)part->of;
}

static int read_part(const struct source *s, uint64_t at, void *ret, size_t n)
{
	return source_read(whole_of(s), s->start + at, ret, n);
}

static bool kept_part(const struct source *s, uint64_t from, uint64_t *ret)
{
	const struct source *whole = whole_of(s);
	uint64_t at;

	if (from >= s->size || !whole->kept(whole, s->start + from, &at) ||
	    at - s->start >= s->size)
		return false;
	*ret = at - s->start;
	return true;
}

struct source source_memory(struct span bytes)
{
	return (struct source){
		.size = bytes.len, .read = read_memory, .of = bytes.data, .fd = -1
	};
}

struct source source_file(int fd, uint64_t size)
{
	assert(fd >= 0);
	return (struct source){ .size = size, .read = read_file, .fd = fd };
}

struct source source_part(struct source *of, uint64_t at, uint64_t size)
{
	assert(of->read);
	if (at > of->size)
		at = of->size;
	if (size > of->size - at)
		size = of->size - at;
	if (of->read == read_part) {
		at += of->start;
		of = whole_of(of);
	}
	return (struct source){ .size = size,
				.read = read_part,
				.kept = of->kept ? kept_part : NULL,
				.of = of,
				.start = at,
				.fd = -1 };
}

int source_read(struct source *s, uint64_t at, void *ret, size_t n)
{
	if (at > s->size || n > s->size - at)
		return -ENODATA;
	if (s->limit && s->asked + n > s->limit)
		return -EFBIG;
	s->asked += n;
	if (at <= s->head.len && n <= s->head.len - at) {
		if (n > 0)
			memcpy(ret, s->head.data + at, n);
		return 0;
	}
	return s->read(s, at, ret, n);
}

int64_t source_some(struct source *s, uint64_t at, void *ret, size_t n)
{
	int r;

	if (at >= s->size)
		return 0;
	if (n > s->size - at)
		n = (size_t)(s->size - at);
	r = source_read(s, at, ret, n);
	return r < 0 ? r : (int64_t)n;
}

int source_u32(struct source *s, uint64_t at, uint32_t *ret)
{
	uint32_t raw;
	int r = source_read(s, at, &raw, sizeof(raw));

	if (r == 0)
		*ret = endian_u32(&raw);
	return r;
}
