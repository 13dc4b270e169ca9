#include "parse/zstd-prefix.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "inside.h"
#include "parse/ccob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 20000

static size_t half(struct span so_far)
{
	return so_far.len < 500 ? SIZE_MAX : so_far.len / 2;
}

/* Of one frame: others may stand behind it. */
static size_t unpack_first(const uint8_t *data, size_t size, unsigned char *ret, size_t most)
{
	size_t frame = ZSTD_findFrameCompressedSize(data, size);

	return ZSTD_isError(frame) ? frame : ZSTD_decompress(ret, most, data, frame);
}

/*
 * What we unpack is what libzstd unpacks; anything else does no harm. libzstd
 * 1.5.4 takes streams that run over their begin, and reserved bits; we do not.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char want[MOST];
	struct span input = { (const char *)data, size };
	struct source s = source_memory(input);
	unsigned char *out = malloc(MOST);
	size_t header, whole, n = 1 + size % MOST;
	bool checksum, ended = false;
	int64_t got;

	if (ccob_zstd_header(input, &header, &checksum) == 0 && header <= size) {
		got = zstd_prefix(&s, header, size, out, n, NULL, &ended);
		must(got <= (int64_t)n);
		whole = unpack_first(data, size, want, sizeof(want));
		if (!ZSTD_isError(whole) && got != -EBADMSG) {
			must(got == (int64_t)(whole < n ? whole : n));
			must(memcmp(out, want, (size_t)got) == 0);
			must(ended == (whole < n));
		}
		got = zstd_prefix(&s, header, size, out, MOST, half, &ended);
		must(ZSTD_isError(whole) || got == -EBADMSG ||
		     (got >= 0 && memcmp(out, want, (size_t)got) == 0));
	}
	free(out);
	return 0;
}
