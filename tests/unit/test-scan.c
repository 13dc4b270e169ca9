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

static const struct span asked[] = { LITERAL("is_available()") };

static const struct span echoed[] = { LITERAL("echo $OVERRIDE") };

static const struct signature signatures[] = {
	{ "oom", "out of memory\\. Tried to allocate (?<tried>[\\d.]+ [MG]iB)", oom, 1 },
	{ "arch", "GPU arch ?: (?<gfx>gfx[0-9a-f]+)", arch, 2 },
	{ "crash", NULL, plain, 1 },
	{ "broken", "(", plain, 1 }, /* lint refuses it; here it must only be silent */
	{ "answer", NULL, asked, 1, "^(?:Out: )?False\\s*$" },
	{ "shown", "echo (?<name>\\S+)", echoed, 1, "^(?<value>[\\d.]+)\\s*$" },
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
	struct scan *s = scan_new(signatures, 6);

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
	{ "a literal inside of a longer word",
	  LITERAL("Segmentation faults are bad\nxSegmentation fault\n"), "" },
	{ "the same literal as a word of its own, later in the line",
	  LITERAL("SIGSegmentation fault: Segmentation fault\n"), "crash@1*1\n" },
	{ "a colour before the word is no part of it", LITERAL("\33[31mSegmentation fault\33[0m\n"),
	  "crash@1*1\n" },
	{ "an answer on the line below", LITERAL(">>> is_available()\nFalse\nx\n"),
	  "answer@1*1\n" },
	{ "the text ends with the answer", LITERAL("a\n>>> is_available()\r\n\r\nOut: False"),
	  "answer@2*1\n" },
	{ "another answer", LITERAL("is_available()\nTrue\nFalse\n"), "" },
	{ "no answer", LITERAL("is_available()\n"), "" },
	{ "nothing but the question", LITERAL("is_available()"), "" },
	{ "asked twice, answered twice", LITERAL("is_available()\nFalse\nis_available()\nFalse\n"),
	  "answer@1*2\n" },
	{ "asked twice, and then answered", LITERAL("is_available()\nis_available()\nFalse\n"),
	  "answer@2*1\n" },
	{ "an answer in a string of JSON", LITERAL("{\"log\":\"is_available()\\nFalse\\nb\"}\n"),
	  "answer@1*1\n" },
	{ "values of both lines", LITERAL("$ echo $OVERRIDE\n11.0.0\n"),
	  "shown@1*1 name=$OVERRIDE value=11.0.0\n" },
	{ "another value below is another sample",
	  LITERAL("$ echo $OVERRIDE\n11.0.0\n$ echo $OVERRIDE\n10.3.0\n"),
	  "shown@1*2 name=$OVERRIDE value=11.0.0 name=$OVERRIDE value=10.3.0\n" },
	{ "no value below", LITERAL("$ echo $OVERRIDE\n$ ls\n"), "" },
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

	/* Bytes that begin like it, without a zero among them, are none. */
	buf_done(&got);
	scan_text(span_of("\xff\xfe\nSegmentation fault\r\n"), 4096, &got);
	CHECK_TEXT(got.data, "crash@2*1\n");
}

/* In UTF-16 of either order: two bytes a character, a face as a pair of them. */
static void widen(const char *text, bool big, struct buf *ret)
{
	static const unsigned int face[] = { 0xd83d, 0xde00 };

	buf_add(ret, big ? "\xfe\xff" : "\xff\xfe", 2);
	for (size_t i = 0; text[i]; i++) {
		unsigned int wide[2] = { (unsigned char)text[i], 0 };

		if (text[i] == '*')
			memcpy(wide, face, sizeof(face));
		for (size_t k = 0; k < (text[i] == '*' ? 2 : 1); k++) {
			char high = (char)(wide[k] >> 8), low = (char)wide[k];

			buf_char(ret, big ? high : low);
			buf_char(ret, big ? low : high);
		}
	}
}

