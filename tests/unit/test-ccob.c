#include "parse/ccob.h"

#include <errno.h>

#include "check-span.h"
#include "make-code.h"

static const struct {
	unsigned int version, method;
	size_t header;
	const char *why;
} versions[] = {
	{ 1, 0, 20, "LLVM 18, zlib" }, { 1, 1, 20, "LLVM 18, zstd" }, { 2, 0, 24, "LLVM 19, zlib" },
	{ 2, 1, 24, "LLVM 19, zstd" }, { 3, 0, 32, "LLVM 22, zlib" }, { 3, 1, 32, "LLVM 22, zstd" },
};

static void test_versions(void)
{
	char plain[1000] = "plain";

	for (size_t i = 0; i < COUNT_OF(versions); i++) {
		struct buf b BUF_SCOPED = { 0 };
		struct ccob c;

		make_ccob(&b, versions[i].version, versions[i].method,
			  (struct span){ plain, sizeof(plain) });
		for (size_t n = 0; n < versions[i].header; n++)
			ROW_CHECK(ccob_parse((struct span){ b.data, n }, &c) == -ENODATA, "cut");
		ROW_CHECK(ccob_parse(buf_get(&b), &c) == 0, versions[i].why);
		ROW_CHECK(c.version == versions[i].version, versions[i].why);
		ROW_CHECK(c.method == (enum ccob_method)versions[i].method, versions[i].why);
		ROW_CHECK(c.header == versions[i].header, versions[i].why);
		ROW_CHECK(c.unpacked == sizeof(plain), versions[i].why);
		ROW_CHECK(c.total == (c.version == 1 ? 0 : b.len), versions[i].why);
	}
}

static const struct {
	const char *bytes;
	size_t len;
	int status;
	const char *why;
} broken[] = {
	{ "CCOB\0\0\1\0", 8, -ENOEXEC, "version 0" },
	{ "CCOB\4\0\1\0", 8, -ENOEXEC, "version 4 is not known" },
	{ "CCOB\1\0\2\0", 8, -ENOEXEC, "method 2 is not known" },
	{ "CCOB\1\1\0\0", 8, -ENOEXEC, "version 257" },
	{ "CCOC\2\0\1\0", 8, -ENOEXEC, "another magic" },
	{ "CCOB\2\0\1\0\030\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, -EBADMSG, "a header alone" },
	{ "CCOB\2\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, -EBADMSG, "of no bytes" },
	{ "CCOB\2\0\1\0\031\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24, 0, "one byte of payload" },
	{ "CCO", 3, -ENODATA, "cut" },
};

static void test_broken(void)
{
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		struct ccob c;

		ROW_CHECK(ccob_parse((struct span){ broken[i].bytes, broken[i].len }, &c) ==
				  broken[i].status,
			  broken[i].why);
	}
}

/* zstd itself made the frames: walking their blocks must end where it says. */
static void walk_frame(size_t size, int level, bool checksum)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(size), packed, at;
	char *plain = malloc(size + 1), *frame = malloc(room);
	struct ccob_zstd_block block = { 0 };
	bool has_checksum;

	for (size_t i = 0; i < size; i++)
		plain[i] = i % 5 == 0 ? (char)(i * 2654435761u >> 13) : (char)(i / 100000);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, checksum);
	packed = ZSTD_compress2(ctx, frame, room, plain, size);
	CHECK_INT(ccob_zstd_header((struct span){ frame, packed }, &at, &has_checksum), 0);
	CHECK_INT(has_checksum, checksum);
	while (!block.last && at + 3 <= packed) {
		CHECK(ccob_zstd_block((const unsigned char *)frame + at, &block));
		CHECK_INT(block.empty, size == 0);
		at += 3 + block.bytes;
	}
	CHECK_INT(at + (checksum ? 4 : 0), packed);
	ZSTD_freeCCtx(ctx);
	free(plain);
	free(frame);
}

static void test_frames(void)
{
	static const size_t sizes[] = { 0, 1, 255, 256, 65791, 65792, 1000000, 3000000 };
	struct ccob_zstd_block block;
	size_t header;
	bool flag;

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		walk_frame(sizes[i], 1, false);
		walk_frame(sizes[i], 9, true);
	}
	CHECK(!ccob_zstd_block((const unsigned char *)"\6\0\0", &block));
	CHECK(ccob_zstd_block((const unsigned char *)"\0\0\0", &block) && block.empty);
	CHECK(ccob_zstd_block((const unsigned char *)"\3\0\0", &block) && block.empty);
	CHECK_INT(block.bytes, 1);
	CHECK(ccob_zstd_block((const unsigned char *)"\x0a\0\0", &block) && !block.empty);
	CHECK_INT(ccob_zstd_header(SPAN_LITERAL("\x28\xb5\x2f\xfd"), &header, &flag), -ENODATA);
	CHECK_INT(ccob_zstd_header(SPAN_LITERAL("\x28\xb5\x2f\xfe\0"), &header, &flag), -EBADMSG);
}

int main(void)
{
	test_versions();
	test_broken();
	test_frames();
	return check_end();
}
