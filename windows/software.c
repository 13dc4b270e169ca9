/*
 * Software for GPUs on a machine with Windows: the search for Pythons, and the
 * metadata of one directory of packages. The answers are those of src/survey; no
 * Python is run.
 */

#include <ctype.h>
#include <errno.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/text.h"
#include "code/code.h"
#include "code/kernel-directories.h"
#include "files.h"
#include "parse/package-name.h"
#include "parse/pyvenv.h"
#include "parse/version-py.h"
#include "survey/ask-code.h"
#include "survey/ask-environments.h"
#include "survey/ask-packages.h"
#include "survey/python-packages.h"
#include "wide.h"

#include <windows.h>

#define LOOKS_MAX 20000
#define MS_MAX    2500
#define NAMES_MAX 4096
#define FOUND_MAX 64
#define SMALL_MAX ((size_t)64 << 10)
#define CODE_MAX  ((uint64_t)256 << 20)

struct search {
	struct arena arena;
	struct buf *out;
	struct map seen;
	ULONGLONG until;
	unsigned int looks, found;
	bool ended;
};

static const char *path_of(struct search *s, const char *dir, const char *name)
{
	bool slash = dir[0] && dir[strlen(dir) - 1] == '/';

	return arena_format(&s->arena, "%s%s%s", dir, slash ? "" : "/", name);
}

static void line(struct search *s, const char *key, const char *path)
{
	buf_addf(s->out, "%s ", key);
	text_word(s->out, span_of(path));
	buf_char(s->out, '\n');
}

/* ---- what a directory is ---- */

/* "python312.dll" gives 3.12 */
static const char *version_of(struct search *s, const struct file_name *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *digits = names[i].name + 6;
		size_t n = strncasecmp(names[i].name, "python3", 7) == 0
				   ? strspn(digits, "0123456789")
				   : 0;

		if (n > 1 && n < 4 && strcasecmp(digits + n, ".dll") == 0)
			return arena_format(&s->arena, "3.%.*s", (int)n - 1, digits + 1);
	}
	return NULL;
}

static void write_python(struct search *s, const char *kind, const char *dir, const char *version,
			 const char *program)
{
	const char *site = path_of(s, dir, "Lib/site-packages");

	if (map_find(&s->seen, span_of(dir)) || s->found == FOUND_MAX || !file_is_there(site))
		return;
	map_put(&s->seen, span_of(dir), s);
	s->found++;
	buf_addf(s->out, "env %s ", kind);
	text_word(s->out, span_of(dir));
	buf_addf(s->out, version ? " %s\n" : "\n", version);
	line(s, "site", site);
	line(s, "program", path_of(s, dir, program));
}

/* True if there is nothing more to look for below it. */
static bool take_venv(struct search *s, const char *dir)
{
	struct buf text BUF_SCOPED = { 0 };
	struct pyvenv venv;
	struct span version, major, minor;

	if (file_read(path_of(s, dir, "pyvenv.cfg"), SMALL_MAX, &text) < 0 ||
	    !pyvenv_parse(buf_get(&text), &venv))
		return false;
	version = venv.version;
	if (span_cut(&version, '.', &major) && span_cut(&version, '.', &minor))
		write_python(s, venv.uv.len > 0 ? "uv" : "venv", dir,
			     arena_format(&s->arena, "%.*s.%.*s", (int)major.len, major.data,
					  (int)minor.len, minor.data),
			     "Scripts/python.exe");
	else
		write_python(s, "venv", dir, NULL, "Scripts/python.exe");
	return true;
}

static bool has_name(const struct file_name *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(names[i].name, name) == 0)
			return true;
	return false;
}

static void take_python(struct search *s, const char *dir, const struct file_name *names,
			size_t count)
{
	const char *name = strrchr(dir, '/');
	const char *kind = has_name(names, count, "conda-meta")                  ? "conda"
			   : name && strncasecmp(name, "/python_embed", 13) == 0 ? "portable"
										 : "system";

	if (has_name(names, count, "python.exe"))
		write_python(s, kind, dir, version_of(s, names, count), "python.exe");
}

/* ---- applications ---- */

extern const char data_windows_applications[], data_libraries[];

