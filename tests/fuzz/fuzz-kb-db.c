#include "kb/kb.h"

#include "../unit/check-kb.h"
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

/*
 * Bytes for places of a sound kb.db, which is compiled here: kept inputs stay
 * good when the schema changes. Four bytes each, the place in three of them.
 * What begins like a database is taken as it is.
 */
static void patch(const uint8_t *data, size_t size, struct buf *ret)
{
	static struct buf sound;
	struct faults faults = { 0 };

	if (sound.len == 0)
		must(compile_spoilt(-1, NULL, NULL, &faults, &sound) == 0);
	if (size >= 16 && memcmp(data, sound.data, 16) == 0) {
		buf_add(ret, data, size);
		return;
	}
	buf_span(ret, buf_get(&sound));
	for (size_t i = 0; i + 4 <= size; i += 4) {
		size_t place = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];

		ret->data[place % ret->len] = (char)data[i + 3];
	}
}

/* Refused, or weighed to the end; afterwards the facts are what they were. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct diagnosis d = { 0 };
	struct kb_info info;
	sqlite3 *db = machine();
	int changes = sqlite3_total_changes(db);

	patch(data, size, &bytes);
	if (kb_attach(db, buf_get(&bytes), &info) == 0) {
		must(info.format >= 1);
		if (diagnose(db, NULL, &d) == 0)
			diagnose_done(&d);
		must(info.newer || info.near || sqlite3_total_changes(db) == changes);
		kb_detach(db, "kb");
	}
	must(sqlite3_exec(db, "SELECT * FROM kb.kb", NULL, NULL, NULL) != SQLITE_OK);
	must(sqlite3_exec(db, "SELECT * FROM sensor", NULL, NULL, NULL) == SQLITE_OK);
	return 0;
}
