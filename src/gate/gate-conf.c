#include "gate/gate-conf.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Each is harsher than the one before. */
static const char *const actions[] = { "reset-gpu", "reboot", "drain", "replace" };

size_t gate_conf_harshness(struct span action)
{
	size_t i = 0;

	while (i < COUNT(actions) && !span_is(action, actions[i]))
		i++;
	return i;
}

/* ---- the file ---- */

/* What has been read so far, and what may come only once. */
struct reading {
	struct arena *arena;
	struct gate_conf conf;
	size_t line;
	bool limited;
};

static bool names_cause(const struct gate_conf *c, struct span cause)
{
	for (size_t i = 0; i < c->count; i++)
		if (span_is(cause, c->enforced[i].cause))
			return true;
	return false;
}

/* NULL, or what is wrong with the line. */
static const char *take_enforce(struct reading *r, struct span rest)
{
	struct gate_conf *c = &r->conf;
	struct span cause, action;

	if (!span_word(&rest, &cause) || !span_word(&rest, &action) || span_trim(rest).len > 0)
		return "write: enforce CAUSE ACTION";
	if (gate_conf_harshness(action) == COUNT(actions))
		return "the action is one of reset-gpu, reboot, drain, replace";
	if (names_cause(c, cause))
		return "this cause was enforced before";
	if (c->count == GATE_CONF_ENFORCED)
		return "too many causes";
	c->enforced = arena_grow(r->arena, c->enforced, c->count, sizeof(*c->enforced));
	c->enforced[c->count++] = (struct gate_enforced){ arena_text(r->arena, cause),
							  arena_text(r->arena, action), r->line };
	return NULL;
}

static const char *take_max_drained(struct reading *r, struct span rest)
{
	uint64_t most;

	if (r->limited)
		return "max_drained was given before";
	if (!span_u64(span_trim(rest), &most) || most > GATE_CONF_DRAINED)
		return "max_drained takes a number of nodes, at most 1000";
	r->conf.max_drained = most;
	r->limited = true;
	return NULL;
}

static const char *take_max_per_hour(struct reading *r, struct span rest)
{
	uint64_t most;

	if (r->conf.max_per_hour > 0)
		return "max_per_hour was given before";
	if (!span_u64(span_trim(rest), &most) || most == 0 || most > GATE_CONF_DRAINED)
		return "max_per_hour takes a number of nodes, from 1 to 1000";
	r->conf.max_per_hour = most;
	return NULL;
}

static const char *take_latch(struct reading *r, struct span rest)
{
	rest = span_trim(rest);
	if (!span_is(rest, "yes") && !span_is(rest, "no"))
		return "latch takes yes or no";
	r->conf.latch = span_is(rest, "yes");
	return NULL;
}

static const char *take_scontrol(struct reading *r, struct span rest)
{
	struct span path = span_trim(rest);

	if (r->conf.scontrol[0])
		return "scontrol was given before";
	if (path.len == 0 || path.data[0] != '/' || path.len > GATE_CONF_PATH ||
	    !text_is_clean(path, false))
		return "scontrol takes the path of the program, at most 200 bytes from / on";
	r->conf.scontrol = arena_text(r->arena, path);
	return NULL;
}

static const char *take_slurm_ms(struct reading *r, struct span rest)
{
	uint64_t ms;

	if (r->conf.slurm_ms > 0)
		return "slurm_ms was given before";
	if (!span_u64(span_trim(rest), &ms) || ms == 0 || ms > GATE_CONF_SLURM_MS)
		return "slurm_ms takes milliseconds, at most 10000";
	r->conf.slurm_ms = ms;
	return NULL;
}

static const struct {
	const char *name;
	const char *(*take)(struct reading *r, struct span rest);
} keys[] = {
	{ "enforce", take_enforce },         { "latch", take_latch },
	{ "max_drained", take_max_drained }, { "max_per_hour", take_max_per_hour },
	{ "scontrol", take_scontrol },       { "slurm_ms", take_slurm_ms },
};

static const char *take_line(struct reading *r, struct span line)
{
	struct span key;

	line = span_trim(line);
	if (line.len == 0 || line.data[0] == '#')
		return NULL;
	if (!text_is_clean(line, true) || !span_word(&line, &key))
		return "this line is not text";
	for (size_t i = 0; i < COUNT(keys); i++)
		if (span_is(key, keys[i].name))
			return keys[i].take(r, line);
	return "the keys are enforce, max_drained, max_per_hour, latch, scontrol and slurm_ms";
}

bool gate_conf_parse(struct arena *a, struct span text, struct gate_conf *ret,
		     struct gate_mistake *ret_mistake)
{
	struct reading r = { .arena = a, .conf = { .scontrol = "" } };
	struct span line;
	const char *why = NULL;

	while (!why && span_line(&text, &line)) {
		r.line++;
		why = take_line(&r, line);
	}
	if (!why && r.conf.count > 0 && !r.limited) {
		r.line = 0;
		why = "max_drained is missing: how many nodes may be drained at once";
	}
	if (why)
		*ret_mistake = (struct gate_mistake){ r.line, why };
	else
		*ret = r.conf;
	return !why;
}

/* ---- put to a verdict ---- */

static bool was_judged(const struct node_verdict *v, const char *cause)
{
	for (size_t i = 0; i < v->judged_count; i++)
		if (strcmp(v->judged[i], cause) == 0)
			return true;
	return false;
}

const struct gate_enforced *gate_conf_unknown(const struct gate_conf *c,
					      const struct node_verdict *v)
{
	for (size_t i = 0; i < c->count; i++)
		if (!was_judged(v, c->enforced[i].cause))
			return &c->enforced[i];
	return NULL;
}

/* An action that this program does not know is harsher than all. */
static bool is_enforced(const struct gate_conf *c, const struct node_finding *f)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->enforced[i].cause, f->cause) == 0)
			return gate_conf_harshness(span_of(f->action)) <=
			       gate_conf_harshness(span_of(c->enforced[i].action));
	return false;
}

void gate_conf_apply(const struct gate_conf *c, struct node_verdict *v)
{
	for (size_t i = 0; i < v->count; i++)
		v->findings[i].enforced = is_enforced(c, &v->findings[i]);
	node_verdict_order(v);
	v->mode = c->count > 0 ? "enforce" : "observe";
	v->max_drained = c->max_drained;
	v->max_per_hour = c->max_per_hour;
	v->latch = c->latch;
	v->scontrol = c->scontrol;
	v->slurm_ms = c->slurm_ms;
}
