#include "diagnose/prescribe.h"

#include <string.h>

#include "base/text.h"
#include "diagnose/fill.h"

/* As one word of a shell. */
static const char *quote(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	text_shell(&out, span_of(text));
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

static const struct remedy *fill_remedy(struct arena *a, const struct remedy *r,
					const struct fact *fact)
{
	struct remedy *filled = arena_alloc(a, sizeof(*filled));
	struct fill with = fill_of(a, fact);
	struct fill word = as_word(a, &with);

	*filled = *r;
	filled->subject = arena_text(a, span_of(fact->subject));
	filled->value = arena_text(a, span_of(fact->value));
	filled->title = fill_text(a, r->title, &with);
	filled->steps = prescribe_steps(a, r->steps, &with);
	filled->undo = fill_text(a, r->undo, &word);
	filled->verify = r->verify ? fill_text(a, r->verify, &word) : NULL;
	return filled;
}

/* The subject's own row before that of the machine. */
static const struct fact *find_fact(const struct asked *asked, const char *subject)
{
	const struct fact *machine = NULL;

	for (size_t i = 0; i < asked->count; i++) {
		const struct fact *f = &asked->facts[i];

		if (strcmp(f->subject, subject) == 0)
			return f;
		if (!machine && f->subject[0] == '\0')
			machine = f;
	}
	return machine;
}

/* What has no statement fits always. */
static const struct remedy *fit(struct arena *a, const struct remedy *r, const struct asked *asked,
				const char *subject)
{
	const struct fact *fact;

	if (!r->sql)
		return r;
	fact = find_fact(asked, subject);
	return fact ? fill_remedy(a, r, fact) : NULL;
}

static bool any_has_statement(const struct cause *cause)
{
	for (size_t i = 0; i < cause->remedy_count; i++)
		if (cause->remedies[i]->sql)
			return true;
	return false;
}

void prescribe(struct asker *asker, const struct cause *cause, struct finding *findings,
	       size_t count)
{
	struct arena *a = asker->keep;
	struct asked *asked;

	if (count == 0 || !any_has_statement(cause))
		return;
	asked = arena_alloc(a, sizeof(*asked) * cause->remedy_count);
	for (size_t i = 0; i < cause->remedy_count; i++)
		if (cause->remedies[i]->sql)
			ask_statement(asker, cause->remedies[i]->id, cause->remedies[i]->sql,
				      &asked[i]);
	for (size_t i = 0; i < count; i++) {
		findings[i].remedies =
			arena_alloc(a, sizeof(struct remedy *) * cause->remedy_count);
		findings[i].remedy_count = 0;
		for (size_t k = 0; k < cause->remedy_count; k++) {
			const struct remedy *r =
				fit(a, cause->remedies[k], &asked[k], findings[i].subject);

			if (r)
				findings[i].remedies[findings[i].remedy_count++] = r;
		}
	}
}
