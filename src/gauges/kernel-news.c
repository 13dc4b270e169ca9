#include "gauges/kernel-news.h"

#include <errno.h>
#include <unistd.h>

#include "door/host.h"
#include "survey/kernel-log.h"

#define RECORD_MAX  8192 /* CONSOLE_EXT_LOG_MAX */
#define RECORDS_MAX 512  /* that do not concern us, in one go */
#define FACILITY    8

int kernel_news_open(struct kernel_news *n, struct door *d)
{
	n->fd = host_kernel_news(d);
	return n->fd < 0 ? n->fd : 0;
}

/*
 * "4,1339,5140900,-;amdgpu 0000:03:00.0: ring gfx timeout", then lines of keys
 * that begin with a blank. The first number is facility * 8 + level.
 */
static bool parse_record(struct span record, struct span *ret)
{
	struct span head, priority, line;
	uint64_t number;

	if (!span_line(&record, &line) || !span_cut(&line, ';', &head) ||
	    !span_cut(&head, ',', &priority) || !span_u64(priority, &number) || number >= FACILITY)
		return false;
	*ret = line;
	return line.len > 0;
}

/* One record for each read; EPIPE: the oldest were overwritten, and the next read goes on. */
bool kernel_news_next(struct kernel_news *n, struct buf *ret_line)
{
	char record[RECORD_MAX];
	struct span text;
	ssize_t got;

	for (int i = 0; n->fd >= 0 && i < RECORDS_MAX; i++) {
		got = read(n->fd, record, sizeof(record));
		if (got < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (got <= 0)
			return false;
		if (!parse_record((struct span){ record, (size_t)got }, &text) ||
		    !kernel_log_concerns(text))
			continue;
		buf_clear(ret_line);
		buf_span(ret_line, text);
		return true;
	}
	return false;
}
