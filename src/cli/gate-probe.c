#include "cli/gate-probe.h"

#include <string.h>

#include "cli/pool.h"
#include "cli/probe-front.h"
#include "cli/say.h"
#include "facts/column.h"
#include "facts/select.h"

#define READ_MS 10000 /* for what the walk is planned with */

struct test {
	const struct options *options;
	struct arena *arena;
	struct node_test made;
	const char *why; /* it was not made; NULL: it was */
};

/* ---- in a process of its own ---- */

/* The address of a GPU that a process has open; NULL: none, as far as the driver reports. */
static const char *find_user(sqlite3 *db, struct arena *a)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT min(address) FROM vram_owner"
					     " WHERE share IN ('kfd', 'kfd-outside')");
	const char *address = select_next(stmt) ? column_copy_or_null(stmt, 0, a) : NULL;

	sqlite3_finalize(stmt);
	return address;
}

/* A library that is not installed is no fault; the same question as in src/gate/look.c. */
static void tell_walk(sqlite3 *db, struct buf *ret)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT v.verdict, (SELECT group_concat(layer) FROM (SELECT layer FROM"
		    " probe_failure WHERE standing <> 'no-library' GROUP BY layer"
		    " ORDER BY min(position))) FROM walk_verdict v");
	const char *verdict, *layers;

	if (select_next(stmt)) {
		verdict = column_text(stmt, 0);
		layers = column_text(stmt, 1);
		if (layers[0])
			buf_addf(ret, "failed %s", layers);
		else if (strcmp(verdict, "works") == 0)
			buf_text(ret, "passed -");
		else
			buf_addf(ret, "why no GPU was tested (%s)", verdict);
	}
	sqlite3_finalize(stmt);
}

static void walk(void *ctx, size_t item, struct buf *ret)
{
	struct test *t = ctx;
	struct options words = probe_front_options(t->options);
	struct machine m = { 0 };
	const char *user;

	(void)item;
	words.context.door.total_ms = READ_MS;
	words.walk_s = GATE_PROBE_S;
	if (open_machine(&words, &m) != 0) {
		buf_text(ret, "why this machine could not be read");
		return;
	}
	user = find_user(facts_db(m.facts), t->arena);
	if (user)
		buf_addf(ret, "why a process uses %s", user);
	else if (probe_front_walk(&words, &m) != 0)
		buf_addf(ret, "why the walk could not be made in %d s", GATE_PROBE_S);
	else
		tell_walk(facts_db(m.facts), ret);
	machine_close(&m);
}

/* ---- here ---- */

static void take(void *ctx, size_t item, struct span answer, bool whole)
{
	struct test *t = ctx;
	struct span word = { 0 };

	(void)item;
	t->why = "rocsteady died while it tested the GPUs";
	if (!whole || !span_word(&answer, &word))
		return;
	answer = span_trim(answer);
	t->why = NULL;
	if (span_is(word, "why"))
		t->why = arena_text(t->arena, answer);
	else
		t->made = (struct node_test){ .result = arena_text(t->arena, word),
					      .layers = span_is(answer, "-")
								? ""
								: arena_text(t->arena, answer) };
}

void gate_probe(const struct options *o, struct arena *a, struct node_test *ret)
{
	struct test t = { .options = o, .arena = a, .made = NODE_TEST_EMPTY };
	struct pool pool = { .count = 1, .ctx = &t, .work = walk, .done = take };
	int r = pool_run(&pool);

	if (r < 0)
		t.why = strerror(-r);
	if (t.why)
		say("the GPUs were not tested: %s", t.why);
	*ret = t.made;
}
