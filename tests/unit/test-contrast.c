#include "explain/contrast.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "check.h"

extern const char data_contrasts[];

static const struct {
	const char *text, *name, *works, *fails;
	bool has_both;
} cases[] = {
	{ "works with kernel 6.8, not with 6.11", "kernel", "6.8", "6.11", true },
	{ "It segfaults on ROCm 6.4.1.\nROCm 6.3.4 is fine.", "rocm", "6.3.4", "6.4.1", true },
	{ "after upgrading the kernel from 6.10 to 6.11 it hangs", "kernel", "6.10", "6.11", true },
	{ "from linux 4.19 onwards it fails", "kernel", "", "4.19", true },
	{ "2.9 works, 2.10 crashes", "program", "2.9", "2.10", true },
	{ "fine on the 780m, not on gfx1151", "gpu", "780m", "gfx1151", true },
	{ "hangs only with two gpus", "count", "", "", true },
	{ "runs fine with rocm 6.2.4", "rocm", "6.2.4", "", false },
};

static const char *const none[] = {
	"works with kernel 6.8, does it fail with 6.11?",
	"```\nworks with kernel 6.8, not with 6.11\n```",
	"12:00:01 works with kernel 6.8, not with 6.11",
	"if it works with kernel 6.8, not with 6.11",
	"it is slow with two gpus and with four gpus",
	"a 2.5x faster run works, 1.5 GB fails",
	"",
};

static bool is(struct span value, const char *text)
{
	return span_is(value, text) || (value.len == 0 && !text[0]);
}

static void asks(const struct contrast_words *words)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena arena = { 0 };
		struct contrasts found = { 0 };
		const struct contrast *c = NULL;

		contrast_read(words, span_of(cases[i].text), 1, &arena, &found);
		if (CHECK(found.count == 1))
			c = found.list;
		if (!c || !CHECK(span_is(c->name, cases[i].name) && is(c->works, cases[i].works) &&
				 is(c->fails, cases[i].fails) && c->has_both == cases[i].has_both))
			printf("  %s\n", cases[i].text);
		arena_done(&arena);
	}
}

static void asks_none(const struct contrast_words *words)
{
	for (size_t i = 0; i < COUNT(none); i++) {
		struct arena arena = { 0 };
		struct contrasts found = { 0 };

		contrast_read(words, span_of(none[i]), 1, &arena, &found);
		if (!CHECK(found.count == 0))
			printf("  %s\n", none[i]);
		arena_done(&arena);
	}
}

/* A sentence of more claims and clauses than are kept is read to its end. */
static void bounds(const struct contrast_words *words)
{
	struct arena arena = { 0 };
	struct contrasts found = { 0 };
	char text[700] = "";

	for (size_t i = 0; i < 26; i++)
		strcat(text, "rocm 6.1 works, not with ");
	contrast_read(words, span_of(text), 1, &arena, &found);
	CHECK(found.count <= 2);
	arena_done(&arena);
}

int main(void)
{
	unsigned int line = 0;
	struct contrast_words *words = contrast_words_new(span_of(data_contrasts), &line);

	if (!CHECK(words))
		printf("  data/contrasts.tsv:%u: wrong\n", line);
	CHECK(!contrast_words_new(span_of("work\t-\ta||b\n"), &line) && line == 1);
	CHECK(!contrast_words_new(span_of("other\t-\ta\n"), &line));
	if (words) {
		asks(words);
		asks_none(words);
		bounds(words);
	}
	contrast_words_free(words);
	return check_end();
}
