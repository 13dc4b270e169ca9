/*
 * SQLite gets no memory, once, at many points of every reader: the answer is
 * the same as with memory, or there is none. It is never another one.
 */

#include <errno.h>
#include <stdlib.h>

#include "advise/wish.h"
#include "check.h"
#include "explain/defects.h"
#include "explain/log.h"
#include "facts/collect.h"
#include "facts/column.h"
#include "facts/select.h"
#include "fix/plan.h"
#include "kb/kb.h"
#include "kb/show.h"
#include "report/advise.h"
#include "report/check.h"
#include "report/explain.h"
#include "report/facts.h"
#include "root/snapshot.h"

#define POINTS 150 /* of each reader */

/* ---- an allocator that fails once ---- */

static sqlite3_mem_methods usual;
static long calls, fails_at;

static bool is_refused(void)
{
	return ++calls == fails_at;
}

static void *take(int size)
{
	return is_refused() ? NULL : usual.xMalloc(size);
}

static void *take_more(void *old, int size)
{
	return is_refused() ? NULL : usual.xRealloc(old, size);
}

/* Without lookaside, or most of what is small would not come this way. */
static void replace_allocator(void)
{
	sqlite3_mem_methods ours;

	CHECK_INT(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual), SQLITE_OK);
	ours = usual;
	ours.xMalloc = take;
	ours.xRealloc = take_more;
	CHECK_INT(sqlite3_config(SQLITE_CONFIG_MALLOC, &ours), SQLITE_OK);
	CHECK_INT(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

/* ---- readers: 0, or -errno ---- */

static int read_check(struct facts *f, struct buf *ret)
{
	struct diagnosis d;
	struct acks acks = { 0 };
	struct check_report report = { .diagnosis = &d,
				       .acks = &acks,
				       .facts = f,
				       .kb_version = "",
				       .kb_digest = "",
				       .verbose = true };
	struct page page = { .out = ret };
	int r = diagnose(facts_db(f), NULL, &d);

	if (r < 0)
		return r;
	check_json(&report, ret);
	check_text(&report, &page);
	check_html(&report, ret);
	check_markdown(&report, ret);
	diagnose_done(&d);
	return 0;
}

static int read_plan(struct facts *f, struct buf *ret)
{
	struct diagnosis d;
	struct fix_plan plan;
	int r = diagnose(facts_db(f), NULL, &d);

	if (r < 0)
		return r;
	fix_plan(&d, &plan);
	fix_plan_actions(facts_db(f), &plan, NULL);
	for (size_t i = 0; i < plan.count; i++)
		buf_addf(ret, "%s %zu\n", plan.items[i].remedy->id, plan.items[i].action_count);
	fix_plan_done(&plan);
	diagnose_done(&d);
	return 0;
}

static int read_explain(struct facts *f, struct buf *ret)
{
	struct explanation e;
	struct explain_report report = { .explanation = &e, .used = "", .kb_version = "" };
	int r = explain(&(struct explain_means){ .db = facts_db(f) }, NULL, &e);

	if (r < 0)
		return r;
	explain_json(&report, ret);
	explain_done(&e);
	return 0;
}

static int read_defects(struct facts *f, struct buf *ret)
{
	struct arena a = { 0 };
	struct defect_fit *fits;
	size_t count = 0;
	int r = defects_find(facts_db(f), true, &a, &fits, &count);

	for (size_t i = 0; i < count; i++)
		buf_addf(ret, "%s %d\n", fits[i].id, fits[i].weight);
	arena_done(&a);
	return r;
}

static int read_signatures(struct facts *f, struct buf *ret)
{
	struct log_signatures s;
	int r = log_signatures_load(facts_db(f), &s);

	if (r < 0)
		return r;
	for (size_t i = 0; i < s.count; i++)
		buf_addf(ret, "%s %zu\n", s.list[i].id, s.list[i].literal_count);
	log_signatures_done(&s);
	return 0;
}

static int read_advice(struct facts *f, struct buf *ret)
{
	struct advise_wish wish = { .application = "torch",
				    .system = "linux",
				    .gpus = (struct advise_gpu[]){ { "gfx1100", NULL },
								   { "gfx1031", NULL } },
				    .gpu_count = 2 };
	struct advice a;
	int r = advise(facts_db(f), &wish, &a);

	if (r < 0)
		return r;
	advise_json(&a, "", ret);
	advise_done(&a);
	return 0;
}

static int read_facts(struct facts *f, struct buf *ret)
{
	facts_summary(f, ret, 80);
	facts_json(f, ret);
	return facts_topic(f, "gpus", ret, 80);
}

static int read_knowledge(struct facts *f, struct buf *ret)
{
	show_list(facts_db(f), ret, 80);
	show_one(facts_db(f), "device-permission", false, ret);
	return show_one(facts_db(f), "device-permission", true, ret);
}

static const struct {
	const char *name;
	int (*read)(struct facts *f, struct buf *ret);
} readers[] = {
	{ "check", read_check },           { "plan", read_plan },
	{ "explain", read_explain },       { "defects", read_defects },
	{ "signatures", read_signatures }, { "advise", read_advice },
	{ "facts", read_facts },           { "knowledge", read_knowledge },
};

/* ---- a machine, and a log that joins it ---- */

/* A copy of the knowledge: of the program's own bytes the rows are carried, and nothing is asked. */
static struct facts *open_machine(struct buf *kb)
{
	struct buf path BUF_SCOPED = { 0 }, text = { 0 };
	struct facts *facts = facts_new();
	struct root *root = NULL;
	struct kb_info info;
	struct span bytes;

	buf_addf(&path, "%s/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap",
		 getenv("ROCSTEADY_SOURCE"));
	if (!CHECK(facts && snapshot_read(path.data, &text) == 0 &&
		   root_new_text(&text, &root) == 0))
		exit(1);
	CHECK_INT(kb_read(NULL, NULL, &bytes), 0);
	buf_span(kb, bytes);
	CHECK_INT(kb_attach(facts_db(facts), buf_get(kb), &info), 0);
	collect_all(root, facts);
	root_free(root);
	return facts;
}

static void add_log(struct facts *facts)
{
	static const char log[] =
		"torch 2.4.0+rocm6.1 on gfx1031\n"
		"RuntimeError: HIP error: invalid device function\n"
		"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
		"total capacity of 19.98 GiB of which 0 bytes is free.\n"
		"amdgpu 0000:c2:00.0: amdgpu: MES failed to respond to msg=REMOVE_QUEUE\n";
	struct log_signatures signatures;
	struct state state = { .facts = facts, .has_gpu = true };
	struct scan *scan;
	size_t room;

	CHECK_INT(log_signatures_load(facts_db(facts), &signatures), 0);
	scan = scan_new(signatures.list, signatures.count);
	memcpy(scan_room(scan, &room), log, sizeof(log) - 1);
	scan_added(scan, sizeof(log) - 1);
	scan_end(scan);
	log_events(&state, &signatures, scan, "a.log");
	state_conclude(&state);
	state_done(&state);
	scan_free(scan);
	log_signatures_done(&signatures);
	/* What the user stated makes a known defect of the last line. */
	CHECK_INT(sqlite3_exec(facts_db(facts),
			       "INSERT INTO statement VALUES"
			       " ('gfx', 'gfx1151', NULL, '--set', 'stated'),"
			       " ('kernel', '6.14.0', '6.14.0', '--set', 'stated')",
			       NULL, NULL, NULL),
		  SQLITE_OK);
}

/* ---- the same answer, or none ---- */

static int read_with(size_t i, struct facts *f, long at, struct buf *ret)
{
	int r;

	calls = 0;
	fails_at = at;
	r = readers[i].read(f, ret);
	fails_at = 0;
	if (r == 0 && select_error())
		r = -EIO;
	if (r < 0 && at == 0)
		printf("  %s: %s\n", readers[i].name, select_failure());
	select_forget();
	return r;
}

static void check_reader(size_t i, struct facts *f)
{
	struct buf whole BUF_SCOPED = { 0 };
	size_t refused = 0;
	long total;

	/* Without memory SQLite goes back to where a transaction began: rows of readers before. */
	if (!sqlite3_get_autocommit(facts_db(f)))
		CHECK(select_exec(facts_db(f), "COMMIT"));
	CHECK_INT(read_with(i, f, 0, &whole), 0);
	CHECK(whole.len > 0);
	total = calls;
	for (size_t n = 0; n < POINTS; n++) {
		struct buf text BUF_SCOPED = { 0 };
		long at = 1 + (long)(n < POINTS / 3 ? n : n * (size_t)total / POINTS);
		int r = read_with(i, f, at, &text);
		bool same = text.len == whole.len && memcmp(text.data, whole.data, text.len) == 0;

		refused += r < 0;
		if (!CHECK(r < 0 || same))
			printf("  %s without its %ldth allocation of %ld gives another answer\n",
			       readers[i].name, at, total);
	}
	if (!CHECK(refused > POINTS / 4))
		printf("  %s: %zu of %d failed\n", readers[i].name, refused, POINTS);
}

int main(void)
{
	struct buf kb BUF_SCOPED = { 0 };
	struct facts *facts;

	replace_allocator();
	facts = open_machine(&kb);
	add_log(facts);
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		check_reader(i, facts);
	facts_free(facts);
	return check_end();
}
