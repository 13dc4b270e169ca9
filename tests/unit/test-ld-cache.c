#include "parse/ld-cache.h"

#include <stdlib.h>

#include "base/buf.h"
#include "check.h"

/* ---- made by hand ---- */

struct made {
	const char *name;
	const char *path;
	uint32_t flags;
	uint64_t hwcap;
};

static void put32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void put64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void make(struct buf *b, bool with_old, const struct made *list, uint32_t count)
{
	struct buf strings BUF_SCOPED = { 0 };
	uint32_t base = 48 + count * 24;

	if (with_old) {
		buf_add(b, "ld.so-1.7.0\0", 12);
		put32(b, 1);
		buf_add(b, "\0\0\0\0\0\0\0\0\0\0\0\0", 12); /* its entry */
		while (b->len % 8)
			buf_char(b, '\0');
	}
	buf_text(b, "glibc-ld.so.cache1.1");
	put32(b, count);
	put32(b, 0);
	for (int i = 0; i < 5; i++)
		put32(b, 0);
	for (uint32_t i = 0; i < count; i++) {
		put32(b, list[i].flags);
		put32(b, base + (uint32_t)strings.len);
		buf_add(&strings, list[i].name, strlen(list[i].name) + 1);
		put32(b, base + (uint32_t)strings.len);
		buf_add(&strings, list[i].path, strlen(list[i].path) + 1);
		put32(b, 0);
		put64(b, list[i].hwcap);
	}
	buf_span(b, buf_get(&strings));
}

/* Downwards: 10 before 9, letters behind digits are larger. */
static const struct made list[] = {
	{ "libz.so.1", "/lib/x86_64-linux-gnu/libz.so.1", 0x303, 0 },
	{ "librocblas.so.10", "/opt/new/librocblas.so.10", 0x303, 0 },
	{ "librocblas.so.5", "/opt/v3/librocblas.so.5", 0x303, (uint64_t)1 << 62 },
	{ "librocblas.so.5", "/usr/lib/i386-linux-gnu/librocblas.so.5", 0x3, 0 },
	{ "librocblas.so.5", "/usr/lib/x86_64-linux-gnu/librocblas.so.5", 0x303, 0 },
	{ "libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so.6", 0x303, 0 },
};

static const struct {
	const char *name;
	uint32_t flags;
	const char *path; /* NULL: not found */
	const char *why;
} finds[] = {
	{ "librocblas.so.5", 0x303, "/usr/lib/x86_64-linux-gnu/librocblas.so.5",
	  "the plain one of our processor, behind others of the same name" },
	{ "librocblas.so.5", 0x3, "/usr/lib/i386-linux-gnu/librocblas.so.5", "of 32 bits" },
	{ "librocblas.so.5", 0xa03, NULL, "none for this processor" },
	{ "librocblas.so.10", 0x303, "/opt/new/librocblas.so.10", "numbers are numbers" },
	{ "libz.so.1", 0x303, "/lib/x86_64-linux-gnu/libz.so.1", "the first" },
	{ "libamdhip64.so.6", 0x303, "/opt/rocm/lib/libamdhip64.so.6", "the last" },
	{ "libamdhip64.so", 0x303, NULL, "the beginning of a name is none" },
	{ "", 0x303, NULL, "an empty name" },
};

static void finds_by_name(bool with_old)
{
	struct buf file BUF_SCOPED = { 0 };
	struct ld_cache cache;
	struct span path;

	make(&file, with_old, list, sizeof(list) / sizeof(list[0]));
	if (!CHECK(ld_cache_open(buf_get(&file), &cache)))
		return;
	for (size_t i = 0; i < sizeof(finds) / sizeof(finds[0]); i++) {
		bool found = ld_cache_find(&cache, span_of(finds[i].name), finds[i].flags, &path);

		if (!CHECK(found == (finds[i].path != NULL) &&
			   (!found || span_is(path, finds[i].path))))
			printf("  %s: %s\n", finds[i].name, finds[i].why);
	}
}

static const struct {
	const char *a, *b;
	int order;
	const char *why;
} orders[] = {
	{ "libx.so.9", "libx.so.10", -1, "as numbers" },
	{ "libx.so.1", "libx.so.1", 0, "equal" },
	{ "libx.so.01", "libx.so.1", 0, "zeros in front" },
	{ "libx.so", "libx.so.1", -1, "the shorter first" },
	{ "libx1", "libxa", 1, "a digit is above a letter" },
	{ "liba", "libb", -1, "letters" },
	{ "", "", 0, "nothing" },
};

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void compares_as_glibc(void)
{
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		int one = sign(ld_cache_compare(span_of(orders[i].a), span_of(orders[i].b)));
		int other = sign(ld_cache_compare(span_of(orders[i].b), span_of(orders[i].a)));

		if (!CHECK(one == orders[i].order && other == -orders[i].order))
			printf("  %s, %s: %s\n", orders[i].a, orders[i].b, orders[i].why);
	}
}

/* Cut anywhere: no answer, or one that lies in the file. */
static void survives_cuts(void)
{
	struct buf file BUF_SCOPED = { 0 };
	struct ld_cache cache;
	struct span path;

	make(&file, true, list, sizeof(list) / sizeof(list[0]));
	for (size_t n = 0; n < file.len; n++) {
		char *copy = malloc(n + 1);

		memcpy(copy, file.data, n);
		if (ld_cache_open((struct span){ copy, n }, &cache) &&
		    ld_cache_find(&cache, SPAN_LITERAL("libz.so.1"), 0x303, &path))
			CHECK(path.data >= copy && path.data + path.len < copy + n);
		free(copy);
	}
}

static void refuses(void)
{
	struct buf file BUF_SCOPED = { 0 };
	uint32_t huge = 0xffffffff;
	struct ld_cache cache;

	CHECK(!ld_cache_open(SPAN_LITERAL(""), &cache));
	CHECK(!ld_cache_open(SPAN_LITERAL("ld.so-1.7.0"), &cache));
	make(&file, false, list, 6);
	memcpy(file.data + 20, &huge, sizeof(huge));
	CHECK(!ld_cache_open(buf_get(&file), &cache)); /* more entries than bytes */
}

/* ---- this machine's, where there is one ---- */

static void reads_our_own(void)
{
	struct buf file BUF_SCOPED = { 0 };
	struct ld_cache_entry e;
	struct ld_cache cache;
	struct span path;
	FILE *f = fopen("/etc/ld.so.cache", "rb");
	char bytes[4096];
	size_t n;

	if (!f)
		return;
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(&file, bytes, n);
	fclose(f);
	if (!CHECK(ld_cache_open(buf_get(&file), &cache)))
		return;
	CHECK(cache.count > 10);
	for (uint32_t i = 0; i < cache.count; i++)
		CHECK(ld_cache_entry(&cache, i, &e) && e.path.len > 0 && e.path.data[0] == '/' &&
		      (e.hwcap || ld_cache_find(&cache, e.name, e.flags, &path)));
}

int main(void)
{
	finds_by_name(false);
	finds_by_name(true);
	compares_as_glibc();
	survives_cuts();
	refuses();
	reads_our_own();
	return check_end();
}
