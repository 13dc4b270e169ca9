#include "archive/archive.h"
#include "archive/packed-internal.h"

#include <errno.h>

const char *archive_library(void)
{
	return NULL;
}

int archive_walk(int fd, const struct archive_visitor *v, struct buf *ret_why)
{
	(void)fd;
	(void)v;
	buf_text(ret_why, "this build reads no archives");
	return -ENOTSUP;
}

void *packed_filter_begin(struct packed *p)
{
	packed_fail(p, -ENOTSUP, "this build reads neither xz nor bzip2");
	return p;
}

size_t packed_filter_step(struct packed *p, void *state, char *to, size_t room)
{
	(void)p;
	(void)state;
	(void)to;
	(void)room;
	return 0;
}

void packed_filter_end(void *state)
{
	(void)state;
}
