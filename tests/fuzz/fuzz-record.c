#include "door/record.h"

#include "base/text.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A tab less for each line, and a newline at the end as the flag has it. */
static size_t content_size(const struct record *r)
{
	size_t size = r->body.len;
	bool ended = span_ends(r->body, "\n");

	for (size_t i = 0; i < r->body.len; i++)
		size -= i == 0 || r->body.data[i - 1] == '\n';
	if (r->body.len == 0)
		return 0;
	return r->flags & RECORD_NOEOL ? size - ended : size + !ended;
}

static void look_at(const struct record *r, struct span input)
{
	struct buf content BUF_SCOPED = { 0 };
	struct buf word BUF_SCOPED = { 0 };

	must(r->kind <= RECORD_UNKNOWN && r->error <= 0);
	must_lie_in(r->raw, input);
	must_lie_in(r->path, r->raw);
	must_lie_in(r->detail, r->raw);
	must_lie_in(r->body, r->raw);
	must(r->body.len == 0 || r->body.data[0] == '\t');
	must(r->body.data + r->body.len == r->raw.data + r->raw.len);
	if (!record_content(r, &content))
		must(r->flags & RECORD_BASE64);
	else if (r->flags & RECORD_BASE64)
		must(content.len <= r->body.len);
	else
		must(content.len == content_size(r));
	(void)text_unword(&word, r->path);
	(void)text_unword(&word, r->detail); /* at the very end of the input */
	must(word.len <= r->path.len + r->detail.len);
}

/* The files of a group, each with its line. */
static void look_into(const struct record *group)
{
	struct span rest = group->body;
	struct record one;

	while (group->kind == RECORD_FILES && record_file_next(&rest, &one) > 0) {
		must_lie_in(one.path, group->body);
		must_lie_in(one.line, group->body);
		must(one.kind == RECORD_FILE && one.path.len > 0 && one.has_line == !one.error);
		must(record_is_line(&one));
	}
}

/* What was read is written again and read again: the same bytes. */
static void there_and_back(const struct record *r)
{
	struct buf content BUF_SCOPED = { 0 };
	struct buf again BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct record second;
	struct span rest;

	if (r->kind != RECORD_FILE || r->error || r->path.len == 0 || !record_content(r, &content))
		return;
	record_write_content(&text, RECORD_FILE, r->path, r->flags, buf_get(&content));
	rest = buf_get(&text);
	must(record_next(&rest, &second) == 1 && rest.len == 0 && !second.error);
	must(second.kind == RECORD_FILE && record_content(&second, &again));
	must(content.len == again.len &&
	     span_is(buf_get(&content), "") == span_is(buf_get(&again), ""));
	for (size_t i = 0; i < content.len; i++)
		must(content.data[i] == again.data[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	const char *end = input.data;
	struct record r;

	while (record_next(&rest, &r) > 0) {
		must(r.raw.data >= end &&
		     r.raw.len > 0); /* in order, and never the same bytes twice */
		end = r.raw.data + r.raw.len;
		must(end == rest.data);
		look_at(&r, input);
		look_into(&r);
		there_and_back(&r);
	}
	must(rest.len == 0);
	return 0;
}
