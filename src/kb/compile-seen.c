#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/threads.h"

/*
 * A rule made from the failures it is measured on proves nothing. seen.yaml
 * lists the threads of those failures, as the first 16 digits of the SHA-256
 * of "owner/repository#number" in small letters; a signature or defect that
 * nothing but them speaks for is a fault.
 */

#define SEEN_MAX    2000
#define SEEN_DIGITS 16

static const struct field seen_fields[] = {
	{ .key = "says", .type = FIELD_TEXT, .most = 600 },
	{ .key = "threads", .type = FIELD_TEXTS, .most = SEEN_MAX },
};

/* Beside the tables of the kb.db, of which it is no part. */
void compile_seen(struct compiler *c, const struct yaml_node *top)
{
	if (!fields_check(top, c->file, seen_fields, sizeof(seen_fields) / sizeof(seen_fields[0]),
			  c->faults))
		return;
	select_exec(c->db, "CREATE TEMP TABLE IF NOT EXISTS seen (thread TEXT PRIMARY KEY)");
	for (const struct yaml_node *n = yaml_find(top, "threads")->children; n; n = n->next) {
		if (strlen(n->text) != SEEN_DIGITS ||
		    strspn(n->text, "0123456789abcdef") != SEEN_DIGITS)
			compile_fault(c, n, "a thread is 16 hexadecimal digits:", n->text);
		if (compile_insert(c, "temp.seen", "s", n->text) < 0)
			compile_fault(c, n, "given twice:", n->text);
	}
}

static bool is_seen(struct compiler *c, const struct thread *thread)
{
	char hex[SHA256_HEX];
	sqlite3_stmt *stmt = select_from(c->db, "SELECT 1 FROM temp.seen WHERE thread = ?1");
	bool seen;

	threads_digest(thread->repository, thread->number, hex);
	sqlite3_bind_text(stmt, 1, hex, SEEN_DIGITS, SQLITE_STATIC);
	seen = select_next(stmt);
	sqlite3_finalize(stmt);
	return seen;
}

/* One of the sources between semicolons: it names threads, and all of them are known. */
static bool is_only_seen(struct compiler *c, struct span source)
{
	struct thread thread;
	size_t threads = 0;

	for (; threads_next(&source, &thread); threads++)
		if (!is_seen(c, &thread))
			return false;
	return threads > 0;
}

static bool has_other(struct compiler *c, struct span ref)
{
	struct span source;

	while (span_cut(&ref, ';', &source))
		if (!is_only_seen(c, source))
			return true;
	return false;
}

static bool is_founded(struct compiler *c, const char *references, const char *id)
{
	sqlite3_stmt *stmt = select_from(c->db, references);
	bool founded = false;

	sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
	while (!founded && select_next(stmt))
		founded = has_other(c, span_of(column_text(stmt, 0)));
	sqlite3_finalize(stmt);
	return founded;
}

/* `owners` has rows of (file, line, id). */
static void check_owners(struct compiler *c, const char *owners, const char *references)
{
	sqlite3_stmt *stmt = select_from(c->db, owners);

	while (select_next(stmt)) {
		const char *id = column_text(stmt, 2);

		if (!is_founded(c, references, id))
			faults_add(c->faults, column_text(stmt, 0),
				   (unsigned int)sqlite3_column_int(stmt, 1),
				   "%s: nothing speaks for it but threads that it is measured on",
				   id);
	}
	sqlite3_finalize(stmt);
}

void compile_check_seen(struct compiler *c)
{
	if (!select_has(c->db, "temp", "seen"))
		return; /* nothing is measured */
	check_owners(c, "SELECT file, line, id FROM signature ORDER BY id",
		     "SELECT ref FROM source WHERE owner = ?1");
	check_owners(c, "SELECT 'defects/' || id, 1, id FROM defect ORDER BY id",
		     "SELECT source FROM defect WHERE id = ?1");
}
