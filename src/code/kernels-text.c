#include "code/kernels.h"

#include <string.h>

#include "code/kernels-count.h"

void kernels_write(const struct kernels *k, struct buf *ret)
{
	buf_addf(ret, "kind %s\nfiles %u\nindex %s\n", k->kind ? k->kind : "none", k->files,
		 k->indexed ? "yes" : "no");
	for (size_t i = 0; i < k->arch_count; i++) {
		const struct kernels_arch *a = &k->archs[i];

		buf_addf(ret, "arch %s ", a->id);
		if (a->unread)
			buf_char(ret, '?');
		else
			buf_addf(ret, "%u", a->index);
		buf_addf(ret, " %u %u %u", a->tuned, a->fallback, a->helper);
		if (a->missing > 0)
			buf_addf(ret, " %u", a->missing);
		buf_char(ret, '\n');
	}
	for (size_t i = 0; i < k->problem_count; i++)
		buf_addf(ret, "problem %s\n", k->problems[i]);
}

struct kernels_reading {
	struct arena *arena;
	struct kernels *ret;
	struct kernels_arch *archs;
	const char **problems;
};

static bool read_count(struct span text, unsigned int *ret)
{
	uint64_t value;

	if (!span_u64(text, &value) || value > UINT32_MAX)
		return false;
	*ret = (unsigned int)value;
	return true;
}

static bool read_kind(struct kernels_reading *r, struct span value)
{
	if (value.len == 0)
		return false;
	r->ret->kind = span_is(value, "none") ? NULL : arena_text(r->arena, value);
	return true;
}

static bool read_files(struct kernels_reading *r, struct span value)
{
	return read_count(value, &r->ret->files);
}

static bool read_index(struct kernels_reading *r, struct span value)
{
	r->ret->indexed = span_is(value, "yes");
	return r->ret->indexed || span_is(value, "no");
}

static bool read_arch(struct kernels_reading *r, struct span value)
{
	struct kernels_arch a = { 0 };
	unsigned int *counts[] = { &a.tuned, &a.fallback, &a.helper };
	struct span word;

	if (!span_word(&value, &word) || word.len >= sizeof(a.id))
		return false;
	memcpy(a.id, word.data, word.len);
	if (!span_word(&value, &word))
		return false;
	a.unread = span_is(word, "?");
	if (!a.unread && !read_count(word, &a.index))
		return false;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!span_word(&value, &word) || !read_count(word, counts[i]))
			return false;
	if (span_word(&value, &word) && !read_count(word, &a.missing))
		return false;
	if (r->ret->arch_count < KERNELS_ARCHS_MAX)
		r->archs[r->ret->arch_count++] = a;
	return true;
}

static bool read_problem(struct kernels_reading *r, struct span value)
{
	if (r->ret->problem_count < KERNELS_PROBLEMS_MAX)
		r->problems[r->ret->problem_count++] = arena_text(r->arena, value);
	return true;
}

static const struct {
	const char *key;
	bool (*read)(struct kernels_reading *r, struct span value);
} keys[] = {
	{ "kind", read_kind }, { "files", read_files },     { "index", read_index },
	{ "arch", read_arch }, { "problem", read_problem },
};

static bool is_lines(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.data[i] < ' ' && text.data[i] != '\n')
			return false;
	return true;
}

bool kernels_parse(struct span text, struct arena *arena, struct kernels *ret)
{
	struct kernels k = { 0 };
	struct kernels_reading r = {
		arena, &k, arena_alloc(arena, KERNELS_ARCHS_MAX * sizeof(*r.archs)),
		arena_alloc(arena, KERNELS_PROBLEMS_MAX * sizeof(*r.problems))
	};
	struct span line, key;
	bool kind = false;

	if (!is_lines(text))
		return false;
	while (span_line(&text, &line)) {
		if (!span_cut(&line, ' ', &key))
			continue;
		kind |= span_is(key, "kind");
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (span_is(key, keys[i].key) && !keys[i].read(&r, line))
				return false;
	}
	if (!kind)
		return false;
	k.archs = r.archs;
	k.problems = r.problems;
	*ret = k;
	return true;
}
