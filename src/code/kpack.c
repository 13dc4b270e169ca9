#include "code/kpack.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "parse/kpack.h"

#define TARGETS_MAX  256
#define ARCHIVES_MAX 512
#define INDEX_MAX    16384 /* code objects of one library; PyTorch's largest has some 2,000 */
#define PROBLEMS_MAX 64
#define PATH_BYTES   4096

/* The code objects of the library for one target. */
struct tally {
	char id[CODE_ID_MAX];
	unsigned int count;
	bool listed;
	unsigned char seen[INDEX_MAX / 8];
};

/* The targets of one archive, and of the library over all of them. */
struct tallies {
	struct tally *of[TARGETS_MAX];
	size_t count;
	bool full;    /* more than TARGETS_MAX */
	bool strange; /* an index or a name beyond all measure */
};

struct kpack_visit {
	struct arena *arena;
	struct span library; /* empty: every one */
	struct tallies *tallies;
};

struct kpack_search {
	struct arena *arena;
	struct arena scratch; /* kilobytes for each target, until the answer is ready */
	const struct code_opener *opener;
	struct code *ret;
	struct span library;
	struct tallies tallies;
	struct tally any; /* of all targets together */
	struct code_archive *archives;
	size_t archive_count;
	bool archives_cut;
};

static void __attribute__((format(printf, 3, 4)))
complain(struct arena *arena, struct code *ret, const char *format, ...)
{
	char text[512];
	const char **more;
	va_list args;

	if (ret->problem_count > PROBLEMS_MAX)
		return;
	if (ret->problem_count == PROBLEMS_MAX)
		format = "and more problems";
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	more = arena_alloc(arena, (ret->problem_count + 1) * sizeof(*more));
	if (ret->problem_count > 0)
		memcpy(more, ret->problems, ret->problem_count * sizeof(*more));
	more[ret->problem_count++] = arena_text(arena, span_of(text));
	ret->problems = more;
}

/* Also amdgcnspirv and what is not invented yet, but nothing that would break a line. */
static bool is_id(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) && !strchr(":+-_", text.data[i]))
			return false;
	return text.len > 0 && text.len < CODE_ID_MAX;
}

static struct tally *find_tally(struct arena *arena, struct tallies *t, struct span id)
{
	struct tally *fresh;

	for (size_t i = 0; i < t->count; i++)
		if (span_is(id, t->of[i]->id))
			return t->of[i];
	if (!is_id(id)) {
		t->strange = true;
		return NULL;
	}
	if (t->count >= TARGETS_MAX) {
		t->full = true;
		return NULL;
	}
	fresh = arena_alloc(arena, sizeof(*fresh));
	memcpy(fresh->id, id.data, id.len);
	t->of[t->count++] = fresh;
	return fresh;
}

/* Two archives may hold the same code object: it counts once. */
static void mark(struct tally *t, uint64_t index)
{
	unsigned char bit = (unsigned char)(1u << (index % 8));

	if (!(t->seen[index / 8] & bit))
		t->count++;
	t->seen[index / 8] |= bit;
}

static void note_listed(void *of, struct span target)
{
	struct kpack_visit *v = of;
	struct tally *t = find_tally(v->arena, v->tallies, target);

	if (t)
		t->listed = true;
}

static void note_kernel(void *of, struct span library, uint64_t index, struct span target)
{
	struct kpack_visit *v = of;
	struct tally *t;

	if (v->library.len > 0 && !span_same(v->library, library))
		return;
	t = find_tally(v->arena, v->tallies, target);
	if (!t)
		return;
	if (v->library.len == 0) {
		t->count++;
		return;
	}
	if (index >= INDEX_MAX) {
		v->tallies->strange = true;
		return;
	}
	mark(t, index);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct code_target *)a)->id, ((const struct code_target *)b)->id);
}

static void add_targets(struct arena *arena, const struct tallies *t, struct code *ret)
{
	struct code_target *all =
		arena_alloc(arena, (ret->target_count + t->count + 1) * sizeof(*all));
	size_t count = ret->target_count;

	if (count > 0)
		memcpy(all, ret->targets, count * sizeof(*all));
	for (size_t i = 0; i < t->count; i++) {
		size_t at = 0;

		if (t->of[i]->count == 0)
			continue;
		while (at < count && strcmp(all[at].id, t->of[i]->id) != 0)
			at++;
		if (at == count) {
			memcpy(all[at].id, t->of[i]->id, sizeof(t->of[i]->id));
			all[at].in = 0;
			count++;
		}
		all[at].in += t->of[i]->count;
	}
	qsort(all, count, sizeof(*all), by_id);
	ret->targets = all;
	ret->target_count = count;
}