/* Cut in two at every byte: in a literal, a colour, a CRLF, the mark of UTF-16, a pair of it. */
static void test_every_cut(void)
{
	static const char text[] = "x*y\r\n\r\n[0] \33[1mout of memory. Tried to allocate 2.00 GiB"
				   "\33[0m\r\n*\rGPU arch : gfx90c*\r\nSegmentation fault";
	static const char want[] = "oom@3*1 tried=2.00 GiB\narch@4*1 gfx=gfx90c\ncrash@5*1\n";
	struct buf forms[3] = { 0 };

	buf_text(&forms[0], text);
	widen(text, false, &forms[1]);
	widen(text, true, &forms[2]);
	for (size_t form = 0; form < 3; form++) {
		for (size_t cut = 0; cut <= forms[form].len; cut++) {
			struct scan *s = scan_new(signatures, 4);
			struct buf got BUF_SCOPED = { 0 };

			scan_feed(s, (struct span){ forms[form].data, cut });
			scan_feed(s,
				  (struct span){ forms[form].data + cut, forms[form].len - cut });
			scan_end(s);
			tell(s, &got);
			CHECK_TEXT(got.data ? got.data : "", want);
			CHECK_INT((long)scan_lines(s), 5);
			scan_free(s);
		}
		buf_done(&forms[form]);
	}
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

/*
 * A flood that begins and ends in one piece: lines before it were counted with
 * their pattern, and are not counted once more when those of the flood are.
 */
static void test_flood_in_one_piece(void)
{
	struct scan *s = scan_new(signatures, 4);
	const struct scan_event *const *events;
	struct buf text BUF_SCOPED = { 0 };
	size_t count;

	for (int i = 0; i < 5000; i++)
		buf_text(&text, "out of memory. Tried to allocate 2.00 GiB\n");
	buf_text(&text, "out of memory, and nothing tried\n");
	scan_feed(s, buf_get(&text));
	scan_end(s);
	events = scan_events(s, &count);
	CHECK_INT((long)count, 1);
	CHECK_INT((long)events[0]->count, 5000);
	CHECK_INT((long)events[0]->last_line, 5000);
	scan_free(s);
}

static long lines_of(struct span text)
{
	struct scan *s = scan_new(signatures, 4);
	long lines;

	scan_feed(s, text);
	scan_end(s);
	scan_end(s); /* who follows a file ends it more than once */
	lines = (long)scan_lines(s);
	scan_free(s);
	return lines;
}

/* Text behind the last newline is a line; what was pasted often has no other. */
static void test_lines(void)
{
	struct buf text BUF_SCOPED = { 0 };

	CHECK_INT(lines_of(span_of("")), 0);
	CHECK_INT(lines_of(span_of("\n")), 1);
	CHECK_INT(lines_of(span_of("Segmentation fault")), 1);
	CHECK_INT(lines_of(span_of("Segmentation fault\n")), 1);
	CHECK_INT(lines_of(span_of("a\nSegmentation fault")), 2);
	for (int i = 0; i < 300000; i++)
		buf_text(&text, "yy");
	CHECK_INT(lines_of(buf_get(&text)), 1);
}

/* More different values than are kept: that there are is known. */
static void test_more(void)
{
	for (int values = 8; values <= 9; values++) {
		struct scan *s = scan_new(signatures, 4);
		const struct scan_event *const *events;
		char line[64];
		size_t count;

		for (int i = 0; i < 20; i++) {
			snprintf(line, sizeof(line), "GPU arch : gfx%x\n", 0x900 + i % values);
			scan_feed(s, span_of(line));
		}
		scan_end(s);
		events = scan_events(s, &count);
		CHECK_INT((long)events[0]->sample_count, 8);
		CHECK(events[0]->more == (values == 9));
		CHECK_INT((long)scan_given_up(s), 0);
		scan_free(s);
	}
}

/* A line that a pattern takes too long for is not one that it does not hold for. */
static void test_given_up(void)
{
	static const struct span literal[] = { LITERAL("Segmentation") };
	static const struct signature slow = { "slow", "Segmentation (x+x+)+[yz]", literal, 1 };
	struct scan *s = scan_new(&slow, 1);
	struct buf line BUF_SCOPED = { 0 };

	buf_text(&line, "Segmentation ");
	for (int i = 0; i < 200; i++)
		buf_char(&line, 'x');
	scan_feed(s, buf_get(&line));
	scan_end(s);
	CHECK_INT((long)scan_given_up(s), 1);
	scan_free(s);
}

/*
 * Steps are charged, not bytes: of a pattern whose work grows with the square of the line not
 * all lines are asked about, and of one that is linear all are.
 */
static void test_steps(void)
{
	static const struct span literal[] = { LITERAL("Segmentation") };
	static const struct signature both[] = {
		{ "square", "Segmentation.*[yz]", literal, 1 },
		{ "linear", "^(?>.*?Segmentation).*?[yz]", literal, 1 },
	};

	for (size_t i = 0; i < 2; i++) {
		struct scan *s = scan_new(&both[i], 1);
		struct buf line BUF_SCOPED = { 0 };

		while (line.len < 3000)
			buf_text(&line, "Segmentation");
		buf_char(&line, '\n');
		for (int n = 0; n < 300; n++)
			scan_feed(s, buf_get(&line));
		scan_end(s);
		if (i == 0)
			CHECK((long)scan_given_up(s) > 200 && scan_given_up(s) < 300);
		else
			CHECK_INT((long)scan_given_up(s), 0);
		scan_free(s);
	}
}

/* A long line is looked at once a stretch, however many literals are in it. */
static void test_stretches(void)
{
	struct scan *s = scan_new(signatures, 4);
	struct buf text BUF_SCOPED = { 0 };
	const struct scan_event *const *events;
	size_t count;

	while (text.len < 100 * (size_t)SCAN_STRETCH)
		buf_text(&text, "GPU arch : gfx1100 ");
	scan_feed(s, buf_get(&text));
	scan_end(s);
	events = scan_events(s, &count);
	CHECK_INT((long)count, 1);
	CHECK_INT((long)events[0]->count, 100);
	CHECK_INT((long)scan_given_up(s), 0);
	scan_free(s);
}

/* What begins in one stretch and ends in the next is seen whole, wherever it stands. */
static void test_across_stretches(void)
{
	for (size_t at = SCAN_STRETCH - 60; at < SCAN_STRETCH + 20; at++) {
		struct buf text BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };

		for (size_t i = 0; i < 5 * (size_t)SCAN_STRETCH; i++)
			buf_char(&text, 'x');
		memcpy(text.data + at, " out of memory. Tried to allocate 2.00 GiB ", 43);
		scan_text(buf_get(&text), 100000, &got);
		CHECK_TEXT(got.data ? got.data : "", "oom@1*1 tried=2.00 GiB\n");
	}
}

