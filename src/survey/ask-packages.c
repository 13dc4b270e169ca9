#include "survey/ask-packages.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "parse/json-pull.h"
#include "parse/metadata.h"
#include "parse/requirement.h"
#include "parse/version-py.h"
#include "survey/site.h"

#define METADATA_MAX ((size_t)256 << 10) /* the headers; a description may follow */
#define REQUIRES_MAX 1024
#define LINES_MAX    64 /* of .pth files together */

/* ---- version files ---- */

static const char *const kept_names[] = {
	"__version__", "version",      "_release_version", "hip",          "cuda",
	"rocm",        "rocm_version", "hip_version",      "cuda_version", "package_name",
};

static const char *const kept_pairs[] = { "is_rocm_build", "is_cuda_build", "rocm_version",
					  "hip_version", "cuda_version" };

static const char *const kept_ways[] = { "version.torch", "version.hip", "version.cuda", "cuda" };

static void build_line(struct site *s, const struct site_package *p, const char *key,
		       struct span value)
{
	buf_addf(s->out, "build %s %s ", p->name, key);
	text_clean(s->out, value, false);
	buf_char(s->out, '\n');
}

static void tell_names(struct site *s, const struct site_package *p, struct span text)
{
	struct version_py v;

	for (size_t i = 0; i < sizeof(kept_names) / sizeof(kept_names[0]); i++)
		if (version_py_find(text, kept_names[i], &v))
			build_line(s, p, kept_names[i], v.value);
}

static void tell_pairs(struct site *s, const struct site_package *p, struct span text)
{
	struct span value;

	for (size_t i = 0; i < sizeof(kept_pairs) / sizeof(kept_pairs[0]); i++)
		if (version_py_pair(text, kept_pairs[i], &value))
			build_line(s, p, kept_pairs[i], value);
}

static void tell_ways(struct site *s, const struct site_package *p, struct span text)
{
	struct json_pull_item item;

	for (size_t i = 0; i < sizeof(kept_ways) / sizeof(kept_ways[0]); i++)
		if (json_pull_find(text, kept_ways[i], &item) && item.kind >= JSON_PULL_TEXT)
			build_line(s, p, kept_ways[i], item.text);
}

static void tell_build(struct site *s, const struct site_package *p)
{
	static const struct {
		const char *trait;
		void (*tell)(struct site *s, const struct site_package *p, struct span text);
	} readers[] = { { "file", tell_names }, { "pairs", tell_pairs }, { "json", tell_ways } };

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		struct span rest = p->row.traits, name;

		while (python_package_trait(&rest, readers[i].trait, &name)) {
			const char *path = site_join(s, s->path, name);
			struct buf text BUF_SCOPED = { 0 };
			int r = as_user_read(&s->user, path, SITE_SMALL_MAX, &text);

			site_failed(s, p->name, path, r);
			if (text.len > 0)
				readers[i].tell(s, p, buf_get(&text));
		}
	}
}

/* ---- what it demands ---- */

static void tell_requirement(struct site *s, const struct site_package *p, struct span text)
{
	struct requirement_host nobody = { { "", 0 }, { "", 0 } };
	char name[PACKAGE_NAME_MAX];
	struct python_package row;
	struct requirement r;

	if (!requirement_parse(text, &r) || !package_name_parse(r.name, name) ||
	    !python_packages_find(span_of(name), &row) ||
	    requirement_applies(&r, &nobody) == PEP440_NO)
		return;
	buf_addf(s->out, "requires %s %s", p->name, name);
	for (size_t i = 0; i < r.demands.len; i++)
		if (r.demands.data[i] > ' ' && r.demands.data[i] < 0x7f)
			buf_char(s->out, r.demands.data[i]);
	if (r.marker.len > 0) {
		buf_text(s->out, "; ");
		text_clean(s->out, r.marker, false);
	}
	buf_char(s->out, '\n');
}

