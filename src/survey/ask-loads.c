#include "survey/ask-loads.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "door/paths.h"
#include "door/standing.h"
#include "survey/loader.h"

#define LINES_MAX  400
#define PLACES_MAX 48

struct walk {
	struct loader loader;
	struct reach reach;
	struct arena arena;
	struct buf variables; /* NAME=value lines of the judged process */
	struct buf *out;
	struct map told;                /* names that were written down */
	const char *places[PLACES_MAX]; /* where else a missing library may be */
	size_t place_count;
	unsigned int lines;
};

/* ---- names that matter ---- */

static bool matters(const char *name)
{
	static const char *const patterns[] = {
		"libamd*",         "libhip*",        "libroc*",        "libhsa*",
		"librccl*",        "libMIOpen*",     "libmigraphx*",   "librpp*",
		"libmagma*",       "libtorch*",      "libc10*",        "libcaffe2*",
		"libaotriton*",    "libtensorflow*", "libjax*",        "libxla*",
		"libonnxruntime*", "libggml*",       "libllama*",      "libbitsandbytes*",
		"libdrm*",         "libLLVM*",       "libclang*",      "libnccl*",
		"libcu*",          "libnv*",         "libstdc++.so.6",
	};
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (paths_glob(span_of(patterns[i]), span_of(name)))
			return true;
	return false;
}

static bool is_new(struct walk *w, const char *name)
{
	static char yes;

	if (map_find(&w->told, span_of(name)))
		return false;
	map_put(&w->told, span_of(name), &yes);
	return true;
}

/* ---- where a missing one is ---- */

static void add_place(struct walk *w, const char *dir)
{
	for (size_t i = 0; i < w->place_count; i++)
		if (strcmp(w->places[i], dir) == 0)
			return;
	if (w->place_count < PLACES_MAX)
		w->places[w->place_count++] = dir;
}

/* Directories in `dir` whose name fits, with something behind the name. */
static void add_places(struct walk *w, const char *dir, const char *pattern, const char *behind)
{
	int fd = reach_dir(&w->reach, dir);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	for (int i = 0; d && i < 4096 && (e = readdir(d)); i++)
		if (paths_glob(span_of(pattern), span_of(e->d_name)))
			add_place(w, arena_format(&w->arena, "%s/%s/%s", dir, e->d_name, behind));
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return door_natural_order(*(const char *const *)a, *(const char *const *)b);
}

/* ROCm's directories, and those of the environment that the file lies in. */
static void find_places(struct walk *w, const char *path)
{
	const char *site = strstr(path, "/site-packages/");
	const char *top;

	if (w->place_count > 0)
		return;
	add_places(w, "/opt", "rocm*", "lib");
	add_places(w, "/opt/rocm", "core*", "lib");
	if (!site)
		site = strstr(path, "/dist-packages/");
	if (site) {
		top = arena_text(&w->arena, (struct span){ path, (size_t)(site - path) + 14 });
		add_place(w, arena_format(&w->arena, "%s/torch/lib", top));
		add_places(w, top, "_rocm_sdk_*", "lib");
	}
	qsort(w->places, w->place_count, sizeof(w->places[0]), by_name);
}

static void tell(struct walk *w, const char *key, const char *wanted, const char *path)
{
	buf_addf(w->out, "%s ", key);
	text_word(w->out, span_of(wanted));
	buf_char(w->out, ' ');
	text_word(w->out, span_of(path));
	buf_char(w->out, '\n');
}

static bool tell_elsewhere(struct walk *w, const char *wanted)
{
	char real[REACH_PATH_MAX];

	for (size_t i = 0; i < w->place_count; i++) {
		const char *path = arena_format(&w->arena, "%s/%s", w->places[i], wanted);

		if (reach_real(&w->reach, path, real) == 0) {
			tell(w, "elsewhere", wanted, path);
			return true;
		}
	}
	return false;
}

/* "libamdhip64.so.5" -> "libamdhip64.so." */
static bool stem_of(const char *wanted, struct span *ret)
{
	const char *so = strstr(wanted, ".so.");

	if (!so)
		return false;
	*ret = (struct span){ wanted, (size_t)(so - wanted) + 4 };
	return true;
}

/* ".so.6" and not ".so.6.4.60400": the name that something could ask for. */
static bool is_other(const char *name, struct span stem, const char *wanted)
{
	size_t n = strlen(name);

	return n > stem.len && memcmp(name, stem.data, stem.len) == 0 &&
	       strspn(name + stem.len, "0123456789") == n - stem.len && strcmp(name, wanted) != 0;
}

static bool tell_other_in(struct walk *w, const char *dir, struct span stem, const char *wanted)
{
	int fd = reach_dir(&w->reach, dir);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const char *best = NULL;
	struct dirent *e;

	for (int i = 0; d && i < 8192 && (e = readdir(d)); i++)
		if (is_other(e->d_name, stem, wanted) &&
		    (!best || door_natural_order(best, e->d_name) < 0))
			best = arena_text(&w->arena, span_of(e->d_name));
	if (d)
		closedir(d);
	if (best)
		tell(w, "other", wanted, arena_format(&w->arena, "%s/%s", dir, best));
	return best != NULL;
}

