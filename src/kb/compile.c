#include "kb/compile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sha256.h"
#include "base/text.h"
#include "facts/facts.h"
#include "facts/functions.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/fields.h"
#include "kb/kb.h"
#include "kb/lint.h"
#include "kb/words.h"

static const struct field version_fields[] = {
	{ .key = "version", .type = FIELD_LINE, .most = 15 },
	{ .key = "needs", .type = FIELD_LINE, .most = 15 },
};

static const struct field source_fields[] = {
	{ .key = "class", .type = FIELD_WORD, .words = words_class },
	{ .key = "ref", .type = FIELD_LINE, .most = 1000 },
	{ .key = "says", .type = FIELD_TEXT, .optional = true, .most = 2000 },
};

/* ---- rows ---- */

/* One row: `types` has a letter for each value, s (text or NULL), i (int) or l (int64_t). */
int compile_insert(struct compiler *c, const char *table, const char *types, ...)
{
	struct buf sql BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt = NULL;
	va_list args;
	int r;

	buf_addf(&sql, "INSERT INTO %s VALUES (", table);
	for (int i = 0; types[i]; i++)
		buf_addf(&sql, i ? ", ?%d" : "?%d", i + 1);
	buf_text(&sql, ")");
	stmt = select_from(c->db, sql.data);
	if (!stmt)
		return -EIO;
	va_start(args, types);
	for (int i = 0; types[i]; i++)
		if (types[i] == 'i')
			sqlite3_bind_int(stmt, i + 1, va_arg(args, int));
		else if (types[i] == 'l')
			sqlite3_bind_int64(stmt, i + 1, va_arg(args, int64_t));
		else
			sqlite3_bind_text(stmt, i + 1, va_arg(args, const char *), -1,
					  SQLITE_TRANSIENT);
	va_end(args);
	sqlite3_step(stmt);
	r = sqlite3_finalize(stmt);
	return r == SQLITE_OK ? 0 : r == SQLITE_CONSTRAINT ? -EEXIST : -EIO;
}

void compile_fault(struct compiler *c, const struct yaml_node *node, const char *what,
		   const char *name)
{
	faults_add(c->faults, c->file, node->line, "%s%s%s", what, name ? " " : "",
		   name ? name : "");
}

const char *compile_text(struct compiler *c, const struct yaml_node *map, const char *key)
{
	const char *text = fields_text(map, key);
	size_t n = text ? strlen(text) : 0;

	while (n > 0 && text[n - 1] == '\n') /* a block of YAML ends with one */
		n--;
	return text ? arena_text(&c->arena, (struct span){ text, n }) : NULL;
}

bool compile_exists(struct compiler *c, const char *directory, const char *name)
{
	const char *path = arena_format(&c->arena, "%s/%s.yaml", directory, name);

	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->files[i].path, path) == 0)
			return true;
	return false;
}

/* A file is named by what is in it. */
void compile_check_name(struct compiler *c, const struct yaml_node *top, const char *key)
{
	const struct yaml_node *node = yaml_find(top, key);
	const char *base = strrchr(c->file, '/') + 1;
	size_t n = strlen(node->text);

	if (strncmp(base, node->text, n) != 0 || strcmp(base + n, ".yaml") != 0)
		faults_add(c->faults, c->file, node->line, "%s is %s, but the file is %s", key,
			   node->text, base);
}

void compile_check_text(struct compiler *c, const struct yaml_node *map, const char *key)
{
	const struct yaml_node *node = yaml_find(map, key);
	const char *bad = node ? lint_claims(node->text) : NULL;

	if (bad)
		faults_add(c->faults, c->file, node->line, "%s: %s", key, bad);
}

void compile_check_holes(struct compiler *c, const struct yaml_node *map, const char *key,
			 const char *const *holes)
{
	const struct yaml_node *node = yaml_find(map, key);
	const char *bad = node ? lint_holes(node->text, holes) : NULL;

	if (bad)
		faults_add(c->faults, c->file, node->line, "%s: %s", key, bad);
}

/* ---- parts of files ---- */

