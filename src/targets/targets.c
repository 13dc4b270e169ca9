#include "targets/targets.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "targets/rules.h"

/* ---- run time ---- */

/*
 * Packages that compile for the GPU while they run.
 *
 * A wheel of theirs without device code lacks nothing; data/run-time-compilers.tsv names them.
 */

extern const char data_run_time_compilers[];

/* "pytorch_triton_rocm" of "dist/pytorch_triton_rocm-3.5.1-cp312-....whl", as PyPI normalises names. */
static void package_of(const char *path, struct buf *ret)
{
	const char *slash = strrchr(path, '/');

	if (!span_ends(span_of(path), ".whl"))
		return;
	for (const char *p = slash ? slash + 1 : path; *p && *p != '-'; p++)
		buf_char(ret, *p == '_' || *p == '.' ? '-' : (char)tolower((unsigned char)*p));
}

/* The compiler that the package brings, or nothing. */
static struct span compiler_of(const char *path)
{
	struct span rest = span_of(data_run_time_compilers), line, name, says;
	struct buf package BUF_SCOPED = { 0 };

	package_of(path, &package);
	while (package.len > 0 && span_line(&rest, &line))
		if (span_cut(&line, '\t', &name) && span_same(name, buf_get(&package)) &&
		    span_cut(&line, '\t', &says))
			return says;
	return (struct span){ 0 };
}

/*
 * Says so of each of them among the paths without device code; if all of those are such, the
 * requirement binds none of them. Called by targets_judge().
 */
static void targets_run_time(struct targets *t)
{
	size_t count = 0;

	for (size_t i = 0; i < t->nothing_count; i++) {
		struct span compiler = compiler_of(t->nothing[i].path);

		if (compiler.len == 0)
			continue;
		t->nothing[i].says =
			arena_format(&t->arena, "no device code: %.*s for the GPU at run time",
				     (int)compiler.len, compiler.data);
		count++;
	}
	if (count > 0 && count == t->nothing_count)
		t->if_any = true;
}

/* ---- targets ---- */

/* ---- collecting ---- */

/* Paths are a stranger's bytes: escaped once, here. */
static const char *clean(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	text_clean(&out, span_of(text), false);
	return arena_text(a, buf_get(&out));
}

struct targets_row *targets_add(struct targets *t, const char *container, const char *path)
{
	struct targets_row *row;

	t->rows = arena_grow(&t->arena, t->rows, t->row_count, sizeof(*t->rows));
	row = &t->rows[t->row_count++];
	*row = (struct targets_row){ .judged = true };
	if (container) {
		row->container = clean(&t->arena, container);
		row->member = clean(&t->arena, path);
		row->path = arena_format(&t->arena, "%s/%s", row->container, row->member);
	} else {
		row->path = clean(&t->arena, path);
	}
	row->label = row->path;
	return row;
}

static void add_note(struct targets *t, struct targets_note **list, size_t *count, const char *path,
		     const char *says)
{
	*list = arena_grow(&t->arena, *list, *count, sizeof(**list));
	(*list)[(*count)++] =
		(struct targets_note){ clean(&t->arena, path), clean(&t->arena, says) };
}

void targets_nothing(struct targets *t, const char *path, const char *says)
{
	add_note(t, &t->nothing, &t->nothing_count, path, says);
}

void targets_unread(struct targets *t, const char *path, const char *says)
{
	add_note(t, &t->unread, &t->unread_count, path, says);
}

void targets_left_out(struct targets *t, const char *path)
{
	add_note(t, &t->left_out, &t->left_out_count, path, "left out by a rule");
}

void targets_lost(struct targets *t, const char *path, const char *says)
{
	add_note(t, &t->lost, &t->lost_count, path, says);
}

/* ---- devices ---- */

static void add_device(struct targets *t, const char *id)
{
	for (size_t i = 0; i < t->device_count; i++)
		if (strcmp(t->devices[i].id, id) == 0)
			return;
	t->devices = arena_grow(&t->arena, t->devices, t->device_count, sizeof(*t->devices));
	t->devices[t->device_count++] =
		(struct targets_device){ .id = arena_text(&t->arena, span_of(id)) };
}

static int by_order(const void *a, const void *b)
{
	const struct targets_device *x = a;
	const struct targets_device *y = b;

	return cover_order(x->id, y->id);
}

void targets_require(struct targets *t, const char *device)
{
	add_device(t, device);
	t->required = true;
}

/* ---- order and labels ---- */

static int by_path(const void *a, const void *b)
{
	const struct targets_row *x = a;
	const struct targets_row *y = b;

	return strcmp(x->path, y->path);
}

