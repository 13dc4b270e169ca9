#include "explain/next-steps.h"

#include <ctype.h>
#include <string.h>

#include "explain/cure.h"
#include "explain/defects.h"
#include "explain/job.h"

#define MINUTES_CHEAP 10 /* a step of so many minutes is tried before a guess that takes long */
#define FAR_BEHIND    4  /* times as likely is the cause whose guess no other's step comes before */

static bool is_offered(const struct explanation *e, const struct remedy *r)
{
	for (size_t i = 0; i < e->step_count; i++)
		if (e->steps[i].remedy && strcmp(e->steps[i].remedy->id, r->id) == 0)
			return true;
	return false;
}

static bool is_cured(const struct explanation *e, const char *cure)
{
	for (size_t i = 0; i < e->step_count; i++)
		if (e->steps[i].cure == cure)
			return true;
	return false;
}

static void add_step(struct explanation *e, struct explain_step step)
{
	e->steps = arena_grow(&e->arena, e->steps, e->step_count, sizeof(*e->steps));
	e->steps[e->step_count++] = step;
}

static size_t count_steps(const struct explain_cause *c)
{
	return c->remedy_count + (c->cure != NULL);
}

/*
 * Rounds in which the steps of all named causes are added. What computes on the CPU comes behind
 * all others, and behind that what nobody could check; neither may be the first step.
 */
enum round { ROUND_USUAL, ROUND_CPU, ROUND_UNCHECKED };

static enum round round_of(const struct remedy *r)
{
	return r->unchecked ? ROUND_UNCHECKED : r->gives_gpu_up ? ROUND_CPU : ROUND_USUAL;
}

/* The nth step of a cause; the cure of a known defect is its first. */
static void add_nth(struct explanation *e, const struct explain_cause *c, size_t n,
		    enum round round)
{
	size_t at = n - (c->cure != NULL);

	if (n == 0 && c->cure) {
		if (round == (c->cured->unchecked ? ROUND_UNCHECKED : ROUND_USUAL) &&
		    !is_cured(e, c->cure))
			add_step(e,
				 (struct explain_step){ .cause = c,
							.cure = c->cure,
							.remedy = cure_find(&e->arena, c, e->job),
							.kinds = c->cured->kinds });
		return;
	}
	if (at < c->remedy_count && round_of(c->remedies[at]) == round &&
	    !is_offered(e, c->remedies[at]))
		add_step(e, (struct explain_step){ .cause = c,
						   .remedy = c->remedies[at],
						   .kinds = c->remedies[at]->kinds });
}

static void add_round(struct explanation *e, const struct explain_cause *const *from, size_t count,
		      enum round round)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most = count_steps(from[i]) > most ? count_steps(from[i]) : most;
	for (size_t n = 0; n < most; n++)
		for (size_t i = 0; i < count; i++)
			if (n < count_steps(from[i]))
				add_nth(e, from[i], n, round);
}

/* Where no cause is heard of, what helps to find it. */
static const struct explain_cause *find_other(const struct explanation *e)
{
	for (size_t i = 0; i < e->cause_count; i++)
		if (strcmp(e->causes[i].cause, "other") == 0)
			return &e->causes[i];
	return NULL;
}

/* The causes whose steps are taken in turn: all that are named. */
static size_t list_named(const struct explanation *e, const struct explain_cause **ret)
{
	size_t count = e->word == BELIEF_UNDECIDED ? RIVALS : 1;

	if (e->family) {
		count = e->family->member_count < RIVALS ? e->family->member_count : RIVALS;
		memcpy(ret, e->family->members, count * sizeof(*ret));
		return count;
	}
	if (e->spoken == 0 && e->symptom)
		return 0;
	if (e->spoken == 0) {
		ret[0] = find_other(e);
		return ret[0] != NULL;
	}
	count = count < e->spoken ? count : e->spoken;
	for (size_t i = 0; i < count; i++)
		ret[i] = &e->causes[i];
	return count;
}

