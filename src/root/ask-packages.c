#include "root/ask-packages.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/source.h"
#include "base/text.h"
#include "parse/json-pull.h"
#include "parse/metadata.h"
#include "parse/package-name.h"
#include "parse/pyvenv.h"
#include "parse/requirement.h"
#include "parse/version-py.h"
#include "parse/wheel-record.h"
#include "root/paths.h"
#include "root/python-packages.h"
#include "root/standing.h"
#include "root/subject.h"

#define METADATA_MAX  ((size_t)256 << 10) /* the headers; a description may follow */
#define SMALL_MAX     ((size_t)64 << 10)
#define CONDA_MAX     ((size_t)4 << 20) /* lists every file of the package */
#define RECORD_MAX    ((uint64_t)32 << 20)
#define PACKAGES_MAX  128
#define LIBRARIES_MAX 512 /* of one package */
#define DIRS_MAX      32
#define REQUIRES_MAX  64
#define LINES_MAX     64 /* of .pth files together */
#define CONDA_NAMES   64
#define LINKS_MAX     16

struct ask {
	struct door *d;
	struct buf *out;
	struct arena arena;
	const char *site;
	struct span claimed[PACKAGES_MAX]; /* directories of modules whose package is known */
	size_t claimed_count;
	unsigned int packages;
	unsigned int pth_lines;
};

/* A package that matters, while it is looked into. */
struct found {
	struct python_package row;
	char name[PACKAGE_NAME_MAX];
	const char *info; /* "torch-2.4.1.dist-info", relative to the site; NULL: none */
	bool egg;         /* .egg-info, with PKG-INFO */
	bool file;        /* an .egg-info that is a file itself */
	unsigned int libraries;
	const char *dirs[DIRS_MAX];
	size_t dir_count;
};

/* ---- lines of the answer ---- */

static void line(struct ask *a, const char *key, const char *name, struct span value)
{
	buf_addf(a->out, "%s ", key);
	text_word(a->out, span_of(name));
	buf_char(a->out, ' ');
	text_clean(a->out, value, false);
	buf_char(a->out, '\n');
}

static void problem(struct ask *a, const char *name, const char *what)
{
	buf_addf(a->out, "problem %s: %s\n", name, what);
}

/* ---- files, through links ---- */

static bool is_ours(const char *path)
{
	static const char *const realms[] = { "/sys/", "/proc/", "/dev/" };

	for (size_t i = 0; i < sizeof(realms) / sizeof(realms[0]); i++)
		if (strncmp(path, realms[i], strlen(realms[i])) == 0)
			return false;
	return path[0] == '/' && strlen(path) < 2048;
}

static const char *join(struct ask *a, const char *dir, struct span name)
{
	if (name.len > 0 && name.data[0] == '/')
		return arena_text(&a->arena, name);
	return arena_format(&a->arena, "%s/%.*s", dir, (int)name.len, name.data);
}

static const char *parent(struct ask *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_text(&a->arena, (struct span){ path, slash ? (size_t)(slash - path) : 0 });
}

/* uv can install by links into its cache, and Debian's libraries are links: the end of them. */
static const char *follow(struct ask *a, const char *path)
{
	for (int i = 0; i < LINKS_MAX; i++) {
		struct buf target BUF_SCOPED = { 0 };

		if (!is_ours(path))
			return NULL;
		if (door_link(a->d, path, &target) < 0)
			return path;
		path = join(a, parent(a, path), buf_get(&target));
	}
	return NULL;
}

/* The first `max` bytes of a file of the site; what is longer is cut. */
static int read_file(struct ask *a, const char *dir, struct span name, size_t max, struct buf *ret)
{
	const char *path = follow(a, join(a, dir, name));
	int r = path ? door_read(a->d, path, max, ret) : -ELOOP;

	return r == -EFBIG ? 0 : r;
}