/* A long string of JSON has lines, too. */
static void test_long_json(void)
{
	struct buf text BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };

	buf_text(&text, "{\"log\":\"");
	for (size_t i = 0; i < 1000; i++)
		buf_text(&text, "File \\\"train.py\\\", line 12\\n");
	buf_text(&text, "out of memory. Tried to \\nallocate\\nGPU arch : gfx90a\\n\"}\n");
	scan_text(buf_get(&text), 4096, &got);
	CHECK_TEXT(got.data, "arch@1*1 gfx=gfx90a\n");
}

/*
 * Many signatures that one text nominates: some are not asked, which is known,
 * and the same ones however the bytes come in.
 */
static void test_budget(void)
{
	static struct signature many[64];
	struct buf text BUF_SCOPED = { 0 };
	uint64_t given_up[2];

	for (size_t i = 0; i < 64; i++)
		many[i] = (struct signature){ "many", "out of memory[^x]*y", oom, 1 };
	while (text.len < 600000)
		buf_text(&text, "out of memory ");
	for (size_t i = 0; i < 2; i++) {
		struct scan *s = scan_new(many, 64);
		size_t piece = i == 0 ? text.len : 7001;

		for (size_t at = 0; at < text.len; at += piece)
			scan_feed(s,
				  (struct span){ text.data + at,
						 text.len - at < piece ? text.len - at : piece });
		scan_end(s);
		given_up[i] = scan_given_up(s);
		scan_free(s);
	}
	CHECK(given_up[0] > 0);
	CHECK_INT((long)given_up[1], (long)given_up[0]);
}

/* What was met is still there when all that reading takes is given back. */
static void test_close(void)
{
	struct scan *s = scan_new(signatures, 4);
	struct buf got BUF_SCOPED = { 0 };

	scan_feed(s, span_of("GPU arch : gfx90c\nGPU arch : gfx1036"));
	scan_end(s);
	scan_close(s);
	tell(s, &got);
	CHECK_TEXT(got.data, "arch@1*2 gfx=gfx90c gfx=gfx1036\n");
	CHECK_INT((long)scan_lines(s), 2);
	scan_free(s);
}

