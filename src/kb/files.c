#include "kb/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/below.h"
#include "door/trust.h"
#include "kb/examined.h"

#define FILE_MAX ((size_t)1 << 20) /* of a source file */

int files_read_own(const char *path, size_t most, struct buf *ret)
{
	struct buf why BUF_SCOPED = { 0 };
	int fd = trust_open(path, &why);

	return fd < 0 ? fd : fd_all(fd, most, ret);
}

static int read_below(const struct below *dir, const char *path, enum below_links links,
		      size_t most, struct buf *ret)
{
	struct stat st;
	int fd = below_file(dir, path, links, &st);

	return fd < 0 ? fd : fd_all(fd, most, ret);
}

int kb_read(const char *path, struct buf *keep, struct span *ret)
{
	int r;

	if (!path) {
		*ret = (struct span){ (const char *)kb_embedded,
				      (uintptr_t)kb_embedded_end - (uintptr_t)kb_embedded };
		return 0;
	}
	r = read_below(&BELOW_HERE, path, BELOW_ANY, KB_SIZE_MAX, keep);
	if (r == 0)
		*ret = buf_get(keep);
	return r;
}

/* ---- names of a directory, sorted ---- */

/* What an editor leaves behind is no knowledge, nor is a text for people. */
static bool is_meant(const char *name)
{
	return name[0] != '.' && !span_ends(span_of(name), "~") && !span_ends(span_of(name), ".md");
}

static int list_names(const struct below *top, const char *dir, struct arena *arena,
		      const char **ret, size_t *count)
{
	struct below_name *found = NULL;
	size_t there = 0;
	int r = below_names(top, dir, BELOW_NONE, false, arena, &found, &there);

	*count = 0;
	for (size_t i = 0; r == 0 && i < there; i++) {
		if (!is_meant(found[i].name))
			continue;
		if (*count == FILES_MAX)
			return -EFBIG;
		ret[(*count)++] = found[i].name;
	}
	return r;
}

int files_names(const char *dir, struct arena *arena, const char **ret, size_t *ret_count)
{
	struct below top;
	int r = below_open(dir, &top);

	if (r < 0)
		return r;
	r = list_names(&top, "", arena, ret, ret_count);
	below_close(&top);
	return r;
}

/* ---- sources ---- */

/*
 * Who sends a tree must not have us read, and show, another file: no link in it is
 * followed, and nothing is opened before it was looked at.
 */
struct sources {
	struct arena *arena;
	struct below top;
	struct files_set set;
	const char *unread; /* of these the one that could not be read */
};

static int add_source(struct sources *s, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = s->set.count == FILES_MAX ? -EFBIG
					  : read_below(&s->top, path, BELOW_NONE, FILE_MAX, &text);

	if (r == 0)
		s->set.list[s->set.count++] =
			(struct compile_file){ path, arena_span(s->arena, buf_get(&text)) };
	else
		s->unread = path;
	return r;
}

static int add_dir(struct sources *s, const char *dir)
{
	const char **names = arena_alloc(s->arena, FILES_MAX * sizeof(*names));
	size_t count = 0;
	int r = list_names(&s->top, dir, s->arena, names, &count);

	s->unread = dir;
	if (r == -ENOENT)
		return 0;
	for (size_t i = 0; r == 0 && i < count; i++)
		r = add_source(s, arena_format(s->arena, "%s/%s", dir, names[i]));
	return r;
}

/* VERSION is asked for by the compiler; the lists are of knowledge that somebody measures. */
static int add_all(struct sources *s)
{
	static const char *const files[] = { "VERSION", "seen.yaml", "unseen.yaml" };
	static const char *const dirs[] = { "causes", "remedies",   "advice",  "programs",
					    "tables", "signatures", "defects", "printable" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
		r = add_source(s, files[i]);
		if (r == -ENOENT)
			r = 0;
	}
	for (size_t i = 0; r == 0 && i < sizeof(dirs) / sizeof(dirs[0]); i++)
		r = add_dir(s, dirs[i]);
	return r;
}

int files_read_dir(const char *dir, struct arena *arena, struct files_set *ret,
		   const char **ret_unread)
{
	struct sources s = { .arena = arena, .unread = "" };
	int r = below_open(dir, &s.top);

	if (r == 0) {
		s.set.list = arena_alloc(arena, FILES_MAX * sizeof(*s.set.list));
		r = add_all(&s);
		below_close(&s.top);
	}
	if (r == 0)
		*ret = s.set;
	else
		*ret_unread = s.unread;
	return r;
}

