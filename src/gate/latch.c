#include "gate/latch.h"

#include <string.h>

#include "base/text.h"
#include "gate/beside-verdict.h"

/* Of several lines, as hooks that ran at once leave them, the first counts. */
bool latch_holds(const char *verdict, const struct node_verdict *v, struct buf *why)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line, digest;

	if (!v->latch)
		return false;
	beside_read(verdict, LATCH_FILE, LATCH_MAX * 2, &text);
	rest = buf_get(&text);
	if (!span_line(&rest, &line) || !span_word(&line, &digest) || !span_is(digest, v->conf))
		return false;
	text_clean(why, span_trim(line), false);
	return true;
}

/* One of an earlier gate.conf goes first; where nobody could remove it the latch does not hold, and is said. */
void latch_set(const char *verdict, const struct node_verdict *v, const char *why, struct buf *said)
{
	static const struct beside_order file = { LATCH_FILE, 1, .keep_one = true };
	struct buf line BUF_SCOPED = { 0 }, reason BUF_SCOPED = { 0 };
	int r;

	buf_addf(&line, "%s %.*s\n", v->conf, 300, why);
	r = beside_add(verdict, &file, buf_get(&line), &reason);
	if (r < 0)
		text_line(said, "%s: not written: %s", LATCH_FILE,
			  reason.len > 0 ? reason.data : strerror(-r));
}
