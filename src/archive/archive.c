#include "archive/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/memory.h"
#include "base/text.h"

#define FIRST_BYTES 4096
#define READ_BLOCK  ((size_t)128 << 10)
#define SLACK       ((uint64_t)16 << 20)

/*
 * Compressed blocks may hold nothing, and cost time: 64 MiB of them take zlib 8
 * seconds, and an archive around them packs them into a thousandth. No packer
 * writes more bytes than it got; those beyond four times of what comes out are
 * paid from a slack that the whole walk has once.
 */
#define EMPTY_BLOCKS "damaged: its compressed blocks are empty"

struct archive_walk {
	const struct archive_visitor *v;
	uint64_t members;
	uint64_t bytes; /* that came out of any of the archives */
	uint64_t bytes_max;
	uint64_t slack;
	struct buf *why; /* of the first thing that went wrong */
	int error;
	struct buf last; /* why, of the last one */
	bool over;       /* a limit was met: nothing more is read */
};

/* One archive: what its reader asks for comes from a file, or from a member of the outer one. */
struct nested_archive {
	struct archive_walk *w;
	struct archive *a;
	struct nested_archive *outer; /* NULL for the file itself, which is `fd` */
	int fd;
	struct buf first; /* of an outer one: read already, to see what it is; of a file: a block */
	bool first_given;
	uint64_t member_at;  /* of the unpacked archive: where the member at hand begins, */
	uint64_t member_out; /* and bytes that came of it */
	bool swollen;        /* more went in than the slack allows */
	const char *inside;
	unsigned int depth;
};

/* ---- what went wrong ---- */

/* The first fault is told of the archive, as later ones are often its children; the last of a member. */
static int fail(struct archive_walk *w, int error, const char *inside, const char *what)
{
	struct buf raw BUF_SCOPED = { 0 };

	if (inside)
		buf_addf(&raw, "%s: ", inside);
	buf_text(&raw, what);
	buf_clear(&w->last);
	text_clean(&w->last, buf_get(&raw), false);
	w->over |= error == -EFBIG;
	DEBUG(DEBUG_ARCHIVE, 0, "fault: %s", w->last.data);
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

static int fail_archive(struct nested_archive *l)
{
	return fail(l->w, -EBADMSG, l->inside, l->swollen ? EMPTY_BLOCKS : said_by(l->a));
}

/* ---- what goes in and what comes out ---- */

static uint64_t excess(uint64_t in, uint64_t out)
{
	return in / 4 > out ? in - 4 * out : 0;
}

/* Bytes that have come out of a filter, 0 being the last one. */
static uint64_t passed(const struct nested_archive *l, int filter)
{
	la_int64_t n = archive_filter_bytes(l->a, filter);

	return n > 0 ? (uint64_t)n : 0;
}

/* The excess of the archive's filters. The bytes of an RPM before its content are no damage. */
static uint64_t excess_of_stream(const struct nested_archive *l)
{
	uint64_t all = 0;

	for (int i = 0; i + 1 < archive_filter_count(l->a); i++)
		if (archive_filter_code(l->a, i) != ARCHIVE_FILTER_RPM)
			all += excess(passed(l, i + 1), passed(l, i));
	return all;
}

/* The excess of the current member: a zip packs each by itself. */
static uint64_t excess_of_member(const struct nested_archive *l)
{
	uint64_t at = passed(l, 0);

	return at > l->member_at ? excess(at - l->member_at, l->member_out) : 0;
}

static bool is_swollen(struct nested_archive *l, uint64_t excess_now)
{
	l->swollen |= excess_now > l->w->slack;
	return l->swollen;
}

static void pay(struct archive_walk *w, uint64_t n)
{
	w->slack -= n < w->slack ? n : w->slack;
}

/* Bytes that came out; false at the limit. */
static bool count(struct archive_walk *w, uint64_t n)
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

	if (!a)
		memory_out();
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
static int next_block(struct nested_archive *l, uint64_t at, struct span *ret, uint64_t *ret_gap)
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
	l->member_out += size;
	if (is_swollen(l, excess_of_member(l)))
		return fail_archive(l);
	return count(l->w, size) ? 1 : -EFBIG;
}

