#include "diagnose/prescribe.h"

#include <string.h>

#include "base/text.h"
#include "diagnose/act.h"
#include "diagnose/fill.h"
#include "diagnose/finish.h"
#include "diagnose/refute.h"

/* As one word of a shell. */
static const char *quote(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	text_operand(&out, span_of(text)); /* a stranger's snapshot names users and paths */
	return arena_text(a, buf_get(&out));
}

static struct fill as_word(struct arena *a, const struct fill *with)
{
	return (struct fill){ .subject = quote(a, with->subject),
			      .value = quote(a, with->value),
			      .user = with->user ? quote(a, with->user) : NULL,
			      .group = with->group ? quote(a, with->group) : NULL };
}

/* The two parts of USER:GROUP; a URL has a colon too, and no such parts. */
static struct fill fill_of(struct arena *a, const struct fact *fact)
{
	struct fill with = { .subject = fact->subject, .value = fact->value };
	const char *colon = strchr(fact->value, ':');

	if (!colon || colon == fact->value || !colon[1] || strpbrk(fact->value, "/ "))
		return with;
	with.user = arena_text(a, (struct span){ fact->value, (size_t)(colon - fact->value) });
	with.group = arena_text(a, span_of(colon + 1));
	return with;
}

const char *prescribe_steps(struct arena *a, const char *steps, const struct fill *with)
{
	struct buf out BUF_SCOPED = { 0 };
	struct fill word = as_word(a, with);
	struct span rest = span_of(steps), line;

	while (span_line(&rest, &line)) {
		bool command = span_starts(line, "    ");

		if (fill_lacks(line, with))
			continue;
		if (out.len > 0)
			buf_char(&out, '\n');
		buf_text(&out, fill_text(a, arena_text(a, line), command ? &word : with));
	}
	return arena_text(a, buf_get(&out));
}

static bool is_general(const struct fact *f)
{
	return strcmp(f->origin, "general") == 0;
}

/* A row without a word about this case is a condition alone: the remedy keeps its cause's place. */
static bool is_condition(const struct fact *fact)
{
	return !is_general(fact) && !fact->subject[0] && !fact->value[0] &&
	       strcmp(fact->source, "kb/remedies") == 0;
}

static const struct remedy *fill_remedy(struct arena *a, const struct remedy *r,
					const struct fact *fact)
{
	struct remedy *filled = arena_alloc(a, sizeof(*filled));
	struct fill with = fill_of(a, fact);
	struct fill word = as_word(a, &with);

	*filled = *r;
	filled->subject = arena_text(a, span_of(fact->subject));
	filled->value = arena_text(a, span_of(fact->value));
	filled->general = is_general(fact);
	filled->title = fill_text(a, r->title, &with);
	filled->steps = prescribe_steps(a, r->steps, &with);
	filled->undo = fill_text(a, r->undo, &word);
	filled->verify = r->verify ? fill_text(a, r->verify, &word) : NULL;
	return filled;
}

/*
 * The subject's own row before that of the machine, before the general form. A
 * failure that only a log shows has no subject: any row is about its machine.
 */
static const struct fact *find_fact(const struct asked *asked, const char *subject, bool any)
{
	const struct fact *machine = NULL, *other = NULL, *general = NULL;

	for (size_t i = 0; i < asked->count; i++) {
		const struct fact *f = &asked->facts[i];

		if (is_general(f)) {
			general = general ? general : f;
			continue;
		}
		if (subject[0] && strcmp(f->subject, subject) == 0)
			return f;
		if (!machine && f->subject[0] == '\0')
			machine = f;
		if (!other && any)
			other = f;
	}
	return machine ? machine : other ? other : general;
}

const struct remedy *prescribe_on(struct arena *a, const struct remedy *r, enum system system)
{
	const char *const steps[] = {
		[SYSTEM_LINUX] = NULL, [SYSTEM_WINDOWS] = r->windows, [SYSTEM_WSL] = r->wsl
	};
	struct remedy *other;

	if (!steps[system])
		return r;
	if (!steps[system][0])
		return NULL;
	other = arena_alloc(a, sizeof(*other));
	*other = *r;
	other->steps = steps[system];
	other->for_windows = system == SYSTEM_WINDOWS;
	return other;
}

/* What has no statement fits always. */
static const struct remedy *fit(struct asker *asker, const struct remedy *r,
				const struct asked *asked, const char *subject, bool any)
{
	struct arena *a = asker->keep;
	const struct fact *fact;

	r = prescribe_on(a, r, asker->system);
	if (!r || !r->sql)
		return r;
	fact = find_fact(asked, subject, any);
	if (fact && is_condition(fact))
		return r;
	return fact ? fill_remedy(a, r, fact) : NULL;
}

static const struct remedy *finished(struct asker *asker, const struct remedy *r)
{
	const char *steps = r ? finish_steps(asker, r->steps) : NULL;
	struct remedy *with;

	if (!r || steps == r->steps)
		return r;
	with = arena_alloc(asker->keep, sizeof(*with));
	*with = *r;
	with->steps = steps;
	return with;
}

static const struct remedy *unless_refuted(struct asker *asker, const struct cause *cause,
					   const struct remedy *r)
{
	if (!r || refute_step(asker, cause->slug, r->title, r->steps))
		return NULL;
	if (!r->kinds[0] && refute_look(asker, cause->slug, r->title, r->steps))
		return NULL;
	return r;
}

