#include "code/kernels-count.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code.h"
#include "code/unpack.h"
#include "parse/tensile.h"

#define NAME_BYTES     2048
#define PART_FILES_MAX 1024 /* files of one part that are looked at: one for each target */
#define EXTOPS_MAX     256  /* processors of an extension library */
#define PACKED_CHUNK   16384

enum index_form {
	INDEX_NONE,
	INDEX_LAZY,   /* TensileLibrary_lazy_gfx1151.dat: names parts, loaded when needed */
	INDEX_SINGLE, /* TensileLibrary_gfx1151.dat: everything for one target */
	INDEX_MERGED, /* TensileLibrary.dat: everything; 117 MB in rocBLAS 5.5, and not read */
	INDEX_EXTOPS,
};

static const struct {
	const char *start;
	bool whole; /* nothing but an ending may follow */
	enum index_form form;
} index_names[] = {
	{ "TensileLibrary_lazy_", false, INDEX_LAZY },
	{ "TensileLibrary_gfx", false, INDEX_SINGLE },
	{ "TensileLibrary", true, INDEX_MERGED },
	{ "hipblasltExtOpLibrary", true, INDEX_EXTOPS },
};

static const char *const endings[] = { ".dat", ".dat.zlib", ".yaml" };

struct indexing {
	struct kernels_count *c;
	const struct kernels_file **sorted; /* by name */
	const struct kernels_file *file;    /* the index at hand */
	struct span directory;              /* of it, with the slash */
	const char *arch;                   /* its target */
	unsigned int parts, missing;
	char first[NAME_BYTES]; /* that is missing */
	bool merged, lazy[KERNELS_ARCHS_MAX];
};

static enum index_form form_of(struct span base)
{
	for (size_t e = 0; e < sizeof(endings) / sizeof(endings[0]); e++) {
		struct span stem = base;

		if (!span_ends(base, endings[e]))
			continue;
		stem.len -= strlen(endings[e]);
		for (size_t i = 0; i < sizeof(index_names) / sizeof(index_names[0]); i++)
			if (index_names[i].whole ? span_is(stem, index_names[i].start)
						 : span_starts(stem, index_names[i].start))
				return index_names[i].form;
	}
	return INDEX_NONE;
}

bool kernels_tensile_opens(const char *name)
{
	enum index_form form = form_of(kernels_base(name));

	return (form == INDEX_LAZY && !span_ends(span_of(name), ".yaml")) || form == INDEX_EXTOPS;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct kernels_file *const *)a)->name,
		      (*(const struct kernels_file *const *)b)->name);
}

