#include "archive/packed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "check.h"

#define PLAIN (256u << 10)

static unsigned char plain[PLAIN];
static struct buf gzip, zstd;

/* Text that packs to about a tenth of itself, so that a cut has something before it. */
static void make_texts(void)
{
	z_stream z = { 0 };

	for (size_t i = 0; i < sizeof(plain); i++)
		plain[i] = (unsigned char)(i % 61 == 60 ? '\n' : 'a' + (i * i / 7 + i / 997) % 26);
	buf_room(&gzip, 2 * sizeof(plain));
	deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	z.next_in = plain;
	z.avail_in = sizeof(plain);
	z.next_out = (unsigned char *)gzip.data;
	z.avail_out = 2 * sizeof(plain);
	deflate(&z, Z_FINISH);
	gzip.len = z.total_out;
	deflateEnd(&z);
	buf_room(&zstd, 2 * sizeof(plain));
	zstd.len = ZSTD_compress(zstd.data, 2 * sizeof(plain), plain, sizeof(plain), 3);
}

/* Unpacks bytes of a file, whose first six were read before. */
static ssize_t unpack(struct span packed, size_t *ret_bytes, struct buf *ret_problem)
{
	static char text[10000];
	FILE *file = tmpfile();
	struct packed *p;
	ssize_t n;

	fwrite(packed.data, 1, packed.len, file);
	fflush(file);
	lseek(fileno(file), 6, SEEK_SET);
	p = packed_open(fileno(file), (struct span){ packed.data, 6 });
	*ret_bytes = 0;
	while ((n = packed_read(p, text, sizeof(text))) > 0) {
		CHECK(*ret_bytes + (size_t)n <= 2 * sizeof(plain));
		CHECK(memcmp(text, plain + *ret_bytes % sizeof(plain),
			     (size_t)n < sizeof(plain) - *ret_bytes % sizeof(plain)
				     ? (size_t)n
				     : sizeof(plain) - *ret_bytes % sizeof(plain)) == 0);
		*ret_bytes += (size_t)n;
	}
	if (n < 0)
		buf_text(ret_problem, packed_problem(p));
	packed_close(p);
	fclose(file);
	return n;
}

static void test_whole(void)
{
	struct buf why BUF_SCOPED = { 0 }, twice BUF_SCOPED = { 0 };
	size_t bytes;

	CHECK_INT(unpack(buf_get(&gzip), &bytes, &why), 0);
	CHECK_INT(bytes, sizeof(plain));
	CHECK_INT(unpack(buf_get(&zstd), &bytes, &why), 0);
	CHECK_INT(bytes, sizeof(plain));
	buf_span(&twice, buf_get(&gzip)); /* as `cat a.gz b.gz` and logrotate make them */
	buf_span(&twice, buf_get(&gzip));
	CHECK_INT(unpack(buf_get(&twice), &bytes, &why), 0);
	CHECK_INT(bytes, 2 * sizeof(plain));
}

/* Of a stream that is cut, what can be unpacked comes before the error. */
static void test_cut(void)
{
	struct buf *const packed[] = { &gzip, &zstd };

	for (size_t i = 0; i < 2; i++) {
		struct buf why BUF_SCOPED = { 0 };
		size_t bytes;

		CHECK_INT(unpack((struct span){ packed[i]->data, packed[i]->len * 3 / 4 }, &bytes,
				 &why),
			  -EBADMSG);
		CHECK(bytes >= sizeof(plain) / 2 && bytes < sizeof(plain));
		CHECK_TEXT(why.data, "it is cut short");
	}
}

static void test_padded(void)
{
	struct buf why BUF_SCOPED = { 0 }, padded BUF_SCOPED = { 0 };
	size_t bytes;

	buf_span(&padded, buf_get(&gzip));
	for (size_t i = 0; i < 512; i++)
		buf_char(&padded, '\0');
	CHECK_INT(unpack(buf_get(&padded), &bytes, &why), 0);
	CHECK_INT(bytes, sizeof(plain));
}

static void test_known(void)
{
	CHECK(packed_name(buf_get(&gzip)) && packed_name(buf_get(&zstd)));
	CHECK_TEXT(packed_name(SPAN_LITERAL("BZh91AY")), "bzip2");
	CHECK(!packed_name(SPAN_LITERAL("step 1 loss 0.5")));
	CHECK(!packed_name(SPAN_LITERAL("\x1f")) && !packed_name(SPAN_LITERAL("")));
}

int main(void)
{
	make_texts();
	test_whole();
	test_cut();
	test_padded();
	test_known();
	buf_done(&gzip);
	buf_done(&zstd);
	return check_end();
}
