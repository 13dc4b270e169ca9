#include "explain/recovery.h"

#include <ctype.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

extern const char data_question_words[];

/* ---- lines of programs ---- */

static void take_victim(struct recovery *r, struct span line)
{
	struct span pid;

	if (r->victim_count < RECOVERY_VICTIMS && marks_value(r->proofs, line, "pid", &pid))
		r->victims[r->victim_count++] = arena_span(r->arena, pid);
}

static bool is_end_of_victim(const struct recovery *r, struct span line)
{
	for (size_t i = 0; i < r->victim_count; i++)
		if (span_has_words(line, r->victims[i]))
			return true;
	return false;
}

static void take_proof(struct recovery *r, uint64_t number, struct span line, bool by_driver)
{
	struct failure_recovery *told = r->told;
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, span_trim(line), false);
	told->by_driver = by_driver && (told->proof.line == 0 || told->by_driver);
	told->proof = (struct failure_line){ number, arena_text(r->arena, buf_get(&clean)) };
	told->failed_after = 0;
}

static void take_row(struct recovery *r, uint64_t number, struct span line, struct span kind)
{
	if (span_is(kind, "victim"))
		take_victim(r, line);
	if (span_is(kind, "output") || span_is(kind, "both") || span_is(kind, "reset"))
		take_proof(r, number, line, span_is(kind, "reset"));
	if (span_is(kind, "on-gpu") || span_is(kind, "both"))
		r->told->on_gpu = true;
}

void recovery_take(struct recovery *r, const struct recovery_line *line)
{
	const struct marks_row *row = marks_find(r->proofs, line->text);

	if (row)
		take_row(r, line->number, line->text, row->kind);
	else if (line->fails && line->of_rank)
		r->told->is_denied = true;
	else if (line->fails && !is_end_of_victim(r, line->text))
		r->told->failed_after = line->number;
}

/* ---- sentences of a person ---- */

/* Up to a stop that a blank or the end follows; "0.35.0" has none. */
static struct span next_sentence(struct span *rest)
{
	struct span sentence;
	size_t end = 0;

	while (end < rest->len && !(strchr(".!?", rest->data[end]) &&
				    (end + 1 == rest->len || strchr(" .!?", rest->data[end + 1]))))
		end++;
	while (end < rest->len && strchr(".!?", rest->data[end]))
		end++;
	sentence = (struct span){ rest->data, end };
	*rest = (struct span){ rest->data + end, rest->len - end };
	return sentence;
}

/* "why", "fix" and their like say in a question that something fails. */
static bool presupposes(struct span sentence)
{
	struct span word;
	char small[16];

	while (span_word(&sentence, &word)) {
		size_t n = 0;

		for (size_t i = 0; i < word.len && n + 1 < sizeof(small); i++)
			if (isalpha((unsigned char)word.data[i]))
				small[n++] = (char)tolower((unsigned char)word.data[i]);
		small[n] = '\0';
		if (n > 0 && names_has(data_question_words, small))
			return true;
	}
	return false;
}

static bool is_question(struct span sentence)
{
	size_t end = sentence.len;
	bool asks = false;

	while (end > 0 && strchr(".!?", sentence.data[end - 1]))
		asks |= sentence.data[--end] == '?';
	return asks && !presupposes(sentence);
}

static void add_unquoted(struct buf *out, struct span sentence)
{
	bool inside = false;

	for (size_t i = 0; i < sentence.len; i++) {
		if (sentence.data[i] == '"')
			inside = !inside;
		else if (!inside)
			buf_char(out, sentence.data[i]);
	}
}

static bool states_nothing(struct recovery *r, struct span sentence)
{
	return is_question(sentence) || marks_find_kind(r->proofs, sentence, "quoted") ||
	       marks_find_kind(r->proofs, sentence, "past");
}

static void note_asked(struct failure_recovery *told, uint64_t number)
{
	if (told->asked_count < FAILURE_ASKED)
		told->asked[told->asked_count++] = number;
}

struct span recovery_stated(struct recovery *r, uint64_t number, struct span line, struct buf *out)
{
	struct span rest = line;
	bool asks = false;

	while (rest.len > 0) {
		struct span sentence = next_sentence(&rest);

		if (states_nothing(r, sentence))
			asks = true;
		else
			add_unquoted(out, sentence);
	}
	if (asks)
		note_asked(r->told, number);
	return span_trim(buf_get(out));
}