static bool is_bundled(struct search *s, const char *name)
{
	char *lower = (char *)arena_text(&s->arena, span_of(name));

	for (char *at = lower; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return names_has_as(data_libraries, span_of(lower), "bundled");
}

static void write_bundled(struct search *s, const char *dir)
{
	size_t count, rows;
	const struct kernel_directory *kinds = kernel_directories(&rows);
	struct file_name *names;

	count = file_names(dir, NAMES_MAX, &s->arena, &names);
	for (size_t i = 0; i < count; i++)
		if (!names[i].is_dir && is_bundled(s, names[i].name))
			line(s, "library", path_of(s, dir, names[i].name));
	for (size_t i = 0; i < rows; i++) {
		const char *path = arena_format(&s->arena, "%s/%.*s", dir, (int)kinds[i].ending.len,
						kinds[i].ending.data);

		if (kinds[i].place == KERNEL_DIRECTORY_LIB && !kinds[i].versioned &&
		    file_is_there(path))
			line(s, "kernels", path);
	}
}

static bool write_application(struct search *s, struct span app, const char *file)
{
	const char *key = arena_format(&s->arena, "app %s", file);

	if (map_find(&s->seen, span_of(key)) || s->found == FOUND_MAX || !file_is_there(file))
		return false;
	map_put(&s->seen, span_of(key), s);
	s->found++;
	line(s, arena_format(&s->arena, "app %.*s", (int)app.len, app.data), file);
	return true;
}

/* "LOCALAPPDATA/Programs" with what the variable says; NULL: it is not set. */
static const char *placed(struct search *s, struct span path)
{
	struct buf dir BUF_SCOPED = { 0 };
	wchar_t name[WIDE_MAX];
	struct span variable;

	if (!span_cut(&path, '/', &variable) || !wide_of(variable, name) ||
	    !wide_variable(name, &dir))
		return NULL;
	return arena_format(&s->arena, "%s/%.*s", dir.data, (int)path.len, path.data);
}

/* Directories whose last part fits, and the directory bin in each. */
static void write_bundled_in(struct search *s, const char *pattern)
{
	const char *last = pattern ? strrchr(pattern, '/') : NULL;
	struct file_name *names;
	const char *above;
	size_t count;

	if (!last)
		return;
	above = arena_text(&s->arena, (struct span){ pattern, (size_t)(last - pattern) });
	count = file_names(above, NAMES_MAX, &s->arena, &names);
	for (size_t i = 0; i < count; i++) {
		if (!names[i].is_dir || !span_fits(span_of(names[i].name), span_of(last + 1)))
			continue;
		write_bundled(s, path_of(s, above, names[i].name));
		write_bundled(s, path_of(s, path_of(s, above, names[i].name), "bin"));
	}
}

static void look_for_applications(struct search *s)
{
	struct span rest = span_of(data_windows_applications), file, words, app, dir;

	while (names_next(&rest, &file, &words)) {
		const char *path = memchr(file.data, '/', file.len) ? placed(s, file) : NULL;

		if (!path || !span_word(&words, &app) || !write_application(s, app, path))
			continue;
		while (span_word(&words, &dir))
			write_bundled_in(s, placed(s, dir));
	}
}

static void take_applications(struct search *s, const char *dir, const struct file_name *names,
			      size_t count)
{
	struct span rest = span_of(data_windows_applications), file, words, app;

	while (names_next(&rest, &file, &words))
		for (size_t i = 0; !memchr(file.data, '/', file.len) && i < count; i++)
			if (!names[i].is_dir && strlen(names[i].name) == file.len &&
			    strncasecmp(names[i].name, file.data, file.len) == 0 &&
			    span_word(&words, &app) &&
			    write_application(s, app, path_of(s, dir, names[i].name)))
				write_bundled(s, dir);
}

/* ---- the search ---- */

/* Directories with many files and no environment. */
static bool is_left_out(const char *name)
{
	static const char *const names[] = { "Windows",       "node_modules", "__pycache__",
					     "site-packages", "WindowsApps",  "Temp",
					     "models",        "$Recycle.Bin", "Microsoft" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return name[0] == '$' || strcmp(name, ".git") == 0;
}

static void look(struct search *s, const char *dir, unsigned int levels)
{
	struct file_name *names;
	size_t count;

	if (s->looks++ >= LOOKS_MAX || GetTickCount64() > s->until) {
		if (!s->ended)
			line(s, "left unasked", dir);
		s->ended = true;
		return;
	}
	if (take_venv(s, dir))
		return;
	count = file_names(dir, NAMES_MAX, &s->arena, &names);
	take_python(s, dir, names, count);
	take_applications(s, dir, names, count);
	for (size_t i = 0; levels > 0 && i < count && !s->ended; i++)
		if (names[i].is_dir && !names[i].is_link && !is_left_out(names[i].name))
			look(s, path_of(s, dir, names[i].name), levels - 1);
}

static void look_at_variable(struct search *s, const wchar_t *name, unsigned int levels,
			     const char *mark)
{
	struct buf dir BUF_SCOPED = { 0 };
	const char *kept;

	if (!wide_variable(name, &dir))
		return;
	kept = arena_text(&s->arena, buf_get(&dir));
	look(s, kept, levels);
	if (mark && map_find(&s->seen, span_of(kept)))
		line(s, mark, kept);
}

static void look_below_variable(struct search *s, const wchar_t *name, const char *below,
				unsigned int levels)
{
	struct buf dir BUF_SCOPED = { 0 };

	if (wide_variable(name, &dir))
		look(s, arena_format(&s->arena, "%s/%s", dir.data, below), levels);
}

int ask_environments(struct door *d, struct span argument, struct buf *ret)
{
	struct search s = { .out = ret, .until = GetTickCount64() + MS_MAX };

	(void)argument;
	if (d->options.environments)
		look(&s, d->options.environments, 3);
	look_at_variable(&s, L"VIRTUAL_ENV", 0, "active");
	look_at_variable(&s, L"CONDA_PREFIX", 1, "active");
	look_for_applications(&s);
	look_at_variable(&s, L"USERPROFILE", 4, NULL);
	look_at_variable(&s, L"LOCALAPPDATA", 3, NULL);
	look_below_variable(&s, L"LOCALAPPDATA", "Comfy-Desktop/ComfyUI-Installs", 3);
	look(&s, "C:/", 3);
	for (char drive = 'D'; drive <= 'Z'; drive++) {
		char top[] = { drive, ':', '/', '\0' };
		wchar_t wide[] = { (wchar_t)drive, L':', L'\\', 0 };

		if (GetDriveTypeW(wide) == DRIVE_FIXED)
			look(&s, arena_text(&s.arena, span_of(top)), 3);
	}
	buf_addf(ret, "stats %u\n", s.looks);
	map_done(&s.seen);
	arena_done(&s.arena);
	return 0;
}

/* ---- the packages of one directory ---- */

/* "torch-2.9.1+rocm7.2.1.dist-info" */
static bool split_info(struct span name, struct span *ret_package, struct span *ret_version)
{
	if (!span_ends(name, ".dist-info"))
		return false;
	name.len -= strlen(".dist-info");
	if (!span_cut(&name, '-', ret_package) || name.len == 0)
		return false;
	*ret_version = name;
	return true;
}

static void write_builds(const char *site, const char *name, const struct python_package *row,
			 struct buf *ret)
{
	struct span rest = row->traits, file;
	struct buf text BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };
	struct version_py v;

	if (!python_package_trait(&rest, "file", &file))
		return;
	buf_addf(&path, "%s/%.*s", site, (int)file.len, file.data);
	if (file_read(path.data, SMALL_MAX, &text) < 0)
		return;
	for (struct span all = buf_get(&text); version_py_next(&all, &v);)
		buf_addf(ret, "build %s %.*s %.*s\n", name, (int)v.name.len, v.name.data,
			 (int)v.value.len, v.value.data);
}

/* Writes those libraries that identify a build and exist. */
static void write_libraries(const char *site, const char *name, const struct python_package *row,
			    struct buf *ret)
{
	static const char *const traits[] = { "rocm", "cuda", "cpu", "main" };

	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++) {
		struct span rest = row->traits, file;

		while (python_package_trait(&rest, traits[i], &file)) {
			struct buf path BUF_SCOPED = { 0 };

			buf_addf(&path, "%s/%.*s", site, (int)file.len, file.data);
			if (!memchr(file.data, '*', file.len) && file_is_there(path.data))
				buf_addf(ret, "library %s %.*s\n", name, (int)file.len, file.data);
		}
	}
}

