#include <stdlib.h>

#include "base/text.h"
#include "explain/described.h"
#include "explain/owner.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A mention lies within the line's words, and one follows the other. */
static void check_mentions(const struct machine_words *words, struct span text)
{
	struct token_line line;
	struct owned owned;
	struct span one;

	while (span_line(&text, &one)) {
		token_line_read(&line, words, one);
		owner_read(&line, false, &owned);
		for (size_t i = 0; i < owned.count; i++) {
			const struct mention *m = &owned.list[i];

			must(m->from < m->to && m->to <= line.count);
			must(i == 0 || owned.list[i - 1].to <= m->from);
		}
	}
}

/* Whatever a text holds, what stands in the table is clean. */
static void check_rows(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;

	must(sqlite3_prepare_v2(db, "SELECT name, value, source FROM statement", -1, &stmt, NULL) ==
	     SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; i < 3; i++)
			must(text_is_clean(span_of((const char *)sqlite3_column_text(stmt, i)),
					   false));
	sqlite3_finalize(stmt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct facts *facts;
	static struct machine_words words;
	struct span text = { (const char *)data, size };
	struct described d = { 0 };
	struct state state = { 0 };

	if (!facts) {
		facts = facts_new();
		machine_words_load(&words);
	}
	must(facts &&
	     sqlite3_exec(facts_db(facts), "SAVEPOINT input", NULL, NULL, NULL) == SQLITE_OK);
	state.facts = facts;
	check_mentions(&words, text);
	described_text(&words, text, 1, &state.arena, &d);
	described_tell(&state, &d, "log");
	described_tell_behind(&state, &d, "log");
	check_rows(facts_db(facts));
	state_done(&state);
	must(sqlite3_exec(facts_db(facts), "ROLLBACK TO input; RELEASE input", NULL, NULL, NULL) ==
	     SQLITE_OK);
	return 0;
}
