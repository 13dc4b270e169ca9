#include "fix/verify.h"

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "fix/apply.h"

/* ---- what it was for ---- */

/* A service is judged itself, not its user. */
static void aim_at(struct arena *a, const struct fix_record *r, const struct apply_action *what,
		   struct fix_aim *aim)
{
	struct span rest = span_of(what->target), user;

	if (what->kind == APPLY_VENV)
		aim->environment = fix_venv_path(a, what->target);
	if (what->kind == APPLY_JOIN_GROUP && r->subject[0] == '/' && span_cut(&rest, ':', &user))
		aim->user = arena_text(a, user);
}

static bool is_lost(struct records *r, const struct apply_action *what)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct writer_state state;

	if (what->kind != APPLY_WRITE)
		return false;
	return writer_look(&r->writer, what->target, &state, &bytes) < 0 || state.kind != 'f' ||
	       !span_is(buf_get(&bytes), what->content);
}

struct fix_aim fix_aim_read(const char *tree, const char *remedy, const char *subject,
			    struct arena *a, struct buf *said)
{
	struct fix_aim aim = { 0 };
	struct records records = { 0 };
	struct fix_record r;

	if (records_open(tree, &records, said) != 0)
		return aim;
	if (records_load(&records, remedy, subject, &r, said)) {
		aim.cause = arena_text(a, span_of(r.cause));
		aim.evidence = r.evidence ? arena_text(a, span_of(r.evidence)) : NULL;
		aim.subject = arena_text(a, span_of(r.subject));
		for (size_t i = 0; i < r.count; i++) {
			aim_at(a, &r, &r.actions[i].what, &aim);
			if (is_lost(&records, &r.actions[i].what))
				aim.lost = arena_text(a, span_of(r.actions[i].what.target));
		}
		fix_record_done(&r);
	}
	records_close(&records);
	return aim;
}

/* ---- asking the tables ---- */

struct verify {
	sqlite3 *db;
	struct arena *arena;
	const struct fix_question *question;
	const char *causes; /* with blanks between */
	struct fix_verdict verdict;
};

/* The first row about a name, of one column or two. */
static bool ask(sqlite3 *db, struct arena *a, const char *sql, const char *name,
		const char **ret_first, const char **ret_second)
{
	sqlite3_stmt *stmt = select_from(db, sql);
	bool found;

	if (stmt)
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	found = select_next(stmt);
	if (found && ret_first)
		*ret_first = column_copy_or_null(stmt, 0, a);
	if (found && ret_second)
		*ret_second = column_copy_or_null(stmt, 1, a);
	sqlite3_finalize(stmt);
	return found;
}

static bool is_known(struct verify *v, const char *sql, const char *name)
{
	return ask(v->db, v->arena, sql, name, NULL, NULL);
}

/* With a doubt that the row tells. */
static bool doubt_row(struct verify *v, enum fix_doubt doubt, const char *sql, const char *name)
{
	if (!ask(v->db, v->arena, sql, name, &v->verdict.what, &v->verdict.why))
		return false;
	v->verdict.doubt = doubt;
	return true;
}

static bool doubt(struct verify *v, enum fix_doubt doubt, const char *what)
{
	v->verdict.doubt = doubt;
	v->verdict.what = what;
	return true;
}

bool fix_is_proved_by_walk(sqlite3 *db, struct arena *a, const char *remedy, const char **ret_layer)
{
	const char *verify = NULL, *layer;

	ask(db, a, "SELECT verify FROM kb.remedy WHERE id = ?1", remedy, &verify, NULL);
	if (!verify || !span_starts(span_of(verify), "rocsteady probe"))
		return false;
	layer = strstr(verify, "--layer ");
	*ret_layer = layer ? layer + strlen("--layer ") : NULL;
	return true;
}

/* ---- what is still there ---- */

/* The causes that the remedy was applied for; without a record, all that the knowledge has. */
static const char *find_causes(struct verify *v)
{
	const struct fix_question *q = v->question;
	const char *causes = q->aim.cause;

	if (!causes)
		ask(v->db, v->arena,
		    "SELECT group_concat(cause, ' ') FROM kb.cause_remedy WHERE remedy = ?1",
		    q->remedy, &causes, NULL);
	return causes;
}

/* Also where another remedy fits by now: that is no cure yet. */
static void find_findings(struct verify *v, const struct diagnosis *d)
{
	const struct fix_question *q = v->question;
	const char *subject = q->aim.environment ? q->aim.environment : q->subject;
	struct fix_verdict *to = &v->verdict;

	to->findings = arena_alloc(v->arena, (d->finding_count + 1) * sizeof(*to->findings));
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (f->belief == BELIEF_NOTHING || !span_lists(span_of(v->causes), f->cause) ||
		    (subject && strcmp(subject, f->subject) != 0))
			continue;
		to->findings[to->finding_count++] = f;
	}
}

