#include "report/check.h"

#include <string.h>

#include "base/array.h"
#include "base/json-write.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/cause-json.h"
#include "report/check-environments.h"

#define SCHEMA 1 /* only grows */

static void write_acknowledged(struct json *j, const struct finding *f)
{
	if (!f->acknowledged) {
		json_null(j, "acknowledged");
		return;
	}
	json_open(j, "acknowledged", '{');
	json_string(j, "reason", f->acknowledged);
	json_string(j, "by", f->acknowledged_by);
	json_string(j, "until", f->acknowledged_until);
	json_string(j, "severity", f->severity_before);
	json_close(j, '}');
}

static void write_finding(struct json *j, const struct finding *f, enum shell shell)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", f->cause);
	json_string(j, "subject", f->subject);
	json_string(j, "name", f->name);
	json_string(j, "kind", f->kind);
	json_string(j, "scope", f->scope);
	json_string(j, "severity", f->severity);
	json_string(j, "action", f->action);
	json_string(j, "belief", belief_name(f->belief));
	json_int(j, "prior", f->prior);
	json_int(j, "sum", f->sum);
	json_int(j, "least", f->least);
	json_int(j, "most", f->most);
	json_string(j, "title", f->title);
	json_string(j, "story", f->story);
	json_string(j, "undecided", f->undecided);
	json_string(j, "because_of", f->because_of);
	write_acknowledged(j, f);
	signs_json(j, f->signs, f->sign_count, SIGN_ASKED);
	remedies_json(j, f->remedies, f->remedy_count, shell);
	json_close(j, '}');
}

static void write_checks(struct json *j, const struct diagnosis *d)
{
	json_open(j, "checks", '[');
	for (size_t i = 0; i < d->check_count; i++) {
		json_open_row(j);
		json_string(j, "cause", d->checks[i].cause);
		json_string(j, "state", diagnose_state_name(d->checks[i].state));
		json_int(j, "steps", (int64_t)d->checks[i].steps);
		json_string(j, "error", d->checks[i].error);
		json_close_row(j);
	}
	json_close(j, ']');
}

static void write_acks(struct json *j, const struct acks *acks)
{
	json_open(j, "acknowledgements", '[');
	for (size_t i = 0; acks && i < acks->count; i++) {
		const struct ack *a = &acks->list[i];

		json_open(j, NULL, '{');
		json_string(j, "cause", a->cause);
		json_string(j, "subject", a->subject);
		json_string(j, "until", a->until);
		json_string(j, "by", a->by);
		json_string(j, "reason", a->reason);
		json_string(j, "file", a->file);
		json_int(j, "line", (int64_t)a->line);
		json_string(j, "state", ack_state_name(a->state));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_machine(struct json *j, struct facts *f)
{
	struct arena a = { 0 };
	size_t count;
	const char **parts = check_machine(f, "x", &a, &count);

	json_open(j, "machine", '[');
	for (size_t i = 0; i < count; i++)
		json_string(j, NULL, parts[i]);
	json_close(j, ']');
	arena_done(&a);
}

/* Everything that was not learned, absent things too, counted by table and standing. */
static void write_not_known(struct json *j, struct facts *f)
{
	static const char sql[] =
		"SELECT iif(instr(topic, '.'), substr(topic, 1, instr(topic, '.') - 1), topic), standing, "
		"count(*) FROM gap GROUP BY 1, 2 ORDER BY 1, 2";
	sqlite3_stmt *stmt = select_from(facts_db(f), sql);

	json_open(j, "not_known", '[');
	while (select_next(stmt)) {
		json_open_row(j);
		json_string(j, "table", column_text_or_null(stmt, 0));
		json_string(j, "standing", column_text_or_null(stmt, 1));
		json_int(j, "count", sqlite3_column_int64(stmt, 2));
		json_close_row(j);
	}
	json_close(j, ']');
	sqlite3_finalize(stmt);
}

/* What may differ between two examinations of an unchanged machine. */
static void write_run(struct json *j, struct facts *f)
{
	static const char *const columns[] = { "program", "root", "wall", "boot_id", "hostname" };
	sqlite3_stmt *stmt = select_from(
		facts_db(f), "SELECT program, root, wall, boot_id, hostname, uptime_s FROM run");
	bool row;

	row = select_next(stmt);
	json_open(j, "run", '{');
	for (int i = 0; i < (int)COUNT(columns); i++)
		json_string(j, columns[i], row ? column_text_or_null(stmt, i) : NULL);
	if (row && sqlite3_column_type(stmt, 5) != SQLITE_NULL)
		json_int(j, "uptime_s", sqlite3_column_int64(stmt, 5));
	else
		json_null(j, "uptime_s");
	json_close(j, '}');
	sqlite3_finalize(stmt);
}

static void write_install(struct json *j, const struct advice *a)
{
	json_open(j, "install", '[');
	for (size_t i = 0; a && i < a->part_count; i++) {
		const struct install_way *way = &a->parts[i].ways[0];

		if (!way->line)
			continue;
		json_open(j, NULL, '{');
		json_string(j, "application", a->wish.application);
		json_string(j, "line", way->line);
		json_string(j, "checked", way->checked);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Only of a snapshot that has one. */
static void write_proof(struct json *j, const struct proof *p)
{
	if (!p)
		return;
	json_open(j, "proof", '{');
	json_bool(j, "unchanged", p->state == PROOF_UNCHANGED);
	json_string(j, "recorded", p->recorded);
	json_string(j, "program", p->program);
	json_string(j, "knowledge", p->knowledge);
	json_string(j, "walk", p->walk);
	json_string(j, "answer", p->answer);
	json_open(j, "causes", '[');
	for (size_t i = 0; i < p->cause_count; i++)
		json_string(j, NULL, p->causes[i]);
	json_close(j, ']');
	json_close(j, '}');
}

void check_json(const struct check_report *r, struct buf *ret)
{
	const struct diagnosis *d = r->diagnosis;
	struct json j = json_on(ret);

	j.compact = r->node != NULL;
	json_open(&j, NULL, '{');
	if (r->node)
		json_string(&j, "node", r->node);
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "verdict", diagnose_verdict_name(d->verdict));
	json_int(&j, "exit_status", diagnose_exit_status(d->verdict));
	json_string(&j, "untested", d->untested);
	write_machine(&j, r->facts);
	check_environments_json(r->facts, &j);
	write_install(&j, r->advice);
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < d->finding_count; i++)
		write_finding(&j, &d->findings[i], r->shell);
	json_close(&j, ']');
	write_checks(&j, d);
	json_int(&j, "left_out", (int64_t)d->left_out);
	write_acks(&j, r->acks);
	write_not_known(&j, r->facts);
	json_open(&j, "knowledge", '{');
	json_string(&j, "version", r->kb_version);
	json_string(&j, "digest", r->kb_digest);
	json_open(&j, "not_understood", '{');
	json_int(&j, "causes", (int64_t)d->later);
	json_int(&j, "statements", (int64_t)d->later_statements);
	json_close(&j, '}');
	json_close(&j, '}');
	json_open(&j, "cost", '{');
	json_int(&j, "statements", (int64_t)d->statements);
	json_int(&j, "prepared", (int64_t)d->prepared);
	json_close(&j, '}');
	write_proof(&j, r->proof);
	write_run(&j, r->facts);
	json_close(&j, '}');
}
