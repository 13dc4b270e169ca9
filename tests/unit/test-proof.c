#include "facts/proof.h"

#include <string.h>

#include "check-span.h"

static const char lines[] = "recorded 2026-11-19\n"
			    "program 0.1.0 4f1c02ab\n"
			    "knowledge 2026-11-15 9c1e\n"
			    "walk level 1, 31 s, 14 answered\n"
			    "answer not_ready\n"
			    "cause device-permission certain\n"
			    "cause gpu-stuck likely\n";
static const char snapshot[] = "rocsteady-snapshot 1\nnote scrubbed\n\tuser\nfile /etc/a\n\tb\n";

static void open_text(struct span text, struct root **ret)
{
	struct buf copy = { 0 };

	buf_span(&copy, text);
	CHECK_INT(root_new_text(&copy, ret), 0);
}

static void read_text(struct span text, struct proof *ret)
{
	struct root *root;

	open_text(text, &root);
	proof_read(root, ret);
	root_free(root);
}

static void check_whole(struct span text)
{
	struct proof p;

	read_text(text, &p);
	CHECK_INT(p.state, PROOF_UNCHANGED);
	CHECK_TEXT(p.recorded, "2026-11-19");
	CHECK_TEXT(p.program, "0.1.0 4f1c02ab");
	CHECK_TEXT(p.knowledge, "2026-11-15 9c1e");
	CHECK_TEXT(p.walk, "level 1, 31 s, 14 answered");
	CHECK_TEXT(p.answer, "not_ready");
	CHECK_INT(p.cause_count, 2);
	CHECK_TEXT(p.causes[0], "device-permission certain");
	CHECK_TEXT(p.causes[1], "gpu-stuck likely");
	proof_done(&p);
}

/* Each byte counts: of the magic line, of the note, of the digest and of the records. */
static void check_each_byte(struct buf *text)
{
	size_t noticed = 0, tried = 0;

	for (size_t i = strlen("rocsteady-snapshot 1\nnote proof\n\t"); i < text->len; i++) {
		struct proof p;

		text->data[i] ^= 1;
		read_text(buf_get(text), &p);
		noticed += p.state != PROOF_UNCHANGED;
		tried++;
		proof_done(&p);
		text->data[i] ^= 1;
	}
	CHECK_INT(noticed, tried);
}

static const struct {
	const char *why;
	const char *text;
	enum proof_state want;
} rows[] = {
	{ "an ordinary snapshot", snapshot, PROOF_NONE },
	{ "a note without a digest", "rocsteady-snapshot 1\nnote proof\n\tanswer ready\n",
	  PROOF_CHANGED },
	{ "an empty note", "rocsteady-snapshot 1\nnote proof\n", PROOF_CHANGED },
	{ "a note that has no answer", "rocsteady-snapshot 1\nnote proof !EIO\n", PROOF_CHANGED },
	{ "a digest that is none", "rocsteady-snapshot 1\nnote proof\n\tsha256 \n", PROOF_CHANGED },
};

static void check_rows(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct proof p;

		read_text(span_of(rows[i].text), &p);
		ROW_CHECK(p.state == rows[i].want, rows[i].why);
		ROW_CHECK(p.answer != NULL && p.recorded != NULL, rows[i].why);
		proof_done(&p);
	}
}

/* Its digest fits, and yet we never write such lines: neither is taken for ours. */
static void check_beyond_limits(void)
{
	struct buf many BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 };
	struct buf wide BUF_SCOPED = { 0 };
	struct proof p;

	for (int i = 0; i < 300; i++)
		buf_addf(&many, "cause c%d likely\n", i);
	proof_write(buf_get(&many), span_of(snapshot), &text);
	read_text(buf_get(&text), &p);
	CHECK_INT(p.state, PROOF_CHANGED);
	CHECK_INT(p.cause_count, 256);
	proof_done(&p);
	buf_clear(&text);
	buf_addf(&wide, "answer %0300d\n", 1);
	proof_write(buf_get(&wide), span_of(snapshot), &text);
	read_text(buf_get(&text), &p);
	CHECK_INT(p.state, PROOF_CHANGED);
	CHECK_INT(strlen(p.answer), 200);
	proof_done(&p);
}

int main(void)
{
	struct buf text BUF_SCOPED = { 0 };

	proof_write(span_of(lines), span_of(snapshot), &text);
	check_whole(buf_get(&text));
	check_each_byte(&text);
	check_rows();
	check_beyond_limits();
	return check_end();
}