static bool read_text(struct ask *a, const char *dir, const char *name, size_t max, struct buf *ret)
{
	return read_file(a, dir, span_of(name), max, ret) == 0 && ret->len > 0;
}

/* ---- version files ---- */

static const char *const kept_names[] = {
	"__version__", "version",      "_release_version", "hip",          "cuda",
	"rocm",        "rocm_version", "hip_version",      "cuda_version", "package_name",
};

static const char *const kept_pairs[] = { "is_rocm_build", "is_cuda_build", "rocm_version",
					  "hip_version", "cuda_version" };

static const char *const kept_ways[] = { "version.torch", "version.hip", "version.cuda", "cuda" };

static void build_line(struct ask *a, const struct found *f, const char *key, struct span value)
{
	buf_addf(a->out, "build %s %s ", f->name, key);
	text_clean(a->out, value, false);
	buf_char(a->out, '\n');
}

static void tell_names(struct ask *a, const struct found *f, struct span text)
{
	struct version_py v;

	for (size_t i = 0; i < sizeof(kept_names) / sizeof(kept_names[0]); i++)
		if (version_py_find(text, kept_names[i], &v))
			build_line(a, f, kept_names[i], v.value);
}

static void tell_pairs(struct ask *a, const struct found *f, struct span text)
{
	struct span value;

	for (size_t i = 0; i < sizeof(kept_pairs) / sizeof(kept_pairs[0]); i++)
		if (version_py_pair(text, kept_pairs[i], &value))
			build_line(a, f, kept_pairs[i], value);
}

static void tell_ways(struct ask *a, const struct found *f, struct span text)
{
	struct json_pull_item item;

	for (size_t i = 0; i < sizeof(kept_ways) / sizeof(kept_ways[0]); i++)
		if (json_pull_find(text, kept_ways[i], &item) && item.kind >= JSON_PULL_TEXT)
			build_line(a, f, kept_ways[i], item.text);
}

static void tell_build(struct ask *a, const struct found *f)
{
	static const struct {
		const char *trait;
		void (*tell)(struct ask *a, const struct found *f, struct span text);
	} readers[] = { { "file", tell_names }, { "pairs", tell_pairs }, { "json", tell_ways } };

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		struct span rest = f->row.traits, name;

		while (python_package_trait(&rest, readers[i].trait, &name)) {
			struct buf text BUF_SCOPED = { 0 };

			if (read_file(a, a->site, name, SMALL_MAX, &text) == 0)
				readers[i].tell(a, f, buf_get(&text));
		}
	}
}

/* ---- what it demands ---- */

static void tell_requirement(struct ask *a, const struct found *f, struct span text)
{
	struct requirement_host nobody = { { "", 0 }, { "", 0 } };
	char name[PACKAGE_NAME_MAX];
	struct python_package row;
	struct requirement r;

	if (!requirement_parse(text, &r) || !package_name_parse(r.name, name) ||
	    !python_packages_find(span_of(name), &row) ||
	    requirement_applies(&r, &nobody) == PEP440_NO)
		return;
	buf_addf(a->out, "requires %s %s", f->name, name);
	for (size_t i = 0; i < r.demands.len; i++)
		if (r.demands.data[i] > ' ' && r.demands.data[i] < 0x7f)
			buf_char(a->out, r.demands.data[i]);
	if (r.marker.len > 0) {
		buf_text(a->out, "; ");
		text_clean(a->out, r.marker, false);
	}
	buf_char(a->out, '\n');
}

static void tell_requirements(struct ask *a, const struct found *f, struct span metadata)
{
	struct span name, value;
	int count = 0;

	while (metadata_next(&metadata, &name, &value) && count < REQUIRES_MAX)
		if (metadata_is(name, "Requires-Dist")) {
			tell_requirement(a, f, value);
			count++;
		}
}

