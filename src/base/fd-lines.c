#include "base/fd-lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)65536)

/* Drops the lines handed out, so that memory does not grow with their number. */
static void drop(struct fd_lines *l)
{
	if (l->at == 0)
		return;
	memmove(l->text.data, l->text.data + l->at, l->text.len - l->at);
	l->text.len -= l->at;
	l->text.data[l->text.len] = '\0';
	l->at = 0;
}

/* 1, 0 at the end, -errno. */
static int read_more(struct fd_lines *l)
{
	ssize_t n;

	drop(l);
	buf_room(&l->text, PIECE + 1);
	do
		n = read(l->fd, l->text.data + l->text.len, PIECE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	l->text.len += (size_t)n;
	l->text.data[l->text.len] = '\0';
	l->ended = n == 0;
	return n > 0;
}

/* The newline of the line that begins at `at`; `from` was searched already. */
static const char *find_end(const struct fd_lines *l, size_t from)
{
	size_t begin = l->at + from;

	return begin < l->text.len ? memchr(l->text.data + begin, '\n', l->text.len - begin) : NULL;
}

/* To the next newline, or to the end. */
static int skip_line(struct fd_lines *l)
{
	const char *end;
	int r = 1;

	while (!(end = find_end(l, 0)) && r > 0) {
		l->at = l->text.len;
		r = read_more(l);
	}
	l->at = end ? (size_t)(end + 1 - l->text.data) : l->text.len;
	return r < 0 ? r : -EFBIG;
}

int fd_lines_next(struct fd_lines *l, struct span *ret)
{
	const char *end;
	size_t searched = 0;

	while (!(end = find_end(l, searched)) && !l->ended) {
		int r;

		searched = l->text.len - l->at;
		if (searched > l->most)
			return skip_line(l);
		r = read_more(l);
		if (r < 0)
			return r;
	}
	if (!end && l->at == l->text.len)
		return 0;
	*ret = (struct span){ l->text.data + l->at,
			      (end ? (size_t)(end - l->text.data) : l->text.len) - l->at };
	l->at += ret->len + (end != NULL);
	return ret->len > l->most ? -EFBIG : 1;
}

void fd_lines_done(struct fd_lines *l)
{
	buf_done(&l->text);
}
