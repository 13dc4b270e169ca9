#include "root/snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "root/root-internal.h"
#include "root/scrub.h"
#include "root/standing.h"

#define BRIEF_MAX ((size_t)32 * 1024)

/* ---- files ---- */

static int inflate_all(gzFile file, struct buf *ret)
{
	int n;

	do {
		buf_room(ret, 65536);
		n = gzread(file, ret->data + ret->len, 65536);
		if (n < 0)
			return -EBADMSG;
		ret->len += (size_t)n;
		ret->data[ret->len] = '\0';
		if (ret->len > SNAPSHOT_MAX)
			return -EFBIG;
	} while (n > 0);
	return gzeof(file) ? 0 : -EBADMSG;
}

int snapshot_read(const char *path, struct buf *ret)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	gzFile file;
	int r;

	if (fd < 0)
		return -errno;
	file = gzdopen(fd, "rb"); /* plain text passes through it as it is */
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	r = inflate_all(file, ret);
	if (gzclose(file) != Z_OK && r == 0)
		r = -EBADMSG;
	return r;
}

static int write_all(int fd, struct span text)
{
	while (text.len > 0) {
		ssize_t n = write(fd, text.data, text.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text.data += n;
		text.len -= (size_t)n;
	}
	return 0;
}

/* No time and no name in the header: the same text gives the same bytes. */
static int deflate_to(int fd, struct span text)
{
	gzFile file = gzdopen(dup(fd), "wb9");
	int r = 0;

	if (!file)
		return -ENOMEM;
	if (text.len > 0 && gzwrite(file, text.data, (unsigned int)text.len) <= 0)
		r = -EIO;
	return gzclose(file) == Z_OK ? r : -EIO;
}

static int write_to(int fd, const char *path, struct span text)
{
	return span_ends(span_of(path), ".gz") ? deflate_to(fd, text) : write_all(fd, text);
}

int snapshot_write(const char *path, struct span text)
{
	struct buf temporary BUF_SCOPED = { 0 };
	int fd;
	int r;

	if (strcmp(path, "-") == 0)
		return write_all(STDOUT_FILENO, text);
	buf_addf(&temporary, "%s.XXXXXX", path);
	fd = mkostemp(temporary.data, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_to(fd, path, text);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && rename(temporary.data, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary.data);
	return r;
}

/* ---- the text of a recording ---- */

static int order_of(const struct record *r)
{
	return r->kind == RECORD_NOTE ? 0 : r->kind == RECORD_ASK ? 1 : 2;
}

/* Notes, then questions, then the tree in the order of its paths. */
static int by_place(const void *a, const void *b)
{
	const struct record *ra = *(const struct record *const *)a;
	const struct record *rb = *(const struct record *const *)b;
	struct span pa = ra->path, pb = rb->path;
	size_t n = pa.len < pb.len ? pa.len : pb.len;
	int order;

	if (order_of(ra) != order_of(rb))
		return order_of(ra) < order_of(rb) ? -1 : 1;
	order = memcmp(pa.data, pb.data, n);
	if (order == 0 && pa.len != pb.len)
		order = pa.len < pb.len ? -1 : 1;
	return order ? order : (int)ra->kind - (int)rb->kind;
}

static const struct record **sorted(const struct store *s, size_t *ret_count)
{
	const struct record **list = calloc(s->count + 1, sizeof(struct record *));
	size_t count = 0;

	if (!list)
		_exit(70);
	for (size_t i = 0; i < s->count; i++) {
		const struct record *r = s->records[i];

		if (r->kind == RECORD_NOTE && span_is(r->path, "unpacked"))
			continue;
		if (map_find(&s->by_path[r->kind], r->path) == r) /* not replaced by a later one */
			list[count++] = r;
	}
	qsort(list, count, sizeof(*list), by_place);
	*ret_count = count;
	return list;
}

/*
 * A node of KFD has forty properties; these tell what it is. With 64 agents
 * the others alone would fill a brief snapshot.
 */
static const char *const brief_properties[] = {
	"simd_count ", "simd_per_cu ", "gfx_target_version ", "vendor_id ", "device_id ",
	"location_id ", "domain ", "drm_render_minor ", "unique_id ", "hive_id ", "fw_version ",
	"num_xcc ", "capability ",
};

static bool is_brief_line(struct span line)
{
	for (size_t i = 0; i < sizeof(brief_properties) / sizeof(brief_properties[0]); i++)
		if (span_starts(line, brief_properties[i]))
			return true;
	return false;
}

static void shorten(const struct record *r, struct buf *ret)
{
	struct span rest = r->raw;
	struct span line;
	bool first = true;

	while (span_line(&rest, &line)) {
		if (!first && !is_brief_line((struct span){ line.data + 1, line.len - 1 }))
			continue;
		buf_span(ret, line);
		buf_char(ret, '\n');
		first = false;
	}
}

static void add_brief(const struct record *r, struct buf *ret, size_t *left_out)
{
	struct buf one BUF_SCOPED = { 0 };

	if (!r->touched) {
		(*left_out)++;
		return;
	}
	if (span_ends(r->path, "/properties"))
		shorten(r, &one);
	else
		buf_span(&one, r->raw);
	if (ret->len + one.len > BRIEF_MAX - 128)
		(*left_out)++;
	else
		buf_span(ret, buf_get(&one));
}

static void add_records(const struct store *s, bool brief, struct buf *ret)
{
	size_t left_out = 0;
	size_t count;
	const struct record **list = sorted(s, &count);

	for (size_t i = 0; i < count; i++)
		if (brief)
			add_brief(list[i], ret, &left_out);
		else
			buf_span(ret, list[i]->raw);
	if (left_out > 0)
		buf_addf(ret, "note left-out %zu records: brief\n", left_out);
	free(list);
}

/* Root made it anew, so it says by which program; a tree is somebody else's work. */
static bool is_ours(const struct root *root)
{
	return root->kind == ROOT_LIVE || root->kind == ROOT_MOUNTED;
}

int snapshot_of(struct root *root, const struct snapshot_options *o, struct buf *ret)
{
	bool scrubbed = store_find(&root->store, RECORD_NOTE, SPAN_LITERAL("scrubbed")) != NULL;
	struct buf plain BUF_SCOPED = { 0 };

	if (root->kind == ROOT_SNAPSHOT && !root->brief) {
		buf_span(ret, buf_get(&root->text));
		return 0;
	}
	buf_text(&plain, RECORD_MAGIC "\n");
	if (is_ours(root))
		buf_addf(&plain, "note program %s\n", ROCSTEADY_VERSION);
	add_records(&root->store, root->brief, &plain);
	if (o->no_scrub || scrubbed) {
		buf_span(ret, buf_get(&plain));
		return 0;
	}
	return scrub(buf_get(&plain), o->key, ret);
}

/* ---- unpacking ---- */

/* Below dir and through no link, whatever a stranger's snapshot has in its paths. */
static int open_below(int dir, const char *path, int flags, mode_t mode)
{
	struct open_how how = { .flags = (uint64_t)flags | O_CLOEXEC,
				.mode = flags & O_CREAT ? mode : 0,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* The open parent directory of a path, made as needed; *ret_name is its last part. */
static int make_parents(int top, const char *path, const char **ret_name)
{
	char part[256];
	int dir = dup(top);

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		int next;

		if (slash == path)
			continue;
		if ((size_t)(slash - path) >= sizeof(part) || dir < 0)
			break;
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		(void)mkdirat(dir, part, 0777); /* there already: opened next */
		next = open_below(dir, part, O_PATH | O_DIRECTORY, 0);
		close(dir);
		dir = next;
		if (dir < 0)
			return dir;
	}
	*ret_name = path;
	return dir;
}

static int unpack_file(int top, const struct record *r, struct span content)
{
	char *path = strndup(r->path.data, r->path.len);
	const char *name = NULL;
	int dir = path ? make_parents(top, path, &name) : -ENOMEM;
	int fd = dir < 0 ? dir : open_below(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	int error = fd < 0 ? fd : write_all(fd, content);

	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(path);
	return error;
}

static int unpack_link(int top, const struct record *r)
{
	struct buf target BUF_SCOPED = { 0 };
	char *path = strndup(r->path.data, r->path.len);
	const char *name = NULL;
	int dir = path ? make_parents(top, path, &name) : -ENOMEM;
	int error = dir < 0 ? dir : 0;

	if (dir >= 0 && text_unword(&target, r->detail) && target.len > 0)
		error = symlinkat(target.data, dir, name) < 0 ? -errno : 0;
	if (dir >= 0)
		close(dir);
	free(path);
	return error;
}

/* A file as it was read; all else goes into the sidecar. */
static bool is_whole_file(const struct record *r)
{
	return r->kind == RECORD_FILE && !r->error &&
	       !(r->flags & (RECORD_HEAD | RECORD_EXCERPT)) && r->path.data[0] == '/';
}

static int unpack_files(struct root *root, int top, struct buf *sidecar)
{
	size_t count;
	const struct record **list = sorted(&root->store, &count);
	int error = 0;

	buf_text(sidecar, RECORD_MAGIC "\nnote unpacked\n");
	for (size_t i = 0; error == 0 && i < count; i++) {
		struct buf content BUF_SCOPED = { 0 };

		if (is_whole_file(list[i]) && record_content(list[i], &content) &&
		    unpack_file(top, list[i], buf_get(&content)) == 0)
			continue;
		buf_span(sidecar, list[i]->raw);
	}
	for (size_t i = 0; i < count; i++)
		if (list[i]->kind == RECORD_LINK && !list[i]->error && list[i]->path.data[0] == '/')
			(void)unpack_link(top, list[i]); /* for people; the sidecar has it too */
	free(list);
	return error;
}

static bool is_empty_dir(int fd)
{
	DIR *dir = fdopendir(dup(fd));
	int names = 0;

	while (dir && readdir(dir))
		names++;
	if (dir)
		closedir(dir);
	return names <= 2;
}

int snapshot_unpack(struct root *root, const char *dir)
{
	struct buf sidecar BUF_SCOPED = { 0 };
	int top;
	int fd;
	int error;

	if (mkdir(dir, 0777) < 0 && errno != EEXIST)
		return -errno;
	top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -errno;
	error = is_empty_dir(top) ? unpack_files(root, top, &sidecar) : -ENOTEMPTY;
	if (error == 0) {
		fd = openat(top, ".rocsteady-snapshot", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		error = fd < 0 ? -errno : write_all(fd, buf_get(&sidecar));
		if (fd >= 0)
			close(fd);
	}
	close(top);
	return error;
}
