#include "cli/fix-change.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/open.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "fix/request.h"

static const char *subject_of(const struct options *o)
{
	return o->word_count > 1 ? o->words[1] : NULL;
}

static int open_records(const struct options *o, struct records *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = records_open(o->context.root, ret, &said);

	say_lines(&said);
	return status;
}

/* ---- which are applied ---- */

static void add_record(void *out, const struct fix_record *r)
{
	time_t at = (time_t)r->at;
	struct tm day;
	char text[32] = "";

	if (gmtime_r(&at, &day))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &day);
	buf_addf(out, "%s%s%s  %s  for %s  %s\n", r->remedy, r->subject[0] ? " " : "", r->subject,
		 text, r->cause,
		 r->undoing   ? "undo was interrupted: finish it with --undo"
		 : r->applied ? "applied"
			      : "interrupted: --apply continues, --undo reverts");
	for (size_t i = 0; i < r->count; i++)
		buf_addf(out, "     %s %s\n", apply_kinds[r->actions[i].what.kind],
			 r->actions[i].what.target);
}

int fix_change_list(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct records records = { 0 };
	int status = open_records(o, &records);
	int unread;

	if (status != 0)
		return status;
	unread = records_each(&records, add_record, &text, &said);
	records_close(&records);
	say_lines(&said);
	if (unread < 0)
		return EXIT_OWN_FAULT;
	if (unread > 0 && text.len == 0)
		return EXIT_NO_INPUT;
	if (text.len == 0)
		buf_text(&text, "no fix is applied\n");
	text_clean(&clean, buf_get(&text), true); /* in a tree it may be anybody's */
	return say_answer(o->output, buf_get(&clean));
}

/* ---- apply ---- */

static int check_rights(const struct fix_report *report, const struct fix_request *q)
{
	struct buf call BUF_SCOPED = { 0 };
	const char *file = NULL;
	enum fix_rights rights = fix_request_rights(q, &file);

	if (rights == FIX_NEEDS_ROOT) {
		fix_call_text(report, &q->item, FIX_APPLY, &call);
		say("this needs root: %s", call.data);
	}
	if (rights == FIX_NEEDS_OWNER)
		say("%s belongs to a user: apply it as that user, without sudo", file);
	return rights == FIX_ALLOWED ? 0 : EXIT_PROBLEM;
}

static int consent(const struct options *o, const struct fix_report *report,
		   const struct fix_request *q)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, NULL);
	char line[16];

	if (o->yes)
		return 0;
	if (!isatty(STDIN_FILENO))
		return say_usage("fix", "no terminal to ask on: add --yes");
	fix_actions_text(report, &q->item, &page);
	fprintf(stderr, "%s: %sthis will\n%s", q->item.remedy->id,
		q->standing == FIX_BEGUN ? "it was interrupted; to finish it, " : "", text.data);
	fputs("Do this? [y/N] ", stderr);
	fflush(stderr);
	if (fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y'))
		return 0;
	say("nothing was changed");
	return EXIT_DECLINED;
}

static int say_applied(const struct options *o, const struct fix_report *report,
		       const struct fix_item *item)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);

	page_mark(&page, PAGE_GOOD);
	buf_addf(&text, "%s is applied\n", item->remedy->id);
	fix_actions_text(report, item, &page);
	fix_then_text(report, item, &page);
	buf_text(&text, "   Then check: ");
	fix_call_text(report, item, FIX_VERIFY, &text);
	buf_text(&text, "\n   To revert:  ");
	fix_call_text(report, item, FIX_UNDO, &text);
	buf_char(&text, '\n');
	return say_answer(o->output, buf_get(&text));
}

static int say_failure(const char *remedy, const char *what, int error, const struct buf *said)
{
	say("%s: not %s: %s", remedy, what, said->len ? said->data : strerror(-error));
	return error == -EAGAIN ? EXIT_BUSY : EXIT_PROBLEM;
}

static int say_already(const char *remedy)
{
	say("%s is already applied; revert it with --undo", remedy);
	return 0;
}

static int carry_out(const struct options *o, const struct fix_report *report,
		     struct records *records, const struct fix_request *q)
{
	struct buf said BUF_SCOPED = { 0 };
	const char *remedy = q->item.remedy->id;
	int status, error;

