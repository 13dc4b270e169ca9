#include "archive/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define FIRST_BYTES 4096
#define READ_BLOCK  ((size_t)128 << 10)

struct walk {
	const struct archive_visitor *v;
	uint64_t members;
	uint64_t bytes; /* that came out of any of the archives */
	uint64_t bytes_max;
	struct buf *why; /* of the first thing that went wrong */
	int error;
	struct buf last; /* why, of the last one */
	bool over;       /* a limit was met: nothing more is read */
};

/* An archive in an archive: what its reader asks for comes from the outer one. */
struct level {
	struct walk *w;
	struct archive *outer;
	struct buf first; /* read already, to see what it is */
	bool first_given;
	struct archive *a;
	const char *inside;
	unsigned int depth;
};

/* ---- what went wrong ---- */

/* The first fault is told of the archive, as later ones are often its children; the last of a member. */
static int fail(struct walk *w, int error, const char *inside, const char *what)
{
	struct buf raw BUF_SCOPED = { 0 };

	if (inside)
		buf_addf(&raw, "%s: ", inside);
	buf_text(&raw, what);
	buf_clear(&w->last);
	text_clean(&w->last, buf_get(&raw), false);
	w->over |= error == -EFBIG;
	if (w->error)
		return error;
	buf_span(w->why, buf_get(&w->last));
	w->error = error;
	return error;
}

/* libarchive has no words for some damage. */
static const char *said_by(struct archive *a)
{
	const char *text = archive_error_string(a);

	return text && text[0] ? text : "damaged";
}

static int fail_archive(struct level *l)
{
	return fail(l->w, -EBADMSG, l->inside, said_by(l->a));
}

/* Bytes that came out; false at the limit. */
static bool count(struct walk *w, uint64_t n)
{
	w->bytes += n;
	if (w->bytes <= w->bytes_max)
		return true;
	fail(w, -EFBIG, NULL,
	     "more comes out of it than 200 times its size and 1 GiB: not read further");
	return false;
}

/* ---- names ---- */

/* Below the archive's top, whatever it says; text that no terminal obeys. */
static char *clean_name(struct archive_entry *e, struct buf *out)
{
	const char *raw = archive_entry_pathname(e);
	struct span rest = span_of(raw ? raw : archive_entry_pathname_utf8(e));
	struct span part;

	buf_clear(out);
	buf_text(out, "");
	while (span_cut(&rest, '/', &part)) {
		if (part.len == 0 || span_is(part, ".") || span_is(part, ".."))
			continue;
		if (out->len > 0)
			buf_char(out, '/');
		text_clean(out, part, false);
	}
	if (out->len == 0)
		buf_text(out, "(no name)");
	return out->data;
}

/* Only what is named like one: a manual page in gzip is no container. */
static bool may_nest(struct span name)
{
	size_t slash = name.len;

	while (slash > 0 && name.data[slash - 1] != '/')
		slash--;
	if (span_starts((struct span){ name.data + slash, name.len - slash }, "control.tar"))
		return false;
	return archive_named(name) || span_starts(name, "blobs/");
}

/* ---- one archive ---- */

static struct archive *new_reader(void)
{
	struct archive *a = archive_read_new();

	archive_read_support_format_zip(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_ar(a);
	archive_read_support_format_cpio(a);
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_rpm(a);
	return a;
}

/* The next block of a member: 1, 0 at its end, <0. Holes of sparse members are `*ret_gap`. */
static int next_block(struct level *l, uint64_t at, struct span *ret, uint64_t *ret_gap)
{
	const void *data;
	la_int64_t offset;
	size_t size;
	int r = archive_read_data_block(l->a, &data, &size, &offset);

	if (r == ARCHIVE_EOF)
		return 0;
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
		return fail_archive(l);
	if (offset < 0 || (uint64_t)offset < at)
		return fail(l->w, -EBADMSG, l->inside, "a member overlaps itself");
	*ret_gap = (uint64_t)offset - at;
	*ret = (struct span){ data, size };
	return count(l->w, size) ? 1 : -EFBIG;
}

/* A sieve with all of the member, as far as it can be read. */
static struct sieve *sift(struct level *l, struct span first, struct buf *ret_why)
{
	struct sieve *s = sieve_new();
	uint64_t at = first.len;
	struct span block;
	uint64_t gap;
	int r;

