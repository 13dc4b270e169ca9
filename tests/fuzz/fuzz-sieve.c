#include "archive/sieve.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "code/code.h"
#include "inside.h"

#define PIECES_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A stretch of the input, and where it went in the file. */
struct piece {
	uint64_t at;
	struct span bytes;
};

/* What comes out is what went in, or nothing. */
static void compare(struct source *s, const struct piece *p)
{
	char got[SIEVE_PAGE];

	for (size_t i = 0; i < p->bytes.len; i += sizeof(got)) {
		size_t n = p->bytes.len - i < sizeof(got) ? p->bytes.len - i : sizeof(got);
		int r = source_read(s, p->at + i, got, n);

		must(r == -ENODATA || (r == 0 && memcmp(got, p->bytes.data + i, n) == 0));
	}
}

static void walk_kept(const struct source *s)
{
	uint64_t at = 0;

	for (int i = 0; i < 10000 && s->kept(s, at, &at); i++) {
		must(at < s->size);
		at = (at / SIEVE_PAGE + 1) * SIEVE_PAGE;
	}
}

/*
 * The input is a file with holes: a byte below 128 is followed by so many times
 * 32 bytes of it, any other is a hole of so many times 16 KiB.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size };
	struct piece pieces[PIECES_MAX];
	size_t count = 0;
	struct sieve *sieve = sieve_new();
	struct arena arena = { 0 };
	struct code code;
	struct source s;
	uint64_t at = 0;

	while (rest.len > 0 && count < PIECES_MAX) {
		unsigned int op = (unsigned char)rest.data[0];
		size_t n = (op + 1) * 32;

		rest.data++;
		rest.len--;
		if (op >= 128) {
			n = (op - 127) * (16 << 10);
			sieve_gap(sieve, n);
			at += n;
			continue;
		}
		n = n < rest.len ? n : rest.len;
		pieces[count] = (struct piece){ at, { rest.data, n } };
		sieve_add(sieve, pieces[count++].bytes);
		at += n;
		rest.data += n;
		rest.len -= n;
	}
	sieve_end(sieve);
	s = sieve_source(sieve);
	must(s.size == at);
	must(sieve_held(sieve) <= SIEVE_PAGES_MAX * SIEVE_PAGE);
	for (size_t i = 0; i < count; i++)
		compare(&s, &pieces[i]);
	walk_kept(&s);
	code_read(&s, NULL, &arena, &code);
	must(code.size == at);
	arena_done(&arena);
	sieve_free(sieve);
	return 0;
}
