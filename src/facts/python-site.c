#include "facts/python-site.h"

#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "parse/package-name.h"

/* ---- the answer ---- */

static struct span unword(struct arena *arena, struct span word)
{
	struct buf plain BUF_SCOPED = { 0 };

	if (!memchr(word.data, '\\', word.len) || !text_unword(&plain, word))
		return word;
	return arena_span(arena, buf_get(&plain));
}

static bool push(struct arena *arena, struct python_texts *list, struct span text)
{
	struct python_text *one;

	if (list->count == PYTHON_TEXTS_MAX)
		return false;
	one = arena_alloc(arena, sizeof(*one));
	one->text = text;
	if (list->last)
		list->last->next = one;
	else
		list->first = one;
	list->last = one;
	list->count++;
	return true;
}

static void tell_cut(struct python_site *site, struct arena *arena)
{
	if (!site->cut)
		push(arena, &site->problems,
		     SPAN_LITERAL("more packages, or lines of one, than are looked at"));
	site->cut = true;
}

struct python_site_package *python_site_find(struct python_site *site, struct span name)
{
	for (size_t i = 0; i < site->count; i++)
		if (span_is(name, site->packages[i].name))
			return &site->packages[i];
	return NULL;
}

/* The package of a line, made if it is the first. NULL if it is none of ours, or there are too many. */
static struct python_site_package *package_of(struct python_site *site, struct arena *arena,
					      struct span word)
{
	struct python_site_package *p = python_site_find(site, word);
	struct python_package row;
	char name[PACKAGE_NAME_MAX];

	if (p)
		return p;
	if (!package_name_parse(word, name) || !span_is(word, name) ||
	    !python_packages_find(word, &row))
		return NULL;
	if (site->count == PYTHON_SITE_PACKAGES_MAX) {
		tell_cut(site, arena);
		return NULL;
	}
	site->packages = arena_grow(arena, site->packages, site->count, sizeof(*site->packages));
	p = &site->packages[site->count++];
	*p = (struct python_site_package){ .name = arena_text(arena, word), .row = row };
	return p;
}

static struct python_texts *list_of(struct python_site_package *p, struct span key)
{
	const struct {
		const char *key;
		struct python_texts *list;
	} lists[] = {
		{ "build", &p->builds },      { "requires", &p->requires },
		{ "library", &p->libraries }, { "kernels", &p->kernels },
		{ "real", &p->reals },        { "missing", &p->missing },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (span_is(key, lists[i].key))
			return lists[i].list;
	return NULL;
}

static void take_line(struct python_site *site, struct arena *arena, struct span line)
{
	struct python_texts *list;
	struct python_site_package *p;
	struct span key, name, rest, version, build;

	if (!span_word(&line, &key))
		return;
	if (span_is(key, "problem"))
		push(arena, &site->problems, span_trim(line));
	site->conda |= span_is(key, "conda");
	if (!span_word(&line, &name))
		return;
	rest = line;
	if (span_is(key, "venv") && span_is(name, "home"))
		site->home = span_trim(rest);
	else if (span_is(key, "venv") && span_is(name, "system-site"))
		site->system_site = span_is(span_trim(rest), "yes");
	/* "pytorch 2.4.1 py311_rocm6.1 conda-forge"; pytorch-gpu and libtorch are others. */
	if (span_is(key, "conda") && span_is(name, "pytorch") && span_word(&rest, &version) &&
	    span_word(&rest, &build))
		site->torch_build = build;
	if (span_is(key, "pth") || !(p = package_of(site, arena, name)))
		return;
	line = span_trim(line);
	if (span_is(key, "package") && span_word(&line, &version)) {
		p->version =
			span_is(version, "?") ? (struct span){ "", 0 } : unword(arena, version);
		p->info = span_trim(line);
	} else if (span_is(key, "editable"))
		p->editable = line;
	else if (span_is(key, "from"))
		p->from = line;
	else if ((list = list_of(p, key)) && !push(arena, list, line))
		tell_cut(site, arena);
}

/* Unknown keys are skipped: more may be added. */
static bool is_known(struct span line)
{
	static const char *const keys[] = { "package ",  "editable ", "from ",    "build ",
					    "requires ", "library ",  "kernels ", "bare ",
					    "real ",     "missing ",  "venv ",    "conda ",
					    "problem " };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (span_starts(line, keys[i]))
			return true;
	return false;
}

void python_site_parse(struct span text, struct arena *arena, struct python_site *ret)
{
	struct span line;

	memset(ret, 0, sizeof(*ret));
	while (span_line(&text, &line))
		if (is_known(line))
			take_line(ret, arena, line);
}

/* ---- one package ---- */

static bool is_nothing(struct span value)
{
	static const char *const words[] = { "None", "null", "False", "0.0", "" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_is(value, words[i]))
			return true;
	return false;
}

/* As written, None too. */
static bool said(const struct python_site_package *p, const char *key, struct span *ret)
{
	for (const struct python_text *b = p->builds.first; b; b = b->next) {
		struct span rest = b->text, name;

		if (span_word(&rest, &name) && span_is(name, key)) {
			*ret = span_trim(rest);
			return true;
		}
	}
	return false;
}

bool python_package_build(const struct python_site_package *p, const char *key, struct span *ret)
{
	struct span value;

	if (!said(p, key, &value) || is_nothing(value))
		return false;
	*ret = value;
	return true;
}

static struct span first_said(const struct python_site_package *p, const char *const *keys,
			      size_t count)
{
	struct span value;

	for (size_t i = 0; i < count; i++)
		if (python_package_build(p, keys[i], &value))
			return value;
	return (struct span){ "", 0 };
}

struct span python_package_version(const struct python_site_package *p)
{
	static const char *const keys[] = { "__version__", "_release_version", "version" };
	struct span version = first_said(p, keys, 3);

