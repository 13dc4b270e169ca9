/*
 * The DLLs that Windows would load for a file: its imports and those of each DLL found,
 * each looked for in the order of Microsoft's "Dynamic-link library search order".
 * Nothing is loaded, and nothing is run.
 *
 * Python opens a DLL by its path, and then only the directory of the DLL, that of the
 * program, those of os.add_dll_directory() and System32 are searched. torch gives up that
 * order for the plain one, with PATH, when a DLL is missing: so does this. AMD's wheels
 * load the DLLs of rocm_sdk before all that, and a name that is loaded is not looked for.
 */

#include <ctype.h>
#include <errno.h>
#include <io.h>
#include <string.h>

#include "base/map.h"
#include "base/names.h"
#include "base/text.h"
#include "files.h"
#include "parse/pe.h"
#include "parse/pyvenv.h"
#include "survey/ask-loads.h"
#include "wide.h"

#include <windows.h>

#define PLACES_MAX 160
#define FILES_MAX  128
#define CONFIG_MAX ((size_t)64 << 10)
#define SDKS       "C:/Program Files/AMD/ROCm"

extern const char data_libraries[];

struct place {
	const char *how, *dir;
};

struct walk {
	struct arena *arena;
	struct place places[PLACES_MAX];
	size_t place_count;
	struct map met;               /* names that were looked for */
	const char *files[FILES_MAX]; /* whose imports are looked for */
	size_t file_count;
	bool is_missing, is_full;
	struct buf out;
};

static const char *dir_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_text(a, (struct span){ path, slash ? (size_t)(slash - path) : 0 });
}

static void add_place(struct walk *w, const char *how, const char *dir)
{
	if (w->place_count < PLACES_MAX && dir[0])
		w->places[w->place_count++] = (struct place){ how, dir };
}

/* ---- where is looked ---- */

static const char *system_dir(struct walk *w)
{
	struct buf root BUF_SCOPED = { 0 };

	return wide_variable(L"SystemRoot", &root)
		       ? arena_format(w->arena, "%s/System32", root.data)
		       : "C:/Windows/System32";
}

static void add_search_path(struct walk *w)
{
	struct buf path BUF_SCOPED = { 0 };
	struct span rest, dir;

	if (!wide_variable(L"PATH", &path))
		return;
	for (rest = buf_get(&path); span_cut(&rest, ';', &dir);) {
		while (dir.len > 3 && dir.data[dir.len - 1] == '/')
			dir.len--;
		if (dir.len > 2 && dir.data[1] == ':')
			add_place(w, "search_path", arena_text(w->arena, dir));
	}
}

static const char *site_of(struct arena *a, const char *path)
{
	const char *at = strstr(path, "/site-packages/");

	return at ? arena_text(a, (struct span){ path, (size_t)(at - path) + 14 }) : NULL;
}

/* Directories that `import torch` of AMD's wheels loads by path before anything else. */
static void add_wheels(struct walk *w, const char *site)
{
	struct file_name *names;
	size_t count;

	if (!file_is_there(arena_format(w->arena, "%s/torch/_rocm_init.py", site)))
		return;
	count = file_names(site, 4096, w->arena, &names);
	for (size_t i = 0; i < count; i++)
		if (names[i].is_dir && strncmp(names[i].name, "_rocm_sdk_", 10) == 0)
			add_place(w, "preload",
				  arena_format(w->arena, "%s/%s/bin", site, names[i].name));
}

/* Scripts/python.exe of a virtual environment only starts the Python that it was made with. */
static const char *home_of(struct walk *w, const char *program)
{
	const char *dir = dir_of(w->arena, program);
	struct buf text BUF_SCOPED = { 0 }, home BUF_SCOPED = { 0 };
	struct pyvenv venv;

	if (file_read(arena_format(w->arena, "%s/../pyvenv.cfg", dir), CONFIG_MAX, &text) < 0 ||
	    !pyvenv_parse(buf_get(&text), &venv))
		return dir;
	buf_span(&home, venv.home);
	for (size_t i = 0; i < home.len; i++)
		if (home.data[i] == '\\')
			home.data[i] = '/';
	return arena_text(w->arena, buf_get(&home));
}

static bool is_python(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strncasecmp(slash ? slash + 1 : program, "python", 6) == 0;
}

static void add_python(struct walk *w, const char *path, const char *program)
{
	const char *site = site_of(w->arena, path);
	const char *home = home_of(w, program);

	if (site)
		add_wheels(w, site);
	add_place(w, "beside", dir_of(w->arena, path));
	add_place(w, "program", home);
	if (site) {
		add_place(w, "added", arena_format(w->arena, "%s/torch/lib", site));
		add_place(w, "added", arena_format(w->arena, "%s/../../Library/bin", site));
	}
	add_place(w, "added", arena_format(w->arena, "%s/Library/bin", home));
	add_place(w, "system", system_dir(w));
}

