#include "base/debug.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

/* A line is one write of less than PIPE_BUF bytes, so that those of two processes never mix. */
#define LINE_MAX_BYTES 4096
#define SAID_MAX       900 /* of the words; each byte takes at most four when it is escaped */
#define AROUND_MAX     400 /* what stands before and after them */

_Static_assert(4 * SAID_MAX + AROUND_MAX < LINE_MAX_BYTES, "the line never grows");

static const char *const names[] = { "archive", "code", "door", "probe", "run", "scan", "sql" };

_Static_assert(DEBUG_ALL == (1 << sizeof(names) / sizeof(names[0])) - 1, "each part has a name");

unsigned int debug_mask;
static uint64_t started;
static _Atomic unsigned int dropped; /* a job's gauges are read by a thread of their own */
static bool (*may_write)(void);
static const char *line_end = "\n";

unsigned int debug_parts(struct span word)
{
	if (span_is(word, "all"))
		return DEBUG_ALL;
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_is(word, names[i]))
			return 1U << i;
	return 0;
}

void debug_start(unsigned int parts)
{
	debug_mask = parts;
	started = DEBUG_NOW(DEBUG_ALL);
	if (parts && isatty(STDERR_FILENO))
		line_end = "\r\n"; /* `run` makes the terminal raw */
}

void debug_never_wait(bool (*is_ready)(void))
{
	may_write = is_ready;
}

uint64_t debug_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static unsigned long long us(uint64_t ns)
{
	return ns / 1000;
}

/* Paths, names and statements come from strangers: nothing leaves unescaped. */
static void write_line(enum debug_part part, uint64_t took, struct span said, bool cut)
{
	char room[LINE_MAX_BYTES];
	struct buf line = { .data = room, .cap = sizeof(room) }; /* never full, so never moved */
	uint64_t age = us(debug_now() - started);
	unsigned int lost = atomic_exchange(&dropped, 0);

	buf_addf(&line, "rocsteady[%d] %llu.%06llu %s: ", (int)getpid(),
		 (unsigned long long)age / 1000000, (unsigned long long)age % 1000000,
		 names[__builtin_ctz(part)]);
	text_clean(&line, said, false);
	if (cut)
		buf_text(&line, "...");
	if (took)
		buf_addf(&line, " [%llu us]", us(took));
	if (lost)
		buf_addf(&line, " (dropped before this line: %u)", lost);
	buf_text(&line, line_end);
	(void)!write(STDERR_FILENO, line.data, line.len);
}

void debug_line(enum debug_part part, uint64_t began, const char *format, ...)
{
	int error = errno;
	uint64_t took = began ? debug_now() - began : 0;
	char said[SAID_MAX];
	va_list args;
	int n;

	assert(part & DEBUG_ALL && (part & (part - 1)) == 0); /* one part, which has a name */
	va_start(args, format);
	n = vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	if (may_write && !may_write())
		atomic_fetch_add(&dropped, 1);
	else if (n >= 0)
		write_line(part, took,
			   (struct span){ said,
					  (size_t)n < sizeof(said) ? (size_t)n : sizeof(said) - 1 },
			   (size_t)n >= sizeof(said));
	errno = error;
}
