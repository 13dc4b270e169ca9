#include "report/html.h"

#include <string.h>

#include "check.h"

static void texts_are_escaped(void)
{
	struct buf out BUF_SCOPED = { 0 };
	const char *volatile nothing = NULL;

	html(&out, "<p title=\"%s\">%s</p>", "\" onload='x'", "<b>&amp;</b>");
	CHECK_TEXT(out.data,
		   "<p title=\"&quot; onload=&#39;x&#39;\">&lt;b&gt;&amp;amp;&lt;/b&gt;</p>");
	buf_clear(&out);
	html(&out, "%.*s|%s|%%", 2, "a<b", nothing);
	CHECK_TEXT(out.data, "a&lt;||%");
	buf_clear(&out);
	html(&out, "%.*s|", 12, "ab");
	CHECK_TEXT(out.data, "ab|");
}

static void numbers_are_those_of_printf(void)
{
	struct buf out BUF_SCOPED = { 0 };

	html(&out, "%d %u %zu %lld %llu %.2f %04x %ld", -1, 4000000000u, (size_t)-1, -5LL,
	     18446744073709551615ULL, 1.5, 10u, -7L);
	CHECK_TEXT(out.data,
		   "-1 4000000000 18446744073709551615 -5 18446744073709551615 1.50 000a -7");
}

/* Nothing of the page's own asks anybody for anything. */
static void a_page_needs_nobody(void)
{
	struct buf out BUF_SCOPED = { 0 };

	html_begin(&out, "</title><script>");
	html_end(&out);
	CHECK(strstr(out.data, "&lt;/title&gt;&lt;script&gt;") != NULL);
	CHECK(strstr(out.data, "<script") == NULL && strstr(out.data, "http") == NULL);
	CHECK(strstr(out.data, "url(") == NULL && strstr(out.data, "@import") == NULL);
	CHECK(strstr(out.data, "prefers-color-scheme: dark") != NULL &&
	      strstr(out.data, "@media print") != NULL);
}

int main(void)
{
	texts_are_escaped();
	numbers_are_those_of_printf();
	a_page_needs_nobody();
	return check_end();
}
