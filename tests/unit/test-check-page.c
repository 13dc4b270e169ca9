#include "check.h"
#include "report/page.h"

/* A heading or a pair on a page of some width, without and with what a terminal can show. */
static const struct {
	const char *why;
	size_t width;
	bool fancy;
	bool pair;
	enum page_mark mark;
	const char *left;
	const char *right;
	const char *want;
} cases[] = {
	{ "both on one line, the right one at the end", 40, false, false, PAGE_PROBLEM,
	  "It is broken", "cause - likely", "!! It is broken           cause - likely\n" },
	{ "just enough room", 40, false, false, PAGE_GOOD, "123456789 1234567890", "cause - likely",
	  "ok 123456789 1234567890   cause - likely\n" },
	{ "too long for one line", 40, false, false, PAGE_WARNING, "123456789 123456789 12345",
	  "cause - likely",
	  "!  123456789 123456789 12345\n                          cause - likely\n" },
	{ "wrapped at words", 40, false, false, PAGE_UNDECIDED,
	  "one two three four five six seven eight nine ten", "c",
	  "?? one two three four five six seven\n   eight nine ten\n                                       c\n" },
	{ "a word that is longer than the line stays whole", 40, false, false, PAGE_NOTE,
	  "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0", "c",
	  "-  /sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0\n                                       c\n" },
	{ "colours end where the line ends", 40, true, false, PAGE_PROBLEM, "Bad", "c",
	  "\x1b[31m\xe2\x9c\x97 \x1b[0m \x1b[1m"
	  "Bad\x1b[0m                                 \x1b[2mc\x1b[0m\n" },
	{ "width is counted in letters, not bytes", 40, false, false, PAGE_PROBLEM,
	  "\xc3\xa4\xc3\xb6\xc3\xbc", "c",
	  "!! \xc3\xa4\xc3\xb6\xc3\xbc                                 c\n" },
	{ "evidence keeps its weight on the first line", 40, false, true, PAGE_GOOD,
	  "one two three four five six seven eight nine", "+45 dB",
	  "     one two three four five six  +45 dB\n       seven eight nine\n" },
	{ "line breaks in the knowledge are blanks", 40, false, true, PAGE_GOOD,
	  "one\ntwo\n\n three", "+1 dB", "     one two three                 +1 dB\n" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out BUF_SCOPED = { 0 };
		struct page p = { &out, cases[i].width, cases[i].fancy, cases[i].fancy };

		if (cases[i].pair)
			page_pair(&p, 5, cases[i].left, cases[i].right);
		else
			page_heading(&p, cases[i].mark, cases[i].left, cases[i].right);
		if (!check_note(strcmp(out.data, cases[i].want) == 0, __FILE__, __LINE__,
				cases[i].why))
			printf("got\n%swant\n%s", out.data, cases[i].want);
	}
	CHECK_INT(page_width(0), 80);
	CHECK_INT(page_width(10), 40);
	CHECK_INT(page_width(100), 100);
	CHECK_INT(page_width(400), 120);
	return check_end();
}