static void tell_egg_requirements(struct site *s, const struct site_package *p)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, one;

	if (!site_read(s, site_join(s, s->path, span_of(p->info)), SPAN_LITERAL("requires.txt"),
		       SITE_SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	while (metadata_egg_requirement(&rest, &one)) /* of a small file */
		tell_requirement(s, p, one);
}

/* ---- one package ---- */

/* direct_url.json: installed from a file, an address or a directory of sources. */
static void tell_origin(struct site *s, const struct site_package *p)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf url BUF_SCOPED = { 0 };
	struct json_pull_item item, editable;
	bool is_editable;

	if (!site_read(s, site_join(s, s->path, span_of(p->info)), SPAN_LITERAL("direct_url.json"),
		       SITE_SMALL_MAX, &text))
		return;
	if (!json_pull_find(buf_get(&text), "url", &item) || item.kind != JSON_PULL_TEXT ||
	    !json_pull_text(item.text, &url)) {
		site_problem(s, p->name, "its direct_url.json is malformed");
		return;
	}
	is_editable = json_pull_find(buf_get(&text), "dir_info.editable", &editable) &&
		      span_is(editable.text, "true");
	site_line(s, is_editable ? "editable" : "from", p->name,
		  site_plain_address(s, buf_get(&url)));
}