static void add_plain(struct walk *w, const char *path, const char *program)
{
	const char *site = site_of(w->arena, path);

	if (site && is_python(program))
		add_wheels(w, site);
	add_place(w, "program",
		  is_python(program) ? home_of(w, program) : dir_of(w->arena, program));
	add_place(w, "system", system_dir(w));
	if (site)
		add_place(w, "added", arena_format(w->arena, "%s/torch/lib", site));
	add_search_path(w);
}

/* ---- the walk ---- */

static void write_pair(struct walk *w, const char *key, const char *wanted, const char *path)
{
	buf_addf(&w->out, "%s ", key);
	text_word(&w->out, span_of(wanted));
	buf_char(&w->out, ' ');
	text_word(&w->out, span_of(path));
	buf_char(&w->out, '\n');
}

/* In the directory of an SDK that is not searched. */
static bool write_elsewhere(struct walk *w, const char *wanted)
{
	struct file_name *names;
	size_t count = file_names(SDKS, 64, w->arena, &names);

	for (size_t i = 0; i < count; i++) {
		const char *there = file_find(arena_format(w->arena, SDKS "/%s/bin", names[i].name),
					      wanted, w->arena);

		if (there) {
			write_pair(w, "elsewhere", wanted, there);
			return true;
		}
	}
	return false;
}

/* "amdhip64_7.dll" where System32 has amdhip64_6.dll */
static void write_other(struct walk *w, const char *wanted)
{
	const char *low = strrchr(wanted, '_');

	if (!low || strspn(low + 1, "0123456789") != 1 || strcmp(low + 2, ".dll") != 0)
		return;
	for (char major = '9'; major > '0'; major--) {
		const char *other =
			arena_format(w->arena, "%.*s_%c.dll", (int)(low - wanted), wanted, major);
		const char *there = strcmp(other, wanted) == 0
					    ? NULL
					    : file_find(system_dir(w), other, w->arena);

		if (there) {
			write_pair(w, "other", wanted, there);
			return;
		}
	}
}

static void take_import(struct walk *w, const char *name, const char *by)
{
	const char *path = NULL, *how = "missing";

	if (!names_has_as(data_libraries, span_of(name), "loaded") ||
	    map_find(&w->met, span_of(name)))
		return;
	map_put(&w->met, span_of(name), w);
	for (size_t i = 0; !path && i < w->place_count; i++) {
		path = file_find(w->places[i].dir, name, w->arena);
		how = path ? w->places[i].how : "missing";
	}
	buf_addf(&w->out, "load %s ", how);
	text_word(&w->out, span_of(name));
	buf_char(&w->out, ' ');
	text_word(&w->out, span_of(path ? path : "-"));
	buf_text(&w->out, " < ");
	text_word(&w->out, span_of(by));
	buf_char(&w->out, '\n');
	if (!path) {
		w->is_missing = true;
		if (!write_elsewhere(w, name))
			write_other(w, name);
	} else if (w->file_count < FILES_MAX) {
		w->files[w->file_count++] = path;
	} else {
		w->is_full = true;
	}
}

/* -ENOEXEC for what is no binary of Windows. */
static int take_file(struct walk *w, const char *path)
{
	struct pe_imports imports;
	struct source source;
	const char *why;
	uint64_t size;
	struct pe pe;
	int r, fd = file_open(path, &size);

	if (fd < 0)
		return fd;
	source = source_file(fd, size);
	r = pe_open(&source, &pe, &why);
	if (r == 0)
		r = pe_imports(&pe, w->arena, &imports);
	_close(fd);
	for (size_t i = 0; r == 0 && i < imports.count; i++) {
		char *lower = (char *)arena_text(w->arena, span_of(imports.names[i]));

		for (char *at = lower; *at; at++)
			*at = (char)tolower((unsigned char)*at);
		take_import(w, lower, path);
	}
	return r;
}

static int walk(struct walk *w, const char *path)
{
	int r;

	w->files[w->file_count++] = path;
	r = take_file(w, path);
	for (size_t i = 1; r == 0 && i < w->file_count; i++)
		(void)take_file(w, w->files[i]); /* one that cannot be read asks for nothing */
	buf_addf(&w->out, "objects %u\n", (unsigned int)w->file_count);
	if (w->is_full)
		buf_addf(&w->out, "problem more than %d libraries\n", FILES_MAX);
	return r;
}

static int answer(struct arena *a, const char *path, const char *program, struct buf *ret)
{
	bool python = is_python(program), again = false;
	int r;

	do {
		struct walk w = { .arena = a };

		if (python && !again)
			add_python(&w, path, program);
		else
			add_plain(&w, path, program);
		r = walk(&w, path);
		again = r == 0 && python && !again && w.is_missing;
		if (r == 0 && !again)
			buf_span(ret, buf_get(&w.out));
		map_done(&w.met);
		buf_done(&w.out);
	} while (again);
	return r;
}

int ask_loads(struct door *d, struct span argument, struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 }, program BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct span word;
	int r = -EINVAL;

	(void)d;
	if (!span_word(&argument, &word) || !text_unword(&path, word))
		return r;
	if (span_word(&argument, &word) && !text_unword(&program, word))
		return r;
	r = answer(&a, path.data, program.len > 0 ? program.data : path.data, ret);
	arena_done(&a);
	return r;
}
