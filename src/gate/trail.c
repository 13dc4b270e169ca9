#include "gate/trail.h"

#include <string.h>

#include "base/json-write.h"
#include "base/text.h"
#include "base/units.h"
#include "gate/beside-verdict.h"
#include "gate/verdict-file.h"

/* ---- what has changed ---- */

static const char *state_of(const struct node_verdict *v)
{
	if (!v)
		return "none";
	if (v->count > 0)
		return v->findings[0].enforced ? "closed" : "observed";
	return v->more > 0 ? "observed" : v->unknown_count > 0 ? "unknown" : "open";
}

static bool has(const struct node_verdict *v, const struct node_finding *f, bool same_mode)
{
	for (size_t i = 0; v && i < v->count; i++)
		if (strcmp(v->findings[i].cause, f->cause) == 0 &&
		    strcmp(v->findings[i].subject, f->subject) == 0 &&
		    (!same_mode || v->findings[i].enforced == f->enforced))
			return true;
	return false;
}

static bool all_in(const struct node_verdict *a, const struct node_verdict *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!has(b, &a->findings[i], true))
			return false;
	return true;
}

static bool is_same(const struct node_verdict *a, const struct node_verdict *b)
{
	return strcmp(state_of(a), state_of(b)) == 0 && all_in(a, b) && all_in(b, a) &&
	       strcmp(a->boot, b->boot) == 0 && strcmp(a->program, b->program) == 0 &&
	       strcmp(a->knowledge, b->knowledge) == 0 && strcmp(a->conf, b->conf) == 0 &&
	       strcmp(a->expected, b->expected) == 0 &&
	       strcmp(a->test.result, b->test.result) == 0 &&
	       strcmp(a->test.layers, b->test.layers) == 0;
}

/* ---- a line ---- */

static struct json open_line(struct trail *t, const struct node_verdict *v, const char *event)
{
	struct json j = json_on(&t->lines);
	char date[UNITS_MAX];

	units_moment(t->now_s, date);
	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "time", date);
	json_string(&j, "node", t->node);
	json_string(&j, "event", event);
	json_string(&j, "boot", v->boot);
	json_int(&j, "second", (int64_t)v->second);
	return j;
}

static void add_versions(struct json *j, const struct node_verdict *v)
{
	json_string(j, "mode", v->mode);
	json_string(j, "program", v->program);
	json_string(j, "knowledge", v->knowledge);
	json_string(j, "gate_conf", v->conf);
	json_string(j, "expect_conf", v->expected);
}

static void add_evidence(struct json *j, const struct node_finding *f)
{
	json_open(j, "evidence", '[');
	for (size_t i = 0; i < f->evidence_count; i++)
		json_string(j, NULL, f->evidence[i]);
	json_close(j, ']');
}

static void add_finding(struct json *j, const struct node_finding *f, const char *change)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", f->cause);
	json_string(j, "subject", f->subject);
	json_string(j, "action", f->action);
	json_string(j, "repair", f->repair);
	json_bool(j, "enforced", f->enforced);
	json_string(j, "change", change);
	json_int(j, "first_second", (int64_t)f->first_s);
	json_string(j, "title", f->title);
	add_evidence(j, f);
	json_close(j, '}');
}

static const char *change_of(const struct node_verdict *earlier, const struct node_finding *f)
{
	return !has(earlier, f, false) ? "new" : !has(earlier, f, true) ? "mode" : "stays";
}

void trail_verdict(struct trail *t, const struct node_verdict *earlier,
		   const struct node_verdict *v)
{
	struct json j;

	if (earlier && is_same(earlier, v))
		return;
	j = open_line(t, v, "verdict");
	json_string(&j, "from", state_of(earlier));
	json_string(&j, "to", state_of(v));
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < v->count; i++)
		add_finding(&j, &v->findings[i], change_of(earlier, &v->findings[i]));
	for (size_t i = 0; earlier && i < earlier->count; i++)
		if (!has(v, &earlier->findings[i], false))
			add_finding(&j, &earlier->findings[i], "gone");
	json_close(&j, ']');
	json_int(&j, "undecided", (int64_t)v->unknown_count);
	if (v->test.result[0]) {
		json_string(&j, "gpu_test", v->test.result);
		json_string(&j, "layers", v->test.layers);
	}
	add_versions(&j, v);
	json_close(&j, '}');
}

/* Slurm may hold any bytes; what is no clean text is escaped. */
static void add_clean(struct json *j, const char *key, struct span text)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, text, false);
	json_text(j, key, buf_get(&clean));
}

/* What the drain stands on. A prolog acts on a kept verdict, which has no evidence. */
static void add_grounds(struct json *j, const struct node_verdict *v, const struct trail_act *act)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct node_finding *f = &v->findings[i];

		if (!span_is(act->cause, f->cause) || !span_is(act->subject, f->subject))
			continue;
		json_string(j, "title", f->title);
		json_string(j, "repair", f->repair);
		if (f->evidence_count > 0)
			add_evidence(j, f);
		return;
	}
}

void trail_act(struct trail *t, const struct node_verdict *v, const struct trail_act *act)
{
	struct json j = open_line(t, v, act->event);

	add_clean(&j, "cause", act->cause);
	add_clean(&j, "subject", act->subject);
	add_clean(&j, "reason", act->reason);
	add_clean(&j, "by", span_of(act->by));
	if (act->why)
		json_string(&j, "why", act->why);
	add_grounds(&j, v, act);
	add_versions(&j, v);
	json_close(&j, '}');
}

/* ---- keeping them ---- */

/* A reboot empties the directory of the verdict of this host, and is a part of most repairs. */
const char *trail_place(const char *verdict)
{
	return strcmp(verdict, VERDICT_FILE) == 0 ? TRAIL_DIR : verdict;
}

void trail_keep(const struct trail *t, const char *verdict, struct buf *said)
{
	static const struct beside_order file = { TRAIL_FILE, TRAIL_MAX, .keep_one = true };
	struct buf why BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };
	int r = t->lines.len > 0 ? beside_add(trail_place(verdict), &file, buf_get(&t->lines), &why)
				 : 0;

	if (r == 0)
		return;
	beside_verdict(trail_place(verdict), TRAIL_FILE, &path);
	text_line(said, "%s: not written: %s", path.data, why.len > 0 ? why.data : strerror(-r));
}

void trail_done(struct trail *t)
{
	buf_done(&t->lines);
}
