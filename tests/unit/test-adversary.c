#include <string.h>

#include "base/buf.h"
#include "check.h"
#include "kb/adversary.h"
#include "scan/pattern-steps.h"

static const struct span literals[] = { { "docker run ", 11 }, { "podman run ", 11 } };

static const struct {
	const char *why, *pattern;
	bool linear;
} cases[] = {
	{ "words that are there or not", "docker run hello", true },
	{ "each beginning looks to the end", "docker run .*rocm/pytorch", false },
	{ "the first beginning alone does", "^(?>.*?docker run ).*?rocm/pytorch", true },
	{ "a run is looked at from each of its places", "\\w+ missing from", false },
	{ "a run is looked at once", "\\b\\w++ missing from", true },
	{ "two that step over the same", "docker run\\s*[:=]*\\s*xy", false },
	{ "a gap with an end", "docker run .{0,40}?rocm/", true },
	{ "a word that is no literal begins it", "(?:hip|rocm).*docker run", false },
	{ "a class, a name, a lookbehind, a count", "(?<!x)(?<n>[^a]{2}[]b][\\d.])docker run \\.",
	  true },
};

static double most_steps(const struct adversary *a, struct pattern_steps *steps, size_t size)
{
	struct buf text BUF_SCOPED = { 0 };
	uint64_t most = 0;

	for (size_t i = 0; i < adversary_count(a); i++) {
		uint64_t n;

		adversary_text(a, i, size, &text);
		CHECK_INT((long)text.len, (long)size);
		CHECK(!memchr(text.data, '\n', text.len));
		n = pattern_steps_count(steps, buf_get(&text), 1000 * size);
		most = n > most ? n : most;
	}
	return (double)most / (double)size;
}

/* A pattern is linear if a line of twice the length costs twice as much. */
static void test_patterns(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct adversary a = { literals, 2, cases[i].pattern };
		struct pattern_steps *steps = pattern_steps_new(a.pattern);
		double once = most_steps(&a, steps, 1024), twice = most_steps(&a, steps, 2048);

		CHECK(twice >= once * 0.5);
		if ((twice <= 1.3 * once || twice < 12) != cases[i].linear)
			CHECK_TEXT(cases[i].why, "");
		pattern_steps_free(steps);
	}
}

static void test_edges(void)
{
	const struct adversary bare = { literals, 2, NULL };
	struct pattern_steps *steps = pattern_steps_new("(?:a+)+[bc]");
	struct buf text BUF_SCOPED = { 0 };

	CHECK(pattern_steps_new("(") == NULL);
	CHECK(pattern_steps_free(NULL) == NULL);
	for (size_t i = 0; i < adversary_count(&bare); i++)
		adversary_text(&bare, i, 5, &text);
	for (int i = 0; i < 40; i++)
		buf_char(&text, 'a');
	CHECK_INT((long)pattern_steps_count(steps, buf_get(&text), 5000),
		  5000); /* and stops there */
	pattern_steps_free(steps);
}

int main(void)
{
	test_patterns();
	test_edges();
	return check_end();
}