	if (q->standing == FIX_APPLIED)
		return say_already(remedy);
	status = check_rights(report, q);
	if (status == 0)
		status = consent(o, report, q);
	if (status != 0)
		return status;
	error = fix_request_apply(records, q, &said);
	if (error == -EALREADY) /* by somebody else, while we asked */
		return say_already(remedy);
	if (error < 0)
		return say_failure(remedy, "applied", error, &said);
	return say_applied(o, report, &q->item);
}

int fix_change_apply(const struct options *o, const struct fix_report *report,
		     const struct fix_item *item)
{
	struct records records = { 0 };
	struct fix_request request;
	int status = open_records(o, &records);

	if (status != 0)
		return status;
	fix_request_item(&records, item, o->context.root, &request);
	status = carry_out(o, report, &records, &request);
	fix_request_done(&request);
	records_close(&records);
	return status;
}

bool fix_change_resume(const struct options *o, const struct fix_report *report, int *ret_status)
{
	struct buf said BUF_SCOPED = { 0 };
	struct records records = { 0 };
	struct fix_request request;
	bool begun;

	if (open_records(o, &records) != 0)
		return false;
	begun = fix_request_record(&records, o->words[0], subject_of(o), o->context.root, &request,
				   &said);
	say_lines(&said);
	if (begun)
		*ret_status = carry_out(o, report, &records, &request);
	fix_request_done(&request);
	records_close(&records);
	return begun;
}

/* ---- undo ---- */

/* A name that nothing has is not one that is not applied. */
static int nothing_applied(const struct options *o)
{
	struct did_you_mean near = did_you_mean(o->words[0]);
	struct context context;
	bool known = true;

	if (open_bare(o, &context) == 0) {
		knowledge_suggest(context_db(&context), KNOWLEDGE_REMEDIES, &near);
		known = strcmp(near.best, o->words[0]) == 0;
		context_close(&context);
	}
	if (!known)
		return say_no("fix", "remedy", &near,
			      "list applied fixes: rocsteady fix --applied");
	say("%s is not applied: there is nothing to undo", o->words[0]);
	return 0;
}

/* An undo restores files, not what the machine has read from them: print the steps for that. */
static void add_after_undo(const struct options *o, const char *remedy, const char *subject,
			   struct buf *said, struct buf *ret)
{
	struct fix_report report = { 0 };
	struct page page = terminal_page(ret, o->output);
	const struct fix_step *steps = NULL;
	struct arena a = { 0 };
	struct context context;
	bool open = open_bare(o, &context) == 0;
	size_t count =
		open ? fix_plan_after_undo(context_db(&context), &a, remedy, subject, &steps) : 0;

	if (o->shell)
		steps_shell(o->shell, &report.shell);
	buf_addf(ret, "%s is undone: %s%s\n", remedy,
		 said->len   ? said->data
		 : count > 0 ? "the files are as they were"
			     : "everything is as it was",
		 count > 0 ? "; then, by hand:" : "");
	fix_steps_text(&report, steps, count, &page);
	if (open)
		context_close(&context);
	arena_done(&a);
}

int fix_change_undo(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct records records = { 0 };
	const char *remedy = o->words[0];
	const char *name = NULL;
	const char *subject;
	int status =
		remedy[0] ? open_records(o, &records)
			  : say_usage("fix",
				      "name a remedy; list applied fixes: rocsteady fix --applied");
	int count, r;

	if (status != 0)
		return status;
	count = records_find(&records, remedy, subject_of(o), &name, &said);
	if (count < 0 || count > 1) {
		records_close(&records);
		say_lines(&said);
		if (count < 0)
			return EXIT_OWN_FAULT;
		return say_usage("fix",
				 "%s was applied to several subjects: name one from --applied",
				 remedy);
	}
	r = records_undo(&records, count == 0 ? remedy : name, &subject, &said);
	if (r == 0)
		add_after_undo(o, remedy, subject, &said, &text);
	records_close(&records);
	if (r == -ENOENT)
		return nothing_applied(o);
	return r < 0 ? say_failure(remedy, "undone", r, &said)
		     : say_answer(o->output, buf_get(&text));
}
