#include "report/document.h"

#include <string.h>

#include "check.h"

#define EVIL "<b> `x` |y| *z* @all"

static struct document_node *build(struct document *d)
{
	struct document_node *answer = document_add(d, &d->root, DOCUMENT_ANSWER, "It is " EVIL);
	struct document_node *steps, *step, *seen;

	answer->mark = PAGE_PROBLEM;
	answer->name = "some-cause";
	answer->word = "likely";
	document_addf(d, answer, DOCUMENT_TEXT, "More: `show %s`", EVIL);
	steps = document_add(d, answer, DOCUMENT_SECTION, "Do this");
	step = document_add(d, steps, DOCUMENT_STEP, "First");
	document_add_lines(d, step, "Words\n    a && b\n    c\n\nthen\n");
	document_add(d, steps, DOCUMENT_STEP, "Second")->forms = DOCUMENT_PAGE;
	seen = document_add(d, answer, DOCUMENT_SECTION, "Seen");
	document_add(d, seen, DOCUMENT_SIGN, EVIL)->place = "train.log:1";
	return answer;
}

static void text_has_what_it_shows(void)
{
	struct buf out BUF_SCOPED = { 0 };
	struct page p = { &out, 60, false, false };
	struct document d = { 0 };

	build(&d);
	document_text(&d, DOCUMENT_SHORT, &(struct document_style){ 2, true }, &p);
	CHECK_TEXT(out.data,
		   "!! It is " EVIL "            some-cause - likely\n"
		   "   More: show " EVIL "\n"
		   "\n  Do this\n"
		   "    1  First\n       Words\n         a && b\n         c\n       then\n"
		   "\n  Seen\n    train.log:1  " EVIL "\n");
	document_done(&d);
}

static void pages_escape_what_is_not_ours(void)
{
	struct buf out BUF_SCOPED = { 0 };
	struct document d = { 0 };

	build(&d);
	document_html.write(&d, NULL, &out);
	CHECK(strstr(out.data, "<b>") == NULL);
	CHECK(strstr(out.data, "More: <code>show &lt;b&gt; `x` |y| *z* @all</code>") != NULL);
	CHECK(strstr(out.data, "<p>Words</p>\n<pre><code>a &amp;&amp; b\nc</code></pre>") != NULL);
	CHECK(strstr(out.data, "<summary>Second</summary>") != NULL);
	buf_clear(&out);
	document_markdown.write(&d, NULL, &out);
	CHECK(strstr(out.data, "### It is &lt;b&gt; \\`x\\` \\|y\\| \\*z\\* @&#8203;all\n") !=
	      NULL);
	CHECK(strstr(out.data, "More: `` show <b> `x` \\|y\\| *z* @all ``") != NULL);
	CHECK(strstr(out.data, "1. First\n\n   Words\n\n   ````sh\n   a && b\n   c\n   ````\n") !=
	      NULL);
	CHECK(strstr(out.data, "2. Second\n") != NULL);
	document_done(&d);
}

/* A step that does not fit keeps its title; a fence that is begun is ended. */
static void brief_keeps_to_its_lines(void)
{
	for (size_t most = 1; most < 30; most++) {
		struct buf out BUF_SCOPED = { 0 };
		struct document d = { 0 };
		size_t fences = 0;

		document_brief(build(&d), DOCUMENT_COMMENT, most, &out);
		CHECK(strstr(out.data, "1. First\n") != NULL);
		for (const char *at = out.data; (at = strstr(at, "````")); at += 4)
			fences++;
		CHECK(fences == 0 || fences == 2);
		CHECK((fences == 2) == (most >= 16));
		document_done(&d);
	}
}

int main(void)
{
	text_has_what_it_shows();
	pages_escape_what_is_not_ours();
	brief_keeps_to_its_lines();
	return check_end();
}