bool next_steps_takes(const struct explanation *e, const struct explain_cause *c)
{
	const struct explain_cause *from[RIVALS];
	size_t count = list_named(e, from);

	for (size_t i = 0; i < count; i++)
		if (from[i] == c)
			return true;
	return false;
}

static bool repeats(const struct explain_step *list, size_t count, const struct explain_step *s)
{
	for (size_t i = 0; i < count; i++)
		if (s->kinds[0] && strcmp(list[i].kinds, s->kinds) == 0)
			return true;
	return false;
}

/*
 * Another way of curing comes before the same way once more: whom another build
 * did not help, a third build will not help either. The order stays otherwise.
 */
static void vary(struct explanation *e, size_t from)
{
	size_t count = e->step_count - from, kept = 0, later = 0;
	struct explain_step *all, *again;

	if (count == 0)
		return;
	all = e->steps + from;
	again = arena_alloc(&e->arena, count * sizeof(*again));
	for (size_t i = 0; i < count; i++)
		if (repeats(all, kept, &all[i]))
			again[later++] = all[i];
		else
			all[kept++] = all[i];
	if (later > 0)
		memcpy(all + kept, again, later * sizeof(*again));
}

/* A remedy whose statement found something of this case, and not the general form of it. */
static bool is_made_for_case(const struct remedy *r)
{
	return r && r->subject && !r->general && (r->subject[0] || r->value[0]);
}

/*
 * What tells the members of a family apart is the first step: it takes a minute, and each
 * of the cures helps against one member alone. Where this case says how the likeliest
 * cure is done here, that cure comes before it.
 */
static void add_look(struct explanation *e, size_t begun)
{
	const struct remedy *look = e->family->remedy;
	size_t at = begun;
	struct explain_step *place;

	if (begun < e->step_count && is_made_for_case(e->steps[begun].remedy) &&
	    e->steps[begun].kinds[0])
		at++;
	e->look = at + 1;
	add_step(e, (struct explain_step){ 0 });
	place = &e->steps[at];
	memmove(place + 1, place, (e->step_count - 1 - at) * sizeof(*place));
	*place = (struct explain_step){ .remedy = look, .kinds = look->kinds };
}

/*
 * Where the cause is unclear and no command above the steps would tell, the first
 * step that only looks stands behind the likeliest cure, as in a family; unless that is
 * a look itself.
 */
static void raise_look(struct explanation *e, size_t begun)
{
	struct explain_step look;
	size_t at = begun + 1;

	while (at < e->step_count && e->steps[at].kinds[0])
		at++;
	if (at >= e->step_count || e->word != BELIEF_UNDECIDED || e->first_look.typed ||
	    !e->steps[begun].kinds[0])
		return;
	look = e->steps[at];
	memmove(e->steps + begun + 2, e->steps + begun + 1, (at - begun - 1) * sizeof(*e->steps));
	e->steps[begun + 1] = look;
}

/* The case itself names the release that works: "go back to 6.8" is no guess. */
static bool names_release(const struct remedy *r)
{
	return is_made_for_case(r) && isdigit((unsigned char)r->value[0]) &&
	       strstr(r->kinds, "downgrade-");
}

/* Another kernel, driver or ROCm, which takes long and changes what other programs use. */
static bool replaces_system(const struct explain_step *s)
{
	return s->remedy && !s->cure && (strstr(s->kinds, "-driver") || strstr(s->kinds, "-rocm"));
}

static bool reboots(const struct explain_step *s)
{
	return s->remedy && strcmp(s->remedy->risk, "needs-reboot") == 0;
}

/* It neither cures nor looks for anything that the text shows: what to do after a reset that succeeded. */
static bool is_idle(const struct explain_step *s)
{
	return s->remedy && s->remedy->general && !s->kinds[0];
}

static bool is_cheap(const struct explain_step *s)
{
	return s->remedy && !s->cure && s->remedy->minutes <= MINUTES_CHEAP &&
	       !replaces_system(s) && !reboots(s) && !strstr(s->kinds, "switch-build") &&
	       !strstr(s->kinds, "-framework") && !strstr(s->kinds, "hardware");
}