void compile_sources(struct compiler *c, const struct yaml_node *top, const char *owner)
{
	const struct yaml_node *list = yaml_find(top, "sources");

	if (list && list->count == 0)
		compile_fault(c, list, "at least one source", NULL);
	for (const struct yaml_node *n = list ? list->children : NULL; n; n = n->next)
		if (fields_check(n, c->file, source_fields, COUNT(source_fields), c->faults))
			compile_insert(c, "source", "ssss", owner, fields_text(n, "class"),
				       fields_text(n, "ref"), compile_text(c, n, "says"));
}

static void tell_cures(struct compiler *c, const struct yaml_node *node)
{
	struct buf kinds BUF_SCOPED = { 0 };

	words_tell(words_cure, &kinds);
	faults_add(c->faults, c->file, node->line, "no kind of cure: %s; it is one of:%s",
		   node->text, kinds.data);
}

void compile_cures(struct compiler *c, const struct yaml_node *map, const char *owner)
{
	const struct yaml_node *list = yaml_find(map, "cures");

	for (const struct yaml_node *n = list ? list->children : NULL; n; n = n->next) {
		if (!words_has(words_cure, n->text))
			tell_cures(c, n);
		else if (compile_insert(c, "cure", "ss", owner, n->text) == -EEXIST)
			compile_fault(c, n, "given twice:", n->text);
	}
}

#define UNCHECKED_WORDS 3

/* A word such as "yes" tells no reader what to look for: a reason is a sentence. */
void compile_unchecked(struct compiler *c, const struct yaml_node *map, const char *owner)
{
	const char *reason = fields_text(map, "unchecked");
	struct span rest = span_of(reason ? reason : ""), word;
	size_t words = 0;

	if (!reason)
		return;
	while (span_word(&rest, &word))
		words++;
	if (words < UNCHECKED_WORDS)
		compile_fault(c, yaml_find(map, "unchecked"),
			      "unchecked: say why its source could not be checked:", reason);
	compile_insert(c, "unchecked", "ss", owner, reason);
}

/* ---- the version ---- */

static void digest(struct compiler *c, char ret_hex[static SHA256_HEX])
{
	struct sha256 s;

	sha256_init(&s);
	for (size_t i = 0; i < c->count; i++) {
		const char *head =
			arena_format(&c->arena, "%s %zu\n", c->files[i].path, c->files[i].text.len);

		sha256_add(&s, span_of(head));
		sha256_add(&s, c->files[i].text);
	}
	sha256_end(&s, ret_hex);
}

static void take_version(struct compiler *c, const struct yaml_node *top)
{
	char hex[SHA256_HEX];
	const char *needs;

	if (!fields_check(top, c->file, version_fields, COUNT(version_fields), c->faults))
		return;
	if (!text_is_date(fields_text(top, "version")))
		compile_fault(c, yaml_find(top, "version"), "version is a date, YYYY-MM-DD", NULL);
	needs = fields_text(top, "needs");
	if (needs[strspn(needs, "0123456789.")] != '\0')
		compile_fault(c, yaml_find(top, "needs"),
			      "needs is a version of the program, 0.1.0", NULL);
	digest(c, hex);
	compile_insert(c, "kb", "isss", KB_FORMAT, fields_text(top, "version"), needs, hex);
	c->versioned = true;
}

/* ---- all of it ---- */

static const struct {
	const char *prefix;
	void (*take)(struct compiler *c, const struct yaml_node *top);
} kinds[] = {
	{ "VERSION", take_version },     { "causes/", compile_cause },
	{ "remedies/", compile_remedy }, { "advice/", compile_advice },
	{ "tables/", compile_table },    { "signatures/", compile_signatures },
	{ "defects/", compile_defects }, { "programs/", compile_program },
	{ "seen.yaml", compile_seen },   { "unseen.yaml", compile_unseen },
};