	sieve_add(s, first);
	while ((r = next_block(l, at, &block, &gap)) > 0) {
		sieve_gap(s, gap);
		sieve_add(s, block);
		at += gap + block.len;
	}
	sieve_end(s);
	if (r < 0)
		buf_span(ret_why, buf_get(&l->w->last));
	else if (sieve_problem(s))
		buf_text(ret_why, sieve_problem(s));
	return s;
}

/* The beginning of a member, at least FIRST_BYTES if it has as many. */
static int read_first(struct level *l, struct buf *ret)
{
	static const char zeros[FIRST_BYTES];
	struct span block;
	uint64_t gap;

	while (ret->len < FIRST_BYTES) {
		int r = next_block(l, ret->len, &block, &gap);

		if (r <= 0)
			return r;
		for (; gap > 0 && ret->len < FIRST_BYTES; gap--)
			buf_add(ret, zeros, 1);
		if (gap > 0) /* begins with a great hole: nothing that we read does */
			return fail(l->w, -EBADMSG, l->inside, "a member begins with a hole");
		buf_span(ret, block);
	}
	return 0;
}

/* Skipping in a compressed stream is unpacking: it counts. Elsewhere libarchive seeks. */
static int skip_rest(struct level *l)
{
	bool zip = (archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
	struct span block = { 0 };
	uint64_t gap = 0;
	uint64_t at = 0;
	int r;

	if (zip || (!l->outer && archive_filter_count(l->a) <= 1))
		return 0;
	do {
		r = next_block(l, at, &block, &gap);
		at += r > 0 ? gap + block.len : 0;
	} while (r > 0);
	return r;
}

static int walk_level(struct level *l);

static la_ssize_t read_outer(struct archive *a, void *of, const void **ret)
{
	struct level *l = of;
	const void *data;
	la_int64_t offset;
	size_t size;
	int r;

	if (!l->first_given) {
		l->first_given = true;
		*ret = l->first.data;
		return (la_ssize_t)l->first.len;
	}
	r = archive_read_data_block(l->outer, &data, &size, &offset);
	if (r == ARCHIVE_EOF)
		return 0;
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN) {
		archive_set_error(a, EIO, "%s", said_by(l->outer));
		return -1;
	}
	if (!count(l->w, size)) {
		archive_set_error(a, EIO, "too large");
		return -1;
	}
	*ret = data;
	return (la_ssize_t)size;
}

/* A damaged layer is told, and the archive around it goes on. */
static void walk_nested(struct level *outer, const char *name, struct buf *first)
{
	struct level l = { .w = outer->w,
			   .outer = outer->a,
			   .a = new_reader(),
			   .inside = name,
			   .depth = outer->depth + 1 };

	if (l.depth >= ARCHIVE_NESTING_MAX) {
		fail(l.w, -EFBIG, name, "archives in archives, more than three deep");
		archive_read_free(l.a);
		return;
	}
	l.first = *first;
	if (archive_read_open(l.a, &l, NULL, read_outer, NULL) == ARCHIVE_OK)
		walk_level(&l);
	else
		fail_archive(&l);
	archive_read_free(l.a);
}

static int visit(struct level *l, struct archive_entry *e, struct buf *name_buf)
{
	struct buf first BUF_SCOPED = { 0 };
	struct buf why BUF_SCOPED = { 0 };
	struct archive_member m = { .name = clean_name(e, name_buf), .inside = l->inside };
	struct walk *w = l->w;
	bool nested = may_nest(span_of(m.name));
	struct sieve *take;
	bool likely;
	int r;

	if (archive_entry_size_is_set(e) && archive_entry_size(e) > 0)
		m.size = (uint64_t)archive_entry_size(e);
	likely = w->v->name(w->v->of, &m);
	if (!likely && !nested)
		return skip_rest(l);
	r = read_first(l, &first);
	if (nested && archive_known(buf_get(&first))) {
		walk_nested(l, m.name, &first);
		return w->over ? -EFBIG : 0;
	}
	if (r < 0 && first.len == 0)
		return r;
	if (!likely || !w->v->wanted(w->v->of, &m, buf_get(&first)))
		return r < 0 ? r : skip_rest(l);
	take = sift(l, buf_get(&first), &why);
	w->v->member(w->v->of, &m, take, why.len ? why.data : NULL);
	return w->over ? -EFBIG : 0;
}

static int walk_level(struct level *l)
{
	struct buf name BUF_SCOPED = { 0 };
	struct archive_entry *e;
	int r;

	while ((r = archive_read_next_header(l->a, &e)) != ARCHIVE_EOF) {
		if (r == ARCHIVE_FATAL || r == ARCHIVE_FAILED)
			return fail_archive(l);
		if (++l->w->members > ARCHIVE_MEMBERS_MAX)
			return fail(l->w, -EFBIG, NULL, "more than a million members");
		if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
			continue;
		r = visit(l, e, &name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A tar that is not packed may be cut between two members; libarchive takes that for its end. */
static bool has_no_end(struct archive *a, int fd, off_t size)
{
	static const char empty[512];
	char last[512];

	if ((archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR ||
	    archive_filter_count(a) > 1 || size < (off_t)sizeof(last))
		return false;
	return pread(fd, last, sizeof(last), size - (off_t)sizeof(last)) == sizeof(last) &&
	       memcmp(last, empty, sizeof(last)) != 0;
}

int archive_walk(int fd, const struct archive_visitor *v, struct buf *ret_why)
{
	struct walk w = { .v = v, .bytes_max = ARCHIVE_SMALL_MAX, .why = ret_why };
	struct level l = { .w = &w, .a = new_reader() };
	struct stat st = { 0 };

	if (fstat(fd, &st) == 0 && st.st_size > 0)
		w.bytes_max += (uint64_t)st.st_size * ARCHIVE_TIMES_MAX;
	if (archive_read_open_fd(l.a, fd, READ_BLOCK) != ARCHIVE_OK)
		fail(&w, -ENOTSUP, NULL, said_by(l.a));
	else if (walk_level(&l) == 0 && has_no_end(l.a, fd, st.st_size))
		fail(&w, -EBADMSG, NULL, "ends without a tar's last, empty blocks: it may be cut");
	archive_read_free(l.a);
	buf_done(&w.last);
	return w.error;
}