/* ---- what is not known ---- */

/* Subjects of actions. A variable, whose absence may be the cure, is none of them. */
static const char seen[] =
	"SELECT subject FROM (SELECT address AS subject FROM gpu UNION SELECT unit FROM service"
	" UNION SELECT path FROM device_node UNION SELECT prefix FROM environment"
	" UNION SELECT name FROM resource_limit) WHERE subject = ?1";

#define UNFIT(verdicts)                                                       \
	"SELECT framework || ' in ' || environment, why FROM environment_fit" \
	" WHERE environment = ?1 AND meant = 1 AND verdict IN (" verdicts ")"

/* The walk did not get as far as the layer, or not through it. */
static bool find_break(struct verify *v)
{
	static const char broken[] = "SELECT question, ending || coalesce(' (' || name || ')', '')"
				     " FROM probe_break ORDER BY layer = ?1 DESC, position LIMIT 1";
	static const char answered[] =
		"SELECT layer FROM probe WHERE layer = ?1 AND ending = 'answered'";
	const char *layer = v->question->layer;

	if (!layer)
		return false;
	return doubt_row(v, FIX_DOUBT_WALK, broken, layer) ||
	       (!is_known(v, answered, layer) && doubt(v, FIX_DOUBT_LAYER, layer));
}

/* A lost result of the remedy: then a silent check proves nothing. */
static bool find_loss(struct verify *v)
{
	const char *file = v->question->aim.lost;
	const char *made = v->question->aim.environment;

	if (file)
		return doubt(v, FIX_DOUBT_FILE, file);
	return made && !is_known(v, "SELECT prefix FROM environment WHERE prefix = ?1", made) &&
	       doubt(v, FIX_DOUBT_ENVIRONMENT, made);
}

/* With a record, what spoke for the finding then; without one, whatever could still prove it. */
static bool matters(const struct verify *v, const struct finding *f, const struct sign *l)
{
	const char *evidence = v->question->aim.evidence;

	if ((l->answer != ANSWER_UNKNOWN && l->answer != ANSWER_FAILED) || l->weight <= 0)
		return false;
	if (!evidence)
		return l->answer == ANSWER_FAILED || f->most >= SCALE_LIKELY;
	return span_lists(span_of(evidence), l->id);
}

/* Something of a cause's evidence could not be asked, so that its silence proves nothing. */
static bool find_unasked_of(struct verify *v, const char *cause)
{
	struct diagnosis d;
	bool found = false;

	if (diagnose(v->db, cause, &d) < 0)
		return false; /* the knowledge has no such cause any more */
	for (size_t i = 0; !found && i < d.finding_count; i++)
		for (size_t k = 0; !found && k < d.findings[i].sign_count; k++) {
			const struct sign *l = &d.findings[i].signs[k];

			found = matters(v, &d.findings[i], l) &&
				doubt(v, FIX_DOUBT_EVIDENCE, arena_text(v->arena, span_of(l->id)));
			if (found && l->why)
				v->verdict.why = arena_text(v->arena, span_of(l->why));
		}
	diagnose_done(&d);
	return found;
}

static bool find_doubt(struct verify *v, const struct diagnosis *d)
{
	const char *made = v->question->aim.environment, *subject = v->question->aim.subject;
	struct span rest = span_of(v->causes), cause;

	if (find_break(v) || (d->blind && doubt(v, FIX_DOUBT_BLIND, d->blind)) || find_loss(v))
		return true;
	if (made)
		return doubt_row(v, FIX_DOUBT_FIT, UNFIT("'unknown', 'partly'"), made);
	while (span_word(&rest, &cause))
		if (find_unasked_of(v, arena_text(v->arena, cause)))
			return true;
	return subject && subject[0] && !is_known(v, seen, subject) &&
	       doubt(v, FIX_DOUBT_SUBJECT, subject);
}

struct fix_verdict fix_verify(sqlite3 *db, const struct diagnosis *d, const struct fix_question *q,
			      struct arena *a)
{
	struct verify v = { .db = db, .arena = a, .question = q };
	struct fix_verdict *to = &v.verdict;
	const char *made = q->aim.environment;

	v.causes = find_causes(&v);
	find_findings(&v, d);
	if (to->finding_count > 0)
		to->cure = to->findings[0]->holds ? FIX_NOT_CURED : FIX_UNCLEAR;
	else if (made && doubt_row(&v, FIX_DOUBT_FIT, UNFIT("'not'"), made))
		/* Nobody uses a new environment yet, so few findings are about it. */
		to->cure = FIX_NOT_CURED;
	else if (find_doubt(&v, d))
		to->cure = FIX_UNCLEAR;
	else
		to->cure = q->aim.cause ? FIX_CURED : FIX_NOT_FOUND;
	return v.verdict;
}
