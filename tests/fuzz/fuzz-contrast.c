#include <stdlib.h>

#include "base/text.h"
#include "explain/contrast.h"
#include "inside.h"

extern const char data_contrasts[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A version goes into a sentence and a step: nothing of a shell is in it. */
static bool is_plain(struct span value)
{
	for (size_t i = 0; i < value.len; i++) {
		char c = value.data[i];
		bool word =
			(c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!word && c != '.' && c != '_' && c != '+' && c != '-' && c != ' ')
			return false;
	}
	return value.len <= 64;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct contrast_words *words;
	struct contrasts found = { 0 };
	struct arena arena = { 0 };

	if (!words)
		words = contrast_words_new(span_of(data_contrasts), NULL);
	must(words);
	contrast_read(words, (struct span){ (const char *)data, size }, 1, &arena, &found);
	for (size_t i = 0; i < found.count; i++) {
		must(is_plain(found.list[i].works) && is_plain(found.list[i].fails));
		must(found.list[i].line >= 1 && found.list[i].line <= size + 1);
		for (size_t k = 0; k < i; k++)
			must(!span_same(found.list[k].name, found.list[i].name));
	}
	arena_done(&arena);
	return 0;
}
