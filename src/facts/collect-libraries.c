#include "facts/collect.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "code/code.h"
#include "code/kernels.h"

struct libraries {
	struct collect *c;
	struct map seen;     /* paths */
	struct map installs; /* path -> prefix */
	struct map sets;     /* "gfx90a 3\ngfx1100 3\n/3" -> its number */
	int64_t set_count;
};

/* ---- names and versions ---- */

/* "amdhip64_7" -> "amdhip64", "hiprtc0701" -> "hiprtc": the release in the name of a DLL */
static struct span without_release(struct span name)
{
	size_t digits = 0;

	while (digits < name.len && name.data[name.len - 1 - digits] >= '0' &&
	       name.data[name.len - 1 - digits] <= '9')
		digits++;
	if (digits == 4 && digits < name.len)
		name.len -= digits;
	else if (digits > 0 && name.len > digits + 1 && name.data[name.len - 1 - digits] == '_')
		name.len -= digits + 1;
	return name;
}

/* "librocblas.so.5.2" and "rocblas.dll" -> "rocblas" */
static struct span name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct span name = span_of(slash ? slash + 1 : path);
	size_t so = span_find(name, SPAN_LITERAL(".so"));

	if (so != SIZE_MAX) {
		name.len = so;
	} else if (name.len > 4 && strncasecmp(name.data + name.len - 4, ".dll", 4) == 0) {
		name.len -= 4;
		name = without_release(name);
	}
	if (span_starts(name, "lib"))
		name = (struct span){ name.data + 3, name.len - 3 };
	return name;
}

static bool is_version(struct span s)
{
	bool dot = false;

	for (size_t i = 0; i < s.len; i++) {
		if ((s.data[i] < '0' || s.data[i] > '9') && s.data[i] != '.')
			return false;
		dot |= s.data[i] == '.';
	}
	return dot && s.data[0] != '.';
}

/*
 * ".so.6.4.43484" or, in a wheel whose files have bare names, the version node
 * "hip_6.4". The major number alone is an ABI and no version.
 */
static struct span version_of(const char *path, const struct code *code)
{
	const char *so = strstr(path, ".so.");
	struct span version = span_of(so ? so + 4 : "");
	bool hip = code->defines && strncmp(code->defines, "hip_", 4) == 0;

	if (version.len > 0 && is_version(version))
		return version;
	version = span_of(hip ? code->defines + 4 : "");
	return version.len > 0 && is_version(version) ? version : SPAN_LITERAL("");
}

/* ---- sets of targets ---- */

static unsigned int bundles_of(const struct code *code)
{
	unsigned int most = code->bundles;

	for (size_t i = 0; i < code->target_count; i++)
		if (code->targets[i].in > most) /* of a kpack: kernels, not bundles */
			most = code->targets[i].in;
	return most;
}

static int64_t set_of(struct libraries *l, const struct code *code, const char *path)
{
	struct buf key BUF_SCOPED = { 0 };
	const int64_t *known;
	int64_t *made;

	for (size_t i = 0; i < code->target_count; i++)
		buf_addf(&key, "%s %u\n", code->targets[i].id, code->targets[i].in);
	buf_addf(&key, "/%u", bundles_of(code));
	known = map_find(&l->sets, buf_get(&key));
	if (known)
		return *known;
	made = arena_alloc(&l->c->arena, sizeof(*made));
	*made = ++l->set_count;
	map_put(&l->sets, arena_span(&l->c->arena, buf_get(&key)), made);
	for (size_t i = 0; i < code->target_count; i++) {
		struct row r = row_of("target_set");

		row_int(&r, "set_id", *made);
		row_string(&r, "target", code->targets[i].id);
		row_int(&r, "bundles", code->targets[i].in);
		row_int(&r, "of_bundles", bundles_of(code));
		row_string(&r, "source", path);
		facts_add(l->c->facts, &r);
	}
	return *made;
}

/* ---- rows ---- */

static void row_code(struct libraries *l, struct row *r, const struct code *code, const char *path)
{
	int64_t missing = 0;

	row_string(r, "soname", code->soname);
	row_u64(r, "size_bytes", code->size);
	if (code->target_count > 0)
		row_int(r, "target_set", set_of(l, code, path));
	row_int(r, "bundles", code->bundles);
	for (unsigned int v = 3; v >= 1; v--)
		if (code->forms[CODE_CCOB1 + v - 1] > 0) {
			row_int(r, "ccob", v);
			break;
		}
	if (code->newest_cov > 0)
		row_int(r, "code_object_version", code->newest_cov);
	for (size_t i = 0; i < code->archive_count; i++)
		missing += !code->archives[i].found || code->archives[i].kernels == 0;
	if (code->kpack_name)
		row_int(r, "kpack_missing", missing);
}

static void add_library(struct libraries *l, const struct collect_library *of)
{
	struct collect *c = l->c;
	struct row r = row_of("library");
	struct span text, version;
	struct code code;
	int error = collect_ask_path(c, "code", of->path, &text);

	if (error < 0) {
		facts_gap(c->facts, "library", of->path, error, "code");
		return;
	}
	if (!code_parse(text, &c->arena, &code) || code.kind == CODE_NOTHING)
		return; /* a script of the linker, or a Python file that a package calls a library */
	row_string(&r, "path", of->path);
	row_text(&r, "name", name_of(of->path));
	version = version_of(of->path, &code);
	if (version.len > 0)
		row_text(&r, "version", version);
	row_string(&r, "environment", of->environment);
	row_string(&r, "install", of->install);
	row_code(l, &r, &code, of->path);
	row_string(&r, "source", of->path);
	facts_add(c->facts, &r);
	for (size_t i = 0; i < code.problem_count; i++)
		facts_gap_said(c->facts, "library.target_set", of->path, "broken", code.problems[i],
			       of->path);
}