static void tell_egg_requirements(struct ask *a, const struct found *f)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, one;

	if (!read_text(a, join(a, a->site, span_of(f->info)), "requires.txt", SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	for (int i = 0; i < REQUIRES_MAX && metadata_egg_requirement(&rest, &one); i++)
		tell_requirement(a, f, one);
}

/* ---- its libraries and kernels ---- */

/* "libx.so", "libx.so.2.1", not "x.so.h" */
static bool is_library(struct span name)
{
	size_t at = span_find(name, SPAN_LITERAL(".so."));

	if (span_ends(name, ".so"))
		return true;
	if (at == SIZE_MAX)
		return false;
	for (at += 4; at < name.len; at++)
		if (name.data[at] != '.' && (name.data[at] < '0' || name.data[at] > '9'))
			return false;
	return true;
}

/* Directories of kernels, by how they end. */
static const char *const kernel_dirs[] = { "/rocblas/library/",     "/hipblaslt/library/",
					   "/hipsparselt/library/", "/miopen/db/",
					   "/aotriton.images/",     "/.kpack/" };

static bool is_wanted_library(const struct found *f, struct span name)
{
	static const char *const traits[] = { "rocm", "cuda", "cpu", "main", "libs" };
	struct span rest = f->row.traits, value;

	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		if (python_package_has(&f->row, traits[i], name))
			return true;
	return !python_package_trait(&rest, "libs", &value);
}

static void tell_dir(struct ask *a, struct found *f, struct span dir)
{
	for (size_t i = 0; i < f->dir_count; i++)
		if (span_is(dir, f->dirs[i]))
			return;
	if (f->dir_count == DIRS_MAX)
		return;
	f->dirs[f->dir_count++] = arena_text(&a->arena, dir);
	line(a, "kernels", f->name, dir);
}

static void tell_file(struct ask *a, struct found *f, struct span name)
{
	if (name.len == 0 || name.data[0] == '/' || span_starts(name, "../"))
		return; /* scripts, manual pages: outside of the site */
	for (size_t i = 0; i < sizeof(kernel_dirs) / sizeof(kernel_dirs[0]); i++) {
		size_t at = span_find(name, span_of(kernel_dirs[i]));

		if (at != SIZE_MAX) {
			tell_dir(a, f, (struct span){ name.data, at + strlen(kernel_dirs[i]) - 1 });
			return;
		}
	}
	if (!is_library(name) || !is_wanted_library(f, name))
		return;
	if (f->libraries++ < LIBRARIES_MAX)
		line(a, "library", f->name, name);
	else if (f->libraries == LIBRARIES_MAX + 1)
		problem(a, f->name, "it has more libraries than are named here");
}

static int open_record(struct ask *a, const struct found *f, struct source *ret)
{
	const char *path =
		follow(a, join(a, join(a, a->site, span_of(f->info)), SPAN_LITERAL("RECORD")));
	struct stat st;
	int fd = path ? door_open(a->d, path, 0) : -ELOOP;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0) {
		close(fd);
		return -EIO;
	}
	*ret = source_file(fd, (uint64_t)st.st_size);
	ret->limit = RECORD_MAX;
	return fd;
}

/* False if there is none, or an empty one as Debian's tools leave. */
static bool tell_record(struct ask *a, struct found *f)
{
	struct wheel_record *record;
	struct source source;
	struct span name;
	unsigned int count = 0;
	int fd = open_record(a, f, &source);
	int r;

	if (fd < 0)
		return false;
	record = arena_alloc(&a->arena, sizeof(*record));
	wheel_record_init(record, &source);
	while ((r = wheel_record_next(record, &name)) == 1) {
		if (count++ % 1024 == 0)
			beacon_step(a->d->beacon, f->info); /* a slow disk is not a stuck one */
		tell_file(a, f, name);
	}
	close(fd);
	if (r < 0)
		problem(a, f->name,
			r == -EFBIG ? "its RECORD is too long" : "its RECORD cannot be read");
	else if (record->skipped > 0)
		problem(a, f->name, "its RECORD has names that are too long");
	if (count > 0)
		buf_addf(a->out, "record %s %u\n", f->name, count);
	return count > 0;
}

