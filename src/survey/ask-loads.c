#include "survey/ask-loads.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"
#include "door/standing.h"
#include "survey/loader.h"

#define LINES_MAX 400

extern const char data_libraries[];

struct load_walk {
	struct loader loader;
	struct as_user user;
	struct arena arena;
	struct buf variables; /* NAME=value lines of the judged process */
	struct buf *out;
	struct map told;     /* names that were written down */
	const char **places; /* where else a missing library may be */
	size_t place_count;
	unsigned int lines;
};

/* ---- names that matter ---- */

static bool matters(const char *name)
{
	const char *slash = strrchr(name, '/');

	return names_has_as(data_libraries, span_of(slash ? slash + 1 : name), "loaded");
}

/* ---- where a missing one is ---- */

static void add_place(struct load_walk *w, const char *dir)
{
	for (size_t i = 0; i < w->place_count; i++)
		if (strcmp(w->places[i], dir) == 0)
			return;
	w->places = arena_grow(&w->arena, w->places, w->place_count, sizeof(*w->places));
	w->places[w->place_count++] = dir;
}

/* Directories in `dir` whose name fits, with something after the name. */
static void add_places(struct load_walk *w, const char *dir, const char *pattern,
		       const char *behind)
{
	int fd = as_user_dir(&w->user, dir);
	DIR *d = door_dir(fd);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (span_fits(span_of(e->d_name), span_of(pattern)))
			add_place(w, arena_format(&w->arena, "%s/%s/%s", dir, e->d_name, behind));
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return door_natural_order(*(const char *const *)a, *(const char *const *)b);
}

/* ROCm's directories, and those of the environment that the file lies in. */
static void find_places(struct load_walk *w, const char *path)
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
	if (w->place_count > 1)
		qsort(w->places, w->place_count, sizeof(w->places[0]), by_name);
}

static void tell(struct load_walk *w, const char *key, const char *wanted, const char *path)
{
	buf_addf(w->out, "%s ", key);
	text_word(w->out, span_of(wanted));
	buf_char(w->out, ' ');
	text_word(w->out, span_of(path));
	buf_char(w->out, '\n');
}

/* ".so.6" and not ".so.6.4.60400": the name that something could ask for. */
static bool is_other(const char *name, struct span stem, const char *wanted)
{
	size_t n = strlen(name);

	return n > stem.len && memcmp(name, stem.data, stem.len) == 0 &&
	       strspn(name + stem.len, "0123456789") == n - stem.len && strcmp(name, wanted) != 0;
}

static bool tell_other_in(struct load_walk *w, const char *dir, struct span stem,
			  const char *wanted)
{
	int fd = as_user_dir(&w->user, dir);
	DIR *d = door_dir(fd);
	const char *best = NULL;
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (is_other(e->d_name, stem, wanted) &&
		    (!best || door_natural_order(best, e->d_name) < 0))
			best = arena_text(&w->arena, span_of(e->d_name));
	if (d)
		closedir(d);
	if (best)
		tell(w, "other", wanted, arena_format(&w->arena, "%s/%s", dir, best));
	return best != NULL;
}

/* The same name where the loader does not look; else a neighbour with another number. */
static void tell_missing(struct load_walk *w, const char *wanted, const char *path)
{
	const char *number = strstr(wanted, ".so.");
	struct ld_cache_entry e;
	char real[AS_USER_PATH_MAX];
	struct span stem;

	find_places(w, path);
	if (strchr(wanted, '/'))
		return;
	for (size_t i = 0; i < w->place_count; i++) {
		const char *there = arena_format(&w->arena, "%s/%s", w->places[i], wanted);

		if (as_user_real(&w->user, there, real) == 0) {
			tell(w, "elsewhere", wanted, there);
			return;
		}
	}
	if (!number)
		return;
	stem = (struct span){ wanted, (size_t)(number - wanted) + 4 }; /* "libamdhip64.so." */
	for (size_t i = 0; i < w->place_count; i++)
		if (tell_other_in(w, w->places[i], stem, wanted))
			return;
	for (uint32_t i = 0; ld_cache_entry(&w->loader.cache, i, &e); i++)
		if (e.flags == ld_cache_flags(w->loader.machine) &&
		    is_other(e.name.data, stem, wanted)) {
			tell(w, "other", wanted, arena_text(&w->arena, e.path));
			return;
		}
}

/* ---- the answer ---- */

static void tell_edge(struct load_walk *w, const struct loader_edge *e, const char *path)
{
	const struct loader *l = &w->loader;
	char real[AS_USER_PATH_MAX] = "-", by[AS_USER_PATH_MAX];
	static char yes;

	if ((e->object >= 0 && !matters(e->wanted)) || map_find(&w->told, span_of(e->wanted)))
		return;
	map_put(&w->told, span_of(e->wanted), &yes);
	if (w->lines++ >= LINES_MAX)
		return;
	if (e->object >= 0 && as_user_real(&w->user, l->objects[e->object].path, real) < 0)
		snprintf(real, sizeof(real), "%s", l->objects[e->object].path);
	if (as_user_real(&w->user, l->objects[e->by].path, by) < 0)
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

static void tell_all(struct load_walk *w, const char *path, size_t first)
{
	const struct loader *l = &w->loader;

	for (size_t i = 0; i < l->edge_count; i++)
		if (l->edges[i].by >= (int)first || l->edges[i].how == LOADER_PRELOAD)
			tell_edge(w, &l->edges[i], path);
	buf_addf(w->out, "objects %zu\n", l->object_count);
	if (l->full)
		buf_addf(w->out, "problem more than %d libraries\n", LOADER_OBJECTS_MAX);
	if (l->cut)
		buf_text(w->out, "problem a dynamic section is longer than is read\n");
	if (l->cache_unread)
		buf_text(w->out, "problem /etc/ld.so.cache cannot be read\n");
	if (w->lines > LINES_MAX)
		buf_addf(w->out, "problem more than %d names that matter\n", LINES_MAX);
	for (size_t i = 0; i < w->user.door->stuck_count; i++) {
		const char *lost = arena_text(&w->arena, w->user.door->stuck[i]);

		if (lost[0] == '/') {
			buf_text(w->out, "left stuck ");
			text_word(w->out, span_of(lost));
			buf_char(w->out, '\n');
		}
	}
}

/* ---- the judged process ---- */

static const char *variable(struct load_walk *w, const char *name)
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

static int walk(struct load_walk *w, const char *path, const char *program, const char *cwd)
{
	size_t first = 0;
	int r;

	loader_init(&w->loader, &w->user, &w->arena, variable(w, "LD_LIBRARY_PATH"),
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
	char path[AS_USER_PATH_MAX], program[AS_USER_PATH_MAX] = "";
	struct load_walk *w;
	struct span word;
	const char *cwd;
	int r = span_word(&argument, &word) ? as_user_path(word, path) : -EINVAL;

	if (r == 0 && span_word(&argument, &word))
		r = as_user_path(word, program);
	if (r < 0)
		return r;
	w = memory_new(1, sizeof(*w));
	w->out = ret;
	if (d->kind == DOOR_LIVE)
		(void)subject_environment(d, SPAN_LITERAL(""), &w->variables);
	cwd = subject_cwd(d, &w->arena);
	r = as_user_begin(d, &w->user);
	if (r == 0) {
		r = walk(w, path, program, cwd);
		as_user_end(&w->user);
	}
	buf_done(&w->variables);
	map_done(&w->told);
	arena_done(&w->arena);
	free(w);
	return r;
}
