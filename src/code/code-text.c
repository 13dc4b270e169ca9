#include "code/code.h"

#include <string.h>

#include "base/text.h"

/* ---- writing ---- */

static void line(struct buf *out, const char *key, const char *value)
{
	if (value)
		buf_addf(out, "%s %s\n", key, value);
}

static void write_names(const struct code *code, struct buf *out)
{
	line(out, "soname", code->soname);
	for (size_t i = 0; i < code->needed_count; i++)
		line(out, "needed", code->needed[i]);
	line(out, "rpath", code->rpath);
	line(out, "runpath", code->runpath);
	line(out, "defines", code->defines);
	line(out, "kpack", code->kpack_name);
	for (size_t i = 0; i < code->archive_count; i++) {
		const struct code_archive *a = &code->archives[i];

		if (a->found)
			buf_addf(out, "archive %u %s\n", a->kernels, a->path);
		else
			buf_addf(out, "archive missing %s\n", a->path);
	}
}

void code_write(const struct code *code, struct buf *ret)
{
	buf_addf(ret, "size %llu\n", (unsigned long long)code->size);
	if (code->head[0])
		line(ret, "head", code->head);
	line(ret, "kind", code_kind_name(code->kind));
	write_names(code, ret);
	if (code->scanned || code->bundles > 0)
		line(ret, "found", code->scanned ? "scan" : "index");
	if (code->bundles > 0)
		buf_addf(ret, "bundles %u\n", code->bundles);
	for (int i = 0; i < CODE_FORMS; i++)
		if (code->forms[i] > 0)
			buf_addf(ret, "form %s %u\n", code_form_name((enum code_form)i),
				 code->forms[i]);
	if (code->newest_cov > 0)
		buf_addf(ret, "cov %u %u\n", code->oldest_cov, code->newest_cov);
	for (size_t i = 0; i < code->target_count; i++)
		buf_addf(ret, "target %u %s\n", code->targets[i].in, code->targets[i].id);
	for (size_t i = 0; i < code->problem_count; i++)
		line(ret, "problem", code->problems[i]);
}

/* ---- reading ---- */

struct code_reading {
	struct arena *arena;
	struct code *code;
	struct buf needed, problems, targets, archives;
};

static bool read_count(struct span text, unsigned int *ret)
{
	uint64_t value;

	if (!span_u64(text, &value) || value > UINT32_MAX)
		return false;
	*ret = (unsigned int)value;
	return true;
}

static bool read_size(struct code_reading *r, struct span value)
{
	return span_u64(value, &r->code->size);
}

static bool read_head(struct code_reading *r, struct span value)
{
	uint64_t digits;

	if (value.len != sizeof(r->code->head) - 1 || !span_hex(value, &digits))
		return false;
	memcpy(r->code->head, value.data, value.len);
	return true;
}

static bool read_kind(struct code_reading *r, struct span value)
{
	for (int i = 0; i < CODE_KINDS; i++) {
		if (!span_is(value, code_kind_name((enum code_kind)i)))
			continue;
		r->code->kind = (enum code_kind)i;
		return true;
	}
	return false;
}

static bool read_found(struct code_reading *r, struct span value)
{
	r->code->scanned = span_is(value, "scan");
	return r->code->scanned || span_is(value, "index");
}

static bool read_bundles(struct code_reading *r, struct span value)
{
	return read_count(value, &r->code->bundles);
}

static bool read_form(struct code_reading *r, struct span value)
{
	struct span name;

	if (!span_cut(&value, ' ', &name))
		return false;
	for (int i = 0; i < CODE_FORMS; i++)
		if (span_is(name, code_form_name((enum code_form)i)))
			return read_count(value, &r->code->forms[i]);
	return false;
}

static bool read_cov(struct code_reading *r, struct span value)
{
	struct span oldest;

	return span_cut(&value, ' ', &oldest) && read_count(oldest, &r->code->oldest_cov) &&
	       read_count(value, &r->code->newest_cov);
}

