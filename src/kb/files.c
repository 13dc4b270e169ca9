#include "kb/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/trust.h"
#include "kb/examined.h"

#define FILE_MAX ((size_t)1 << 20) /* of a source file */

/* O_NONBLOCK: a FIFO of that name must not stop us. */
static int open_file(int dir, const char *path, bool ours, int *ret)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	int r = 0;

	if (fd < 0)
		return -errno;
	if (!fd_is_regular(fd))
		r = -EINVAL;
	else if (ours && !trust_path(&us, path, &why))
		r = -EPERM;
	if (r < 0)
		close(fd);
	else
		*ret = fd;
	return r;
}

static int read_file(int dir, const char *path, bool ours, size_t most, struct buf *ret)
{
	int fd = -1;
	int r = open_file(dir, path, ours, &fd);

	return r < 0 ? r : fd_all(fd, most, ret);
}

int files_read_own(const char *path, size_t most, struct buf *ret)
{
	return read_file(AT_FDCWD, path, true, most, ret);
}

int kb_read(const char *path, struct buf *keep, struct span *ret)
{
	int r;

	if (!path) {
		*ret = (struct span){ (const char *)kb_embedded,
				      (uintptr_t)kb_embedded_end - (uintptr_t)kb_embedded };
		return 0;
	}
	r = read_file(AT_FDCWD, path, false, KB_SIZE_MAX, keep);
	if (r == 0)
		*ret = buf_get(keep);
	return r;
}

/* ---- names of a directory, sorted ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What an editor leaves behind is no knowledge, nor is a text for people. */
static bool is_meant(const char *name)
{
	return name[0] != '.' && !span_ends(span_of(name), "~") && !span_ends(span_of(name), ".md");
}

static int list_names(int top, const char *dir, struct arena *arena, const char **ret,
		      size_t *count)
{
	int fd = openat(top, dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (!d) {
		int r = -errno;

		if (fd >= 0)
			close(fd);
		return r;
	}
	*count = 0;
	while ((entry = readdir(d))) {
		if (!is_meant(entry->d_name))
			continue;
		if (*count == FILES_MAX) {
			closedir(d);
			return -EFBIG;
		}
		ret[(*count)++] = arena_text(arena, span_of(entry->d_name));
	}
	closedir(d);
	qsort(ret, *count, sizeof(*ret), by_name);
	return 0;
}

int files_names(const char *dir, struct arena *arena, const char **ret, size_t *ret_count)
{
	return list_names(AT_FDCWD, dir, arena, ret, ret_count);
}

/* ---- sources ---- */

static int add_source(int top, const char *path, struct arena *arena, struct files_set *set)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = set->count == FILES_MAX ? -EFBIG : read_file(top, path, false, FILE_MAX, &text);

	if (r == 0)
		set->list[set->count++] =
			(struct compile_file){ path, arena_span(arena, buf_get(&text)) };
	return r;
}

static int add_dir(int top, const char *dir, struct arena *arena, struct files_set *set)
{
	const char **names = arena_alloc(arena, FILES_MAX * sizeof(*names));
	size_t count = 0;
	int r = list_names(top, dir, arena, names, &count);

	if (r == -ENOENT)
		return 0;
	for (size_t i = 0; r == 0 && i < count; i++)
		r = add_source(top, arena_format(arena, "%s/%s", dir, names[i]), arena, set);
	return r;
}

int files_read_dir(const char *dir, struct arena *arena, struct files_set *ret)
{
	static const char *const dirs[] = { "causes",     "remedies", "advice",   "tables",
					    "signatures", "defects",  "printable" };
	static const char *const lists[] = { "seen.yaml", "unseen.yaml" };
	struct files_set set = { arena_alloc(arena, FILES_MAX * sizeof(*set.list)), 0 };
	int top = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	int r;

	if (top < 0)
		return -errno;
	r = add_source(top, "VERSION", arena, &set);
	if (r == -ENOENT)
		r = 0; /* the compiler says so */
	for (size_t i = 0; r == 0 && i < sizeof(lists) / sizeof(lists[0]); i++) {
		r = add_source(top, lists[i], arena, &set);
		if (r == -ENOENT)
			r = 0; /* knowledge that nobody measures */
	}
	for (size_t i = 0; r == 0 && i < sizeof(dirs) / sizeof(dirs[0]); i++)
		r = add_dir(top, dirs[i], arena, &set);
	close(top);
	if (r == 0)
		*ret = set;
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
		return "no plain file";
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
	struct span bytes;
	int fd = -1;
	int r = open_file(AT_FDCWD, path, true, &fd);

	if (r < 0)
		return r;
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
	int error, r = list_names(AT_FDCWD, dir, arena, names, &count);

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