/* A sieve with all of the member, as far as it can be read. */
static struct sieve *sift(struct nested_archive *l, struct span first, struct buf *ret_why)
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
static int read_first(struct nested_archive *l, struct buf *ret)
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
static int skip_rest(struct nested_archive *l)
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

static int walk_level(struct nested_archive *l);

static la_ssize_t read_outer(struct archive *a, void *of, const void **ret)
{
	struct nested_archive *l = of;
	const void *data;
	la_int64_t offset;
	size_t size;
	int r;

	if (!l->first_given) {
		l->first_given = true;
		*ret = l->first.data;
		return (la_ssize_t)l->first.len;
	}
	r = archive_read_data_block(l->outer->a, &data, &size, &offset);
	if (r == ARCHIVE_EOF)
		return 0;
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN) {
		archive_set_error(a, EIO, "%s", said_by(l->outer->a));
		return -1;
	}
	l->outer->member_out += size;
	if (!count(l->w, size)) {
		archive_set_error(a, EIO, "too large");
		return -1;
	}
	if (is_swollen(l, excess_of_stream(l)) ||
	    is_swollen(l->outer, excess_of_member(l->outer))) {
		archive_set_error(a, EIO, EMPTY_BLOCKS);
		return -1;
	}
	*ret = data;
	return (la_ssize_t)size;
}

static la_ssize_t read_file(struct archive *a, void *of, const void **ret)
{
	struct nested_archive *l = of;
	ssize_t n;

	do
		n = read(l->fd, l->first.data, READ_BLOCK);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		archive_set_error(a, errno, "%s", strerror(errno));
	*ret = l->first.data;
	return is_swollen(l, excess_of_stream(l)) ? -1 : n;
}

/* Not beyond the end, or an archive that is cut would seem to go on. 0: it reads instead. */
static la_int64_t skip_file(struct archive *a, void *of, la_int64_t n)
{
	const struct nested_archive *l = of;
	off_t at = lseek(l->fd, 0, SEEK_CUR);
	struct stat st;

	(void)a;
	if (at < 0 || fstat(l->fd, &st) < 0 || at >= st.st_size)
		return 0;
	if (n > st.st_size - at)
		n = st.st_size - at;
	return lseek(l->fd, at + n, SEEK_SET) < 0 ? 0 : n;
}

static la_int64_t seek_file(struct archive *a, void *of, la_int64_t offset, int whence)
{
	const struct nested_archive *l = of;
	off_t at = lseek(l->fd, offset, whence);

	if (at >= 0)
		return at;
	archive_set_error(a, errno, "%s", strerror(errno));
	return ARCHIVE_FATAL;
}

/* A damaged layer is told, and the archive around it goes on. */
static void walk_nested(struct nested_archive *outer, const char *name, struct buf *first)
{
	struct nested_archive l = { .w = outer->w,
				    .a = new_reader(),
				    .outer = outer,
				    .first = *first,
				    .inside = name,
				    .depth = outer->depth + 1 };

	if (l.depth >= ARCHIVE_NESTING_MAX) {
		fail(l.w, -EFBIG, name, "archives in archives, more than three deep");
		archive_read_free(l.a);
		return;
	}
	DEBUG(DEBUG_ARCHIVE, 0, "open %s, %u deep", name, l.depth);
	if (archive_read_open(l.a, &l, NULL, read_outer, NULL) == ARCHIVE_OK)
		walk_level(&l);
	else
		fail_archive(&l);
	pay(l.w, excess_of_stream(&l));
	archive_read_free(l.a);
}