/*
 * librocblas.so.5 owns .../rocblas/library, and so do rocblas.dll and librocblas.dll;
 * kinds are spelled as the library is, but for case.
 */
static bool owns(const struct targets_row *library, const struct targets_row *kernels)
{
	const char *slash = strrchr(library->path, '/'), *name = slash ? slash + 1 : library->path;
	size_t len = strlen(kernels->kernels->kind);
	bool same = library->container == kernels->container ||
		    (library->container && kernels->container &&
		     strcmp(library->container, kernels->container) == 0);

	name += strncmp(name, "lib", 3) == 0 ? 3 : 0;
	return same && library->code && library->code->kind == CODE_SHARED_LIBRARY &&
	       strncasecmp(name, kernels->kernels->kind, len) == 0 && name[len] == '.';
}

/* The length of the common start of two paths. */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* By path; directories of kernels directly after their library. */
static void sort_rows(struct targets *t)
{
	struct targets_row *sorted;
	size_t *owner;
	size_t n = 0, owned = 0;

	if (t->row_count == 0)
		return;
	qsort(t->rows, t->row_count, sizeof(*t->rows), by_path);
	sorted = arena_alloc(&t->arena, t->row_count * sizeof(*sorted));
	owner = arena_alloc(&t->arena, t->row_count * sizeof(*owner));
	for (size_t i = 0; i < t->row_count; i++)
		owner[i] = SIZE_MAX;
	for (size_t i = 0; i < t->row_count; i++) {
		const char *path = t->rows[i].path;

		for (size_t k = 0; t->rows[i].kernels && k < t->row_count; k++)
			if (owns(&t->rows[k], &t->rows[i]) &&
			    (owner[i] == SIZE_MAX ||
			     common(t->rows[k].path, path) > common(t->rows[owner[i]].path, path)))
				owner[i] = k;
		owned += owner[i] != SIZE_MAX;
	}
	for (size_t i = 0; i < t->row_count; i++) {
		size_t at = n;

		if (owner[i] != SIZE_MAX)
			continue;
		sorted[n++] = t->rows[i];
		for (size_t j = 0; owned > 0 && t->rows[i].code && j < t->row_count; j++) {
			if (owner[j] != i)
				continue;
			sorted[n] = t->rows[j];
			sorted[n++].owner = &sorted[at];
			owned--;
		}
	}
	t->rows = sorted;
}

/* The end of a path with so many parts. */
static const char *ending(const char *path, unsigned int parts)
{
	const char *at = path + strlen(path);

	while (at > path) {
		at--;
		if (*at == '/' && --parts == 0)
			return at + 1;
	}
	return path;
}

/* Directories of kernels are called by their kind: rocblas/library, rocblas/5/library. */
static unsigned int least_parts(const struct targets_row *row)
{
	struct span rest = span_of(row->path);
	struct span part;
	unsigned int parts = 0;

	if (!row->kernels)
		return 1;
	while (span_cut(&rest, '/', &part))
		parts = span_is(part, row->kernels->kind) ? 1 : parts + (parts > 0);
	return parts < 2 ? 2 : parts;
}

struct labelled {
	const char *label;
	struct targets_row *row;
};

static int by_label(const void *a, const void *b)
{
	const struct labelled *x = a;
	const struct labelled *y = b;

	return strcmp(x->label, y->label);
}

/*
 * The shortest ending that no other row has. Those that are not alone get one
 * part more, a few times; then the whole path, which no two rows share.
 */
static void label_rows(struct targets *t)
{
	struct labelled *open = arena_alloc(&t->arena, (t->row_count + 1) * sizeof(*open));
	size_t count = t->row_count;

	for (size_t i = 0; i < count; i++)
		open[i] = (struct labelled){ .row = &t->rows[i] };
	for (unsigned int parts = 1; count > 0 && parts <= 12; parts++) {
		size_t left = 0;

		for (size_t i = 0; i < count; i++)
			open[i].label =
				ending(open[i].row->path, parts - 1 + least_parts(open[i].row));
		qsort(open, count, sizeof(*open), by_label);
		for (size_t i = 0; i < count; i++) {
			bool twin =
				(i > 0 && strcmp(open[i].label, open[i - 1].label) == 0) ||
				(i + 1 < count && strcmp(open[i].label, open[i + 1].label) == 0);

			open[i].row->label = twin ? open[i].row->path : open[i].label;
		}
		for (size_t i = 0; i < count; i++)
			if (open[i].row->label == open[i].row->path &&
			    open[i].label != open[i].row->path)
				open[left++] = open[i];
		count = left;
	}
}