/* A line that is longer than all that is kept of a log still shows how it begins. */
static void test_tail_head(void)
{
	static const struct {
		int fill; /* of the long line, behind its first word */
		const char *behind;
		const char *head; /* the first word of what is kept of the cut line, or empty */
		int head_line;
		const char *text; /* how the text begins */
		int line;
	} tails[] = {
		{ 10, "\nend\n", "", 1, "first", 1 },
		{ 70000, "", "Error:", 2, "zzz", 2 },
		{ 70000, "\n", "Error:", 2, "zzz", 2 },
		{ 70000, "\nend\n", "Error:", 2, "end", 3 },
		{ 70000, "\rend", "Error:", 2, "end", 2 },
		{ 900000, "\nend\n", "Error:", 2, "end", 3 },
		{ (64 << 10) - 7, "\n", "", 2, "Error:", 2 }, /* it is the whole tail */
	};

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		for (size_t piece = 700; piece < 2000000; piece *= 30) {
			struct buf text BUF_SCOPED = { 0 };
			struct scan *s = scan_new(signatures, 4);
			struct scan_tail tail;

			buf_text(&text, "first\nError:");
			for (int n = 0; n < tails[i].fill; n++)
				buf_char(&text, 'z');
			buf_text(&text, tails[i].behind);
			for (size_t at = 0; at < text.len; at += piece)
				scan_feed(s, (struct span){ text.data + at, text.len - at < piece
										    ? text.len - at
										    : piece });
			scan_end(s);
			scan_tail(s, &tail);
			CHECK_INT((long)tail.head.len, tails[i].head[0] ? SCAN_TEXT_MAX : 0);
			CHECK(span_starts(tail.head, tails[i].head));
			CHECK_INT((long)tail.head_line, tails[i].head_line);
			CHECK(span_starts(tail.text, tails[i].text));
			CHECK_INT((long)tail.line, tails[i].line);
			scan_free(s);
		}
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

static void tell_all(struct scan *s, struct span text, struct buf *ret)
{
	struct scan_tail tail;

	scan_feed(s, text);
	scan_end(s);
	tell(s, ret);
	scan_tail(s, &tail);
	buf_addf(ret, "%llu lines, %llu given up, open %d, head %zu at %llu, tail at %llu\n",
		 (unsigned long long)scan_lines(s), (unsigned long long)scan_given_up(s),
		 scan_is_open(s), tail.head.len, (unsigned long long)tail.head_line,
		 (unsigned long long)tail.line);
	buf_span(ret, tail.text);
}

/* One scan for text after text finds what a new one finds in each. */
static void test_again(void)
{
	static const size_t sizes[] = { 0, 300, 2000000, 10, 70000, 5000, 0, 900000, 300 };
	struct scan *kept = scan_new(signatures, 6);
	unsigned int seed = 19;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct buf text BUF_SCOPED = { 0 };
		struct buf want BUF_SCOPED = { 0 }, got BUF_SCOPED = { 0 };
		struct scan *fresh = scan_new(signatures, 6);

		if (i == 4) /* UTF-16, by its first bytes */
			buf_text(&text, "\xff\xfe");
		make_text(&seed, sizes[i], &text);
		if (i % 2)
			buf_text(&text, "\nout of memory. Tried to allocate 1 GiB\nis_available()");
		tell_all(fresh, buf_get(&text), &want);
		tell_all(kept, buf_get(&text), &got);
		CHECK(span_same(buf_get(&got), buf_get(&want)));
		scan_free(fresh);
		scan_again(kept);
	}
	scan_free(kept);
}

int main(void)
{
	test_again();
	test_cases();
	test_flood_ends();
	test_flood_in_one_piece();
	test_lines();
	test_more();
	test_given_up();
	test_steps();
	test_close();
	test_tail_head();
	test_pieces();
	test_long_line();
	test_stretches();
	test_across_stretches();
	test_long_json();
	test_budget();
	test_utf16();
	test_every_cut();
	test_flood();
	CHECK(scan_free(NULL) == NULL);
	return check_end();
}