/* The files of one directory of the site, below which no other is entered. */
static void tell_listed(struct ask *a, struct found *f, struct span dir)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	const char *path = follow(a, join(a, a->site, dir));

	if (!path || door_list(a->d, path, &names) < 0)
		return;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		struct buf plain BUF_SCOPED = { 0 };

		if (span_ends(name, "@")) /* a link to a library is one */
			name.len--;
		if (span_ends(name, "/") || !text_unword(&plain, name))
			continue;
		tell_file(a, f,
			  span_of(arena_format(&a->arena, "%.*s/%s", (int)dir.len, dir.data,
					       plain.data)));
	}
}

static bool is_dir(struct ask *a, const char *path)
{
	struct root_node node;
	const char *real = follow(a, path);

	return real && door_stat(a->d, real, &node) == 0 && node.kind == 'd';
}

/* Without a RECORD: the directories where libraries and kernels stand in every build known. */
static void tell_directories(struct ask *a, struct found *f)
{
	static const char *const below[] = { "", "/lib", "/capi" };
	static const char *const kernels[] = { "/lib/rocblas/library", "/lib/hipblaslt/library",
					       "/lib/hipsparselt/library", "/share/miopen/db",
					       "/lib/aotriton.images" };
	struct span rest = f->row.traits, dir;

	while (python_package_trait(&rest, "dir", &dir)) {
		for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++)
			tell_listed(a, f,
				    span_of(arena_format(&a->arena, "%.*s%s", (int)dir.len,
							 dir.data, below[i])));
		for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
			const char *name = arena_format(&a->arena, "%.*s%s", (int)dir.len, dir.data,
							kernels[i]);

			if (is_dir(a, join(a, a->site, span_of(name))))
				tell_dir(a, f, span_of(name));
		}
	}
}

/* ---- one package ---- */

/* Who, password and query of an address may be secrets. */
static struct span plain_address(struct ask *a, struct span url)
{
	size_t at = span_find(url, SPAN_LITERAL("://"));
	const char *query = memchr(url.data, '?', url.len);
	const char *who, *slash;
	struct span host;

	if (query)
		url.len = (size_t)(query - url.data);
	if (at == SIZE_MAX || at + 3 > url.len)
		return url;
	host = (struct span){ url.data + at + 3, url.len - at - 3 };
	slash = memchr(host.data, '/', host.len);
	who = memrchr(host.data, '@', slash ? (size_t)(slash - host.data) : host.len);
	if (!who)
		return url;
	return span_of(arena_format(&a->arena, "%.*s%.*s", (int)(at + 3), url.data,
				    (int)(host.len - (size_t)(who + 1 - host.data)), who + 1));
}

/* direct_url.json: installed from a file, an address or a directory of sources. */
static void tell_origin(struct ask *a, const struct found *f)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf url BUF_SCOPED = { 0 };
	struct json_pull_item item, editable;
	bool is_editable;

	if (!read_text(a, join(a, a->site, span_of(f->info)), "direct_url.json", SMALL_MAX, &text))
		return;
	if (!json_pull_find(buf_get(&text), "url", &item) || item.kind != JSON_PULL_TEXT ||
	    !json_pull_text(item.text, &url)) {
		problem(a, f->name, "its direct_url.json is malformed");
		return;
	}
	is_editable = json_pull_find(buf_get(&text), "dir_info.editable", &editable) &&
		      span_is(editable.text, "true");
	line(a, is_editable ? "editable" : "from", f->name, plain_address(a, buf_get(&url)));
}

static void claim(struct ask *a, const struct found *f)
{
	struct span rest = f->row.traits, dir;

	while (a->claimed_count < PACKAGES_MAX && python_package_trait(&rest, "dir", &dir))
		a->claimed[a->claimed_count++] = dir;
}

