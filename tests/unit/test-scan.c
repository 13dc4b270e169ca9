#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"
#include "scan/scan.h"

/* As SPAN_LITERAL, for static tables. */
#define LITERAL(text)                  \
	{                              \
		text, sizeof(text) - 1 \
	}

static const struct span oom[] = { LITERAL("out of memory") };
static const struct span arch[] = { LITERAL("GPU arch : "), LITERAL("GPU arch: gfx") };
static const struct span plain[] = { LITERAL("Segmentation fault") };

static const struct signature signatures[] = {
	{ "oom", "out of memory\\. Tried to allocate (?<tried>[\\d.]+ [MG]iB)", oom, 1 },
	{ "arch", "GPU arch ?: (?<gfx>gfx[0-9a-f]+)", arch, 2 },
	{ "crash", NULL, plain, 1 },
	{ "broken", "(", plain, 1 }, /* lint refuses it; here it must only be silent */
};

/* What was met, as "id@line*count name=value;...\n". */
static void tell(struct scan *s, struct buf *ret)
{
	size_t count;
	const struct scan_event *const *events = scan_events(s, &count);

	for (size_t i = 0; i < count; i++) {
		const struct scan_event *e = events[i];

		buf_addf(ret, "%s@%llu*%llu", e->signature->id,
			 (unsigned long long)e->samples[0].line, (unsigned long long)e->count);
		for (size_t k = 0; k < e->sample_count; k++)
			for (size_t v = 0; v < e->samples[k].value_count; v++)
				buf_addf(ret, " %s=%s", e->samples[k].values[v].name,
					 e->samples[k].values[v].value);
		buf_char(ret, '\n');
	}
}

static void scan_text(struct span text, size_t piece, struct buf *ret)
{
	struct scan *s = scan_new(signatures, 4);

	for (size_t at = 0; at < text.len; at += piece)
		scan_feed(s, (struct span){ text.data + at,
					    text.len - at < piece ? text.len - at : piece });
	scan_end(s);
	tell(s, ret);
	scan_free(s);
}

static const struct {
	const char *why;
	struct span text;
	const char *want;
} cases[] = {
	{ "a line without its newline", LITERAL("x\nHIP out of memory. Tried to allocate 2.00 GiB"),
	  "oom@2*1 tried=2.00 GiB\n" },
	{ "the literal alone does not make a match", LITERAL("we are out of memory again\n"), "" },
	{ "colours around and inside of the text",
	  LITERAL("\033[31m[rank0]: out of memory. \033[1mTried to allocate 20.00 MiB\033[0m\n"),
	  "oom@1*1 tried=20.00 MiB\n" },
	{ "a progress bar ends its line with a return",
	  LITERAL(" 10%|#   |\r 20%|##  |\rSegmentation fault\n"), "crash@1*1\n" },
	{ "a traceback in one string of JSON",
	  LITERAL("{\"log\":\"a\\nrocBLAS \\\"x\\\" for GPU arch : gfx1031\\nb\"}\n"),
	  "arch@1*1 gfx=gfx1031\n" },
	{ "two tracebacks in one string of JSON are two",
	  LITERAL("{\"log\":\"GPU arch : gfx1031\\nGPU arch : gfx1036\"}\n"),
	  "arch@1*2 gfx=gfx1031 gfx=gfx1036\n" },
	{ "a path of Windows is no escape", LITERAL("C:\\new\\rocm for GPU arch : gfx1101\n"),
	  "arch@1*1 gfx=gfx1101\n" },
	{ "the literal twice in a line is one event",
	  LITERAL("Segmentation fault, Segmentation fault\n"), "crash@1*1\n" },
	{ "equal values are kept once, and counted",
	  LITERAL("GPU arch : gfx90c\nGPU arch: gfx90c\nGPU arch : gfx1036\n"),
	  "arch@1*3 gfx=gfx90c gfx=gfx1036\n" },
	{ "zero bytes", LITERAL("a\0b\nSegmentation fault\n"), "crash@2*1\n" },
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t piece = 1; piece < 40; piece += 13) {
			struct buf got BUF_SCOPED = { 0 };

			buf_text(&got, "");
			scan_text(cases[i].text, piece, &got);
			CHECK_TEXT(got.data ? got.data : "", cases[i].want);
		}
}

/* A gigabyte without a newline is looked at in pieces; what stands across two is found once. */
static void test_long_line(void)
{
	struct buf text BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };

	for (size_t i = 0; i < 300000; i++)
		buf_char(&text, 'x');
	for (size_t i = 0; i < 40; i++) {
		buf_text(&text, " GPU arch : gfx1100 ");
		for (size_t k = 0; k < 20011; k++)
			buf_char(&text, 'y');
	}
	scan_text(buf_get(&text), 65536, &got);
	CHECK(span_starts(buf_get(&got), "arch@1*40 gfx=gfx1100"));
}