/* Every kind of it replaces something; a step with a quicker way in it is no mere guess. */
static bool is_guess(const struct explain_step *s)
{
	struct span rest = span_of(s->kinds), kind;

	if (!replaces_system(s))
		return false;
	while (span_word(&rest, &kind))
		if (!span_ends(kind, "-driver") && !span_ends(kind, "-rocm"))
			return false;
	return true;
}

/* Of the same cause, or of a rival where the first one is a guess. */
static bool comes_before(const struct explain_step *s, const struct explain_step *first)
{
	bool rivals =
		s->cause && first->cause && s->cause->belief * FAR_BEHIND > first->cause->belief;

	return is_cheap(s) && !is_idle(s) &&
	       (s->cause == first->cause || (is_guess(first) && rivals));
}

/*
 * Where the cause is unclear, another kernel or ROCm is a guess: a step that takes a few
 * minutes comes before it, if any cause that is named has one. So does one of the same
 * cause before a reboot.
 */
static void put_off_guess(struct explanation *e, size_t begun)
{
	struct explain_step cheap;
	size_t at = begun;

	if (e->word != BELIEF_UNDECIDED || begun >= e->step_count ||
	    names_release(e->steps[begun].remedy) ||
	    !(is_guess(&e->steps[begun]) || reboots(&e->steps[begun])))
		return;
	while (at < e->step_count && !comes_before(&e->steps[at], &e->steps[begun]))
		at++;
	if (at >= e->step_count)
		return;
	cheap = e->steps[at];
	memmove(e->steps + begun + 1, e->steps + begun, (at - begun) * sizeof(*e->steps));
	e->steps[begun] = cheap;
}

/*
 * A word in capitals, like FILE or --set torch=VERSION, has to be filled in by the reader.
 * The name of a variable, AMD_LOG_LEVEL=1, is none.
 */
static bool is_whole(const char *command)
{
	struct span rest = span_of(command), word, name;

	while (span_word(&rest, &word)) {
		size_t capitals = 0;

		if (isupper((unsigned char)word.data[0]) &&
		    span_find(word, SPAN_LITERAL("=")) != SIZE_MAX)
			(void)span_cut(&word, '=', &name);
		for (size_t i = 0; i < word.len; i++) {
			capitals = isupper((unsigned char)word.data[i]) ? capitals + 1 : 0;
			if (capitals == 3)
				return false;
		}
	}
	return true;
}

/* Whoever pasted the output of a command need not type it again. */
static bool is_shown(const struct explanation *e, const char *command)
{
	for (size_t i = 0; i < e->fact_count; i++)
		if (strcmp(e->facts[i].name, "shown") == 0 && strstr(command, e->facts[i].value))
			return true;
	return false;
}

/*
 * What would decide it is a sentence, and mostly a command behind a colon. With a
 * word to fill in, such a command is no start: whoever knew the word would not ask.
 */
static void find_look(struct explanation *e)
{
	const struct explain_cause *c = e->symptom && !e->cause_leads ? e->symptom : e->causes;
	bool named = e->symptom || e->spoken > 0;
	const char *says = e->word == BELIEF_UNDECIDED && named ? c->undecided : NULL;
	const char *colon = says ? strstr(says, ": ") : NULL;
	char *title;

	if (!colon || is_shown(e, colon + 2) || !is_whole(colon + 2))
		return;
	title = arena_text(&e->arena, (struct span){ says, (size_t)(colon - says) });
	title[0] = (char)toupper((unsigned char)title[0]);
	e->first_look =
		(struct explain_look){ .says = title,
				       .typed = e->job ? job_in(&e->arena, colon + 2, e->job)
						       : colon + 2,
				       .tells = c->tells };
}

/* Where no line speaks for a cause, what the program printed says more than any look. */
static void ask_for_output(struct explanation *e)
{
	struct span says = span_of(e->failure->step ? e->failure->step : "");

	if (!e->failure->typed || !span_ends(says, ":"))
		return;
	says.len--;
	e->first_look = (struct explain_look){ .says = arena_text(&e->arena, says),
					       .typed = e->failure->typed };
}