static void complain_of_tallies(struct arena *arena, const struct tallies *t, const char *where,
				struct code *ret)
{
	if (t->full)
		complain(arena, ret, "%s: more than %d targets; the others were left out", where,
			 TARGETS_MAX);
	if (t->strange)
		complain(arena, ret, "%s: some kernels have a target or number that cannot be",
			 where);
	for (size_t i = 0; i < t->count; i++)
		if (t->of[i]->count > 0 && !t->of[i]->listed)
			complain(arena, ret,
				 "%s: holds code for %s, but does not list it, so the runtime does "
				 "not look for it there",
				 where, t->of[i]->id);
}

static struct code_archive *name_archive(struct kpack_search *s, const char *path)
{
	struct code_archive *a;

	if (s->archive_count >= ARCHIVES_MAX) {
		s->archives_cut = true;
		return NULL;
	}
	a = &s->archives[s->archive_count++];
	a->path = path;
	return a;
}

static bool named_before(const struct kpack_search *s, const char *path)
{
	for (size_t i = 0; i < s->archive_count; i++)
		if (strcmp(s->archives[i].path, path) == 0)
			return true;
	return false;
}

/* Code that is not listed is not loaded, and so not counted. */
static void merge(struct kpack_search *s, const struct tallies *t, struct code_archive *a)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct tally *from = t->of[i];
		struct tally *to;

		if (from->count == 0 || !from->listed)
			continue;
		a->kernels += from->count;
		to = find_tally(&s->scratch, &s->tallies, span_of(from->id));
		if (!to)
			continue;
		for (uint64_t index = 0; index < INDEX_MAX; index++)
			if (from->seen[index / 8] & (1u << (index % 8))) {
				mark(to, index);
				mark(&s->any, index);
			}
	}
}

static void read_archive(struct kpack_search *s, struct source *source, struct code_archive *a)
{
	struct arena scratch = { 0 }; /* half a megabyte that the next archive needs again */
	struct tallies tallies = { 0 };
	struct kpack_visit v = { &scratch, s->library, &tallies };
	struct kpack_visitor visitor = { note_listed, note_kernel, &v };
	struct kpack kpack;
	const char *why = NULL;

	a->found = true;
	if (kpack_read(source, &visitor, &kpack, &why) < 0) {
		complain(s->arena, s->ret, "%s: %s", a->path, why);
	} else {
		complain_of_tallies(s->arena, &tallies, a->path, s->ret);
		merge(s, &tallies, a);
		if (a->kernels == 0)
			complain(s->arena, s->ret, "%s: holds nothing for %s", a->path,
				 s->ret->kpack_name);
	}
	arena_done(&scratch);
}

static int try_archive(struct kpack_search *s, const char *path)
{
	struct source source;
	struct code_archive *a;
	int r;

	if (named_before(s, path))
		return 0;
	r = s->opener->open(s->opener->of, path, &source);
	if (r == -ENOENT)
		return r;
	a = name_archive(s, path);
	if (!a) {
		if (r == 0)
			s->opener->close(s->opener->of, &source);
		return 0;
	}
	if (r < 0) {
		complain(s->arena, s->ret, "%s: %s", path, code_opener_error(r));
		return r;
	}
	read_archive(s, &source, a);
	s->opener->close(s->opener->of, &source);
	return 0;
}