/* ---- the files of a host ---- */

const char *files_reason(int error)
{
	switch (error) {
	case -EPERM:
		return "others may write it";
	case -EFBIG:
		return "too large";
	case -EINVAL:
	case -EISDIR:
		return "no plain file";
	case -ELOOP:
		return "a link";
	case -EBADMSG:
		return "damaged, or no kb.db";
	case -ENOTSUP:
		return "made for a later rocsteady";
	default:
		return strerror(-error);
	}
}

/* Alone, beside no facts: is it a kb.db, and of which day? */
static int look(struct span bytes, bool examined, struct kb_info *ret)
{
	sqlite3 *db = NULL;
	int r = -ENOMEM;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK)
		r = examined ? kb_attach_examined(db, "kb", bytes, ret)
			     : kb_attach_as(db, "kb", bytes, ret);
	sqlite3_close(db);
	return r;
}

int files_look(struct span bytes, struct kb_info *ret)
{
	return look(bytes, false, ret);
}

/* Into the arena at once: to copy three megabytes takes as long as to read them. */
static int read_bytes(int fd, struct arena *arena, struct span *ret)
{
	struct stat st;
	size_t len = 0;
	char *bytes;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > (off_t)KB_SIZE_MAX)
		return -EFBIG;
	bytes = arena_alloc(arena, (size_t)st.st_size);
	while (len < (size_t)st.st_size) {
		ssize_t n = read(fd, bytes + len, (size_t)st.st_size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break; /* it has become shorter */
		len += (size_t)n;
	}
	*ret = (struct span){ bytes, len };
	return 0;
}

static int read_db(const char *path, struct arena *arena, struct span *ret,
		   struct kb_info *ret_info)
{
	struct buf why BUF_SCOPED = { 0 };
	struct span bytes;
	int fd = trust_open(path, &why);
	int r;

	if (fd < 0)
		return fd;
	r = read_bytes(fd, arena, &bytes);
	close(fd);
	if (r == 0)
		r = look(bytes, examined_before(path, bytes), ret_info);
	if (r == 0)
		*ret = bytes;
	return r;
}

static void take_updated(const char *path, struct arena *arena, struct files_layers *layers,
			 struct buf *said)
{
	struct kb_info own, theirs;
	struct span bytes;
	int r = read_db(path, arena, &bytes, &theirs);

	if (r < 0) {
		if (r != -ENOENT)
			buf_addf(said, "%s: left out: %s\n", path, files_reason(r));
		return;
	}
	if (files_look(layers->base, &own) == 0 && strcmp(theirs.version, own.version) <= 0)
		return;
	layers->base = bytes;
	layers->examined = !theirs.near; /* just now, or by the update */
	layers->updated = path;
}

static void take_site(const char *dir, struct arena *arena, struct files_layers *layers,
		      struct buf *said)
{
	const char **names = arena_alloc(arena, FILES_MAX * sizeof(*names));
	struct kb_info info;
	size_t count = 0;
	int error, r = files_names(dir, arena, names, &count);

	if (r < 0 && r != -ENOENT)
		buf_addf(said, "%s: left out: %s\n", dir, strerror(-r));
	for (size_t i = 0; r == 0 && i < count; i++) {
		const char *path = arena_format(arena, "%s/%s", dir, names[i]);

		if (!span_ends(span_of(path), ".db"))
			continue;
		if (layers->site_count == LAYERS_SITES_MAX) {
			buf_addf(said, "%s: left out: a site has at most %d files\n", path,
				 LAYERS_SITES_MAX);
			continue;
		}
		error = read_db(path, arena, &layers->sites[layers->site_count], &info);
		if (error == 0)
			layers->site_paths[layers->site_count++] = path;
		else
			buf_addf(said, "%s: left out: %s\n", path, files_reason(error));
	}
}

void files_read_layers(const char *updated, const char *site_dir, struct arena *arena,
		       struct files_layers *ret, struct buf *ret_said)
{
	*ret = (struct files_layers){ 0 };
	kb_read(NULL, NULL, &ret->base);
	take_updated(updated, arena, ret, ret_said);
	take_site(site_dir, arena, ret, ret_said);
}

int files_attach(sqlite3 *db, const struct files_layers *l, struct kb_info *ret, struct buf *said)
{
	struct layers layers = { l->base, l->examined, l->sites, l->site_count };

	return layers_attach(db, &layers, ret, said);
}
