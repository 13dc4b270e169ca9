#include "door/allowed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"

static bool is_below(const char *directory, const char *path)
{
	size_t n = strcmp(directory, "/") == 0 ? 0 : strlen(directory);

	return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

void allowed_read(struct allowed *a, const char *directories,
		  void (*missing)(const char *directory, int error))
{
	struct span rest = span_of(directories ? directories : ""), name;

	while (span_cut(&rest, ':', &name)) {
		const char *named = arena_text(&a->arena, name);
		char *real = realpath(named, NULL);

		if (real) {
			a->roots = arena_grow(&a->arena, a->roots, a->count, sizeof(*a->roots));
			a->roots[a->count++] = (struct allowed_root){
				named, arena_text(&a->arena, span_of(real)), { .fd = -1 }
			};
		} else if (name.len > 0) {
			missing(named, errno);
			a->missing++;
		}
		free(real);
	}
}

int allowed_enter(struct allowed *a)
{
	int r = 0;

	for (size_t i = 0; i < a->count && r == 0; i++)
		r = below_open(a->roots[i].named, &a->roots[i].top);
	return r;
}

void allowed_done(struct allowed *a)
{
	for (size_t i = 0; i < a->count; i++)
		below_close(&a->roots[i].top);
	arena_done(&a->arena);
	*a = (struct allowed){ 0 };
}

const struct allowed_root *allowed_find(const struct allowed *a, const char *path,
					struct arena *arena, const char **ret_real)
{
	const struct allowed_root *found = NULL;

	for (size_t i = 0; i < a->count && !found; i++) {
		const struct allowed_root *root = &a->roots[i];
		bool asked =
			path[0] != '/' || is_below(root->named, path) || is_below(root->real, path);
		char *real = asked ? realpath(path, NULL) : NULL;

		if (real && is_below(root->real, real)) {
			*ret_real = arena_text(arena, span_of(real));
			found = root;
		}
		free(real);
	}
	return found;
}

/* Its directory is opened by the name that it had without links, as it is now. */
int allowed_open(const struct allowed *a, const char *path)
{
	struct arena arena = { 0 };
	const char *real;
	const struct allowed_root *root = allowed_find(a, path, &arena, &real);
	struct below top = { .fd = -1 };
	struct stat st;
	int r = root ? below_open_real(root->real, &top) : -EACCES;

	if (r == 0) {
		size_t n = strcmp(root->real, "/") == 0 ? 0 : strlen(root->real);

		r = below_file(&top, real + n + (real[n] == '/'), BELOW_NONE, &st);
		below_close(&top);
	}
	arena_done(&arena);
	return r == -EISDIR ? -EINVAL : r;
}