static bool read_target(struct code_reading *r, struct span value)
{
	struct code_target target = { 0 };
	struct span in;

	if (!span_cut(&value, ' ', &in) || !read_count(in, &target.in) || value.len == 0 ||
	    value.len >= sizeof(target.id))
		return false;
	memcpy(target.id, value.data, value.len);
	buf_add(&r->targets, &target, sizeof(target));
	return true;
}

static bool read_archive(struct code_reading *r, struct span value)
{
	struct code_archive archive = { 0 };
	struct span kernels;

	if (!span_cut(&value, ' ', &kernels) || value.len == 0)
		return false;
	archive.found = !span_is(kernels, "missing");
	if (archive.found && !read_count(kernels, &archive.kernels))
		return false;
	archive.path = arena_text(r->arena, value);
	buf_add(&r->archives, &archive, sizeof(archive));
	return true;
}

static bool keep(struct code_reading *r, struct buf *list, struct span value)
{
	const char *text = arena_text(r->arena, value);

	buf_add(list, &text, sizeof(text));
	return true;
}

static bool read_needed(struct code_reading *r, struct span value)
{
	return keep(r, &r->needed, value);
}

static bool read_problem(struct code_reading *r, struct span value)
{
	return keep(r, &r->problems, value);
}

static bool read_soname(struct code_reading *r, struct span value)
{
	r->code->soname = arena_text(r->arena, value);
	return true;
}

static bool read_rpath(struct code_reading *r, struct span value)
{
	r->code->rpath = arena_text(r->arena, value);
	return true;
}

static bool read_runpath(struct code_reading *r, struct span value)
{
	r->code->runpath = arena_text(r->arena, value);
	return true;
}

static bool read_defines(struct code_reading *r, struct span value)
{
	r->code->defines = arena_text(r->arena, value);
	return true;
}

static bool read_kpack(struct code_reading *r, struct span value)
{
	r->code->kpack_name = arena_text(r->arena, value);
	return true;
}

static const struct {
	const char *key;
	bool (*read)(struct code_reading *r, struct span value);
} keys[] = {
	{ "size", read_size },       { "head", read_head },       { "kind", read_kind },
	{ "soname", read_soname },   { "needed", read_needed },   { "rpath", read_rpath },
	{ "runpath", read_runpath }, { "defines", read_defines }, { "kpack", read_kpack },
	{ "archive", read_archive }, { "found", read_found },     { "bundles", read_bundles },
	{ "form", read_form },       { "cov", read_cov },         { "target", read_target },
	{ "problem", read_problem },
};

static void *moved(struct arena *arena, struct buf *list)
{
	void *copy = arena_alloc(arena, list->len + 1);

	if (list->len > 0)
		memcpy(copy, list->data, list->len);
	buf_done(list);
	return copy;
}

bool code_parse(struct span text, struct arena *arena, struct code *ret)
{
	struct code code = { 0 };
	struct code_reading r = { .arena = arena, .code = &code };
	struct span line, key;
	bool good = true;

	/*
	 * A key that is not known is of a newer program: skipped. We write clean text,
	 * so other text was not written by us.
	 */
	while (good && span_line(&text, &line)) {
		if (!span_cut(&line, ' ', &key))
			continue;
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (span_is(key, keys[i].key)) {
				good = text_is_clean(line, false) && keys[i].read(&r, line);
				break;
			}
	}
	code.needed_count = r.needed.len / sizeof(char *);
	code.problem_count = r.problems.len / sizeof(char *);
	code.target_count = r.targets.len / sizeof(struct code_target);
	code.archive_count = r.archives.len / sizeof(struct code_archive);
	code.needed = moved(arena, &r.needed);
	code.problems = moved(arena, &r.problems);
	code.targets = moved(arena, &r.targets);
	code.archives = moved(arena, &r.archives);
	if (good)
		*ret = code;
	return good;
}
