#include "kb/compile.h"

#include <string.h>

#include "inside.h"
#include "kb/kb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * A cause file of a stranger, beside a remedy it may name: faults or a kb.db
 * that the program itself takes, never both.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compile_file files[] = {
		{ "VERSION", SPAN_LITERAL("version: 2026-11-15\nneeds: 0.1.0\n") },
		{ "causes/too-hot.yaml", { (const char *)data, size } },
		{ "remedies/cool-it.yaml",
		  SPAN_LITERAL(
			  "remedy: cool-it\ntitle: Cool it\nrisk: none\nsteps: Open a window.\n"
			  "sources:\n  - {class: inferred, ref: x}\n") },
	};
	struct faults faults = { 0 };
	struct buf db = { 0 };
	struct kb_info info;
	sqlite3 *connection = NULL;
	int r = compile(files, 3, &faults, &db);

	must((r == 0) == (faults.count == 0));
	must((r == 0) == (db.len > 0));
	if (r == 0) {
		sqlite3_open(":memory:", &connection);
		must(kb_attach_as(connection, "kb", buf_get(&db), &info) == 0);
		sqlite3_close(connection);
	}
	buf_done(&faults.text);
	buf_done(&db);
	return 0;
}
