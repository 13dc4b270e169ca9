#include "cli/fix-verify.h"

#include <string.h>

#include "cli/look.h"
#include "cli/say.h"
#include "cli/walk.h"
#include "report/finding-text.h"

enum { EXIT_NOT_CURED = 2 };

/* ---- what is left of it ---- */

/* With a record, what was applied; else what was asked for, or NULL. */
static const char *subject_of(const struct fix_verify *v)
{
	if (v->aim.environment)
		return v->aim.environment;
	return v->options->word_count > 1 ? v->options->words[1] : NULL;
}

static const char *ask(struct fix_verify *v, const char *sql, const char *name)
{
	return knowledge_text(desk_db(v->desk), v->arena, sql, name);
}

/* Subjects of actions. A variable, whose absence may be the cure, is none of them. */
static const char seen[] =
	"SELECT subject FROM (SELECT address AS subject FROM gpu UNION SELECT unit FROM service"
	" UNION SELECT path FROM device_node UNION SELECT prefix FROM environment"
	" UNION SELECT name FROM resource_limit) WHERE subject = ?1";

/* What it made and that is not there any more, so that silence proves nothing; or NULL. */
static const char *find_loss(struct fix_verify *v)
{
	const char *made = v->aim.environment;

	if (v->aim.lost)
		return arena_format(v->arena, "%s is not there as it was written", v->aim.lost);
	if (made && !ask(v, "SELECT prefix FROM environment WHERE prefix = ?1", made))
		return arena_format(v->arena, "no environment was found at %s", made);
	return NULL;
}

static const char *find_absence(struct fix_verify *v)
{
	const char *subject = v->aim.subject;

	if (!subject || !subject[0] || ask(v, seen, subject))
		return NULL;
	return arena_format(v->arena, "%s, which it was for, is not seen here", subject);
}

/* ---- whether it is cured ---- */

#define UNFIT(verdicts)                                                                 \
	"SELECT framework || ' in ' || environment || ': ' || why FROM environment_fit" \
	" WHERE environment = ?1 AND meant = 1 AND verdict IN (" verdicts ")"

static bool has_word(const char *words, const char *word)
{
	struct span rest = span_of(words), one;

	while (span_word(&rest, &one))
		if (span_is(one, word))
			return true;
	return false;
}

/* What it was applied for; without a record, whatever the knowledge has it for. */
static const char *find_causes(struct fix_verify *v)
{
	const char *all = "SELECT group_concat(cause, ' ') FROM kb.cause_remedy WHERE remedy = ?1";

	return v->aim.cause ? v->aim.cause : ask(v, all, v->options->words[0]);
}

/* Also where another remedy fits by now: that is no cure yet. */
static bool is_meant(struct fix_verify *v, const char *causes, const struct finding *f)
{
	const char *subject = subject_of(v);

	return has_word(causes, f->cause) && (!subject || strcmp(subject, f->subject) == 0);
}

/* With a record, what spoke for the finding then; without one, whatever could still prove it. */
static bool matters(const struct fix_verify *v, const struct finding *f, const struct line *l)
{
	if ((l->answer != ANSWER_UNKNOWN && l->answer != ANSWER_FAILED) || l->weight <= 0)
		return false;
	if (!v->aim.evidence)
		return l->answer == ANSWER_FAILED || f->most >= DIAGNOSE_LIKELY;
	return has_word(v->aim.evidence, l->id);
}

/* What of a cause's evidence could not be asked, so that its silence proves nothing. */
static const char *find_unasked(struct fix_verify *v, const char *cause)
{
	struct diagnosis d;
	const char *why = NULL;

	if (diagnose(desk_db(v->desk), cause, &d) < 0)
		return NULL; /* the knowledge has no such cause any more */
	for (size_t i = 0; !why && i < d.finding_count; i++)
		for (size_t k = 0; !why && k < d.findings[i].line_count; k++) {
			const struct line *l = &d.findings[i].lines[k];

			if (matters(v, &d.findings[i], l))
				why = arena_format(v->arena, "%s: %s", l->id,
						   l->why ? l->why : "not known");
		}
	diagnose_done(&d);
	return why;
}

