/*
 * Programs that bring their own device code: where they are installed, and
 * which of their libraries hold it.
 */

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "code/kernel-directories.h"
#include "survey/search.h"

extern const char data_applications[], data_libraries[];

/* A program that lies anywhere. */
struct search_program {
	struct span file; /* pattern */
	const char *app;
	struct search_program *next;
};

void search_programs(struct search *s)
{
	struct span rest = span_of(data_applications), file, words, app;

	while (names_next(&rest, &file, &words)) {
		struct search_program *p;

		if (memchr(file.data, '/', file.len) || !span_word(&words, &app))
			continue;
		p = arena_alloc(&s->arena, sizeof(*p));
		*p = (struct search_program){ file, arena_text(&s->arena, app), s->programs };
		s->programs = p;
	}
}

const char *search_application_name(const struct search *s, const char *name)
{
	for (const struct search_program *p = s->programs; p; p = p->next)
		if (span_fits(span_of(name), p->file))
			return p->app;
	return NULL;
}

/* One file has three names: librocblas.so.5.2 and the links to it. */
static void take_library(struct search *s, const char *path)
{
	const char *real = search_follow(s, path), *key;
	static char yes;

	if (!real)
		return;
	key = arena_format(&s->arena, "library %s", real);
	if (map_find(&s->seen, span_of(key)))
		return;
	map_put(&s->seen, span_of(key), &yes);
	search_line(s, "library", real);
}

/* Ollama keeps a directory for each kind of GPU: rocm, rocm_v7, cuda_v12. */
static void take_libraries(struct search *s, const char *dir, bool inner)
{
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);
	struct search_names names;

	dir = search_follow(s, dir);
	if (!dir)
		return;
	names = search_names(s, dir);
	for (size_t i = 0; i < names.count; i++) {
		const struct search_entry *e = &names.entries[i];
		const char *path = arena_format(&s->arena, "%s/%s", dir, e->name);

		if (e->type != DT_DIR && names_has_as(data_libraries, span_of(e->name), "bundled"))
			take_library(s, path);
		else if (e->type == DT_DIR && !inner &&
			 (strncmp(e->name, "rocm", 4) == 0 || strncmp(e->name, "hip", 3) == 0))
			take_libraries(s, path, true);
	}
	for (size_t i = 0; names.fd >= 0 && i < count; i++) {
		const char *path = arena_format(&s->arena, "%s/%.*s", dir, (int)rows[i].ending.len,
						rows[i].ending.data);

		if (rows[i].place == KERNEL_DIRECTORY_LIB && !rows[i].versioned &&
		    as_user_kind(&s->user, path) == 'd')
			search_line(s, "kernels", path);
	}
	search_names_done(&names);
}

static const char *placed(struct search *s, struct span path)
{
	if (path.data[0] != '~')
		return arena_text(&s->arena, path);
	return s->home ? arena_format(&s->arena, "%s%.*s", s->home, (int)path.len - 1,
				      path.data + 1)
		       : NULL;
}

static bool write_application(struct search *s, const char *app, const char *file)
{
	const char *real = search_follow(s, file), *key;
	static char yes;

	if (!real || as_user_kind(&s->user, real) != '-')
		return false;
	key = arena_format(&s->arena, "app %s", real);
	if (map_find(&s->seen, span_of(key)))
		return false;
	map_put(&s->seen, span_of(key), &yes);
	s->found++;
	search_line(s, arena_format(&s->arena, "app %s", app), real);
	return true;
}

void search_application(struct search *s, const char *app, const char *file)
{
	const char *slash = strrchr(file, '/');

	if (write_application(s, app, file))
		take_libraries(s,
			       arena_text(&s->arena, (struct span){ file, (size_t)(slash - file) }),
			       true);
}

void search_applications(struct search *s)
{
	struct span rest = span_of(data_applications), file, words, app, dir;

	while (names_next(&rest, &file, &words)) {
		const char *path = memchr(file.data, '/', file.len) ? placed(s, file) : NULL;

		if (!path || !span_word(&words, &app) ||
		    !write_application(s, arena_text(&s->arena, app), path))
			continue;
		while (span_word(&words, &dir))
			take_libraries(s, placed(s, dir), false);
	}
}
