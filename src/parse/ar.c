#include "parse/ar.h"

#include <errno.h>
#include <string.h>

#define MEMBER_HEAD 60

bool ar_is(struct span bytes)
{
	return span_starts(bytes, "!<arch>\n");
}

bool ar_is_thin(struct span bytes)
{
	return span_starts(bytes, "!<thin>\n");
}

/* A head: 0 name, 48 size in decimal with blanks after it, 58 a grave accent and a newline. */
int ar_next(struct source *s, uint64_t *place, struct ar_member *ret)
{
	char head[MEMBER_HEAD];
	uint64_t size;
	int r;

	if (*place >= s->size)
		return 0;
	r = source_read(s, *place, head, sizeof(head));
	if (r < 0)
		return r == -ENODATA ? -EBADMSG : r;
	if (memcmp(head + 58, "`\n", 2) != 0 ||
	    !span_u64(span_trim((struct span){ head + 48, 10 }), &size) ||
	    size > s->size - *place - sizeof(head))
		return -EBADMSG;
	*ret = (struct ar_member){ .at = *place + sizeof(head), .size = size };
	*place = ret->at + size + size % 2;
	return 1;
}