/* ---- judging ---- */

static void judge_row(struct targets *t, struct targets_row *row)
{
	row->cells = arena_alloc(&t->arena, (t->device_count + 1) * sizeof(*row->cells));
	row->exempt = arena_alloc(&t->arena, (t->device_count + 1) * sizeof(*row->exempt));
	for (size_t i = 0; i < t->device_count; i++) {
		const char *device = t->devices[i].id;
		struct cover_cell cell;

		if (!t->required)
			cell = cover_listed(row->code, row->kernels, device);
		else if (row->code)
			cell = cover_code(row->code, span_of(device), !row->container);
		else
			cell = cover_kernels(row->kernels, span_of(device));
		row->cells[i] = cell;
		row->exempt[i] = targets_rules_leave_out(t, row->path, device);
		if (!row->judged || row->exempt[i])
			continue;
		t->devices[i].lacking += cell.cover > COVER_UNKNOWN;
		t->devices[i].unknown += cell.cover == COVER_UNKNOWN;
		row->worst = cell.cover > row->worst ? cell.cover : row->worst;
	}
}

static enum targets_verdict verdict_of(const struct targets *t)
{
	bool unknown = t->unread_count > 0;

	/* A file that could not be read whole may hold more than is listed. */
	for (size_t i = 0; !t->required && i < t->row_count; i++)
		unknown |= t->rows[i].code && cover_hiding(t->rows[i].code) > 0;
	for (size_t i = 0; t->required && i < t->device_count; i++) {
		if (t->devices[i].lacking > 0)
			return TARGETS_NOT_COVERED;
		unknown |= t->devices[i].unknown > 0;
	}
	if (unknown)
		return TARGETS_UNDECIDED;
	if (t->required && t->judged == 0) /* a build without device code covers no GPU */
		return t->if_any ? TARGETS_LISTED : TARGETS_NOT_COVERED;
	return t->required ? TARGETS_COVERED : TARGETS_LISTED;
}

void targets_judge(struct targets *t)
{
	targets_rules_apply(t);
	targets_run_time(t);
	targets_gather_loose(t);
	/* Nothing is required: whatever stands anywhere is worth a column. */
	for (size_t i = 0; !t->required && i < t->row_count; i++) {
		const struct targets_row *row = &t->rows[i];

		for (size_t j = 0; row->code && j < row->code->target_count; j++)
			add_device(t, row->code->targets[j].id);
		for (size_t j = 0; row->kernels && j < row->kernels->arch_count; j++)
			add_device(t, row->kernels->archs[j].id);
	}
	if (t->device_count > 0)
		qsort(t->devices, t->device_count, sizeof(*t->devices), by_order);
	sort_rows(t);
	label_rows(t);
	t->judged = 0;
	for (size_t i = 0; i < t->row_count; i++) {
		judge_row(t, &t->rows[i]);
		t->judged += t->rows[i].judged;
	}
	t->verdict = verdict_of(t);
}

enum targets_weight targets_weigh(enum cover cover)
{
	static const enum targets_weight weights[COVER_VERDICTS] = {
		[COVER_ALL] = TARGETS_FINE,    [COVER_FALLBACK] = TARGETS_DOUBTED,
		[COVER_SLOWER] = TARGETS_FINE, [COVER_UNKNOWN] = TARGETS_DOUBTED,
		[COVER_PART] = TARGETS_FAILS,  [COVER_NONE] = TARGETS_FAILS,
	};

	return weights[cover];
}

enum targets_weight targets_weigh_nothing(const struct targets *t)
{
	bool fails = t->required && t->judged == 0 && !t->if_any; /* as verdict_of() */

	return fails ? TARGETS_FAILS : TARGETS_TOLD;
}

int targets_exit_status(const struct targets *t)
{
	static const int statuses[] = { [TARGETS_LISTED] = EXIT_FINE,
					[TARGETS_COVERED] = EXIT_FINE,
					[TARGETS_NOT_COVERED] = EXIT_PROBLEM,
					[TARGETS_UNDECIDED] = EXIT_UNDECIDED };

	return statuses[t->verdict];
}

const char *targets_verdict_name(enum targets_verdict verdict)
{
	static const char *const names[] = { [TARGETS_LISTED] = "listed",
					     [TARGETS_COVERED] = "covered",
					     [TARGETS_NOT_COVERED] = "not_covered",
					     [TARGETS_UNDECIDED] = "undecided" };

	assert(verdict <= TARGETS_UNDECIDED);
	return names[verdict];
}

void targets_done(struct targets *t)
{
	arena_done(&t->arena);
	*t = (struct targets){ 0 };
}
