#include "parse/proc-stat.h"

#include <string.h>

/* Counted as proc(5) does. */
enum {
	STATE = 3,
	PARENT = 4,
	SESSION = 6,
	UTIME = 14,
	STIME,
	CUTIME,
	CSTIME,
	THREADS = 20,
	START = 22,
	RSS = 24,
	FIELDS
};

static bool cut_name(struct span *rest, struct span *ret)
{
	size_t open_at = span_find(*rest, SPAN_LITERAL("("));
	const char *close_at = memrchr(rest->data, ')', rest->len);
	const char *end = rest->data + rest->len;

	if (open_at == SIZE_MAX || !close_at || close_at < rest->data + open_at)
		return false;
	*ret = (struct span){ rest->data + open_at + 1,
			      (size_t)(close_at - rest->data) - open_at - 1 };
	*rest = (struct span){ close_at + 1, (size_t)(end - close_at - 1) };
	return true;
}

/* Some fields between those that are wanted may be negative. */
static bool is_wanted(int field)
{
	return field == PARENT || field == SESSION || (field >= UTIME && field <= CSTIME) ||
	       field == THREADS || field == START || field == RSS;
}

bool proc_stat_parse(struct span text, struct proc_stat *ret)
{
	uint64_t fields[FIELDS] = { 0 };
	struct span name, state, word;

	if (text.len == 0 || !cut_name(&text, &name) || !span_word(&text, &state))
		return false;
	for (int i = STATE + 1; i < FIELDS; i++)
		if (!span_word(&text, &word) || (is_wanted(i) && !span_u64(word, &fields[i])))
			return false;
	*ret = (struct proc_stat){ .name = name,
				   .state = state.data[0],
				   .parent = fields[PARENT],
				   .session = fields[SESSION],
				   .ticks = fields[UTIME] + fields[STIME],
				   .child_ticks = fields[CUTIME] + fields[CSTIME],
				   .threads = fields[THREADS],
				   .start = fields[START],
				   .rss = fields[RSS] };
	return true;
}
