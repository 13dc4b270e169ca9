#include "cli/run-report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "report/run.h"
#include "root/snapshot.h"
#include "story/journals.h"
#include "story/runs.h"

#define LISTED_MAX 40

static const struct {
	const char *name;
	void (*write)(const struct run_report *r, struct buf *ret);
} formats[] = { { "json", run_json }, { "html", run_html } };

/* ---- many ---- */

/* The newest first, with their verdicts; those that cannot be read are said so. */
static void list_runs(const struct runs *runs, const char *directory, struct page *p)
{
	struct journals_telling how = { false, NULL };

	buf_addf(p->out, "%zu runs in ", runs->count);
	text_clean(p->out, span_of(directory), false);
	buf_text(p->out, ", the newest first\n\n");
	for (size_t i = 0; i < runs->count && i < LISTED_MAX; i++) {
		struct story story;
		struct run_report report = { &story, false };
		struct buf name BUF_SCOPED = { 0 };

		text_clean(&name, span_of(runs->list[i].directory), false);
		if (journals_tell(runs->list[i].directory, &how, &story) == 0)
			run_text_brief(&report, runs->list[i].directory, p);
		else
			page_dim(p, 3, name.data);
		buf_char(p->out, '\n');
		story_done(&story);
	}
	if (runs->count > LISTED_MAX)
		buf_addf(p->out, "and %zu older ones\n", runs->count - LISTED_MAX);
}

/* ---- one ---- */

static int show(const struct options *o, const char *directory, struct page *p)
{
	const char *format = o->format ? o->format : "text";
	struct journals_telling how = { strcmp(format, "html") == 0 && !o->no_scrub, o->scrub_key };
	struct story story;
	struct run_report report = { &story, how.scrub };
	int r;

	if (o->verbose)
		return journals_dump(directory, p->out);
	r = journals_tell(directory, &how, &story);
	if (r == 0 && strcmp(format, "text") == 0)
		run_text(&report, p);
	for (size_t i = 0; r == 0 && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(format, formats[i].name) == 0)
			formats[i].write(&report, p->out);
	story_done(&story);
	return r;
}

static bool is_text(const struct options *o)
{
	return !o->verbose && (!o->format || strcmp(o->format, "text") == 0);
}

/* A directory of several runs: a list for people; of one run, or for programs, the newest. */
int run_report_show(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);
	struct arena a = { 0 };
	struct runs below;
	int r;

	signal(SIGPIPE, SIG_IGN); /* main leaves it alone for a job, and here is none */
	r = show(o, o->report, &page);
	runs_below(o->report, &a, &below);
	if (r == -ENOENT && below.count > 1 && is_text(o)) {
		list_runs(&below, o->report, &page);
		r = 0;
	} else if (r == -ENOENT && below.count > 0) {
		say("%s: the newest of %zu", below.list[0].directory, below.count);
		r = show(o, below.list[0].directory, &page);
	} else if (r == 0 && below.count > 0 && is_text(o)) {
		if (below.count == 1)
			buf_text(&text, "   1 later run is below it: --report ");
		else
			buf_addf(&text, "   %zu later runs are below it; the newest: --report ",
				 below.count);
		text_shell(&text, span_of(below.list[0].directory));
		buf_char(&text, '\n');
	}
	arena_done(&a);
	if (r >= 0)
		return say_answer(o->output, buf_get(&text));
	if (r == -ENOENT)
		say("no journal in %s; runs are kept in .rocsteady, or where --dir said",
		    o->report);
	else
		say("%s/journal: %s", o->report,
		    r == -EBADMSG ? "not a journal of rocsteady run" : strerror(-r));
	return EXIT_NO_INPUT;
}

/* ---- for explain ---- */

bool run_report_is_run(const char *directory)
{
	struct buf path BUF_SCOPED = { 0 }, bytes BUF_SCOPED = { 0 };
	struct span head;
	int fd;

	if (strcmp(directory, "-") == 0)
		return false; /* standard input */
	buf_addf(&path, "%s/journal", directory);
	fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || !fd_is_regular(fd)) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (fd_head(fd, RUN_JOURNAL_FIRST, &bytes) < 0)
		return false;
	head = buf_get(&bytes);
	return run_journal_begins(&head);
}

static int status_of(const char *directory)
{
	static const int statuses[] = { [STORY_WELL] = EXIT_FINE,
					[STORY_HEALED] = EXIT_FINE,
					[STORY_FAILED] = EXIT_PROBLEM,
					[STORY_UNFINISHED] = EXIT_UNDECIDED };
	struct journals_telling how = { false, NULL };
	struct story story;
	int status = EXIT_NO_INPUT;

	if (journals_tell(directory, &how, &story) == 0)
		status = statuses[story_verdict(&story)];
	story_done(&story);
	return status;
}

int run_report_explain(const struct options *o, const char *directory)
{
	struct options words = *o;
	int status;

	words.report = directory;
	words.verbose = false; /* for explain it means more of the answer, and not each record */
	if (o->format && strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0 &&
	    strcmp(o->format, "html") != 0)
		return say_usage("explain",
				 "%s was made by rocsteady run: its formats are text, "
				 "json and html",
				 directory);
	status = run_report_show(&words);
	return status == EXIT_FINE ? status_of(directory) : status;
}

/* ---- beside the journals ---- */

void run_report_leave(const char *directory)
{
	struct journals_telling how = { true, NULL };
	struct story story;
	struct run_report report = { &story, true };

	if (journals_tell(directory, &how, &story) == 0 && story_is_eventful(&story))
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			struct buf text BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 },
					why BUF_SCOPED = { 0 };

			buf_addf(&path, "%s/report.%s", directory, formats[i].name);
			formats[i].write(&report, &text);
			(void)snapshot_write(path.data, buf_get(&text), &why);
		}
	story_done(&story);
}