static void claim(struct site *s, const struct site_package *p)
{
	struct span rest = p->row.traits, dir;

	while (python_package_trait(&rest, "dir", &dir)) {
		s->claimed =
			arena_grow(&s->arena, s->claimed, s->claimed_count, sizeof(*s->claimed));
		s->claimed[s->claimed_count++] = dir;
	}
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

static void tell_package(struct site *s, struct site_package *p, struct span stem)
{
	struct buf metadata BUF_SCOPED = { 0 };
	struct span version = version_of_name(stem, p->egg), file = span_of(p->info), rest;
	struct span name, value;
	const char *dir = s->path;
	int count = 0;

	if (s->packages++ == SITE_PACKAGES_MAX)
		site_problem(s, p->name, "more packages than are looked into");
	if (s->packages > SITE_PACKAGES_MAX)
		return;
	if (beacon_past(s->until_ms)) {
		site_problem(s, p->name, "there was no time left to look into it");
		return;
	}
	claim(s, p);
	if (!p->file) {
		dir = site_join(s, s->path, file);
		file = p->egg ? SPAN_LITERAL("PKG-INFO") : SPAN_LITERAL("METADATA");
	}
	if (!site_read(s, dir, file, METADATA_MAX, &metadata))
		site_problem(s, p->name, "its metadata cannot be read");
	(void)metadata_find(buf_get(&metadata), "Version", &version);
	buf_addf(s->out, "package %s ", p->name);
	text_word(s->out, version);
	buf_char(s->out, ' ');
	text_clean(s->out, span_of(p->info), false);
	buf_char(s->out, '\n');
	for (rest = buf_get(&metadata); metadata_next(&rest, &name, &value);)
		if (metadata_is(name, "Requires-Dist") && count++ < REQUIRES_MAX)
			tell_requirement(s, p, value);
	if (count > REQUIRES_MAX)
		site_problem(s, p->name, "it has more requirements than are looked at");
	if (p->egg && !p->file)
		tell_egg_requirements(s, p);
	if (!p->egg)
		tell_origin(s, p);
	tell_build(s, p);
	site_tell_files(s, p);
}

/* ---- the names of the site ---- */

/* A line of paths, or code that Python runs at its start: named either way. */
static void tell_pth(struct site *s, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, one;

	if (strcmp(name, "distutils-precedence.pth") == 0 || /* comes with every setuptools */
	    !site_read(s, s->path, span_of(name), SITE_SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	while (span_line(&rest, &one)) {
		one = span_trim(one);
		if (one.len == 0 || one.data[0] == '#')
			continue;
		if (s->pth_lines == LINES_MAX) {
			site_problem(s, name, "its further lines are left out");
			return;
		}
		site_line(s, "pth", name,
			  span_starts(one, "import") ? SPAN_LITERAL("import") : one);
		s->pth_lines++;
	}
}

static void tell_egg_link(struct site *s, struct site_package *p, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, first;

	if (!site_read(s, s->path, span_of(name), SITE_SMALL_MAX, &text))
		return;
	rest = buf_get(&text);
	if (span_line(&rest, &first))
		site_line(s, "editable", p->name, span_trim(first));
	claim(s, p);
}

static void look_at(struct site *s, const char *info)
{
	struct site_package p = { .info = info };
	struct span name = span_of(info), stem = name, first;
	char kind;

	if (span_ends(name, ".pth")) {
		tell_pth(s, p.info);
		return;
	}
	p.egg = span_ends(name, ".egg-info");
	if (!p.egg && !span_ends(name, ".dist-info") && !span_ends(name, ".egg-link"))
		return;
	stem.len -= span_ends(name, ".dist-info") ? 10 : 9; /* .egg-info, .egg-link */
	name = stem;
	if (!span_cut(&name, '-', &first) || !package_name_parse(first, p.name) ||
	    !python_packages_find(span_of(p.name), &p.row))
		return;
	if (span_ends(span_of(info), ".egg-link")) {
		tell_egg_link(s, &p, p.info);
		return;
	}
	kind = as_user_kind(&s->user, site_join(s, s->path, span_of(info)));
	p.file = kind == '-'; /* of old an egg-info was a file by itself */
	if (kind == 'd' || (p.egg && p.file))
		tell_package(s, &p, stem);
}

static bool is_claimed(const struct site *s, struct span dir)
{
	for (size_t i = 0; i < s->claimed_count; i++)
		if (span_same(s->claimed[i], dir))
			return true;
	return false;
}

/*
 * Modules without any metadata: copied there, or installed by `setup.py` of old.
 * Only where a version file can say what it is.
 */
static void tell_bare(struct site *s)
{
	struct span rest = python_packages(), traits, dir, file;
	struct site_package p = { 0 };

	while (python_packages_next(&rest, &p.row)) {
		struct buf text BUF_SCOPED = { 0 };

		if (p.row.role != PYTHON_FRAMEWORK ||
		    memchr(p.row.pattern.data, '*', p.row.pattern.len))
			continue;
		traits = p.row.traits;
		if (!python_package_trait(&traits, "dir", &dir) || is_claimed(s, dir))
			continue;
		traits = p.row.traits;
		if (!python_package_trait(&traits, "file", &file) ||
		    !site_read(s, s->path, file, SITE_SMALL_MAX, &text) ||
		    !package_name_parse(p.row.pattern, p.name))
			continue;
		buf_addf(s->out, "bare %s\n", p.name);
		claim(s, &p);
		tell_names(s, &p, buf_get(&text));
		site_tell_directories(s, &p);
	}
}

/* ---- the question ---- */

static bool is_site(struct span path)
{
	return span_find(path, SPAN_LITERAL("/../")) == SIZE_MAX &&
	       (span_ends(path, "/site-packages") || span_ends(path, "/dist-packages"));
}

int ask_packages(struct door *d, struct span argument, struct buf *ret)
{
	struct site s = { .out = ret, .until_ms = beacon_now_ms() + SITE_MS_MAX };
	struct site_names names;
	char path[AS_USER_PATH_MAX];
	int r = as_user_path(argument, path);

	if (r < 0 || !is_site(span_of(path)))
		return -EINVAL;
	r = as_user_begin(d, &s.user);
	if (r < 0)
		return r;
	s.path = path;
	r = site_list(&s, path, &names);
	if (r == 0) {
		site_tell_around(&s);
		for (size_t i = 0; i < names.count; i++)
			look_at(&s, names.names[i]);
		tell_bare(&s);
	}
	as_user_end(&s.user);
	arena_done(&s.arena);
	return r;
}
