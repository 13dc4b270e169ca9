#include "parse/ccob.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "code/unpack.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STEP  700
#define STEPS 40

/* What the libraries themselves make of it, in one go; and whether they have no complaint. */
static size_t reference(enum ccob_method method, struct span payload, char *out, size_t room,
			bool *ret_good)
{
	size_t n = 0;

	if (method == CCOB_ZSTD) {
		ZSTD_DCtx *ctx = ZSTD_createDCtx();
		ZSTD_inBuffer in = { payload.data, payload.len, 0 };
		ZSTD_outBuffer o = { out, room, 0 };
		size_t r;

		ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, 20);
		do
			r = ZSTD_decompressStream(ctx, &o, &in);
		while (!ZSTD_isError(r) && r > 0 && in.pos < in.size && o.pos < o.size);
		n = o.pos;
		*ret_good = !ZSTD_isError(r);
		ZSTD_freeDCtx(ctx);
	} else {
		z_stream z = { .next_in = (Bytef *)(uintptr_t)payload.data,
			       .avail_in = (unsigned int)payload.len,
			       .next_out = (Bytef *)out,
			       .avail_out = (unsigned int)room };

		must(inflateInit(&z) == Z_OK);
		*ret_good = inflate(&z, Z_SYNC_FLUSH) >= 0;
		n = room - z.avail_out;
		inflateEnd(&z);
	}
	return n;
}

/* May we refuse what libzstd takes: more than 64 blocks in a row that yield nothing? */
static bool has_long_row(enum ccob_method method, struct span payload)
{
	struct ccob_zstd_block block = { 0 };
	unsigned int row = 0;
	bool checksum;
	size_t at;

	if (method != CCOB_ZSTD || ccob_zstd_header(payload, &at, &checksum) < 0)
		return false;
	while (!block.last && at + 3 <= payload.len && row <= FRAME_BARREN_MAX) {
		const unsigned char *head = (const unsigned char *)payload.data + at;

		if (!ccob_zstd_block(head, &block))
			return false;
		/* A compressed one may unpack to nothing, too. */
		row = block.empty || (head[0] >> 1 & 3) == 2 ? row + 1 : 0;
		at += 3 + block.bytes;
	}
	return row > FRAME_BARREN_MAX;
}

/* Step by step we have the same bytes; also after an error, as far as they go. */
static void compare(enum ccob_method method, struct span payload)
{
	static char want[(size_t)STEP * STEPS];
	struct source s = source_memory(payload);
	struct unpack u = { 0 };
	bool good = false;
	size_t n = reference(method, payload, want, sizeof(want), &good);
	bool all = good && !has_long_row(method, payload);
	int r = unpack_begin(&u, &s, 0, s.size, method);

	for (size_t i = 1; r == 0 && i <= STEPS; i++) {
		r = unpack_more(&u, i * STEP);
		must(u.out.len <= i * STEP);
		must(r != 0 || u.out.len == i * STEP);
		must(!all || u.out.len >= (n < i * STEP ? n : i * STEP));
		must(memcmp(u.out.data, want, u.out.len < n ? u.out.len : n) == 0);
	}
	must(r == 0 || r == -ENODATA || r == -EBADMSG);
	unpack_done(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct ccob c;
	int r = ccob_parse(input, &c);

	must(r == 0 || r == -ENODATA || r == -ENOEXEC || r == -EBADMSG);
	must(r != 0 || ccob_is(input));
	if (r < 0)
		return 0;
	must(c.header <= size && c.header <= CCOB_HEADER_MAX);
	must(c.version == 1 ? c.total == 0 : c.total > c.header);
	compare(c.method, (struct span){ input.data + c.header, size - c.header });
	return 0;
}
