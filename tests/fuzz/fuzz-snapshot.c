/*
 * Any bytes as a snapshot: every collector runs on it, and what people and
 * programs get from the tables is well formed.
 */

#include "facts/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "json-check.h"
#include "report/facts.h"
#include "root/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(struct facts *facts)
{
	struct buf summary BUF_SCOPED = { 0 };
	struct buf json BUF_SCOPED = { 0 };

	facts_summary(facts, &summary, 80);
	must(summary.len > 0 && text_is_clean(buf_get(&summary), true));
	must(!memchr(summary.data, '\t', summary.len));
	facts_json(facts, &json);
	json_must_be_whole(buf_get(&json));
}

static struct root *root_of(const uint8_t *data, size_t size)
{
	struct buf text = { 0 };
	struct root *root = NULL;

	buf_text(&text, "rocsteady-snapshot 1\n");
	buf_add(&text, data, size);
	must(root_new_text(&text, &root) == 0);
	return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct snapshot_options plain = { .no_scrub = true };
	struct buf text BUF_SCOPED = { 0 }, wanted BUF_SCOPED = { 0 };
	struct buf copy BUF_SCOPED = { 0 };
	struct buf brief BUF_SCOPED = { 0 };
	struct root *root = root_of(data, size);
	struct facts *facts = facts_new();

	must(facts);
	collect_all(root, facts);
	look_at(facts);
	facts_free(facts);

	/* What a stranger put there reaches no terminal; all else is as it came. */
	buf_text(&text, "rocsteady-snapshot 1\n");
	buf_add(&text, data, size);
	text_screen(&wanted, buf_get(&text), false);
	must(snapshot_of(root, &plain, &copy) == 0);
	must(span_same(buf_get(&copy), buf_get(&wanted)));
	root_brief(root);
	collect_questions(root);
	must(snapshot_of(root, &plain, &brief) == 0 && brief.len <= (size_t)32 * 1024);
	root_free(root);
	return 0;
}