/* The first file whose name is not before `name`. */
static size_t lower_bound(const struct indexing *x, const char *name)
{
	size_t low = 0, high = x->c->file_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(x->sorted[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The rest after a part's name in the name of its code: nothing; features
 * (-xnack+); for parts of all targets the target (_gfx90a-xnack-).
 */
static bool is_code_of(struct span rest, const char *arch)
{
	size_t n = strlen(arch);

	if (!span_ends(rest, ".co") && !span_ends(rest, ".hsaco"))
		return false;
	if (rest.data[0] == '.' || rest.data[0] == '-')
		return true;
	return rest.data[0] == '_' && rest.len > n + 1 && memcmp(rest.data + 1, arch, n) == 0 &&
	       (rest.data[n + 1] == '.' || rest.data[n + 1] == '-');
}

/* Data and code of one part, near each other in the sorted list. */
static bool is_there(const struct indexing *x, const char *name)
{
	size_t at = lower_bound(x, name), n = strlen(name);
	bool data = false, code = false;

	for (size_t i = at; i < x->c->file_count; i++) {
		struct span rest = span_of(x->sorted[i]->name);

		if (strncmp(rest.data, name, n) != 0)
			break;
		if (i == at + PART_FILES_MAX)
			return true; /* not looked at: nothing is said to be missing */
		rest = (struct span){ rest.data + n, rest.len - n };
		if (x->sorted[i]->size == 0 || rest.len == 0)
			continue;
		data |= span_is(rest, ".dat") || span_is(rest, ".dat.zlib");
		code |= is_code_of(rest, x->arch);
	}
	return data && code;
}

static void check_part(void *of, struct span part, struct span processor)
{
	struct indexing *x = of;
	char name[NAME_BYTES];

	(void)processor;
	x->parts++;
	if (x->directory.len + part.len >= sizeof(name) || memchr(part.data, 0, part.len))
		return;
	memcpy(name, x->directory.data, x->directory.len);
	memcpy(name + x->directory.len, part.data, part.len);
	name[x->directory.len + part.len] = 0;
	if (is_there(x, name))
		return;
	if (x->missing++ == 0)
		memcpy(x->first, name, strlen(name) + 1);
}

/* Newer hipBLASLt packs its indexes: one zlib stream. */
static int unpack_index(struct source *s, struct buf *ret)
{
	struct unpack u = { 0 };
	int r = unpack_begin(&u, s, 0, s->size, CCOB_ZLIB);

	while (r == 0)
		r = u.out.len > TENSILE_INDEX_MAX ? -EFBIG
						  : unpack_more(&u, u.out.len + PACKED_CHUNK);
	if (r == -ENODATA && u.ended)
		r = 0;
	buf_span(ret, buf_get(&u.out));
	unpack_done(&u);
	return r;
}

static void note_extop(void *of, struct span name);

static int read_content(struct indexing *x, struct source *s, enum index_form form)
{
	struct tensile_visitor v = { check_part, x };
	struct tensile_index index;

	if (form == INDEX_EXTOPS)
		return tensile_extop_read(s, note_extop, x);
	return tensile_index_read(s, &v, &index);
}

static int read_index(struct indexing *x, enum index_form form)
{
	struct buf unpacked BUF_SCOPED = { 0 };
	struct source s, inside;
	int r = kernels_open(x->c, x->file, &s);

	if (r < 0)
		return r;
	if (span_ends(span_of(x->file->name), ".zlib")) {
		r = unpack_index(&s, &unpacked);
		inside = source_memory(buf_get(&unpacked));
		if (r == 0)
			r = read_content(x, &inside, form);
	} else {
		r = read_content(x, &s, form);
	}
	x->c->close(x->c->of, &s);
	return r;
}

static const char *fault(int r)
{
	return r == -ENODATA   ? "is cut short"
	       : r == -EBADMSG ? "is not a Tensile index"
	       : r == -EFBIG   ? "is too long to be read"
			       : code_opener_error(r);
}

static void note_extop(void *of, struct span name)
{
	struct indexing *x = of;
	char file[NAME_BYTES];
	int n;

	if (x->parts++ >= EXTOPS_MAX || name.len == 0 || memchr(name.data, 0, name.len))
		return;
	n = snprintf(file, sizeof(file), "%.*sextop_%.*s.co", (int)x->directory.len,
		     x->directory.data, (int)name.len, name.data);
	if (n < 0 || (size_t)n >= sizeof(file))
		return;
	if (lower_bound(x, file) < x->c->file_count &&
	    strcmp(x->sorted[lower_bound(x, file)]->name, file) == 0)
		return;
	if (x->missing++ == 0)
		memcpy(x->first, file, strlen(file) + 1);
}

static void begin(struct indexing *x, const struct kernels_file *file, const char *arch)
{
	struct span base = kernels_base(file->name);

	x->file = file;
	x->arch = arch;
	x->directory = (struct span){ file->name, (size_t)(base.data - file->name) };
	x->parts = 0;
	x->missing = 0;
}

static void read_extops(struct indexing *x, const struct kernels_file *file)
{
	int r;

	begin(x, file, "");
	r = read_index(x, INDEX_EXTOPS);
	if (r == -ENOTSUP || r == -EMFILE)
		return;
	if (r < 0)
		kernels_problem(x->c, "%s %s", file->name, fault(r));
	else if (x->missing > 0)
		kernels_problem(x->c, "%s names %u targets without a file, the first would be %s",
				file->name, x->missing, x->first);
}

/* A damaged index is none to rocBLAS either; one that was not read to its end may be a good one. */
static bool is_unread(int r)
{
	return r < 0 && r != -ENOTSUP && r != -EMFILE && r != -EBADMSG && r != -ENODATA;
}

/* An index that is YAML or cannot be opened (a name in an archive) counts by its name. */
static void read_lazy(struct indexing *x, const struct kernels_file *file)
{
	struct kernels_arch *a;
	char id[64];
	int r = -ENOTSUP;

	if (!kernels_name_tensile(file->name, id))
		return;
	a = kernels_arch_of(x->c, span_of(id));
	if (!a)
		return;
	x->lazy[a - x->c->archs] = true;
	begin(x, file, id);
	if (kernels_tensile_opens(file->name))
		r = read_index(x, INDEX_LAZY);
	a->index |= r == 0 || ((r == -ENOTSUP || r == -EMFILE) && file->size > 0);
	a->unread |= is_unread(r);
	a->missing += x->missing;
	x->c->indexed |= r == 0;
	if (r < 0 && r != -ENOTSUP && r != -EMFILE)
		kernels_problem(x->c, "%s %s", file->name, fault(r));
	else if (x->missing > 0)
		kernels_problem(x->c, "%s: %u of %u parts are missing, the first is %s", file->name,
				x->missing, x->parts, x->first);
}

static void read_one(struct indexing *x, const struct kernels_file *file)
{
	enum index_form form = form_of(kernels_base(file->name));
	struct kernels_arch *a;
	char id[64];

	if (form == INDEX_LAZY)
		read_lazy(x, file);
	if (form == INDEX_EXTOPS)
		read_extops(x, file);
	if (form == INDEX_MERGED)
		x->merged |= file->size > 0;
	if (form == INDEX_SINGLE && kernels_name_tensile(file->name, id)) {
		a = kernels_arch_of(x->c, span_of(id));
		if (a)
			a->index |= file->size > 0;
	}
}

/*
 * Kernels.so has helpers beside a lazy index; where everything is in one file, it
 * has the slow code for any problem, too (22 MB instead of 0.8 in Debian's 5.5.1
 * and 7.2.4). Source: ROCm/Tensile TensileCreateLibrary.py.
 */
static void conclude(struct indexing *x, bool merged_holds_fallback)
{
	for (size_t i = 0; i < x->c->arch_count; i++) {
		struct kernels_arch *a = &x->c->archs[i], *bare = NULL;
		const char *colon = strchr(a->id, ':');

		if (colon) /* gfx90a:xnack+ is of the index of gfx90a */
			bare = kernels_arch_find(x->c,
						 (struct span){ a->id, (size_t)(colon - a->id) });
		bare = bare ? bare : a;
		a->index |= bare->index || x->merged;
		a->unread = a->index == 0 && (a->unread || bare->unread);
		if (merged_holds_fallback && a->index && !x->lazy[bare - x->c->archs]) {
			a->fallback += a->helper;
			a->helper = 0;
		}
		if (!a->index && !a->unread && !x->lazy[bare - x->c->archs] &&
		    a->tuned + a->fallback > 0)
			kernels_problem(x->c, "%s has code but no index", a->id);
	}
	if (x->c->file_count == 0)
		kernels_problem(x->c, "the directory is empty");
}

void kernels_tensile_indexes(struct kernels_count *c, bool merged_holds_fallback)
{
	struct indexing *x = arena_alloc(c->arena, sizeof(*x));

	x->c = c;
	x->sorted = arena_alloc(c->arena, (c->file_count + 1) * sizeof(*x->sorted));
	for (size_t i = 0; i < c->file_count; i++)
		x->sorted[i] = &c->files[i];
	qsort(x->sorted, c->file_count, sizeof(*x->sorted), by_name);
	for (size_t i = 0; i < c->file_count; i++)
		read_one(x, x->sorted[i]);
	conclude(x, merged_holds_fallback);
}
