#include "gate/look.h"

#include <string.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "context/ack-files.h"
#include "context/context.h"
#include "diagnose/diagnose.h"
#include "facts/column.h"
#include "facts/select.h"

#define LOG \
	"kernel-" /* the questions whose answers are lines of the kernel log: -log, -journal, -file */

static bool stands_on_log(const struct finding *f)
{
	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].counted > 0 && f->lines[i].source &&
		    span_starts(span_of(f->lines[i].source), LOG))
			return true;
	return false;
}

static void add_finding(struct arena *a, const struct finding *f, struct node_verdict *v)
{
	v->findings = arena_grow(a, v->findings, v->count, sizeof(*v->findings));
	v->findings[v->count++] = (struct node_finding){
		.cause = arena_text(a, span_of(f->cause)),
		.subject = arena_text(a, span_of(f->subject)),
		.action = arena_text(a, span_of(f->action)),
		.title = arena_text(a, span_of(f->title)),
		.first_s = v->second,
		.logged = stands_on_log(f),
	};
}

/* The bus was read, and KFD too, if there is one: then no GPU is an answer. */
static bool has_seen_bus(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM host WHERE pci_functions IS NOT NULL "
				"AND NOT EXISTS (SELECT 1 FROM gap WHERE topic IN ('gpu', 'agent') "
				"AND standing <> 'absent')") > 0;
}

/* A node class that could not be read is a gap of the table `expected`. */
static bool has_unread_class(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM gap WHERE topic = 'expected'") > 0;
}

/*
 * A cause for a later program was never asked here: it is none of this gate's. A node class that
 * could not be read decides nothing: what was found by it before stays, and the node is unclear
 * until somebody mends the file.
 */
static bool is_open(const struct node_verdict *v, const struct check *c, bool unread_class)
{
	return !c->later && (v->why[0] || c->state == CHECK_UNDECIDED ||
			     c->state == CHECK_CRASHED || (c->by_class && unread_class));
}

static void add_unknown(struct arena *a, const char *what, struct node_verdict *v)
{
	v->unknown = arena_grow(a, v->unknown, v->unknown_count, sizeof(*v->unknown));
	v->unknown[v->unknown_count++] = what;
}

static void take_diagnosis(struct arena *a, sqlite3 *db, const struct diagnosis *d,
			   struct node_verdict *v)
{
	bool unread_class = has_unread_class(db);

	for (size_t i = 0; i < d->finding_count; i++)
		if (d->findings[i].section == SECTION_CAUSE)
			add_finding(a, &d->findings[i], v);
	v->judged = arena_alloc(a, d->check_count * sizeof(*v->judged) + 1);
	for (size_t i = 0; i < d->check_count; i++) {
		const char *cause = arena_text(a, span_of(d->checks[i].cause));

		v->judged[v->judged_count++] = cause;
		if (is_open(v, &d->checks[i], unread_class))
			add_unknown(a, cause, v);
	}
}

/*
 * A snapshot may hold a walk. One that broke names a layer and no fault of the node, so
 * it closes nothing; but the node is not known to be fine, whether the layer is at fault or
 * the question could not be put: `check` is undecided there, too.
 */
static void take_walk(struct arena *a, sqlite3 *db, struct node_verdict *v)
{
	static const char sql[] =
		"SELECT layer FROM probe_failure WHERE standing <> 'no-library' "
		"AND (EXISTS (SELECT 1 FROM gpu) OR EXISTS (SELECT 1 FROM agent)) "
		"GROUP BY layer ORDER BY min(position)";
	sqlite3_stmt *stmt;

	if (select_count(db, "SELECT count(*) FROM probe") == 0)
		return;
	stmt = select_from(db, sql);
	while (select_next(stmt))
		add_unknown(a, arena_format(a, "GPU test (%s)", column_text(stmt, 0)), v);
	sqlite3_finalize(stmt);
}

static void take_boot(struct arena *a, sqlite3 *db, struct node_verdict *v)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT boot_id, uptime_s FROM run");

	if (select_next(stmt)) {
		v->boot = column_copy(stmt, 0, a);
		v->second = (uint64_t)sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
}

static int judge(const struct context_options *o, struct context *c, struct arena *a,
		 struct node_verdict *ret, struct buf *said)
{
	struct acks acks = { 0 };
	struct diagnosis d;

	take_boot(a, context_db(c), ret);
	ret->knowledge = arena_text(a, span_of(c->knowledge.info.version));
	if (diagnose_node(context_db(c), &d) < 0) {
		text_line(said, "the facts or the knowledge base could not be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_take(o, &acks, said);
	ack_files_put(&acks, context_db(c), &d, said);
	if (d.late || (d.blind && !has_seen_bus(context_db(c))))
		ret->why = d.late ? arena_text(a, span_of(d.late))
				  : arena_format(a, "its GPUs could not be read (%s)", d.blind);
	take_diagnosis(a, context_db(c), &d, ret);
	take_walk(a, context_db(c), ret);
	ack_done(&acks);
	diagnose_done(&d);
	return 0;
}

int look_at_node(const struct context_options *o, struct arena *a, struct node_verdict *ret,
		 struct buf *said)
{
	struct context_options options = *o;
	struct context context;
	int status;

	*ret = (struct node_verdict)NODE_VERDICT_EMPTY;
	options.hardware = true;
	options.door.no_open = true;
	options.door.total_ms = LOOK_MS;
	status = context_open(&options, &context, said);
	if (status != 0)
		return status;
	status = judge(&options, &context, a, ret, said);
	context_close(&context);
	return status;
}