/* Its files; an editable package has none here but a .pth or a finder. */
static void tell_files(struct ask *a, struct found *f)
{
	if (f->egg || !tell_record(a, f))
		tell_directories(a, f);
}

static bool read_metadata(struct ask *a, const struct found *f, struct buf *ret)
{
	const char *info = join(a, a->site, span_of(f->info));

	if (f->file)
		return read_text(a, a->site, f->info, METADATA_MAX, ret);
	return read_text(a, info, f->egg ? "PKG-INFO" : "METADATA", METADATA_MAX, ret);
}

/* "torch-2.4.1+rocm6.1" -> "2.4.1+rocm6.1"; "x-1.0-py3.11" -> "1.0" */
static struct span version_of_name(struct span stem, bool egg)
{
	const char *dash = memchr(stem.data, '-', stem.len);
	size_t python;

	if (!dash)
		return SPAN_LITERAL("?");
	stem.len -= (size_t)(dash + 1 - stem.data);
	stem.data = dash + 1;
	python = egg ? span_find(stem, SPAN_LITERAL("-py")) : SIZE_MAX;
	if (python != SIZE_MAX)
		stem.len = python;
	return stem;
}

static void tell_package(struct ask *a, struct found *f, struct span stem)
{
	struct buf metadata BUF_SCOPED = { 0 };
	struct span version = version_of_name(stem, f->egg);

	if (a->packages++ == PACKAGES_MAX)
		problem(a, f->name, "more packages than are looked into");
	if (a->packages > PACKAGES_MAX)
		return;
	claim(a, f);
	if (!read_metadata(a, f, &metadata))
		problem(a, f->name, "its metadata cannot be read");
	(void)metadata_find(buf_get(&metadata), "Version", &version);
	buf_addf(a->out, "package %s ", f->name);
	text_word(a->out, version);
	buf_char(a->out, ' ');
	text_clean(a->out, span_of(f->info), false);
	buf_char(a->out, '\n');
	tell_requirements(a, f, buf_get(&metadata));
	if (f->egg && !f->file)
		tell_egg_requirements(a, f);
	if (!f->egg)
		tell_origin(a, f);
	tell_build(a, f);
	tell_files(a, f);
}

/* ---- the names of the site ---- */

static bool find_package(struct span stem, struct found *ret)
{
	struct span name = stem;
	const char *dash = memchr(stem.data, '-', stem.len);

	if (dash)
		name.len = (size_t)(dash - stem.data);
	return package_name_parse(name, ret->name) &&
	       python_packages_find(span_of(ret->name), &ret->row);
}