	/* `__version__ = version` and the like are names, not versions. */
	return version.len > 0 && version.data[0] >= '0' && version.data[0] <= '9' ? version
										   : p->version;
}

struct span python_version_tag(struct span version)
{
	const char *plus = version.len ? memchr(version.data, '+', version.len) : NULL;

	if (!plus)
		return (struct span){ "", 0 };
	return (struct span){ plus + 1, version.len - (size_t)(plus + 1 - version.data) };
}

struct span python_package_hip(const struct python_site_package *p)
{
	static const char *const keys[] = { "hip", "rocm", "rocm_version", "hip_version",
					    "version.hip" };
	struct span value = first_said(p, keys, 5);

	/* cupy says cuda: "rocm-5.0" */
	if (value.len == 0 && python_package_build(p, "cuda", &value)) {
		if (span_starts(value, "rocm-"))
			return (struct span){ value.data + 5, value.len - 5 };
		value.len = 0;
	}
	return value;
}

struct span python_package_cuda(const struct python_site_package *p)
{
	static const char *const keys[] = { "cuda", "cuda_version", "version.cuda" };
	struct span value = first_said(p, keys, 3);

	return span_starts(value, "rocm") ? (struct span){ "", 0 } : value;
}

static bool has_library(const struct python_site_package *p, const char *trait)
{
	for (const struct python_text *l = p->libraries.first; l; l = l->next)
		if (python_package_has(&p->row, trait, l->text))
			return true;
	return false;
}

/* "rocm6.1", "rocmsdk20251116", "cu121", "cpu" */
static enum python_build built_by_tag(struct span tag)
{
	if (span_starts(tag, "rocm"))
		return PYTHON_BUILD_ROCM;
	if (tag.len > 2 && span_starts(tag, "cu") && tag.data[2] >= '0' && tag.data[2] <= '9')
		return PYTHON_BUILD_CUDA;
	return span_starts(tag, "cpu") ? PYTHON_BUILD_CPU : PYTHON_BUILD_UNKNOWN;
}

enum python_build python_package_named_for(const struct python_site_package *p)
{
	struct span rest = p->row.traits, value;

