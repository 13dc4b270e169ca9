#include "explain/evidence.h"

#include <errno.h>
#include <string.h>

#include "diagnose/prescribe.h"
#include "explain/defects.h"
#include "facts/column.h"
#include "facts/select.h"

void evidence_add(struct explainer *x, struct explain_cause *c, struct sign sign)
{
	sign.answer = ANSWER_YES;
	c->signs = arena_grow(&x->e->arena, c->signs, c->sign_count, sizeof(*c->signs));
	c->signs[c->sign_count++] = sign;
}

/* A job that works shows that its machine can do what a line only warns of. */
static int weight_here(const struct explainer *x, const struct explain_event *v,
		       const struct explain_cause *c, int weight)
{
	const struct explanation *e = x->e;
	int noted = (int)x->rules->belief.warning_noted;
	bool disproved = e->failure && e->failure->worked && strcmp(v->kind, "warning") == 0 &&
			 strcmp(c->scope, "node") == 0;

	return disproved && weight > noted ? noted : weight;
}

int evidence_add_suggestions(struct explainer *x)
{
	sqlite3_stmt *stmt = select_kept(
		x->db, "SELECT g.cause, g.signature, g.weight, s.\"group\" FROM kb.suggests g"
		       " JOIN kb.signature s ON s.id = g.signature"
		       " WHERE g.signature IN (SELECT signature FROM main.event WHERE nth = 0)"
		       " ORDER BY g.cause, g.signature");

	while (select_next(stmt)) {
		struct explain_cause *c = map_find(&x->by_slug, span_of(column_text(stmt, 0)));
		const struct explain_event *v =
			map_find(&x->by_signature, span_of(column_text(stmt, 1)));

		if (!c || !v)
			continue;
		evidence_add(x, c,
			     (struct sign){
				     .id = v->signature,
				     .says = v->says,
				     .source = v->source,
				     .weight = weight_here(x, v, c, sqlite3_column_int(stmt, 2)),
				     .group = column_copy_or_null(stmt, 3, &x->e->arena),
			     });
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

/*
 * A defect of certain GPUs says which of them this one is, and where that is known from. One of
 * which something is not known is no more than a guess, and says what is missing. A release behind
 * the last one that was seen to have it may be free of it, and one that could not be checked may be
 * none.
 */
static const char *says_of_defect(struct explainer *x, const struct defect_fit *d)
{
	if (d->unchecked)
		return arena_format(&x->e->arena, "it may be a known bug (not checked: %s): %s",
				    d->unchecked, d->title);
	if (d->beyond[0])
		return arena_format(&x->e->arena,
				    "it may be a known bug (seen before %s, not known since): %s",
				    d->beyond, d->title);
	if (!d->unsaid[0])
		return d->gpu[0]
			       ? arena_format(&x->e->arena, "%s; this GPU is %s", d->title, d->gpu)
			       : d->title;
	return arena_format(&x->e->arena, "it may be a known bug (%s not known here): %s",
			    d->unsaid, d->title);
}

/* They come strongest first; one whose source was checked comes before any other. */
static bool is_better_cure(const struct explain_cause *c, const struct defect_fit *d)
{
	return d->cure && (!c->cure || (c->cured->unchecked && !d->unchecked));
}

int evidence_add_defects(struct explainer *x)
{
	struct defect_fit *fits;
	size_t count;
	int r = defects_find(x->db, x->rules->any_bare_defect, &x->e->arena, &fits, &count);

	if (r == 0) {
		x->e->defects = fits;
		x->e->defect_count = count;
	}
	for (size_t i = 0; r == 0 && i < count; i++) {
		struct explain_cause *c = map_find(&x->by_slug, span_of(fits[i].cause));

		if (!c)
			continue;
		if (is_better_cure(c, &fits[i])) {
			c->cure = prescribe_says(&x->e->arena, fits[i].cure, fits[i].unchecked);
			c->cured = &fits[i];
		}
		if (!c->defect)
			c->defect = &fits[i];
		evidence_add(x, c,
			     (struct sign){ .id = fits[i].id,
					    .says = says_of_defect(x, &fits[i]),
					    .source = fits[i].source,
					    .weight = fits[i].weight,
					    .group = "defect",
					    .in_doubt = fits[i].unsaid[0] || fits[i].beyond[0] ||
							fits[i].unchecked,
					    .is_unproven = fits[i].is_unproven });
	}
	return r;
}
