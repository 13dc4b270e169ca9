#include "gate/look.h"

#include <string.h>

#include "base/exit-status.h"
#include "base/sha256.h"
#include "base/text.h"
#include "context/ack-files.h"
#include "context/context.h"
#include "diagnose/diagnose.h"
#include "door/trust.h"
#include "facts/column.h"
#include "facts/select.h"

#define EVIDENCE_MAX 4 /* lines of a finding that are told in the trail */
#define LOG \
	"kernel-" /* the questions whose answers are lines of the kernel log: -log, -journal, -file */

static bool stands_on_log(const struct finding *f)
{
	for (size_t i = 0; i < f->sign_count; i++)
		if (f->signs[i].counted > 0 && f->signs[i].source &&
		    span_starts(span_of(f->signs[i].source), LOG))
			return true;
	return false;
}

/* "GPU 6: 3 since boot (/sys/...)": the lines that counted, in the order of the knowledge. */
static void add_evidence(struct arena *a, const struct finding *f, struct node_finding *ret)
{
	for (size_t i = 0; i < f->sign_count && ret->evidence_count < EVIDENCE_MAX; i++) {
		const struct sign *l = &f->signs[i];

		if (l->counted <= 0 || !l->says)
			continue;
		ret->evidence =
			arena_grow(a, ret->evidence, ret->evidence_count, sizeof(*ret->evidence));
		ret->evidence[ret->evidence_count++] =
			arena_format(a, "%s (%s)", l->says, l->source ? l->source : "?");
	}
}

static void add_finding(struct arena *a, const struct finding *f, struct node_verdict *v)
{
	v->findings = arena_grow(a, v->findings, v->count, sizeof(*v->findings));
	v->findings[v->count++] = (struct node_finding){
		.cause = arena_text(a, span_of(f->cause)),
		.subject = arena_text(a, span_of(f->subject)),
		.action = arena_text(a, span_of(f->action)),
		.repair = arena_text(a, span_of(f->repair ? f->repair : "")),
		.title = arena_text(a, span_of(f->title)),
		.first_s = v->second,
		.logged = stands_on_log(f),
	};
	add_evidence(a, f, &v->findings[v->count - 1]);
}

/* The bus was read, and KFD too, if there is one: then no GPU is an answer. */
static bool has_seen_bus(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM host WHERE pci_functions IS NOT NULL "
				"AND NOT EXISTS (SELECT 1 FROM gap WHERE topic IN ('gpu', 'agent') "
				"AND standing <> 'absent')") > 0;
}

/* A brief snapshot leaves out the log and the counters by which most faults of a node show. */
static bool lacks_log(sqlite3 *db)
{
	return select_count(db,
			    "SELECT count(*) FROM gap WHERE topic = 'kernel_log' "
			    "AND detail = 'UNASKED' AND NOT EXISTS (SELECT 1 FROM kernel_log)") > 0;
}

/* A node class that could not be read is a gap of the table `expected`. */
static bool has_unread_class(sqlite3 *db)
{
	return select_count(db, "SELECT count(*) FROM gap WHERE topic = 'expected'") > 0;
}

/*
 * A cause for a later program was never asked here: it is none of this gate's. A node class or a
 * counter that could not be read decides nothing: what was found by it before stays, and the node
 * is unclear until somebody mends it.
 */
static bool is_open(const struct node_verdict *v, const struct check *c, bool unread_class)
{
	return !c->later &&
	       (v->why[0] || c->state == CHECK_UNDECIDED || c->state == CHECK_CRASHED ||
		(c->by_class && unread_class) || c->is_blind);
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

/* What is expected, and not how the file is written: a comment more is no other configuration. */
static void take_expected(struct arena *a, sqlite3 *db, struct node_verdict *v)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT name, text FROM expected ORDER BY 1, 2");
	struct sha256 digest;
	char hex[SHA256_HEX];
	bool any = false;

	sha256_init(&digest);
	for (; select_next(stmt); any = true) {
		sha256_add(&digest, column_span(stmt, 0));
		sha256_add(&digest, SPAN_LITERAL(" "));
		sha256_add(&digest, column_span(stmt, 1));
		sha256_add(&digest, SPAN_LITERAL("\n"));
	}
	sqlite3_finalize(stmt);
	sha256_end(&digest, hex);
	v->expected = any ? arena_format(a, "%.*s", NODE_VERDICT_DIGEST, hex) : "";
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

/* A container without CAP_SYSLOG: root of this host, and most faults of a node do not show. */
static bool is_log_refused(const struct context_options *o, sqlite3 *db)
{
	return !o->from && !o->root && trust_us().uid == 0 &&
	       select_count(db, "SELECT count(*) FROM gap WHERE topic = 'kernel_log' "
				"AND standing = 'denied' AND NOT EXISTS "
				"(SELECT 1 FROM kernel_log)") > 0;
}

static int look(struct context *c, struct acks *acks, struct arena *a, const char *why,
		struct node_verdict *ret, struct buf *said)
{
	struct diagnosis d;

	*ret = (struct node_verdict)NODE_VERDICT_EMPTY;
	take_boot(a, context_db(c), ret);
	take_expected(a, context_db(c), ret);
	ret->program = ROCSTEADY_VERSION;
	ret->knowledge = arena_text(a, span_of(c->knowledge.info.version));
	if (diagnose_node(context_db(c), &d) < 0) {
		if (said)
			text_line(said, "the facts or the knowledge base could not be read");
		return EXIT_OWN_FAULT;
	}
	ack_files_put(acks, context_db(c), &d, said);
	if (d.late || (d.blind && !has_seen_bus(context_db(c))))
		ret->why = d.late ? arena_text(a, span_of(d.late))
				  : arena_format(a, "its GPUs could not be read (%s)", d.blind);
	else if (lacks_log(context_db(c)))
		ret->why = "the snapshot leaves out the kernel log (a brief one?)";
	else
		ret->why = why;
	take_diagnosis(a, context_db(c), &d, ret);
	take_walk(a, context_db(c), ret);
	diagnose_done(&d);
	return 0;
}

int look_at_machine(struct context *c, struct acks *acks, struct arena *a, struct node_verdict *ret,
		    struct buf *said)
{
	return look(c, acks, a, "", ret, said);
}

struct context_options look_options(const struct context_options *o)
{
	struct context_options options = *o;

	options.hardware = true;
	options.door.no_open = true;
	options.door.total_ms = LOOK_MS;
	return options;
}

int look_at_node(const struct context_options *o, struct arena *a, struct node_verdict *ret,
		 struct buf *said)
{
	struct context_options options = look_options(o);
	struct acks acks = { 0 };
	struct context context;
	const char *why = "";
	int status;

	*ret = (struct node_verdict)NODE_VERDICT_EMPTY;
	status = context_open(&options, &context, said);
	if (status != 0)
		return status;
	ack_files_take(&options, &acks, said);
	if (is_log_refused(&options, context_db(&context)))
		why = "root may not read the kernel log (CAP_SYSLOG?)";
	status = look(&context, &acks, a, why, ret, said);
	ack_done(&acks);
	context_close(&context);
	return status;
}