/* A command line of steps begins with four blanks. */
static struct span first_command(const char *steps)
{
	struct span rest = span_of(steps), line;

	while (span_line(&rest, &line))
		if (span_starts(line, "    "))
			return line;
	return (struct span){ 0 };
}

/* It mends something in minutes; what is switched off to see whether that helps is a look itself. */
static bool is_quick_cure(const struct remedy *r)
{
	return r->kinds[0] && !strstr(r->kinds, "disable-feature") && r->minutes <= MINUTES_CHEAP &&
	       strcmp(r->risk, "needs-reboot") != 0 && strcmp(r->changes, "nothing") != 0;
}

/* More likely than all others together: to try its cure for a minute tells as much as a look. */
static bool is_ahead(const struct explain_cause *c)
{
	return c && c->belief > 0.5;
}

/*
 * A first step that begins with the same look says what it tells of this text, and a cure
 * that is made for this case and takes minutes is tried as quickly as one looks.
 */
static void drop_look_of_first(struct explanation *e, size_t begun)
{
	const struct remedy *first = begun < e->step_count ? e->steps[begun].remedy : NULL;
	bool begins_with_it =
		first && e->first_look.typed &&
		span_find(first_command(first->steps), span_of(e->first_look.typed)) != SIZE_MAX;

	if (begins_with_it || names_release(first) ||
	    (first && is_quick_cure(first) &&
	     (is_made_for_case(first) || is_ahead(e->steps[begun].cause))))
		e->first_look = (struct explain_look){ 0 };
}

/* A command that the reader's system does not have is left out, and the sentence ends before it. */
static struct explain_step step_of_origin(struct explanation *e, const struct failure *f,
					  enum shell shell)
{
	struct explain_step step = { .says = f->step, .typed = f->typed, .kinds = "" };

	if (!f->typed || steps_exists(f->typed, e->job, shell))
		return step;
	step.typed = NULL;
	if (span_ends(span_of(f->step), ":"))
		step.says = arena_format(&e->arena, "%.*s.", (int)strlen(f->step) - 1, f->step);
	return step;
}

/*
 * The step that finds out more comes first. What often cures, whatever it is, comes behind it,
 * if anything failed.
 */
static void add_unknown(struct explanation *e, enum shell shell)
{
	const struct failure *f = e->failure;
	const struct explain_cause *other = f && !f->is_clear && !f->is_bare ? find_other(e) : NULL;

	if (f && f->step)
		add_step(e, step_of_origin(e, f, shell));
	for (size_t i = 0; other && i < other->remedy_count; i++)
		if (other->remedies[i]->kinds[0] || is_made_for_case(other->remedies[i]))
			add_nth(e, other, i, ROUND_USUAL);
}

void next_steps(struct explanation *e, enum shell shell)
{
	const struct explain_cause *from[RIVALS], *symptom = e->symptom;
	size_t count, begun;

	if (e->word == BELIEF_NOT_RECOGNISED)
		add_unknown(e, shell);
	if (e->word <= BELIEF_NOT_RECOGNISED)
		return;
	find_look(e);
	if (e->basis != EXPLAIN_BY_LINES)
		ask_for_output(e);
	count = list_named(e, from);
	begun = e->step_count;
	if (e->cause_leads && count_steps(from[0]) > 0)
		add_nth(e, from[0], 0, ROUND_USUAL);
	if (symptom)
		add_round(e, &symptom, 1, ROUND_USUAL);
	add_round(e, from, count, ROUND_USUAL);
	vary(e, begun);
	if (e->family) {
		add_look(e, begun);
	} else {
		put_off_guess(e, begun);
		drop_look_of_first(e, begun);
		raise_look(e, begun);
	}
	add_round(e, from, count, ROUND_CPU);
	if (e->step_count > begun || e->first_look.typed)
		add_round(e, from, count, ROUND_UNCHECKED);
}
