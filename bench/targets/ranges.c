/*
 * The bare cost of knowing: open files and read the bytes that nobody can do
 * without. Standard input, as run writes it: for each file the number of its
 * ranges and the length of its path (32 bits each), the path with a NUL, and
 * offset and size of each range (64 bits each).
 *
 * With the argument "unpack", what was read of a compressed bundle is also
 * unpacked, by libzstd: the first block, which is the least it can do.
 */
#define ZSTD_STATIC_LINKING_ONLY
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define MOST      ((size_t)1 << 24)
#define BLOCK_MAX ((size_t)128 << 10)

static unsigned char bytes[MOST], unpacked[BLOCK_MAX];
static unsigned long long files, reads, got_bytes, blocks;

/* The whole list, before anything is measured by its use. */
static char *read_list(size_t *ret_len)
{
	size_t cap = 1 << 20, len = 0;
	char *list = malloc(cap);
	ssize_t n;

	while (list && (n = read(STDIN_FILENO, list + len, cap - len)) > 0) {
		len += (size_t)n;
		if (len == cap)
			list = realloc(list, cap *= 2);
	}
	if (!list)
		abort();
	*ret_len = len;
	return list;
}

static void unpack(ZSTD_DCtx *zstd, size_t len)
{
	static const size_t headers[] = { 0, 20, 24, 32 };
	size_t at, size, frame;
	uint32_t head;

	if (len < 40 || memcmp(bytes, "CCOB", 4) != 0 || bytes[4] < 1 || bytes[4] > 3)
		return;
	at = headers[bytes[4]];
	frame = ZSTD_frameHeaderSize(bytes + at, len - at);
	if (ZSTD_isError(frame) || frame + 3 > len - at)
		return;
	at += frame;
	head = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16;
	size = head >> 3;
	if ((head >> 1 & 3) != 2 || size > len - at - 3)
		return;
	ZSTD_decompressBegin(zstd);
	if (!ZSTD_isError(ZSTD_decompressBlock(zstd, unpacked, BLOCK_MAX, bytes + at + 3, size)))
		blocks++;
}

static const char *read_file(const char *at, ZSTD_DCtx *zstd)
{
	uint32_t count, length;
	uint64_t range[2];
	const char *path = at + sizeof(count) + sizeof(length);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	memcpy(&count, at, sizeof(count));
	memcpy(&length, at + sizeof(count), sizeof(length));
	if (fd < 0) {
		perror(path);
		exit(1);
	}
	at = path + length;
	for (uint32_t i = 0; i < count; i++, at += sizeof(range)) {
		ssize_t got;

		memcpy(range, at, sizeof(range));
		got = pread(fd, bytes, range[1] < MOST ? range[1] : MOST, (off_t)range[0]);
		if (got < 0) {
			perror(path);
			exit(1);
		}
		reads++;
		got_bytes += (unsigned long long)got;
		if (zstd)
			unpack(zstd, (size_t)got);
	}
	close(fd);
	files++;
	return at;
}

int main(int argc, char **argv)
{
	ZSTD_DCtx *zstd = argc > 1 && strcmp(argv[1], "unpack") == 0 ? ZSTD_createDCtx() : NULL;
	size_t len;
	char *list = read_list(&len);

	for (const char *at = list; at < list + len;)
		at = read_file(at, zstd);
	printf("%llu files, %llu reads, %llu bytes", files, reads, got_bytes);
	if (zstd)
		printf(", %llu blocks unpacked", blocks);
	putchar('\n');
	ZSTD_freeDCtx(zstd);
	free(list);
	return 0;
}
