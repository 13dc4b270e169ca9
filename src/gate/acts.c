#include "gate/acts.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "gate/beside-verdict.h"

static const char *const words[ACT_KINDS] = { "drain", "release", "taken" };

void acts_add(const char *verdict, enum act act, const char *cause, struct buf *said)
{
	static const struct beside_order file = { .name = ACTS_FILE, .most = ACTS_MAX };
	struct buf line BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };
	int r;

	buf_addf(&line, "%s %s\n", words[act], cause[0] ? cause : "unknown");
	r = beside_add(verdict, &file, buf_get(&line), &why);
	if (r == 0)
		return;
	beside_verdict(verdict, ACTS_FILE, &path);
	text_line(said, "%s: not counted: %s", path.data, why.len > 0 ? why.data : strerror(-r));
}

static struct act_count *find_cause(struct arena *a, struct acts *all, struct span cause)
{
	for (size_t i = 0; i < all->count; i++)
		if (span_is(cause, all->causes[i].cause))
			return &all->causes[i];
	all->causes = arena_grow(a, all->causes, all->count, sizeof(*all->causes));
	all->causes[all->count].cause = arena_text(a, cause);
	return &all->causes[all->count++];
}

static void take_line(struct arena *a, struct span line, struct acts *ret)
{
	struct span word, cause;

	if (!span_word(&line, &word) || !span_word(&line, &cause) || !text_is_slug(cause))
		return;
	for (size_t i = 0; i < ACT_KINDS; i++)
		if (span_is(word, words[i]))
			find_cause(a, ret, cause)->counts[i]++;
}

void acts_read(const char *verdict, struct arena *a, struct acts *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;

	*ret = (struct acts){ 0 };
	beside_read(verdict, ACTS_FILE, ACTS_MAX + 4096, &text);
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		take_line(a, line, ret);
}