/* Why the walk proves nothing, or NULL: it did not get as far as the layer, or not through it. */
static const char *find_break(struct fix_verify *v)
{
	static const char broken[] =
		"SELECT question || ' of the walk ended as ' || ending || coalesce(' (' || name || ')', '')"
		" FROM probe_break ORDER BY layer = ?1 DESC, position LIMIT 1";
	static const char answered[] =
		"SELECT layer FROM probe WHERE layer = ?1 AND ending = 'answered'";
	const char *why = v->layer ? ask(v, broken, v->layer) : NULL;

	if (why || !v->layer || ask(v, answered, v->layer))
		return why;
	return arena_format(v->arena, "nothing could be asked of the layer %s", v->layer);
}

static const char *open_question(struct fix_verify *v, const char *causes,
				 const struct diagnosis *d)
{
	const char *made = v->aim.environment;
	const char *why = find_break(v);
	struct span rest = span_of(causes), cause;

	if (why)
		return why;
	if (d->blind)
		return d->blind;
	why = find_loss(v);
	if (why)
		return why;
	if (made)
		return ask(v, UNFIT("'unknown', 'partly'"), made);
	while (!why && span_word(&rest, &cause))
		why = find_unasked(v, arena_text(v->arena, cause));
	return why ? why : find_absence(v);
}

/* Nobody uses the new environment yet, so its findings are few: would it run here? */
static const char *find_misfit(struct fix_verify *v)
{
	return v->aim.environment ? ask(v, UNFIT("'not'"), v->aim.environment) : NULL;
}

static int say_silence(struct fix_verify *v, const char *causes, const struct diagnosis *d,
		       struct page *page)
{
	const char *why = open_question(v, causes, d);
	const char *id = v->options->words[0];
	const char *says =
		why ? arena_format(v->arena, "cannot tell whether %s helped: %s", id, why)
		: v->aim.cause
			? arena_format(v->arena, "cured: what %s is for is not found any more", id)
			: arena_format(v->arena,
				       "not found here: what %s is for; there is no record that it "
				       "was applied",
				       id);

	page_mark(page, why ? PAGE_UNDECIDED : PAGE_GOOD);
	page_wrap(page, 3, 3, says);
	return why ? EXIT_UNDECIDED : 0;
}

/* Those that hold come before those that are undecided. */
int fix_verify_say(struct fix_verify *v, const struct diagnosis *d)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, v->options->output);
	const char *causes = find_causes(v);
	const char *misfit;
	int status = 0, said;

	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];
		bool open = f->belief == BELIEF_UNDECIDED;

		if (f->belief == BELIEF_NONE || !is_meant(v, causes, f))
			continue;
		buf_text(&text, status ? "" : open ? "cannot tell:\n" : "not cured:\n");
		finding_heading(&page, f);
		finding_evidence(&page, f);
		status = !open ? EXIT_NOT_CURED : status ? status : EXIT_UNDECIDED;
	}
	misfit = status == 0 ? find_misfit(v) : NULL;
	if (misfit) {
		status = EXIT_NOT_CURED;
		buf_text(&text, "not cured:\n   ");
		page_wrap(&page, 3, 3, misfit);
	}
	if (status == 0)
		status = say_silence(v, causes, d, &page);
	said = say_answer(v->options->output, buf_get(&text));
	return said ? said : status;
}

/* ---- looking again ---- */

void fix_verify_aim(const struct options *o, struct arena *a, struct options *ret_words,
		    struct fix_verify *ret)
{
	*ret = (struct fix_verify){ .options = o, .arena = a, .aim = fix_place_aim(o, a) };
	if (ret->aim.environment) /* the new one is judged, wherever it is */
		ret_words->door.environments = ret->aim.environment;
	if (ret->aim.user && !o->door.user && !o->door.pid && !o->door.unit && !o->door.container)
		ret_words->door.user = ret->aim.user;
}

int fix_verify_walk(struct fix_verify *v, struct desk *desk)
{
	const struct options *o = v->options;
	const char *verify, *layer;
	struct options words;

	v->desk = desk;
	verify = ask(v, "SELECT verify FROM kb.remedy WHERE id = ?1", o->words[0]);
	if (!verify || !span_starts(span_of(verify), "rocsteady probe") || o->from || o->root ||
	    o->host_root)
		return 0;
	words = walk_options(o);
	layer = strstr(verify, "--layer ");
	words.probe = true;
	words.layer = layer ? layer + strlen("--layer ") : NULL;
	v->layer = words.layer;
	return walk_make(&words, &desk->machine);
}