const char *prescribe_says(struct arena *a, const char *says, const char *unchecked)
{
	return unchecked ? arena_format(a, "%s (not checked: %s)", says, unchecked) : says;
}

static const struct remedy *say_unchecked(struct arena *a, const struct remedy *r)
{
	struct remedy *said;

	if (!r || !r->unchecked)
		return r;
	said = arena_alloc(a, sizeof(*said));
	*said = *r;
	said->title = prescribe_says(a, r->title, r->unchecked);
	return said;
}

/* The order stays otherwise. Without one that was checked none is left: none may be the first. */
static void put_unchecked_last(struct arena *a, struct finding *f)
{
	const struct remedy **later = arena_alloc(a, sizeof(*later) * (f->remedy_count + 1));
	size_t checked = 0, count = 0;

	for (size_t i = 0; i < f->remedy_count; i++)
		if (f->remedies[i]->unchecked)
			later[count++] = f->remedies[i];
		else
			f->remedies[checked++] = f->remedies[i];
	for (size_t i = 0; i < count; i++)
		f->remedies[checked + i] = later[i];
	f->remedy_count = checked > 0 ? checked + count : 0;
}

static struct asked *ask_remedies(struct asker *asker, const struct cause *cause)
{
	struct asked *asked = arena_alloc(asker->keep, sizeof(*asked) * cause->remedy_count);

	for (size_t i = 0; i < cause->remedy_count; i++) {
		const struct remedy *r = cause->remedies[i];

		if (r->sql)
			ask_statement(asker,
				      &(struct rule){ .id = r->id, .sql = r->sql, .gate = r->gate },
				      &asked[i]);
	}
	return asked;
}

/* The order of remedies for a log; among equals the cause's own order holds. */
enum fit_kind { FIT_ROW, FIT_ALWAYS, FIT_GENERAL, FIT_KINDS };

/*
 * A step that only prints a command finds its row as soon as the GPU is known. That makes
 * the command whole, and the step no likelier than one that the cause has before it.
 */
static bool keeps_place(const struct remedy *const *fits, size_t at)
{
	if (strcmp(fits[at]->changes, "nothing") != 0)
		return false;
	while (at-- > 0)
		if (fits[at] && !fits[at]->subject)
			return true;
	return false;
}

static enum fit_kind kind_of(const struct remedy *const *fits, size_t at)
{
	if (fits[at]->general)
		return FIT_GENERAL;
	return fits[at]->subject && !keeps_place(fits, at) ? FIT_ROW : FIT_ALWAYS;
}

static void take(struct finding *f, const struct remedy *const *fits, size_t count,
		 enum fit_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (fits[i] && kind_of(fits, i) == kind)
			f->remedies[f->remedy_count++] = fits[i];
}

/* What to look at for a symptom has an order of its own: it does not ask how well a step fits. */
static void take_in_order(struct finding *f, const struct remedy *const *fits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fits[i])
			f->remedies[f->remedy_count++] = fits[i];
}

static const struct remedy **fit_all(struct asker *asker, const struct cause *cause,
				     const struct asked *asked, const char *subject, bool any)
{
	const struct remedy **fits =
		arena_alloc(asker->keep, sizeof(struct remedy *) * cause->remedy_count);

	for (size_t i = 0; i < cause->remedy_count; i++) {
		const struct remedy *r = act_in_program(
			asker, fit(asker, cause->remedies[i], &asked[i], subject, any));
		const struct remedy *whole = unless_refuted(asker, cause, finished(asker, r));

		/* Where only the command that it would print is refuted, the step stays without it. */
		fits[i] =
			say_unchecked(asker->keep, whole ? whole : unless_refuted(asker, cause, r));
	}
	return fits;
}

void prescribe(struct asker *asker, const struct cause *cause, struct finding *findings,
	       size_t count)
{
	struct arena *a = asker->keep;
	struct asked *asked;

	if (count == 0 || cause->remedy_count == 0)
		return;
	asked = ask_remedies(asker, cause);
	for (size_t i = 0; i < count; i++) {
		struct finding *f = &findings[i];
		const struct remedy **fits = fit_all(asker, cause, asked, f->subject, false);

		f->remedies = arena_alloc(a, sizeof(struct remedy *) * cause->remedy_count);
		f->remedy_count = 0;
		for (size_t k = 0; k < cause->remedy_count; k++)
			if (fits[k] && !fits[k]->general)
				f->remedies[f->remedy_count++] = fits[k];
		if (f->remedy_count == 0)
			take(f, fits, cause->remedy_count, FIT_GENERAL);
		put_unchecked_last(a, f);
	}
}

void prescribe_for_log(struct asker *asker, const struct cause *cause, struct finding *finding)
{
	struct arena *a = asker->keep;
	const struct remedy **fits;

	if (cause->remedy_count == 0)
		return;
	fits = fit_all(asker, cause, ask_remedies(asker, cause), finding->subject,
		       finding->subject[0] == '\0');
	finding->remedies = arena_alloc(a, sizeof(struct remedy *) * cause->remedy_count);
	finding->remedy_count = 0;
	if (strcmp(cause->kind, "symptom") == 0)
		take_in_order(finding, fits, cause->remedy_count);
	else
		for (enum fit_kind kind = 0; kind < FIT_KINDS; kind++)
			take(finding, fits, cause->remedy_count, kind);
	put_unchecked_last(a, finding);
}