static bool tell_other_cached(struct walk *w, struct span stem, const char *wanted)
{
	struct ld_cache_entry e;

	for (uint32_t i = 0; ld_cache_entry(&w->loader.cache, i, &e); i++)
		if (e.flags == ld_cache_flags(w->loader.machine) &&
		    is_other(e.name.data, stem, wanted)) {
			tell(w, "other", wanted, arena_text(&w->arena, e.path));
			return true;
		}
	return false;
}

static void tell_missing(struct walk *w, const char *wanted, const char *path)
{
	struct span stem;

	find_places(w, path);
	if (strchr(wanted, '/') || tell_elsewhere(w, wanted) || !stem_of(wanted, &stem))
		return;
	for (size_t i = 0; i < w->place_count; i++)
		if (tell_other_in(w, w->places[i], stem, wanted))
			return;
	(void)tell_other_cached(w, stem, wanted);
}

/* ---- the answer ---- */

static void tell_edge(struct walk *w, const struct loader_edge *e, const char *path)
{
	const struct loader *l = &w->loader;
	char real[REACH_PATH_MAX] = "-", by[REACH_PATH_MAX];

	if ((e->object >= 0 && !matters(e->wanted)) || !is_new(w, e->wanted))
		return;
	if (w->lines++ >= LINES_MAX)
		return;
	if (e->object >= 0 && reach_real(&w->reach, l->objects[e->object].path, real) < 0)
		snprintf(real, sizeof(real), "%s", l->objects[e->object].path);
	if (reach_real(&w->reach, l->objects[e->by].path, by) < 0)
		snprintf(by, sizeof(by), "%s", l->objects[e->by].path);
	buf_addf(w->out, "load %s ", loader_how_name(e->how));
	text_word(w->out, span_of(e->wanted));
	buf_char(w->out, ' ');
	text_word(w->out, span_of(real));
	buf_text(w->out, " < ");
	text_word(w->out, span_of(by));
	buf_char(w->out, '\n');
	if (e->how == LOADER_MISSING)
		tell_missing(w, e->wanted, path);
}

static void tell_all(struct walk *w, const char *path, size_t first)
{
	const struct loader *l = &w->loader;

	for (size_t i = 0; i < l->edge_count; i++)
		if (l->edges[i].by >= (int)first || l->edges[i].how == LOADER_PRELOAD)
			tell_edge(w, &l->edges[i], path);
	buf_addf(w->out, "objects %zu\n", l->object_count);
	if (l->full)
		buf_addf(w->out, "problem more than %d libraries\n", LOADER_OBJECTS_MAX);
	if (w->lines > LINES_MAX)
		buf_addf(w->out, "problem more than %d names that matter\n", LINES_MAX);
	for (size_t i = 0; i < w->reach.door->stuck_count; i++) {
		const char *lost = arena_text(&w->arena, w->reach.door->stuck[i]);

		if (lost[0] == '/') {
			buf_text(w->out, "left stuck ");
			text_word(w->out, span_of(lost));
			buf_char(w->out, '\n');
		}
	}
}

/* ---- the judged process ---- */

static const char *variable(struct walk *w, const char *name)
{
	struct span rest = buf_get(&w->variables);
	size_t n = strlen(name);
	struct span line;

	while (span_line(&rest, &line))
		if (line.len > n && memcmp(line.data, name, n) == 0 && line.data[n] == '=')
			return arena_text(&w->arena,
					  (struct span){ line.data + n + 1, line.len - n - 1 });
	return "";
}

static const char *cwd_of(struct walk *w, struct door *d)
{
	char path[64], target[REACH_PATH_MAX];
	struct subject s;
	ssize_t n;

	if (d->kind != ROOT_LIVE || subject_read(d, &s) < 0 || s.process[0] == '\0')
		return NULL;
	snprintf(path, sizeof(path), "%s/cwd", s.process);
	n = readlink(path, target, sizeof(target));
	if (n <= 0 || target[0] != '/')
		return NULL;
	return arena_text(&w->arena, (struct span){ target, (size_t)n });
}

static int walk(struct walk *w, const char *path, const char *program, const char *cwd)
{
	size_t first = 0;
	int r;

	loader_init(&w->loader, &w->reach, &w->arena, variable(w, "LD_LIBRARY_PATH"),
		    variable(w, "LD_PRELOAD"), cwd);
	r = loader_start(&w->loader, program[0] ? program : path);
	if (r >= 0 && program[0]) {
		first = w->loader.object_count;
		r = loader_open(&w->loader, path);
	}
	if (r >= 0)
		tell_all(w, path, first);
	loader_done(&w->loader);
	return r < 0 ? r : 0;
}

int ask_loads(struct door *d, struct span argument, struct buf *ret)
{
	char path[REACH_PATH_MAX], program[REACH_PATH_MAX] = "";
	struct walk *w;
	struct span word;
	const char *cwd;
	int r = span_word(&argument, &word) ? reach_path(word, path) : -EINVAL;

	if (r == 0 && span_word(&argument, &word))
		r = reach_path(word, program);
	if (r < 0)
		return r;
	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->out = ret;
	if (d->kind == ROOT_LIVE)
		(void)subject_environment(d, SPAN_LITERAL(""), &w->variables);
	cwd = cwd_of(w, d);
	r = reach_begin(d, &w->reach);
	if (r == 0) {
		r = walk(w, path, program, cwd);
		reach_end(&w->reach);
	}
	buf_done(&w->variables);
	map_done(&w->told);
	arena_done(&w->arena);
	free(w);
	return r;
}
