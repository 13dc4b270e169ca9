#include "cli/fix-verify.h"

#include "cli/probe-front.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "report/finding-document.h"

/* ---- looking again ---- */

void fix_verify_aim(const struct options *o, struct arena *a, struct options *ret_words,
		    struct fix_question *ret)
{
	struct buf said BUF_SCOPED = { 0 };

	*ret = (struct fix_question){ .remedy = o->words[0],
				      .subject = o->word_count > 1 ? o->words[1] : NULL };
	if (!o->context.from && !o->context.host_root)
		ret->aim = fix_aim_read(o->context.root, ret->remedy, ret->subject, a, &said);
	say_lines(&said);
	if (ret->aim.environment) /* the new one is judged, wherever it is */
		ret_words->context.door.environments = ret->aim.environment;
	if (ret->aim.user && !o->context.door.user && !o->context.door.pid &&
	    !o->context.door.unit && !o->context.door.container)
		ret_words->context.door.user = ret->aim.user;
}

int fix_verify_walk(const struct options *o, struct context *context, struct arena *a,
		    struct fix_question *q)
{
	struct options words;

	if (o->context.from || o->context.root || o->context.host_root ||
	    !fix_is_proved_by_walk(context_db(context), a, q->remedy, &q->layer))
		return 0;
	words = probe_front_options(o);
	words.probe = true;
	words.layer = q->layer;
	return probe_front_walk(&words, &context->machine);
}

/* ---- the words ---- */

static const char *doubt_text(struct arena *a, const struct fix_verdict *v)
{
	static const char *const forms[] = {
		[FIX_DOUBT_WALK] = "probe %s: %s",
		[FIX_DOUBT_LAYER] = "the layer %s could not be tested",
		[FIX_DOUBT_BLIND] = "%s",
		[FIX_DOUBT_FILE] = "%s has changed since it was written",
		[FIX_DOUBT_ENVIRONMENT] = "no environment found at %s",
		[FIX_DOUBT_FIT] = "%s: %s",
		[FIX_DOUBT_EVIDENCE] = "%s: %s",
		[FIX_DOUBT_SUBJECT] = "%s, the subject of the fix, is not seen here",
	};

	return arena_format(a, forms[v->doubt], v->what, v->why ? v->why : "not known");
}

/* Nothing is found of it any more: what that means. */
static void add_silence(const char *remedy, const struct fix_verdict *v, struct arena *a,
			struct page *p)
{
	const char *says =
		v->cure == FIX_UNCLEAR ? arena_format(a, "cannot tell whether %s helped: %s",
						      remedy, doubt_text(a, v))
		: v->cure == FIX_CURED
			? arena_format(a, "fixed: the problem that %s is for is gone", remedy)
			: arena_format(
				  a,
				  "the problem that %s is for is not found here, and there is no record that it "
				  "was applied",
				  remedy);

	page_mark(p, v->cure == FIX_UNCLEAR ? PAGE_UNDECIDED : PAGE_GOOD);
	page_wrap(p, 3, 3, says);
}

int fix_verify_say(const struct options *o, const struct fix_verdict *v)
{
	static const int statuses[] = { [FIX_CURED] = EXIT_FINE,
					[FIX_NOT_FOUND] = EXIT_FINE,
					[FIX_UNCLEAR] = EXIT_UNDECIDED,
					[FIX_NOT_CURED] = EXIT_PROBLEM };
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
	struct arena a = { 0 };
	int status;

	if (v->finding_count > 0)
		buf_text(&text, v->cure == FIX_NOT_CURED ? "not fixed:\n" : "cannot tell:\n");
	for (size_t i = 0; i < v->finding_count; i++)
		finding_text(&(struct finding_report){ .parts = FINDING_SEEN }, v->findings[i],
			     &page);
	if (v->finding_count == 0 && v->cure == FIX_NOT_CURED) {
		buf_text(&text, "not fixed:\n   ");
		page_wrap(&page, 3, 3, doubt_text(&a, v));
	} else if (v->finding_count == 0) {
		add_silence(o->words[0], v, &a, &page);
	}
	arena_done(&a);
	status = say_answer(o->output, buf_get(&text));
	return status ? status : statuses[v->cure];
}