static void test_utf16(void)
{
	static const char line[] = "Segmentation fault\r\n";
	struct buf text BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };

	buf_add(&text, "\xff\xfe", 2);
	for (size_t i = 0; line[i]; i++) {
		buf_char(&text, line[i]);
		buf_char(&text, '\0');
	}
	scan_text(buf_get(&text), 4096, &got);
	CHECK_TEXT(got.data, "crash@1*1\n");
}

/* More lines than are kept: the number is true and memory does not grow. */
static void test_flood(void)
{
	struct scan *s = scan_new(signatures, 4);
	const struct scan_event *const *events;
	char line[64];
	size_t count;

	for (int i = 0; i < 100000; i++) {
		snprintf(line, sizeof(line), "GPU arch : gfx%x\n", i);
		scan_feed(s, span_of(line));
	}
	scan_end(s);
	events = scan_events(s, &count);
	CHECK_INT((long)count, 1);
	CHECK_INT((long)events[0]->count, 100000);
	CHECK_INT((long)events[0]->last_line, 100000);
	CHECK_INT((long)events[0]->sample_count, SCAN_SAMPLES_MAX);
	CHECK_INT((long)scan_lines(s), 100000);
	scan_free(s);
}

/*
 * In a flood the pattern is asked about the last line of a piece; where that
 * fails, about all of them: first and last are exact whatever comes.
 */
static void test_flood_ends(void)
{
	struct scan *s = scan_new(signatures, 4);
	const struct scan_event *const *events;
	struct buf text BUF_SCOPED = { 0 };
	size_t count;

	for (int i = 0; i < 40000; i++)
		buf_text(&text, i < 30000 ? "out of memory. Tried to allocate 2.00 GiB\n"
					  : "out of memory, and nothing tried\n");
	scan_feed(s, buf_get(&text));
	scan_end(s);
	events = scan_events(s, &count);
	CHECK_INT((long)count, 1);
	CHECK_INT((long)events[0]->samples[0].line, 1);
	CHECK_INT((long)events[0]->last_line, 30000);
	CHECK_INT((long)events[0]->count, 30000);
	scan_free(s);
}

/* All kinds of dress, lines longer than the room, words cut in two. */
static void make_text(unsigned int *seed, size_t size, struct buf *ret)
{
	static const struct span pieces[] = {
		LITERAL("out of memory. Tried to allocate 20.00 MiB"),
		LITERAL("out of memory"),
		LITERAL("GPU arch : gfx1100"),
		LITERAL("GPU arch: gfx90a"),
		LITERAL("Segmentation fault"),
		LITERAL("\n"),
		LITERAL("\r"),
		LITERAL("\033[31m"),
		LITERAL("\\n"),
		LITERAL("{\"log\":\""),
		LITERAL("\0"),
		LITERAL("Segmentation fau"),
	};

	while (ret->len < size) {
		size_t pick = (size_t)rand_r(seed) % (sizeof(pieces) / sizeof(pieces[0]));
		size_t fill = rand_r(seed) % 6 == 0 ? 5000 : (size_t)rand_r(seed) % 60;

		if (rand_r(seed) % 4000 == 0)
			fill = 600000;
		buf_span(ret, pieces[pick]);
		for (size_t i = 0; i < fill; i++)
			buf_char(ret, 'x');
	}
}

/* However the bytes come in, the same is found. */
static void test_pieces(void)
{
	unsigned int seed = 11;

	for (int round = 0; round < 6; round++) {
		struct buf text BUF_SCOPED = { 0 }, want BUF_SCOPED = { 0 };

		make_text(&seed, 3000000, &text);
		scan_text(buf_get(&text), text.len, &want);
		for (int i = 0; i < 4; i++) {
			struct buf got BUF_SCOPED = { 0 };
			struct scan *s = scan_new(signatures, 4);
			size_t most = i == 0 ? 40 : (size_t)1 << (4 + rand_r(&seed) % 17);

			for (size_t at = 0, n; at < text.len; at += n) {
				n = 1 + (size_t)rand_r(&seed) % most;
				if (n > text.len - at)
					n = text.len - at;
				scan_feed(s, (struct span){ text.data + at, n });
			}
			scan_end(s);
			tell(s, &got);
			scan_free(s);
			CHECK_TEXT(got.data, want.data);
		}
	}
}

int main(void)
{
	test_cases();
	test_flood_ends();
	test_pieces();
	test_long_line();
	test_utf16();
	test_flood();
	CHECK(scan_free(NULL) == NULL);
	return check_end();
}
