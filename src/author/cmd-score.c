#include "author/commands.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "lab/score-facts.h"
#include "lab/score-report.h"
#include "lab/scorer.h"

static void tell_step(void *progress, const char *what)
{
	progress_line_say(progress, what);
}

static int say_score(struct scorer *s, const struct options *o)
{
	const char *const names[] = { score_records_name(PRESENTATION_AS_IS),
				      score_records_name(PRESENTATION_SHUFFLED),
				      score_records_name(PRESENTATION_BURIED) };
	struct buf text BUF_SCOPED = { 0 };
	struct score_report report = { .names = names,
				       .scores = s->scores,
				       .likely = s->likely,
				       .count = PRESENTATION_COUNT,
				       .worst = scorer_worst(s),
				       .cases = s->cases,
				       .case_count = s->case_count,
				       .constant = &s->constant,
				       .alarms = s->alarms,
				       .alarm_count = s->alarm_count };

	score_confusion_sort(&s->confusions[report.worst]);
	report.confusion = &s->confusions[report.worst];
	if (o->json)
		score_json(&report, &text);
	else
		score_text(&report, &text);
	return say_answer(o->output, buf_get(&text));
}

/* Facts one by one, instead of the whole of each record. */
static int score_each_fact(struct scorer *s, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct score_facts facts;
	int status = score_facts_run(s, &facts);

	if (status != 0)
		return status;
	score_facts_text(&facts, &text);
	return say_answer(o->output, buf_get(&text));
}

int cmd_score(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct lab lab = { tell_step, &progress, &said };
	struct scorer s = { .options = &o->context, .lab = &lab };
	int status;

	if (o->word_count != 1)
		return say_usage("score", "score needs a file with one JSON object per line");
	progress_line_start(&progress);
	status = score_records_read(&s.records, o->words[0], &said);
	if (status == 0 && o->cures)
		status = score_records_cures(&s.records, o->cures, &said);
	if (status == 0 && !o->each_fact)
		status = score_records_healthy(&s.records, o->healthy, &said);
	if (status == 0)
		status = o->each_fact ? score_each_fact(&s, o) : scorer_run(&s, o->machines);
	progress_line_end(&progress);
	say_lines(&said);
	if (status == 0 && !o->each_fact)
		status = say_score(&s, o);
	scorer_done(&s);
	return status;
}
