#include "base/did-you-mean.h"

#include <string.h>

#include "check.h"

static const struct {
	const char *a, *b;
	size_t want;
} pairs[] = {
	{ "", "", 0 },           { "", "abc", 3 },
	{ "abc", "", 3 },        { "check", "check", 0 },
	{ "chek", "check", 1 },  { "checkk", "check", 1 },
	{ "chcek", "check", 1 }, { "ceck", "check", 1 },
	{ "facts", "fatcs", 1 }, { "kitten", "sitting", 3 },
	{ "ab", "ba", 1 },       { "ca", "abc", 3 },
};

static const struct {
	const char *word, *words, *want;
} meant[] = {
	{ "chekc", "check explain", "check" },
	{ "ch", "check explain", "" },
	{ "kv", "kb run", "kb" },
	{ "xy", "kb run", "" },
	{ "frobnicate", "check explain", "" },
	{ "vram-exhuasted", "vram-in-use vram-exhausted", "vram-exhausted" },
	{ "join-render", "join-video join-render-group", "join-render-group" },
	{ "", "a bc", "" },
	{ "9", "1 2 3", "" },
	{ "yaml", "text json html", "" },
};

int main(void)
{
	char large[100];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!CHECK(did_you_mean_distance(span_of(pairs[i].a), span_of(pairs[i].b)) ==
			   pairs[i].want))
			printf("  %s %s\n", pairs[i].a, pairs[i].b);
		CHECK(did_you_mean_distance(span_of(pairs[i].b), span_of(pairs[i].a)) ==
		      pairs[i].want);
	}
	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++) {
		struct did_you_mean n = did_you_mean(meant[i].word);

		did_you_mean_try_words(&n, meant[i].words);
		CHECK_TEXT(n.best, meant[i].want);
	}
	memset(large, 'a', sizeof(large));
	CHECK(did_you_mean_distance((struct span){ large, sizeof(large) }, span_of("a")) ==
	      SIZE_MAX);
	CHECK_INT(did_you_mean_distance((struct span){ large, DID_YOU_MEAN_MAX },
					(struct span){ large, DID_YOU_MEAN_MAX }),
		  0);
	return check_end();
}
