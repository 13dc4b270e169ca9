#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "archive/packed-internal.h"

/*
 * xz and bzip2, by libarchive's filters around a raw stream. They give a block
 * of text when it is whole: of a stream that is cut its last 64 KiB may be lost.
 */

static la_ssize_t give_bytes(struct archive *a, void *of, const void **ret)
{
	struct packed *p = of;
	struct span given;

	if (!packed_fill(p) && p->error) {
		archive_set_error(a, EIO, "%s", p->problem.data);
		return -1;
	}
	given = p->rest;
	p->rest = (struct span){ 0 };
	*ret = given.data;
	return (la_ssize_t)given.len;
}

/* libarchive has no words for some damage, and calls a cut stream a fault of its library. */
static void fail(struct packed *p, struct archive *a)
{
	const char *text = archive_error_string(a);

	packed_fail(p, -EBADMSG, p->ended ? PACKED_CUT : text && text[0] ? text : "it is damaged");
}

/* libarchive counts the file itself as a filter; a raw stream has one member, or none if it is empty. */
void *packed_filter_begin(struct packed *p)
{
	struct archive *a = archive_read_new();
	struct archive_entry *e;
	bool opened;

	archive_read_support_format_raw(a);
	archive_read_support_format_empty(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_bzip2(a);
	opened = archive_read_open(a, p, NULL, give_bytes, NULL) == ARCHIVE_OK;
	if (opened && archive_filter_count(a) > 2)
		packed_fail(p, -EBADMSG, "it is packed more than once");
	else if (!opened || archive_read_next_header(a, &e) == ARCHIVE_FATAL)
		fail(p, a);
	return a;
}

size_t packed_filter_step(struct packed *p, void *state, char *to, size_t room)
{
	la_ssize_t n = archive_format(state) == ARCHIVE_FORMAT_RAW
			       ? archive_read_data(state, to, room)
			       : 0;

	if (n < 0)
		fail(p, state);
	return n > 0 ? (size_t)n : 0;
}

void packed_filter_end(void *state)
{
	archive_read_free(state);
}
