#include <stdlib.h>

#include "base/text.h"
#include "explain/state.h"
#include "kb/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As --set: a line names by its first byte what it states. */
static void state_lines(struct state *state, struct span text)
{
	size_t words = 0;
	struct span line;

	while (words_stated[words])
		words++;
	while (span_line(&text, &line)) {
		size_t pick = line.len > 0 ? (unsigned char)line.data[0] % (words + 1) : 0;
		const char *name = pick < words ? words_stated[pick] : "env:HIP_VISIBLE_DEVICES";

		if (line.len > 0)
			line = (struct span){ line.data + 1, line.len - 1 };
		state_say(state, &(struct said){ name, line, "--set", "stated" });
	}
}

/* Whatever was stated, what stands in the table is clean text. */
static void check_rows(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, "SELECT name, value FROM statement", -1, &stmt, NULL) !=
	    SQLITE_OK)
		abort();
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; i < 2; i++) {
			const char *text = (const char *)sqlite3_column_text(stmt, i);

			if (text && !text_is_clean(span_of(text), false))
				abort();
		}
	sqlite3_finalize(stmt);
}

/* One database for all inputs: to make it costs more than to fill it. */
static struct facts *shared(void)
{
	static struct facts *facts;

	if (!facts)
		facts = facts_new();
	if (!facts ||
	    sqlite3_exec(facts_db(facts), "SAVEPOINT input", NULL, NULL, NULL) != SQLITE_OK)
		abort();
	return facts;
}

/* A file of --facts if it is a JSON object, otherwise a list of --set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct state state = { .facts = shared() };
	struct json_node *top;

	if (json_tree_parse(text, &state.arena, &top, NULL) == 0 && top->kind == JSON_MAP)
		state_json(&state, top, "facts.json");
	else
		state_lines(&state, text);
	state_conclude(&state);
	check_rows(facts_db(state.facts));
	if (sqlite3_exec(facts_db(state.facts), "ROLLBACK TO input; RELEASE input", NULL, NULL,
			 NULL) != SQLITE_OK)
		abort();
	state_done(&state);
	return 0;
}
