#include "archive/archive.h"

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