static void add_kernel_dir(struct collect *c, const struct collect_kernels *of, const char *kind,
			   const struct kernels_arch *arch, bool whole)
{
	struct row r = row_of("kernel_dir");

	row_string(&r, "path", of->path);
	row_string(&r, "kind", kind);
	row_string(&r, "environment", of->environment);
	row_string(&r, "install", of->install);
	if (arch) {
		row_string(&r, "gfx", arch->id);
		if (!arch->unread)
			row_int(&r, "indexed", arch->index);
		row_int(&r, "tuned", arch->tuned);
		row_int(&r, "fallback", arch->fallback);
		row_int(&r, "helper", arch->helper);
		row_int(&r, "missing", arch->missing);
	}
	row_int(&r, "whole", whole);
	row_string(&r, "source", of->path);
	facts_add(c->facts, &r);
}

/* "left denied /opt/rocm/lib/rocblas/library/gfx942"; true if nothing was left out. */
static bool tell_left(struct collect *c, const char *dir, struct span text)
{
	struct span line, key;
	bool whole = true;

	while (span_line(&text, &line)) {
		const char *why, *what;

		if (!span_word(&line, &key) || !span_is(key, "left"))
			continue;
		why = collect_next_word(c, &line);
		what = collect_next_word(c, &line);
		if (what)
			facts_gap_said(c->facts, "kernel_dir", dir,
				       strcmp(why, "many") == 0 ? "unasked" : why, what, "kernels");
		whole = false;
	}
	return whole;
}

static void add_kernels(struct collect *c, const struct collect_kernels *of)
{
	struct kernels kernels;
	struct span text;
	bool whole;
	int error = collect_ask_path(c, "kernels", of->path, &text);

	if (error < 0) {
		facts_gap(c->facts, "kernel_dir", of->path, error, "kernels");
		return;
	}
	if (!kernels_parse(text, &c->arena, &kernels) || !kernels.kind)
		return;
	whole = tell_left(c, of->path, text);
	for (size_t i = 0; i < kernels.arch_count; i++)
		add_kernel_dir(c, of, kernels.kind, &kernels.archs[i], whole);
	if (kernels.arch_count == 0)
		add_kernel_dir(c, of, kernels.kind, NULL, whole);
	for (size_t i = 0; i < kernels.problem_count; i++)
		facts_gap_said(c->facts, "kernel_dir", of->path, "broken", kernels.problems[i],
			       of->path);
}

/* ---- installs inside of environments ---- */

/* "/venv/lib/python3.12/site-packages/_rocm_sdk_core/lib/libamdhip64.so.7"; DLLs lie in bin */
static void find_wheel(struct libraries *l, const struct collect_library *of)
{
	struct collect *c = l->c;
	const char *at = strstr(of->path, "/_rocm_sdk_");
	const char *prefix, *key;

	if (!at)
		return;
	prefix = arena_text(&c->arena, (struct span){ of->path, (size_t)(at - of->path) + 1 +
									strcspn(at + 1, "/") });
	key = arena_format(&c->arena, "install %s", prefix);
	if (map_find(&l->seen, span_of(key)))
		return;
	map_put(&l->seen, span_of(key), l);
	collect_install(c, "wheel", prefix,
			arena_format(&c->arena, "%s/%s", prefix, c->windows ? "bin" : "lib"),
			of->environment);
}

static void find_installs(struct libraries *l)
{
	struct collect *c = l->c;
	size_t count = c->library_count;

	for (size_t i = 0; i < count; i++) {
		struct collect_library one = c->libraries[i];

		if (one.environment)
			find_wheel(l, &one);
	}
	for (size_t i = 0; i < c->environment_count; i++) {
		const struct collect_environment *e = &c->environments[i];

		if (strcmp(e->kind, "conda") == 0)
			collect_install(c, "conda", e->prefix,
					arena_format(&c->arena, "%s/%s", e->prefix,
						     c->windows ? "Library/bin" : "lib"),
					e->prefix);
	}
}

void collect_libraries(struct collect *c)
{
	static const char *const tables[] = { "library", "target_set", "kernel_dir" };
	struct libraries l = { .c = c };

	for (size_t i = 0; c->environments_error < 0 && i < 3; i++)
		facts_gap(c->facts, tables[i], "", c->environments_error, "environments");
	find_installs(&l);
	/* The install of a file is kept, even if another source listed the file first. */
	for (size_t i = 0; i < c->library_count; i++)
		if (c->libraries[i].install)
			map_put(&l.installs, span_of(c->libraries[i].path),
				(void *)(uintptr_t)c->libraries[i].install);
	for (size_t i = 0; i < c->library_count; i++) {
		struct collect_library one = c->libraries[i];

		if (map_find(&l.seen, span_of(one.path)))
			continue;
		map_put(&l.seen, span_of(one.path), &l);
		one.install = map_find(&l.installs, span_of(one.path));
		add_library(&l, &one);
	}
	for (size_t i = 0; i < c->kernels_count; i++)
		if (!map_find(&l.seen, span_of(c->kernels[i].path))) {
			map_put(&l.seen, span_of(c->kernels[i].path), &l);
			add_kernels(c, &c->kernels[i]);
		}
	if (c->library_count == COLLECT_LIBRARIES_MAX)
		facts_gap_said(c->facts, "library", "", "unasked", "more than 1024 libraries",
			       NULL);
	if (c->kernels_count == COLLECT_KERNELS_MAX)
		facts_gap_said(c->facts, "kernel_dir", "", "unasked",
			       "more than 128 directories of kernels", NULL);
	map_done(&l.seen);
	map_done(&l.installs);
	map_done(&l.sets);
}