static void take_file(struct compiler *c, const struct compile_file *file)
{
	struct yaml_error error = { 0 };
	struct yaml_node *top;

	c->file = file->path;
	if (span_starts(span_of(file->path), "printable/") &&
	    span_ends(span_of(file->path), ".tsv")) {
		compile_printable(c, file->text);
		return;
	}
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (strncmp(file->path, kinds[i].prefix, strlen(kinds[i].prefix)) != 0 ||
		    (i > 0 && !span_ends(span_of(file->path), ".yaml")))
			continue;
		if (yaml_parse(file->text, &c->arena, &top, &error) < 0)
			faults_add(c->faults, file->path, error.line, "%s", error.what);
		else
			kinds[i].take(c, top);
		return;
	}
	faults_add(
		c->faults, file->path, 1,
		"not knowledge: causes/, remedies/, advice/, programs/, tables/, signatures/ and defects/ hold .yaml,"
		" printable/ holds .tsv");
}

/* The facts' schema, empty, with what is compiled so far beside it. */
static int lint(struct compiler *c, struct lint_statement **ret, size_t *ret_count)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes = sqlite3_serialize(c->db, "main", &size, 0);
	struct kb_info info;
	sqlite3 *db = functions_open();
	int r;

	select_exec(db, facts_schema);
	r = kb_attach_as(db, "kb", (struct span){ (const char *)bytes, (size_t)size }, &info);
	if (r == 0) {
		*ret_count = lint_load(db, &c->arena, ret);
		lint_statements(db, &c->arena, *ret, *ret_count, c->faults);
		lint_advice(db, c->faults);
		lint_workarounds(db, c->faults);
	}
	sqlite3_close(db);
	sqlite3_free(bytes);
	return r;
}

static int note_reads(struct compiler *c, const struct lint_statement *list, size_t count)
{
	sqlite3_stmt *stmt = NULL;
	int r = sqlite3_prepare_v2(c->db,
				   "UPDATE evidence SET reads = ?1 WHERE cause = ?2 AND id = ?3",
				   -1, &stmt, NULL);

	for (size_t i = 0; r == SQLITE_OK && i < count; i++) {
		sqlite3_bind_text(stmt, 1, list[i].reads, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, list[i].cause, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 3, list[i].id, -1, SQLITE_STATIC);
		sqlite3_step(stmt);
		r = sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	return r == SQLITE_OK ? 0 : -EIO;
}

static int finish(struct compiler *c, struct buf *ret)
{
	struct lint_statement *list = NULL;
	unsigned char *bytes;
	sqlite3_int64 size = 0;
	size_t count = 0;
	int r;

	if (!c->versioned && c->faults->count == 0)
		faults_add(c->faults, "VERSION", 1, "is missing");
	if (c->faults->count > 0 && !c->versioned)
		return -EBADMSG;
	/* What was refused would be missed once more by all who name it. */
	if (c->faults->count == 0)
		compile_check_references(c);
	compile_check_printable(c);
	compile_check_unseen(c);
	r = lint(c, &list, &count);
	if (r < 0 || c->faults->count > 0)
		return r < 0 ? r : -EBADMSG;
	r = note_reads(c, list, count);
	if (r == 0)
		r = compile_report_words(c);
	if (r < 0)
		return r;
	select_exec(c->db, "VACUUM");
	bytes = sqlite3_serialize(c->db, "main", &size, 0);
	if (!bytes || select_error()) {
		sqlite3_free(bytes);
		return -ENOMEM;
	}
	buf_add(ret, bytes, (size_t)size);
	sqlite3_free(bytes);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct compile_file *)a)->path,
		      ((const struct compile_file *)b)->path);
}

int compile(const struct compile_file *files, size_t count, struct faults *faults, struct buf *ret)
{
	struct compiler c = { .faults = faults, .count = count };
	struct compile_file *sorted = arena_alloc(&c.arena, (count + 1) * sizeof(*sorted));
	int r = -ENOMEM;

	if (count > 0)
		memcpy(sorted, files, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_path);
	c.files = sorted;
	if (sqlite3_open(":memory:", &c.db) == SQLITE_OK &&
	    sqlite3_exec(c.db, "PRAGMA page_size = 4096", NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(c.db, kb_schema, NULL, NULL, NULL) == SQLITE_OK) {
		compile_load_strengths(&c);
		for (size_t i = 0; i < count; i++)
			take_file(&c, &sorted[i]);
		r = finish(&c, ret);
	}
	sqlite3_close(c.db);
	arena_done(&c.arena);
	return r;
}
