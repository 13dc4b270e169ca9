#include "survey/ask-kernels.h"

#include <errno.h>
#include <unistd.h>

#include "base/text.h"
#include "code/kernels.h"
#include "door/beside.h"
#include "door/standing.h"

#define INDEX_BYTES_MAX ((uint64_t)32 << 20)
#define LEVELS_MAX      3 /* aotriton.images/amd-gfx90a/flash/attn_fwd */

/* An index that is empty is none; of thousands of kernels the names are enough. */
static bool is_index(const void *kind, const char *name)
{
	return kernels_opens(kind, name);
}

/* "left denied /opt/rocm/lib/rocblas/library/gfx942" */
static void tell_left(void *of, const char *path, int error)
{
	struct buf *lines = of;

	buf_addf(lines, "left %s ", error == -E2BIG ? "many" : standing_of(error));
	text_word(lines, span_of(path));
	buf_char(lines, '\n');
}

static void read_kernels(struct as_user *u, const char *kind, const char *path, struct buf *ret)
{
	struct arena arena = { 0 };
	struct beside beside = { .user = u,
				 .dir = path,
				 .until_ms = beacon_now_ms() + BESIDE_MS_MAX,
				 .limit = INDEX_BYTES_MAX };
	struct buf lines BUF_SCOPED = { 0 };
	struct beside_left left = { tell_left, &lines };
	struct beside_name *names;
	struct kernels_file *files;
	struct kernels kernels;
	size_t count;

	beside_names(u, path, LEVELS_MAX, is_index, kind, &left, &arena, &names, &count);
	files = arena_alloc(&arena, (count + 1) * sizeof(*files));
	for (size_t i = 0; i < count; i++)
		files[i] = (struct kernels_file){ names[i].name, names[i].size };
	kernels_read(kind, files, count, beside_open, beside_close, &beside, &arena, &kernels);
	kernels_write(&kernels, ret);
	buf_span(ret, buf_get(&lines));
	arena_done(&arena);
}

int ask_kernels(struct door *d, struct span argument, struct buf *ret)
{
	char path[AS_USER_PATH_MAX];
	struct as_user user;
	const char *kind;
	int fd;
	int error = as_user_path(argument, path);

	if (error < 0)
		return error;
	kind = kernels_kind(span_of(path));
	if (!kind)
		return -EINVAL; /* a directory that is none of ours is not listed */
	error = as_user_begin(d, &user);
	if (error < 0)
		return error;
	fd = as_user_dir(&user, path);
	if (fd >= 0) {
		close(fd);
		read_kernels(&user, kind, path, ret);
	}
	as_user_end(&user);
	return fd < 0 ? fd : 0;
}
