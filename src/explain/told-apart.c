#include "explain/told-apart.h"

#include <ctype.h>

#include "base/names.h"
#include "base/stem.h"
#include "base/text.h"
#include "explain/origin.h"
#include "explain/sentence.h"

#define WORDS_LEAST 4 /* of a sentence: fewer are a title of anything */

extern const char data_gpu_words[], data_report_verbs[];

bool told_names_gpu(struct span text)
{
	struct stem stem;

	while (stem_next(&text, &stem))
		if (names_has(data_gpu_words, stem.text))
			return true;
	return false;
}

static bool has_verb(const struct person_sentence *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (names_has_as(data_report_verbs, s->words[i].text, "verb"))
			return true;
	return false;
}

/*
 * No clock, sign or name with a colon stands in front, as loggers and shells write them. Words
 * that healthy programs use, too, take a person's verb beside them.
 */
static bool is_sentence(struct span line, bool is_weak)
{
	struct person_sentence s;
	struct span rest = line;

	return (isalpha((unsigned char)line.data[0]) || line.data[0] == '`') &&
	       !sentence_is_dated(line) && sentence_next(&rest, &s) && s.count >= WORDS_LEAST &&
	       !s.words[0].colon && !s.words[0].breaks &&
	       !names_has_as(data_report_verbs, s.words[0].text, "lead") &&
	       (!is_weak || has_verb(&s));
}

static bool tells_failure(const struct failure_tables *tables, struct span line,
			  struct span *ret_symptom)
{
	const struct symptom_rule *rule =
		symptom_words_find(tables->symptoms, line, (struct span){ "", 0 });

	*ret_symptom = rule ? rule->symptom : (struct span){ 0 };
	if (rule || marks_find_kind(tables->marks, line, "told") ||
	    marks_find_kind(tables->marks, line, "complaint"))
		return is_sentence(line, false);
	return marks_find_kind(tables->marks, line, "weak") && is_sentence(line, true);
}

static void take_sentence(struct arena *arena, const struct apart_line *line, struct failure *f)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, line->text, false);
	f->counts = f->is_told = true;
	f->worked = f->is_bare = f->is_scrap = false;
	f->last = (struct failure_line){ line->line, arena_text(arena, buf_get(&clean)) };
	f->first = f->last;
	f->begins = line->line;
	f->recovery.is_denied = true;
	f->words = arena_span(arena, buf_get(&clean));
	origin_say(arena, "told", NULL, NULL, f);
}

void told_apart(struct scan *scan, const struct log_signatures *signatures,
		const struct failure_tables *tables, struct arena *arena, struct failure *f)
{
	struct apart_line lines[APART_LINES];
	size_t count = scan_apart(scan, lines);

	for (size_t i = 0; i < count; i++) {
		struct span symptom;

		if (!told_names_gpu(lines[i].text) ||
		    !tells_failure(tables, lines[i].text, &symptom) ||
		    failure_is_harmless(scan, signatures, lines[i].text))
			continue;
		take_sentence(arena, &lines[i], f);
		f->symptom = symptom.len > 0 ? arena_text(arena, symptom) : NULL;
		return;
	}
}