/* A line of paths, or code that Python runs at its start: named either way. */
static void tell_pth(struct ask *a, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, one;

	if (!read_text(a, a->site, name, SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	while (a->pth_lines < LINES_MAX && span_line(&rest, &one)) {
		one = span_trim(one);
		if (one.len == 0 || one.data[0] == '#')
			continue;
		line(a, "pth", name, span_starts(one, "import") ? SPAN_LITERAL("import") : one);
		a->pth_lines++;
	}
}

static void tell_egg_link(struct ask *a, struct found *f, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, first;

	if (!read_text(a, a->site, name, SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	if (span_line(&rest, &first))
		line(a, "editable", f->name, span_trim(first));
	claim(a, f);
}

static void look_at(struct ask *a, struct span name, bool dir)
{
	struct found f = { .info = arena_text(&a->arena, name) };
	struct span stem = name;

	if (span_ends(name, ".pth")) {
		tell_pth(a, f.info);
		return;
	}
	f.egg = span_ends(name, ".egg-info");
	f.file = !dir;
	if (!f.egg && !span_ends(name, ".dist-info") && !span_ends(name, ".egg-link"))
		return;
	stem.len -= span_ends(name, ".dist-info") ? 10 : 9; /* .egg-info, .egg-link */
	if (!find_package(stem, &f))
		return;
	if (span_ends(name, ".egg-link"))
		tell_egg_link(a, &f, f.info);
	else if (dir || f.egg)
		tell_package(a, &f, stem);
}

static bool next_name(struct ask *a, struct span *rest, struct span *ret, bool *ret_dir)
{
	struct span word;

	while (span_line(rest, &word)) {
		struct buf plain BUF_SCOPED = { 0 };
		bool link = span_ends(word, "@");
		bool dir = span_ends(word, "/");

		if (link || dir)
			word.len--;
		if (!text_unword(&plain, word))
			continue;
		*ret = arena_span(&a->arena, buf_get(&plain));
		*ret_dir = dir || (link && is_dir(a, join(a, a->site, *ret)));
		return true;
	}
	return false;
}

static bool is_claimed(const struct ask *a, struct span dir)
{
	for (size_t i = 0; i < a->claimed_count; i++)
		if (a->claimed[i].len == dir.len &&
		    memcmp(a->claimed[i].data, dir.data, dir.len) == 0)
			return true;
	return false;
}

/*
 * Modules without any metadata: copied there, or installed by `setup.py` of old.
 * Only where a version file can say what it is.
 */
static void tell_bare(struct ask *a)
{
	struct span rest = python_packages(), traits, dir, file;
	struct found f = { 0 };

	while (python_packages_next(&rest, &f.row)) {
		struct buf text BUF_SCOPED = { 0 };

		if (f.row.role != PYTHON_FRAMEWORK ||
		    memchr(f.row.pattern.data, '*', f.row.pattern.len))
			continue;
		traits = f.row.traits;
		if (!python_package_trait(&traits, "dir", &dir) || is_claimed(a, dir))
			continue;
		traits = f.row.traits;
		if (!python_package_trait(&traits, "file", &file) ||
		    read_file(a, a->site, file, SMALL_MAX, &text) < 0 ||
		    !package_name_parse(f.row.pattern, f.name))
			continue;
		buf_addf(a->out, "bare %s\n", f.name);
		claim(a, &f);
		tell_names(a, &f, buf_get(&text));
		tell_directories(a, &f);
	}
}

/* ---- the environment around the site ---- */

static void tell_venv(struct ask *a, const char *prefix)
{
	struct buf text BUF_SCOPED = { 0 };
	struct pyvenv v;

	if (!read_text(a, prefix, "pyvenv.cfg", SMALL_MAX, &text) ||
	    !pyvenv_parse(buf_get(&text), &v))
		return;
	line(a, "venv", "home", v.home);
	if (v.version.len > 0)
		line(a, "venv", "version", v.version);
	if (v.uv.len > 0)
		line(a, "venv", "uv", v.uv);
	line(a, "venv", "system-site", v.system_site ? SPAN_LITERAL("yes") : SPAN_LITERAL("no"));
}

/* Conda packages need not be Python's: libtorch and ROCm have no metadata in the site. */
static const char *const conda_names[] = { "pytorch*", "libtorch*", "tensorflow*",  "jax*",
					   "libjax*",  "rocm*",     "hip*",         "roc*",
					   "miopen*",  "triton*",   "onnxruntime*", "cupy*",
					   "python" };

/* "pytorch-2.4.1-py311_rocm6.1.json": version and build hold no dash. */
static bool conda_parts(struct span name, struct span *ret_name, struct span *ret_version,
			struct span *ret_build)
{
	const char *last, *middle;

	if (!span_ends(name, ".json"))
		return false;
	name.len -= 5;
	last = memrchr(name.data, '-', name.len);
	middle = last ? memrchr(name.data, '-', (size_t)(last - name.data)) : NULL;
	if (!middle || middle == name.data)
		return false;
	*ret_name = (struct span){ name.data, (size_t)(middle - name.data) };
	*ret_version = (struct span){ middle + 1, (size_t)(last - middle) - 1 };
	*ret_build = (struct span){ last + 1, name.len - (size_t)(last + 1 - name.data) };
	return true;
}

static bool is_conda_name(struct span name)
{
	for (size_t i = 0; i < sizeof(conda_names) / sizeof(conda_names[0]); i++)
		if (paths_glob(span_of(conda_names[i]), name))
			return true;
	return false;
}

/* The file says the same as its name, and which channel; a huge one is cut before `name`. */
static void tell_conda_package(struct ask *a, const char *meta, struct span file)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json_pull_item item;
	struct span name, version, build;
	struct span channel = SPAN_LITERAL("-");

	if (!conda_parts(file, &name, &version, &build) || !is_conda_name(name))
		return;
	if (read_file(a, meta, file, CONDA_MAX, &text) == 0) {
		if (json_pull_find(buf_get(&text), "channel", &item))
			channel = item.text;
		if (json_pull_find(buf_get(&text), "build", &item))
			build = item.text;
		if (json_pull_find(buf_get(&text), "version", &item))
			version = item.text;
	}
	buf_text(a->out, "conda ");
	text_word(a->out, name);
	buf_char(a->out, ' ');
	text_word(a->out, version);
	buf_char(a->out, ' ');
	text_word(a->out, build);
	buf_char(a->out, ' ');
	text_clean(a->out, plain_address(a, channel), false);
	buf_char(a->out, '\n');
}

static void tell_conda(struct ask *a, const char *prefix)
{
	struct buf names BUF_SCOPED = { 0 };
	const char *meta = join(a, prefix, SPAN_LITERAL("conda-meta"));
	struct span rest, name;
	unsigned int lines = 0;

	if (door_list(a->d, meta, &names) < 0)
		return;
	rest = buf_get(&names);
	while (span_line(&rest, &name) && lines < CONDA_NAMES) {
		size_t before = a->out->len;

		tell_conda_package(a, meta, name);
		lines += a->out->len > before;
	}
}

/* ---- the question ---- */

static bool is_site(struct span argument)
{
	return argument.len > 1 && argument.data[0] == '/' &&
	       span_find(argument, SPAN_LITERAL("/../")) == SIZE_MAX &&
	       !memchr(argument.data, '\0', argument.len) &&
	       (span_ends(argument, "/site-packages") || span_ends(argument, "/dist-packages"));
}

static int tell_all(struct ask *a)
{
	struct buf names BUF_SCOPED = { 0 };
	const char *real = follow(a, a->site);
	const char *prefix = parent(a, parent(a, parent(a, a->site)));
	struct span rest, name;
	bool dir;
	int r = real ? door_list(a->d, real, &names) : -ELOOP;

	if (r < 0)
		return r;
	tell_venv(a, prefix);
	tell_conda(a, prefix);
	rest = buf_get(&names);
	while (next_name(a, &rest, &name, &dir))
		look_at(a, name, dir);
	tell_bare(a);
	return 0;
}

/* What lies in a home is its owner's: a link in it may point at what only root may read. */
static int wear(struct door *d, const char *site, struct subject_worn *ret)
{
	struct subject s;
	size_t n;

	if (d->kind != ROOT_LIVE)
		return 0;
	if (strncmp(site, "/home/", 6) == 0)
		return subject_wear(d, ret);
	if (subject_read(d, &s) < 0)
		return 0;
	n = strlen(s.home);
	return n > 1 && strncmp(site, s.home, n) == 0 && site[n] == '/' ? subject_wear(d, ret) : 0;
}

int ask_packages(struct door *d, struct span argument, struct buf *ret)
{
	struct ask a = { .d = d, .out = ret };
	struct subject_worn worn;
	int wears;
	int r;

	if (!is_site(argument))
		return -EINVAL;
	a.site = arena_text(&a.arena, argument);
	wears = is_ours(a.site) ? wear(d, a.site, &worn) : -EINVAL;
	r = wears < 0 ? ROOT_UNASKED : tell_all(&a);
	if (wears > 0)
		subject_take_off(&worn);
	arena_done(&a.arena);
	return r;
}
