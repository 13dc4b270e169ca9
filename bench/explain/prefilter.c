/*
 * Reading and the prefilter alone: what no scan of the same literals by the
 * same means can be faster than.
 *
 *	prefilter LITERALS LOG      a literal a line
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "parse/needle.h"

#define PIECE    ((size_t)1 << 18)
#define HITS_MAX 1024

static struct buf read_all(const char *path)
{
	struct buf text = { 0 };
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : 1;

	while (n > 0) {
		buf_room(&text, PIECE);
		n = read(fd, text.data + text.len, PIECE);
		text.len += n > 0 ? (size_t)n : 0;
	}
	return text;
}

int main(int argc, char **argv)
{
	static struct needle_hit hits[HITS_MAX];
	static struct span literals[8192];
	struct buf list = argc == 3 ? read_all(argv[1]) : (struct buf){ 0 };
	struct span rest = buf_get(&list), line;
	char *piece = malloc(PIECE);
	int fd = argc == 3 ? open(argv[2], O_RDONLY) : -1;
	unsigned long long found = 0;
	struct needle *needle;
	size_t count = 0;
	ssize_t n;

	while (count < 8192 && span_line(&rest, &line))
		if (line.len >= NEEDLE_MIN)
			literals[count++] = line;
	needle = needle_new(literals, count, NULL);
	if (!needle || fd < 0 || !piece)
		return 2;
	while ((n = read(fd, piece, PIECE)) > 0)
		for (size_t from = 0, k = 1; k > 0; found += k)
			k = needle_find(needle, (struct span){ piece, (size_t)n }, &from, hits,
					HITS_MAX);
	printf("%llu\n", found);
	return 0;
}
