#include "kb/kb.h"

#include "diagnose/diagnose.h"
#include "facts/facts.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One machine with a few facts and gaps, kept over all inputs. */
static sqlite3 *machine(void)
{
	static struct facts *f;
	struct row r = row_of("sensor");

	if (f)
		return facts_db(f);
	f = facts_new();
	row_string(&r, "address", "0000:03:00.0");
	row_string(&r, "name", "junction");
	row_real(&r, "value", 111);
	row_string(&r, "unit", "C");
	row_string(&r, "source", "/sys/x");
	facts_add(f, &r);
	facts_gap_said(f, "gpu", "", "denied", "EACCES", "/sys/y");
	facts_asked(f, "sensor");
	facts_end(f);
	return facts_db(f);
}

/* Refused, or weighed to the end; afterwards the facts are what they were. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diagnosis d = { 0 };
	struct kb_info info;
	sqlite3 *db = machine();
	int changes = sqlite3_total_changes(db);

	if (kb_attach(db, (struct span){ (const char *)data, size }, &info) == 0) {
		if (diagnose(db, NULL, &d) == 0)
			diagnose_done(&d);
		must(info.newer || sqlite3_total_changes(db) == changes);
		kb_detach(db, "kb");
	}
	must(sqlite3_exec(db, "SELECT * FROM kb.kb", NULL, NULL, NULL) != SQLITE_OK);
	must(sqlite3_exec(db, "SELECT * FROM sensor", NULL, NULL, NULL) == SQLITE_OK);
	return 0;
}