int ask_packages(struct door *d, struct span argument, struct buf *ret)
{
	struct arena a = { 0 };
	struct buf site BUF_SCOPED = { 0 };
	struct file_name *names;
	size_t count;

	(void)d;
	if (!text_unword(&site, argument))
		return -EINVAL;
	if (!file_is_there(site.data))
		return -ENOENT;
	count = file_names(site.data, NAMES_MAX, &a, &names);
	for (size_t i = 0; i < count; i++) {
		char name[PACKAGE_NAME_MAX];
		struct python_package row;
		struct span package, version;

		if (!split_info(span_of(names[i].name), &package, &version) ||
		    !package_name_parse(package, name) ||
		    !python_packages_find(span_of(name), &row))
			continue;
		buf_addf(ret, "package %s ", name);
		text_word(ret, version);
		buf_char(ret, ' ');
		text_word(ret, span_of(names[i].name));
		buf_char(ret, '\n');
		write_builds(site.data, name, &row, ret);
		write_libraries(site.data, name, &row, ret);
	}
	arena_done(&a);
	return 0;
}

/* ---- the code in one library ---- */

int ask_code(struct door *d, struct span argument, struct buf *ret)
{
	struct buf path BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct source source;
	struct code code;
	uint64_t size;
	int fd;

	(void)d;
	if (!text_unword(&path, argument))
		return -EINVAL;
	fd = file_open(path.data, &size);
	if (fd < 0)
		return fd;
	source = source_file(fd, size);
	source.limit = CODE_MAX;
	code_read(&source, NULL, &arena, &code);
	code_digest(&source, &code);
	code_write(&code, ret);
	_close(fd);
	arena_done(&arena);
	return 0;
}
