#include "facts/proof.h"

#include <string.h>

#include "base/sha256.h"
#include "base/text.h"
#include "door/store.h"

#define DIGEST_LINE "\tsha256 "
#define VALUE_MAX   200 /* proof_write() is given shorter lines: a longer one was not written by us */
#define CAUSES_MAX  256

/* ---- the digest ---- */

/* The bytes before and behind the digest's line; the line is the first of its kind. */
static bool split_at_digest(struct span text, struct span *ret_before, struct span *ret_behind,
			    struct span *ret_digest)
{
	struct span rest = text, line;

	while (span_line(&rest, &line)) {
		if (!span_starts(line, DIGEST_LINE))
			continue;
		*ret_before = (struct span){ text.data, (size_t)(line.data - text.data) };
		*ret_behind = rest;
		*ret_digest = (struct span){ line.data + strlen(DIGEST_LINE),
					     line.len - strlen(DIGEST_LINE) };
		return true;
	}
	return false;
}

static void digest_of(struct span before, struct span behind, char ret_hex[static SHA256_HEX])
{
	struct sha256 sum;

	sha256_init(&sum);
	sha256_add(&sum, before);
	sha256_add(&sum, behind);
	sha256_end(&sum, ret_hex);
}

static enum proof_state compare_digest(struct span snapshot)
{
	struct span before, behind, digest;
	char hex[SHA256_HEX];

	if (!split_at_digest(snapshot, &before, &behind, &digest))
		return PROOF_CHANGED;
	digest_of(before, behind, hex);
	return span_is(digest, hex) ? PROOF_UNCHANGED : PROOF_CHANGED;
}

void proof_write(struct span lines, struct span snapshot, struct buf *ret)
{
	struct span behind = snapshot, first, line;
	struct buf head BUF_SCOPED = { 0 };
	char hex[SHA256_HEX];

	span_line(&behind, &first);
	buf_span(&head, first);
	buf_char(&head, '\n');
	buf_text(&head, "note proof\n");
	while (span_line(&lines, &line)) {
		buf_char(&head, '\t');
		buf_span(&head, line);
		buf_char(&head, '\n');
	}
	digest_of(buf_get(&head), behind, hex);
	buf_span(ret, buf_get(&head));
	buf_addf(ret, DIGEST_LINE "%s\n", hex);
	buf_span(ret, behind);
}

/* ---- the note ---- */

static const char *value_of(struct proof *p, struct span text)
{
	struct buf clean BUF_SCOPED = { 0 };
	struct span value = span_trim(text);

	if (value.len > VALUE_MAX)
		p->state = PROOF_CHANGED;
	text_clean(&clean, text_cut(value, VALUE_MAX), false);
	return arena_text(&p->arena, buf_get(&clean));
}

static void take_cause(struct proof *p, struct span text)
{
	if (p->cause_count < CAUSES_MAX)
		p->causes[p->cause_count++] = value_of(p, text);
	else
		p->state = PROOF_CHANGED;
}

static void take_line(struct proof *p, struct span line)
{
	const struct {
		const char *name;
		const char **field;
	} fields[] = { { "recorded", &p->recorded },
		       { "program", &p->program },
		       { "knowledge", &p->knowledge },
		       { "walk", &p->walk },
		       { "answer", &p->answer } };
	struct span name;

	if (!span_word(&line, &name))
		return;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (span_is(name, fields[i].name))
			*fields[i].field = value_of(p, line);
	if (span_is(name, "cause"))
		take_cause(p, line);
}

void proof_read(const struct root *root, struct proof *ret)
{
	const struct record *note =
		root_kind(root) == DOOR_SNAPSHOT
			? store_find(root_store(root), RECORD_NOTE, SPAN_LITERAL("proof"))
			: NULL;
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;

	*ret = (struct proof){
		.recorded = "", .program = "", .knowledge = "", .walk = "", .answer = ""
	};
	if (!note)
		return;
	ret->state = compare_digest(root_text(root));
	ret->causes = arena_alloc(&ret->arena, CAUSES_MAX * sizeof(*ret->causes));
	if (!record_content(note, &text))
		return;
	for (rest = buf_get(&text); span_line(&rest, &line);)
		take_line(ret, line);
}

void proof_done(struct proof *p)
{
	arena_done(&p->arena);
}