	if (!python_package_trait(&rest, "build", &value))
		return PYTHON_BUILD_UNKNOWN;
	return span_is(value, "rocm")   ? PYTHON_BUILD_ROCM
	       : span_is(value, "cuda") ? PYTHON_BUILD_CUDA
					: PYTHON_BUILD_CPU;
}

/* A version file that knows both and has neither: a build for processors. */
static bool says_neither(const struct python_site_package *p)
{
	struct span a, b;

	return (said(p, "hip", &a) && said(p, "cuda", &b) && is_nothing(a) && is_nothing(b)) ||
	       (said(p, "is_rocm_build", &a) && said(p, "is_cuda_build", &b) && is_nothing(a) &&
		is_nothing(b));
}

/* Files decide before the name: the name only says which build was installed once. */
static enum python_build built_by_files(const struct python_site_package *p)
{
	struct span value;

	if (python_package_hip(p).len > 0 || python_package_build(p, "is_rocm_build", &value))
		return PYTHON_BUILD_ROCM;
	if (python_package_cuda(p).len > 0 || python_package_build(p, "is_cuda_build", &value))
		return PYTHON_BUILD_CUDA;
	return says_neither(p) ? PYTHON_BUILD_CPU : PYTHON_BUILD_UNKNOWN;
}

static enum python_build built_by_libraries(const struct python_site_package *p)
{
	if (has_library(p, "rocm"))
		return PYTHON_BUILD_ROCM;
	if (has_library(p, "cuda"))
		return PYTHON_BUILD_CUDA;
	return has_library(p, "cpu") ? PYTHON_BUILD_CPU : PYTHON_BUILD_UNKNOWN;
}

enum python_build python_package_built_for(const struct python_site_package *p)
{
	enum python_build build = built_by_files(p);

	if (build == PYTHON_BUILD_UNKNOWN)
		build = python_package_named_for(p);
	if (build == PYTHON_BUILD_UNKNOWN)
		build = built_by_tag(python_version_tag(python_package_version(p)));
	if (build == PYTHON_BUILD_UNKNOWN)
		build = built_by_tag(python_version_tag(p->version));
	return build == PYTHON_BUILD_UNKNOWN ? built_by_libraries(p) : build;
}

const char *python_build_name(enum python_build build)
{
	static const char *const names[] = {
		[PYTHON_BUILD_UNKNOWN] = NULL,
		[PYTHON_BUILD_CPU] = "cpu",
		[PYTHON_BUILD_CUDA] = "cuda",
		[PYTHON_BUILD_ROCM] = "rocm",
	};

	assert(build <= PYTHON_BUILD_ROCM);
	return names[build];
}

/* ---- its main library ---- */

/* "6.4.43483" -> "64", "7.14.1" -> "714" */
static void short_hip(struct span hip, char ret[static 8])
{
	size_t n = 0;
	int dots = 0;

	for (size_t i = 0; i < hip.len && n < 7; i++) {
		if (hip.data[i] == '.' && ++dots == 2)
			break;
		if (hip.data[i] != '.' && (hip.data[i] < '0' || hip.data[i] > '9'))
			break;
		if (hip.data[i] != '.')
			ret[n++] = hip.data[i];
	}
	ret[n] = '\0';
}

/* A pattern with `@` fits only the library of that HIP; one without `@` fits any. */
static bool fits_hip(struct span pattern, struct span name, const char *hip)
{
	const char *at = memchr(pattern.data, '@', pattern.len);
	size_t head = at ? (size_t)(at - pattern.data) : 0;
	size_t tail = at ? pattern.len - head - 1 : 0;

	if (!python_package_fits(pattern, name))
		return false;
	return !at || hip[0] == '\0' ||
	       span_is((struct span){ name.data + head, name.len - head - tail }, hip);
}

static struct span first_library(const struct python_site_package *p, const char *trait,
				 const char *hip)
{
	struct span rest = p->row.traits, pattern;

	while (python_package_trait(&rest, trait, &pattern))
		for (const struct python_text *l = p->libraries.first; l; l = l->next)
			if (fits_hip(pattern, l->text, hip))
				return l->text;
	return (struct span){ "", 0 };
}

struct span python_package_main(const struct python_site_package *p, enum python_build build,
				struct span hip)
{
	const char *trait = python_build_name(build);
	struct span found = { "", 0 };
	char digits[8];

	short_hip(hip, digits);
	if (trait)
		found = first_library(p, trait, digits);
	return found.len > 0 ? found : first_library(p, "main", digits);
}
