/*
 * Programs that bring their own device code: where they are installed, and
 * which of their libraries hold it.
 */

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "door/paths.h"
#include "survey/search.h"

/* A program in its usual place, and where its libraries are. */
static const struct {
	const char *app;
	const char *file;
	const char *libraries; /* blank-separated */
} places[] = {
	{ "ollama", "/usr/local/bin/ollama", "/usr/local/lib/ollama" },
	{ "ollama", "/usr/bin/ollama", "/usr/lib/ollama /usr/lib64/ollama" },
	{ "ollama", "~/.local/bin/ollama", "~/.local/lib/ollama" },
	{ "llama.cpp", "/usr/local/bin/llama-server", "/usr/local/lib /usr/local/lib64" },
	{ "llama.cpp", "/usr/bin/llama-server",
	  "/usr/lib/x86_64-linux-gnu/ggml/backends0 /usr/lib/x86_64-linux-gnu/ggml "
	  "/usr/lib64/ggml /usr/lib/ggml" },
	{ "llama.cpp", "/app/llama-server", "/app" },
	{ "llama.cpp", "~/llama.cpp/build/bin/llama-server", "~/llama.cpp/build/bin" },
	{ "koboldcpp", "/usr/local/bin/koboldcpp", "/usr/local/share/koboldcpp" },
	{ "koboldcpp", "/usr/bin/koboldcpp", "/usr/share/koboldcpp /usr/lib/koboldcpp" },
};

/* Programs that lie where somebody has unpacked or built them. */
static const struct {
	const char *pattern;
	const char *app;
} programs[] = {
	{ "llama-server", "llama.cpp" },
	{ "koboldcpp*", "koboldcpp" },
};

/* Libraries with kernels, and those of ROCm that come along. */
static const char *const libraries[] = {
	"libggml-hip.so*",     "libggml-rocm.so*",     "libggml-cuda.so*", "koboldcpp_hipblas.so",
	"koboldcpp_cublas.so", "librocblas.so*",       "libhipblas.so*",   "libhipblaslt.so*",
	"libamdhip64.so*",     "libhsa-runtime64.so*", "librocsolver.so*", "libamd_comgr.so*",
};

const char *search_application_name(const char *name)
{
	if (name[0] != 'l' && name[0] != 'k') /* this is asked of every name in a home */
		return NULL;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (paths_glob(span_of(programs[i].pattern), span_of(name)))
			return programs[i].app;
	return NULL;
}

static bool is_library(const char *name)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (paths_glob(span_of(libraries[i]), span_of(name)))
			return true;
	return false;
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

static void take_kernels(struct search *s, const char *dir)
{
	static const char *const below[] = { "rocblas/library", "hipblaslt/library" };

	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		const char *path = arena_format(&s->arena, "%s/%s", dir, below[i]);

		if (reach_kind(&s->reach, path) == 'd')
			search_line(s, "kernels", path);
	}
}

/* Ollama keeps a directory for each kind of GPU: rocm, rocm_v7, cuda_v12. */
static void take_libraries(struct search *s, const char *dir, bool inner)
{
	struct search_names names;

	dir = search_follow(s, dir);
	if (!dir)
		return;
	names = search_names(s, dir);
	for (size_t i = 0; i < names.count; i++) {
		const struct search_entry *e = &names.entries[i];
		const char *path = arena_format(&s->arena, "%s/%s", dir, e->name);

		if (e->type != DT_DIR && is_library(e->name))
			take_library(s, path);
		else if (e->type == DT_DIR && !inner &&
			 (strncmp(e->name, "rocm", 4) == 0 || strncmp(e->name, "hip", 3) == 0))
			take_libraries(s, path, true);
	}
	if (names.fd >= 0)
		take_kernels(s, dir);
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

	if (!real || reach_kind(&s->reach, real) != '-')
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
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *file = placed(s, span_of(places[i].file));
		struct span rest = span_of(places[i].libraries);
		struct span dir;

		if (!file || !write_application(s, places[i].app, file))
			continue;
		while (span_word(&rest, &dir))
			take_libraries(s, placed(s, dir), false);
	}
}
