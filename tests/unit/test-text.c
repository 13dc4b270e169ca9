#include "base/text.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *one_line;
	const char *lines; /* NULL: the same */
	const char *why;
} cleans[] = {
	{ "plain", "plain", NULL, "nothing to do" },
	{ "", "", NULL, "empty" },
	{ "a\tb\nc", "a\\x09b\\x0ac", "a\tb\nc", "tab and newline only where lines are kept" },
	{ "a\rb", "a\\x0db", NULL, "a return rewrites a terminal's line" },
	{ "\033[31mred", "\\x1b[31mred", NULL, "a colour" },
	{ "\x7f", "\\x7f", NULL, "delete" },
	{ "\xc2\x9b", "\\xc2\\x9b", NULL, "a control of C1, which some terminals obey" },
	{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", NULL, "letters of two bytes" },
	{ "\xe2\x82\xac", "\xe2\x82\xac", NULL, "three bytes" },
	{ "\xf0\x9f\x94\xa5", "\xf0\x9f\x94\xa5", NULL, "four bytes" },
	{ "\xe2\x80\xae"
	  "abc",
	  "\\xe2\\x80\\xaeabc", NULL, "right-to-left override" },
	{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b", NULL, "a blank of no width" },
	{ "\xef\xbb\xbf"
	  "a",
	  "\\xef\\xbb\\xbfa", NULL, "byte order mark" },
	{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8", NULL, "a line separator" },
	{ "\xff\xfe", "\\xff\\xfe", NULL, "never valid" },
	{ "\xc0\xaf", "\\xc0\\xaf", NULL, "an overlong slash" },
	{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf", NULL, "more overlong" },
	{ "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf", NULL, "most overlong" },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80", NULL, "a surrogate" },
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", NULL, "past the last code point" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", NULL, "the last code point" },
	{ "\xe2\x82", "\\xe2\\x82", NULL, "cut off" },
	{ "\x80", "\\x80", NULL, "a tail without a head" },
};

static void test_clean(void)
{
	for (size_t i = 0; i < COUNT_OF(cleans); i++) {
		const char *lines = cleans[i].lines ? cleans[i].lines : cleans[i].one_line;
		struct buf out BUF_SCOPED = { 0 };
		struct span s = span_of(cleans[i].text);

		text_clean(&out, s, false);
		ROW_SPAN(buf_get(&out), cleans[i].one_line, cleans[i].why);
		ROW_CHECK(text_is_clean(s, false) == span_is(s, cleans[i].one_line), cleans[i].why);
		buf_clear(&out);
		text_clean(&out, s, true);
		ROW_SPAN(buf_get(&out), lines, cleans[i].why);
		ROW_CHECK(text_is_clean(s, true) == span_is(s, lines), cleans[i].why);
		ROW_CHECK(text_is_clean(buf_get(&out), true), cleans[i].why);
	}
}

static const struct {
	const char *text, *safe, *why;
} commands[] = {
	{ "a::b\nsee ## [x] #[y]\n", "a::b\nsee ## [x] #[y]\n", "no command" },
	{ "::error::x", ": :error::x", "first of all" },
	{ "a\n::set-env name=PATH::/evil\n", "a\n: :set-env name=PATH::/evil\n", "in a line" },
	{ "a\n \t  ::error::x", "a\n \t  : :error::x", "behind blanks" },
	{ "a\r::error::x", "a\r: :error::x", "behind a return" },
	{ "\xe3\x80\x80\xc2\xa0::error::x", "\xe3\x80\x80\xc2\xa0: :error::x",
	  "behind blanks of other scripts" },
	{ "\xef\xbb\xbf::error::x", "\xef\xbb\xbf: :error::x", "behind a byte order mark" },
	{ "a ##[add-mask]x", "a ## [add-mask]x", "the older form, anywhere" },
	{ "###[error]", "### [error]", "more marks" },
	{ ":::error::x", ": ::error::x", "three marks" },
	{ ":", ":", "one mark" },
	{ "##", "##", "two marks" },
};

/* text_defuse() of what it made changes nothing: nothing is left to obey. */
static void test_defuse(void)
{
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		struct buf out BUF_SCOPED = { 0 }, again BUF_SCOPED = { 0 };

		text_defuse(&out, span_of(commands[i].text));
		ROW_SPAN(buf_get(&out), commands[i].safe, commands[i].why);
		text_defuse(&again, buf_get(&out));
		ROW_SPAN(buf_get(&again), commands[i].safe, commands[i].why);
	}
}

static void test_zero_byte(void)
{
	struct buf out BUF_SCOPED = { 0 };

	text_clean(&out, (struct span){ "a\0b", 3 }, true);
	CHECK_SPAN(buf_get(&out), "a\\x00b");
}

static void test_utf8(void)
{
	CHECK_INT(text_utf8(SPAN_LITERAL("a")), 1);
	CHECK_INT(text_utf8(SPAN_LITERAL("\xc3\xbc"
					 "x")),
		  2);
	CHECK_INT(text_utf8(SPAN_LITERAL("\xe2\x82\xac")), 3);
	CHECK_INT(text_utf8(SPAN_LITERAL("\xf0\x9f\x94\xa5")), 4);
	CHECK_INT(text_utf8(SPAN_LITERAL("\xff")), 0);
	CHECK_INT(text_utf8((struct span){ NULL, 0 }), 0);
	CHECK_INT(text_width(SPAN_LITERAL("gr\xc3\xbc\xc3\x9f\xe2\x82\xac")), 5);
	CHECK_INT(text_width(SPAN_LITERAL("")), 0);
}

/* Every byte, alone and beside itself, must come back. */
static void test_words(void)
{
	int wrong = 0;

	for (int c = 0; c < 256; c++) {
		const char bytes[] = { (char)c, 'a', (char)c, (char)c };
		struct buf word BUF_SCOPED = { 0 };
		struct buf back BUF_SCOPED = { 0 };
		struct span rest, first;

		text_word(&word, (struct span){ bytes, sizeof(bytes) });
		rest = buf_get(&word);
		wrong += !span_word(&rest, &first) || first.len != word.len;
		wrong += !text_is_clean(buf_get(&word), false);
		wrong += !text_unword(&back, buf_get(&word));
		wrong += back.len != sizeof(bytes) || memcmp(back.data, bytes, sizeof(bytes)) != 0;
	}
	CHECK_INT(wrong, 0);
}

static const struct {
	const char *word;
	const char *text; /* NULL: refused */
	const char *why;
} words[] = {
	{ "my\\x20disk", "my disk", "a blank" },
	{ "a\\x5cb", "a\\b", "the backslash itself" },
	{ "a\\x5C", "a\\", "upper case is read too" },
	{ "a\\", NULL, "cut off" },
	{ "a\\x2", NULL, "one digit" },
	{ "a\\n", NULL, "another escape" },
	{ "a\\xg0", NULL, "no digit" },
	{ "a\\x0x", NULL, "not a prefix" },
};

static void test_unword(void)
{
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		struct buf out BUF_SCOPED = { 0 };
		bool good = text_unword(&out, span_of(words[i].word));

		ROW_CHECK(good == (words[i].text != NULL), words[i].why);
		if (good && words[i].text)
			ROW_SPAN(buf_get(&out), words[i].text, words[i].why);
	}
}

static const struct {
	const char *text, *shell, *why;
} shells[] = {
	{ "runs/a-1", "runs/a-1", "nothing to quote" },
	{ "my dir", "'my dir'", "a blank" },
	{ "it's", "'it'\\''s'", "a quote" },
	{ "", "''", "an empty word" },
	{ "a\x1b]0;x\a", "$'a\\x1b]0;x\\x07'", "an escape of a terminal" },
	{ "it's\n\\", "$'it\\'s\\x0a\\\\'", "a quote and a backslash in it" },
	{ "a\xff", "$'a\\xff'", "no UTF-8" },
};

static void test_shell(void)
{
	for (size_t i = 0; i < COUNT_OF(shells); i++) {
		struct buf out BUF_SCOPED = { 0 };

		text_shell(&out, span_of(shells[i].text));
		ROW_SPAN(buf_get(&out), shells[i].shell, shells[i].why);
	}
}

/* A name that a command works on is no option of it. */
static void check_operands(void)
{
	static const struct {
		const char *name, *want;
	} cases[] = { { "a.log", "a.log" },
		      { "-rf", "./-rf" },
		      { "--help", "./--help" },
		      { "-", "./-" },
		      { "-1", "'-1'" },
		      { "a b", "'a b'" },
		      { "-o /etc/x", "'./-o /etc/x'" },
		      { "/-x", "/-x" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out BUF_SCOPED = { 0 };

		text_operand(&out, span_of(cases[i].name));
		CHECK(strcmp(out.data, cases[i].want) == 0);
	}
}

/* The last look at an answer: lines and, if wanted, our colours. */
static void check_screen(void)
{
	static const struct {
		const char *text, *with, *without;
	} cases[] = {
		{ "a\tb\n", "a\tb\n", "a\tb\n" },
		{ "a\r\nb", "a\r\nb", "a\r\nb" },
		{ "a\rb", "a\\x0db", "a\\x0db" },
		{ "\x1b[1;31mx\x1b[0m", "\x1b[1;31mx\x1b[0m", "\\x1b[1;31mx\\x1b[0m" },
		{ "\x1b[2J", "\\x1b[2J", "\\x1b[2J" },
		{ "\x1b]0;x\x07", "\\x1b]0;x\\x07", "\\x1b]0;x\\x07" },
		{ "\x1b[31", "\\x1b[31", "\\x1b[31" },
		{ "\xc2\x9b"
		  "1m",
		  "\\xc2\\x9b"
		  "1m",
		  "\\xc2\\x9b"
		  "1m" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae", "\\xe2\\x80\\xae" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf with BUF_SCOPED = { 0 }, without BUF_SCOPED = { 0 };

		text_screen(&with, span_of(cases[i].text), true);
		text_screen(&without, span_of(cases[i].text), false);
		CHECK(strcmp(with.data, cases[i].with) == 0);
		CHECK(strcmp(without.data, cases[i].without) == 0);
	}
}

static void check_slugs(void)
{
	static const char *const bad[] = {
		"",    "-",    "-a",
		"a-",  "a--b", "A",
		"a_b", "a b",  "a23456789-123456789-123456789-123456789-123456789"
	};

	CHECK(text_is_slug(SPAN_LITERAL("a")));
	CHECK(text_is_slug(SPAN_LITERAL("vram-full-2")));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!text_is_slug(span_of(bad[i])));
}

/* "aä€" has six bytes: where half of a character would be left, none of it is. */
static void test_cut(void)
{
	static const size_t kept[] = { 0, 1, 1, 3, 3, 3, 6, 6 };

	for (size_t most = 0; most < sizeof(kept) / sizeof(kept[0]); most++)
		CHECK_INT(text_cut(span_of("a\xc3\xa4\xe2\x82\xac"), most).len, kept[most]);
}

int main(void)
{
	test_cut();
	check_operands();
	check_slugs();
	check_screen();
	test_clean();
	test_defuse();
	test_zero_byte();
	test_utf8();
	test_words();
	test_unword();
	test_shell();
	return check_end();
}
