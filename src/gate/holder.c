#include "gate/holder.h"

#include <string.h>

#include "base/text.h"
#include "gate/beside-verdict.h"
#include "gate/trail.h"

static const char *const words[HOLDERS] = { "nobody", "gate", "person" };

static void take_line(struct arena *a, struct span line, struct holding *ret)
{
	struct span word, cause;

	if (!span_word(&line, &word) || !span_word(&line, &cause) || !text_is_slug(cause))
		return;
	for (size_t i = 0; i < HOLDERS; i++)
		if (span_is(word, words[i]))
			*ret = (struct holding){ (enum holder)i, arena_text(a, cause) };
}

void holder_read(const char *verdict, struct arena *a, struct holding *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;

	*ret = (struct holding){ .cause = "" };
	beside_read(trail_place(verdict), HOLDER_FILE, HOLDER_MAX * 2, &text);
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		take_line(a, line, ret);
}

void holder_keep(const char *verdict, enum holder by, const char *cause, struct buf *said)
{
	static const struct beside_order file = { HOLDER_FILE, HOLDER_MAX, .keep_one = true };
	struct buf line BUF_SCOPED = { 0 }, why BUF_SCOPED = { 0 };
	int r;

	buf_addf(&line, "%s %s\n", words[by], cause[0] ? cause : "unknown");
	r = beside_add(trail_place(verdict), &file, buf_get(&line), &why);
	if (r < 0)
		text_line(said, "%s: not written: %s", HOLDER_FILE,
			  why.len > 0 ? why.data : strerror(-r));
}