static bool fits(struct span name, struct span start, struct span end)
{
	if (name.len <= start.len + end.len ||
	    !span_same((struct span){ name.data, start.len }, start) ||
	    !span_same((struct span){ name.data + name.len - end.len, end.len }, end))
		return false;
	return kpack_is_target(
		(struct span){ name.data + start.len, name.len - start.len - end.len });
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * The device would say what stands for @GFXARCH@; without one, every name of
 * the directory that fits. The placeholder may stand in the name of the file
 * or of a directory above it.
 */
static bool fill_in(struct kpack_search *s, struct span before, struct span behind)
{
	const char *const *names = NULL;
	const char **paths;
	size_t count = 0, fitting = 0;
	size_t slash = before.len; /* where the part with @GFXARCH@ in it begins */
	struct span start, end = behind;
	const char *directory = ".";
	bool found = false;
	int r;

	while (slash > 0 && before.data[slash - 1] != '/')
		slash--;
	start = (struct span){ before.data + slash, before.len - slash };
	if (slash > 0)
		directory = arena_text(s->arena,
				       (struct span){ before.data, slash > 1 ? slash - 1 : 1 });
	for (size_t i = 0; i < behind.len && end.len == behind.len; i++)
		if (behind.data[i] == '/')
			end.len = i;
	r = s->opener->list(s->opener->of, directory, s->arena, &names, &count);
	if (r == -EXDEV)
		complain(s->arena, s->ret, "%s: %s", directory, code_opener_error(r));
	if (r < 0)
		return false;
	paths = arena_alloc(s->arena, (count + 1) * sizeof(*paths));
	for (size_t i = 0; i < count; i++)
		if (fits(span_of(names[i]), start, end))
			paths[fitting++] = arena_format(
				s->arena, "%.*s%s%.*s", (int)slash, before.data, names[i],
				(int)(behind.len - end.len), behind.data + end.len);
	qsort(paths, fitting, sizeof(*paths), by_text);
	for (size_t i = 0; i < fitting && !s->archives_cut; i++)
		found |= try_archive(s, paths[i]) == 0;
	return found;
}

static bool can_be_a_path(struct span path)
{
	return path.len > 0 && path.len < PATH_BYTES && text_is_clean(path, false);
}

/* An archive that was not found is named by its path in the library. */
static void look(struct kpack_search *s, struct span path)
{
	struct span before, behind;
	const char *text;
	bool found = false;

	if (!can_be_a_path(path)) {
		complain(s->arena, s->ret, "a location of its kernels is not a path");
		return;
	}
	text = arena_text(s->arena, path);
	if (s->opener && s->opener->list && kpack_split_path(path, &before, &behind))
		found = fill_in(s, before, behind);
	else if (s->opener && !kpack_split_path(path, &before, &behind))
		found = try_archive(s, text) != -ENOENT;
	if (!found && !named_before(s, text))
		name_archive(s, text);
}

static void conclude(struct kpack_search *s)
{
	struct code *ret = s->ret;
	bool found = false;

	for (size_t i = 0; i < s->archive_count; i++)
		found |= s->archives[i].found;
	if (!found)
		complain(s->arena, ret,
			 s->opener ? "none of its kpack archives was found: %s"
				   : "its kpack archives were not looked for: %s",
			 s->archive_count > 0 ? s->archives[0].path : "no location is named");
	if (s->tallies.full)
		complain(s->arena, ret, "more than %d targets; the others were left out",
			 TARGETS_MAX);
	if (s->archives_cut)
		complain(s->arena, ret, "more than %d kpack archives; the others were left out",
			 ARCHIVES_MAX);
	add_targets(s->arena, &s->tallies, ret);
	ret->bundles += s->any.count;
	ret->forms[CODE_KPACKED] += s->any.count;
	ret->archive_count = s->archive_count;
	ret->archives = memcpy(arena_alloc(s->arena, (s->archive_count + 1) * sizeof(*s->archives)),
			       s->archives, s->archive_count * sizeof(*s->archives));
}

void code_kpack(struct span ref, const struct code_opener *opener, struct arena *arena,
		struct code *ret)
{
	struct kpack_search s = { .arena = arena, .opener = opener, .ret = ret };
	struct kpack_ref parsed;

	if (kpack_ref_parse(ref, &parsed) < 0 || !can_be_a_path(parsed.kernel_name)) {
		complain(arena, ret, "its reference to kpack archives is damaged");
		return;
	}
	s.library = parsed.kernel_name;
	s.archives = arena_alloc(&s.scratch, ARCHIVES_MAX * sizeof(*s.archives));
	ret->kpack_name = arena_text(arena, parsed.kernel_name);
	if (parsed.more_paths)
		complain(arena, ret,
			 "more than %d places of kpack archives; the others were left out",
			 KPACK_PATHS_MAX);
	for (size_t i = 0; i < parsed.path_count && !s.archives_cut; i++)
		look(&s, parsed.paths[i]);
	conclude(&s);
	arena_done(&s.scratch);
}

void code_kpack_archive(struct source *s, struct arena *arena, struct code *ret)
{
	struct arena scratch = { 0 };
	struct tallies tallies = { 0 };
	struct kpack_visit v = { &scratch, { 0 }, &tallies };
	struct kpack_visitor visitor = { note_listed, note_kernel, &v };
	struct kpack kpack;
	const char *why = NULL;

	ret->kind = CODE_KPACK;
	if (kpack_read(s, &visitor, &kpack, &why) < 0) {
		complain(arena, ret, "%s", why);
	} else {
		complain_of_tallies(arena, &tallies, "the archive", ret);
		if (kpack.kernels == 0)
			complain(arena, ret, "the archive is empty: it holds no kernel");
		add_targets(arena, &tallies, ret);
		ret->bundles += kpack.entries;
		ret->forms[CODE_KPACKED] += kpack.entries;
	}
	arena_done(&scratch);
}
