#include "explain/reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "archive/packed.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/text.h"

#define FIRST_BYTES 8 /* that tell a form; a pipe may give fewer at once */

static const struct explain_form forms[] = {
	{ "gzip", "zcat", "gzip -t" }, { "bzip2", "bzcat", "bzip2 -t" },
	{ "xz", "xzcat", "xz -t" },    { "zstd", "zstdcat", "zstd -t" },
	{ "zip", "unzip -p", NULL },   { "ELF", NULL, NULL },
};

static const char *name_of(struct span first)
{
	if (span_starts(first, "PK\x03\x04"))
		return "zip";
	if (span_starts(first, "\x7f"
			       "ELF"))
		return "ELF";
	return packed_name(first);
}

const struct explain_form *reader_form(struct span first)
{
	const char *name = name_of(first);

	for (size_t i = 0; name && i < COUNT(forms); i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return NULL;
}

/* Of UTF-16 every second byte is 0 where the text is in Latin letters; of a program many more are. */
bool reader_may_be_log(struct span first)
{
	size_t even = 0, odd = 0;

	if (packed_name(first) || span_starts(first, "\xff\xfe") || span_starts(first, "\xfe\xff"))
		return true;
	if (reader_form(first))
		return false;
	/* A log that was cut while its writer kept the place begins with zeros. */
	while (first.len > 0 && first.data[0] == '\0')
		first = (struct span){ first.data + 1, first.len - 1 };
	for (size_t i = 0; i < first.len; i++) {
		even += i % 2 == 0 && first.data[i] == '\0';
		odd += i % 2 == 1 && first.data[i] == '\0';
	}
	return first.len > 0 && (even == 0 || odd == 0 || !text_is_binary(first));
}

struct reader {
	struct scan *scan;
	int fd;
	struct packed *packed; /* or NULL: as it is */
	const struct explain_reading *reading;
	unsigned long long bytes;
};

static ssize_t read_some(const struct reader *r, char *to, size_t room)
{
	ssize_t n;

	if (r->packed)
		return packed_read(r->packed, to, room);
	do
		n = read(r->fd, to, room);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void take(struct reader *r, size_t n)
{
	scan_added(r->scan, n);
	r->bytes += n;
	if (r->reading)
		r->reading->tell(r->reading->ctx, r->bytes);
}

/* At least the bytes that tell a form, if there are as many. They lie in the scan's room. */
static int read_first(const struct reader *r, struct span *ret)
{
	size_t room;
	char *to = scan_room(r->scan, &room);
	ssize_t n = 1;

	*ret = (struct span){ to, 0 };
	while (ret->len < FIRST_BYTES && n > 0) {
		n = read_some(r, to + ret->len, room - ret->len);
		ret->len += n > 0 ? (size_t)n : 0;
	}
	return n < 0 ? (int)n : 0;
}

static int read_rest(struct reader *r)
{
	size_t room;
	ssize_t n;

	do {
		char *to = scan_room(r->scan, &room);

		n = read_some(r, to, room);
		if (n > 0)
			take(r, (size_t)n);
	} while (n > 0);
	return (int)n;
}

/* From the first byte on, unless those show something that is no text. */
static int read_text(struct reader *r, struct span first)
{
	if (reader_form(first))
		return -EILSEQ;
	if (first.len > 0)
		take(r, first.len);
	return read_rest(r);
}

/* What comes out before a fault counts. */
static int read_packed(struct reader *r, struct span first, struct arena *arena,
		       struct reader_end *end)
{
	int error;

	r->packed = packed_open(r->fd, arena_span(arena, first));
	error = read_first(r, &first);
	if (error == 0 || first.len > 0)
		error = read_text(r, first);
	if (error == -EILSEQ)
		end->unread = "what is packed in it is no text";
	else if (error < 0)
		end->unread = arena_text(arena, span_of(packed_problem(r->packed)));
	end->is_large = error == -EFBIG;
	end->is_wide = error == -ENOBUFS;
	r->packed = packed_close(r->packed);
	return error == -ENOTSUP ? -EILSEQ : 0;
}

int reader_read(struct scan *scan, int fd, const struct explain_reading *reading,
		struct arena *arena, struct reader_end *ret)
{
	struct reader r = { .scan = scan, .fd = fd, .reading = reading };
	struct reader_end end = { 0 };
	struct span first;
	int error = read_first(&r, &first);

	end.form = error == 0 ? reader_form(first) : NULL;
	if (error == 0 && packed_name(first)) {
		error = read_packed(&r, first, arena, &end);
	} else if (error == 0) {
		error = read_text(&r, first);
	}
	scan_end(scan);
	*ret = end;
	return error;
}
