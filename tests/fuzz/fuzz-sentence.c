#include <stdlib.h>

#include "explain/sentence.h"
#include "explain/symptom-words.h"
#include "inside.h"

extern const char data_symptoms[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Words lie in the sentence, hold something, and each call leaves less to read. */
static void check_sentences(struct span text)
{
	struct person_sentence s;
	size_t left = text.len;

	while (sentence_next(&text, &s)) {
		must(text.len < left && s.count > 0 && s.count <= SENTENCE_WORDS);
		left = text.len;
		for (size_t i = 0; i < s.count; i++) {
			must(s.words[i].text.len > 0);
			must_lie_in(s.words[i].text, (struct span){ s.bytes, SENTENCE_BYTES });
		}
	}
	must(text.len == 0);
}

/* Any bytes are a line, the lines above one, and a table. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct symptom_words *words;
	struct span text = { (const char *)data, size };
	const struct symptom_rule *rules;
	size_t count;

	if (!words)
		words = symptom_words_new(span_of(data_symptoms), NULL);
	must(words != NULL);
	check_sentences(text);
	rules = symptom_words_rules(words, &count);
	for (int i = 0; i < 2; i++) {
		const struct symptom_rule *found =
			symptom_words_find(words, i == 0 ? text : span_of("(hangs here)"), text);

		must(!found || (found >= rules && found < rules + count));
	}
	symptom_words_free(symptom_words_new(text, NULL));
	return 0;
}
