#include "diagnose/prescribe.h"

#include <string.h>

#include "base/text.h"
#include "diagnose/fill.h"

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

const struct remedy *prescribe_on(struct arena *a, const struct remedy *r, enum shell shell)
{
	struct remedy *other;

	if (shell != SHELL_POWERSHELL || !r->windows)
		return r;
	if (!r->windows[0])
		return NULL;
	other = arena_alloc(a, sizeof(*other));
	*other = *r;
	other->steps = r->windows;
	other->for_windows = true;
	return other;
}

/* What has no statement fits always. */
static const struct remedy *fit(struct asker *asker, const struct remedy *r,
				const struct asked *asked, const char *subject, bool any)
{
	struct arena *a = asker->keep;
	const struct fact *fact;

	r = prescribe_on(a, r, asker->shell);
	if (!r || !r->sql)
		return r;
	fact = find_fact(asked, subject, any);
	return fact ? fill_remedy(a, r, fact) : NULL;
}

static bool any_has_statement(const struct cause *cause)
{
	for (size_t i = 0; i < cause->remedy_count; i++)
		if (cause->remedies[i]->sql)
			return true;
	return false;
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

static enum fit_kind kind_of(const struct remedy *r)
{
	return r->general ? FIT_GENERAL : r->subject ? FIT_ROW : FIT_ALWAYS;
}

static void take(struct finding *f, const struct remedy *const *fits, size_t count,
		 enum fit_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (fits[i] && kind_of(fits[i]) == kind)
			f->remedies[f->remedy_count++] = fits[i];
}

static const struct remedy **fit_all(struct asker *asker, const struct cause *cause,
				     const struct asked *asked, const char *subject, bool any)
{
	const struct remedy **fits =
		arena_alloc(asker->keep, sizeof(struct remedy *) * cause->remedy_count);

	for (size_t i = 0; i < cause->remedy_count; i++)
		fits[i] = fit(asker, cause->remedies[i], &asked[i], subject, any);
	return fits;
}

void prescribe(struct asker *asker, const struct cause *cause, struct finding *findings,
	       size_t count)
{
	struct arena *a = asker->keep;
	struct asked *asked;

	if (count == 0 || !any_has_statement(cause))
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
	for (enum fit_kind kind = 0; kind < FIT_KINDS; kind++)
		take(finding, fits, cause->remedy_count, kind);
}