static int visit(struct nested_archive *l, struct archive_entry *e, struct buf *name_buf)
{
	struct buf first BUF_SCOPED = { 0 };
	struct buf why BUF_SCOPED = { 0 };
	struct archive_member m = { .name = clean_name(e, name_buf), .inside = l->inside };
	struct archive_walk *w = l->w;
	bool nested = may_nest(span_of(m.name));
	struct sieve *take;
	uint64_t began;
	bool likely;
	int r;

	if (archive_entry_size_is_set(e) && archive_entry_size(e) > 0)
		m.size = (uint64_t)archive_entry_size(e);
	likely = w->v->name(w->v->of, &m);
	if (!likely && !nested) {
		DEBUG(DEBUG_ARCHIVE, 0, "skip %s: nothing of this name is wanted", m.name);
		return skip_rest(l);
	}
	r = read_first(l, &first);
	if (nested && archive_known(buf_get(&first))) {
		walk_nested(l, m.name, &first);
		return w->over ? -EFBIG : 0;
	}
	if (r < 0 && first.len == 0)
		return r;
	if (!likely || !w->v->wanted(w->v->of, &m, buf_get(&first))) {
		DEBUG(DEBUG_ARCHIVE, 0, "skip %s: its first bytes are not wanted", m.name);
		return r < 0 ? r : skip_rest(l);
	}
	began = DEBUG_NOW(DEBUG_ARCHIVE);
	take = sift(l, buf_get(&first), &why);
	DEBUG(DEBUG_ARCHIVE, began, "sieve %s: %llu bytes%s%s", m.name,
	      (unsigned long long)sieve_source(take).size, why.len ? ": " : "",
	      why.len ? why.data : "");
	w->v->member(w->v->of, &m, take, why.len ? why.data : NULL);
	return w->over ? -EFBIG : 0;
}

static int walk_level(struct nested_archive *l)
{
	struct buf name BUF_SCOPED = { 0 };
	struct archive_entry *e;
	int r;

	while ((r = archive_read_next_header(l->a, &e)) != ARCHIVE_EOF) {
		if (r == ARCHIVE_FATAL || r == ARCHIVE_FAILED)
			return fail_archive(l);
		if (++l->w->members > ARCHIVE_MEMBERS_MAX)
			return fail(l->w, -EFBIG, NULL, "more than a million members");
		l->member_at = passed(l, 0);
		l->member_out = 0;
		if (archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
			continue;
		r = visit(l, e, &name);
		pay(l->w, excess_of_member(l));
		if (r < 0)
			return r;
	}
	return l->swollen ? fail_archive(l) : 0; /* some filters take it for their end */
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

/* "libarchive 3.7.4" */
const char *archive_library(void)
{
	const char *blank = strchr(archive_version_string(), ' ');

	return blank ? blank + 1 : "";
}

int archive_walk(int fd, const struct archive_visitor *v, struct buf *ret_why)
{
	struct archive_walk w = {
		.v = v, .bytes_max = ARCHIVE_SMALL_MAX, .slack = SLACK, .why = ret_why
	};
	struct nested_archive l = { .w = &w, .a = new_reader(), .fd = fd };
	struct stat st = { 0 };

	assert(fd >= 0 && v->name && v->wanted && v->member);
	if (fstat(fd, &st) == 0 && st.st_size > 0)
		w.bytes_max += (uint64_t)st.st_size * ARCHIVE_TIMES_MAX;
	buf_room(&l.first, READ_BLOCK);
	archive_read_set_seek_callback(l.a, seek_file);
	if (archive_read_open2(l.a, &l, NULL, read_file, skip_file, NULL) != ARCHIVE_OK)
		fail(&w, -ENOTSUP, NULL, l.swollen ? EMPTY_BLOCKS : said_by(l.a));
	else if (walk_level(&l) == 0 && has_no_end(l.a, fd, st.st_size))
		fail(&w, -EBADMSG, NULL, "ends without a tar's last, empty blocks: it may be cut");
	archive_read_free(l.a);
	buf_done(&l.first);
	buf_done(&w.last);
	return w.error;
}
