#include "cli/fix-hand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/look.h"
#include "cli/say.h"
#include "fix/apply.h"

enum { EXIT_DECLINED = 1, EXIT_REFUSED = 2, EXIT_BUSY = 75 };

#define SYSTEM_SHELF "/var/lib/rocsteady/fix"

/* ---- where records are ---- */

struct place {
	struct arena arena;
	struct hand hand;
	struct record_shelf shelf;
};

static const char *shelf_of(struct arena *a, const char *root)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (root || hand_user() == 0)
		return SYSTEM_SHELF;
	if (state && state[0] == '/')
		return arena_format(a, "%s/rocsteady/fix", state);
	return home && home[0] == '/' ? arena_format(a, "%s/.local/state/rocsteady/fix", home)
				      : NULL;
}

static int open_place(const struct options *o, struct place *ret)
{
	char *root = o->root ? realpath(o->root, NULL) : NULL; /* usermod wants it absolute */
	int r = o->root && !root ? -errno
				 : hand_open(root ? arena_text(&ret->arena, span_of(root)) : NULL,
					     &ret->hand);

	free(root);
	if (r < 0) {
		say("%s: %s", o->root ? o->root : "/", strerror(-r));
		return EXIT_OWN_FAULT;
	}
	ret->shelf = (struct record_shelf){ &ret->hand, shelf_of(&ret->arena, o->root) };
	if (ret->shelf.dir)
		return 0;
	say("no place for the journal: HOME is not set");
	hand_close(&ret->hand);
	return EXIT_OWN_FAULT;
}

static void close_place(struct place *p)
{
	hand_close(&p->hand);
	arena_done(&p->arena);
}

/* ---- apply ---- */

/* A file in a home is its owner's: made by root, it would be root's. */
static int check_rights(const struct options *o, const struct fix_item *item)
{
	bool root = hand_user() == 0;

	if (o->root)
		return 0;
	if (item->as_root && !root) {
		say("this needs root; the same with sudo: sudo rocsteady fix %s --apply",
		    item->remedy->id);
		return EXIT_REFUSED;
	}
	for (size_t i = 0; root && i < item->action_count; i++)
		if (item->actions[i].kind == APPLY_WRITE && !item->as_root) {
			say("%s belongs to a user: apply it as that user, without sudo",
			    item->actions[i].target);
			return EXIT_REFUSED;
		}
	return 0;
}

static bool ask(void)
{
	char line[16];

	fputs("Do this? [y/N] ", stderr);
	fflush(stderr);
	return fgets(line, sizeof(line), stdin) && (line[0] == 'y' || line[0] == 'Y');
}

static int consent(const struct options *o, const struct fix_item *item)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, NULL);

	if (o->yes)
		return 0;
	if (!isatty(STDIN_FILENO))
		return say_usage("fix", "there is no terminal to ask on: say --yes");
	fix_actions_text(item, &page);
	fprintf(stderr, "%s: this will\n%s", item->remedy->id, text.data);
	if (ask())
		return 0;
	say("nothing was changed");
	return EXIT_DECLINED;
}

static int say_applied(const struct options *o, const struct fix_report *report,
		       const struct fix_item *item)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	const char *sudo = item->as_root && !o->root ? "sudo " : "";

	page_mark(&page, PAGE_GOOD);
	buf_addf(&text, "%s is applied\n", item->remedy->id);
	fix_actions_text(item, &page);
	fix_then_text(report, item, &page);
	buf_addf(&text, "   whether it is cured: rocsteady fix %s --verify\n", item->remedy->id);
	buf_addf(&text, "   take it back:        %srocsteady fix %s --undo\n", sudo,
		 item->remedy->id);
	return say_answer(o->output, buf_get(&text));
}

static int say_failure(const char *remedy, const char *what, int error, const struct buf *said)
{
	say("%s: not %s: %s", remedy, what, said->len ? said->data : strerror(-error));
	return error == -EAGAIN ? EXIT_BUSY : EXIT_REFUSED;
}

static int say_already(const char *remedy)
{
	say("%s is applied already; take it back with --undo", remedy);
	return 0;
}

/* What spoke for the finding: asked again, it tells whether the remedy helped. */
static const char *evidence_of(struct arena *a, const struct finding *f)
{
	struct buf ids BUF_SCOPED = { 0 };

	for (size_t i = 0; i < f->line_count; i++)
		if (f->lines[i].answer == ANSWER_YES && f->lines[i].counted > 0)
			buf_addf(&ids, "%s%s", ids.len > 0 ? " " : "", f->lines[i].id);
	return arena_text(a, buf_get(&ids));
}

int fix_hand_apply(const struct options *o, const struct fix_report *report,
		   const struct fix_item *item)
{
	struct fix_wish wish = { .remedy = item->remedy->id,
				 .subject = item->subject,
				 .cause = item->findings[0]->cause,
				 .actions = item->actions,
				 .count = item->action_count,
				 .refusal = apply_refusal };
	struct buf said BUF_SCOPED = { 0 };
	struct place place = { 0 };
	int status = check_rights(o, item);
	int r;

	if (status == 0)
		status = consent(o, item);
	if (status == 0)
		status = open_place(o, &place);
	if (status != 0)
		return status;
	wish.evidence = evidence_of(&place.arena, item->findings[0]);
	r = fix_apply(&place.shelf, &wish, &said);
	close_place(&place);
	if (r == -EALREADY)
		return say_already(wish.remedy);
	if (r < 0)
		return say_failure(wish.remedy, "applied", r, &said);
	return say_applied(o, report, item);
}

/* ---- records ---- */

static bool is_record(struct span name)
{
	return name.len > 0 && name.data[0] != '.' && !span_ends(name, ".survey");
}

/* No shelf is an empty one; one that cannot be read is said. */
static int list_shelf(struct place *p, struct buf *ret)
{
	int r = hand_list(&p->hand, p->shelf.dir, ret);

	if (r == 0 || r == -ENOENT)
		return 0;
	say("%s%s: %s", p->hand.prefix, p->shelf.dir, strerror(-r));
	return r;
}

/* The records of a remedy: their number or -errno, and the name of the last. */
static int find_records(struct place *p, const char *remedy, const char *subject,
			const char **ret_name)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	int count = 0;
	int r;

	if (subject) {
		*ret_name = record_name(&p->arena, remedy, subject);
		return 1;
	}
	r = list_shelf(p, &names);
	if (r < 0)
		return r;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		size_t n = strlen(remedy);

		if (!is_record(name) || !span_starts(name, remedy) ||
		    (name.len > n && name.data[n] != '@'))
			continue;
		*ret_name = arena_text(&p->arena, name);
		count++;
	}
	return count;
}

/* Half a plan of a process that was killed is no record, and is not left behind. */
static int nothing_applied(struct place *p, const char *remedy)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;

	hand_list(&p->hand, p->shelf.dir, &names);
	rest = buf_get(&names);
	while (span_line(&rest, &name))
		if (span_starts(name, ".") && span_ends(name, ".new")) {
			char *of = arena_text(&p->arena, name);

			of[strlen(of) - strlen(".new")] = '\0';
			fix_undo(&p->shelf, of + 1, &said);
		}
	say("%s is not applied: there is nothing to undo", remedy);
	return 0;
}

int fix_hand_undo(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct place place = { 0 };
	const char *remedy = o->words[0];
	const char *name = NULL;
	int status = open_place(o, &place);
	int count, r;

	if (status != 0)
		return status;
	count = find_records(&place, remedy, o->word_count > 1 ? o->words[1] : NULL, &name);
	if (count < 0 || count > 1) {
		close_place(&place);
		if (count < 0)
			return EXIT_OWN_FAULT;
		return say_usage("fix", "%s was applied to several: name one of --applied", remedy);
	}
	r = fix_undo(&place.shelf, count == 0 ? remedy : name, &said);
	if (r == -ENOENT)
		status = nothing_applied(&place, remedy);
	close_place(&place);
	if (r == -ENOENT)
		return status;
	if (r < 0)
		return say_failure(remedy, "undone", r, &said);
	buf_addf(&text, "%s is undone: %s\n", remedy,
		 said.len ? said.data : "everything is as it was");
	return say_answer(o->output, buf_get(&text));
}

static void add_record(struct buf *out, const struct record *r)
{
	time_t at = (time_t)r->at;
	struct tm day;
	char text[32] = "";

	if (gmtime_r(&at, &day))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &day);
	buf_addf(out, "%s%s%s  %s  for %s  %s\n", r->remedy, r->subject[0] ? " " : "", r->subject,
		 text, r->cause,
		 r->undoing   ? "undo was interrupted: --undo ends it"
		 : r->applied ? "applied"
			      : "interrupted: --apply goes on, --undo goes back");
	for (size_t i = 0; i < r->count; i++)
		buf_addf(out, "     %s %s\n", apply_kinds[r->actions[i].what.kind],
			 r->actions[i].what.target);
}

int fix_hand_list(const struct options *o)
{
	struct buf names BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct place place = { 0 };
	struct span rest, name;
	size_t unread = 0;
	int status = open_place(o, &place);

	if (status != 0)
		return status;
	if (list_shelf(&place, &names) < 0) {
		close_place(&place);
		return EXIT_OWN_FAULT;
	}
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		const char *file = arena_text(&place.arena, name);
		struct record r;
		int bad = is_record(name) ? record_load(&place.shelf, file, &r) : -ENOENT;

		if (bad < 0 && bad != -ENOENT) {
			say("%s/%s: %s", place.shelf.dir, file,
			    bad == -EBADMSG ? "it is damaged" : strerror(-bad));
			unread++;
		}
		if (bad < 0)
			continue;
		add_record(&text, &r);
		record_done(&r);
	}
	close_place(&place);
	if (text.len == 0 && unread > 0)
		return EXIT_OWN_FAULT;
	if (text.len == 0)
		buf_text(&text, "nothing is applied\n");
	text_clean(&clean, buf_get(&text), true); /* in a tree it may be anybody's */
	return say_answer(o->output, buf_get(&clean));
}

/* The one record of the remedy that the options name. */
static bool load_named(const struct options *o, struct place *p, struct record *ret)
{
	const char *name = NULL;

	return find_records(p, o->words[0], o->word_count > 1 ? o->words[1] : NULL, &name) == 1 &&
	       record_load(&p->shelf, name, ret) == 0;
}

bool fix_hand_is_begun(const struct options *o)
{
	struct place place = { 0 };
	struct record r;
	bool begun = false;

	if (open_place(o, &place) != 0)
		return false;
	begun = load_named(o, &place, &r);
	if (begun)
		record_done(&r);
	close_place(&place);
	return begun;
}

int fix_hand_resume(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct place place = { 0 };
	struct record r;
	int status = open_place(o, &place);

	if (status != 0 || !load_named(o, &place, &r))
		return EXIT_OWN_FAULT;
	status = fix_apply(&place.shelf,
			   &(struct fix_wish){ .remedy = r.remedy,
					       .subject = r.subject,
					       .refusal = apply_refusal },
			   &said);
	record_done(&r);
	close_place(&place);
	if (status == -EALREADY)
		return say_already(o->words[0]);
	if (status < 0)
		return say_failure(o->words[0], "applied", status, &said);
	buf_addf(&said, "%s is applied: what was interrupted was ended\n", o->words[0]);
	return say_answer(o->output, buf_get(&said));
}

/* Of a service it is the service that is judged, not its user. */
static void aim_at(struct arena *a, const struct record *r, const struct apply_action *what,
		   struct fix_hand_aim *aim)
{
	struct span rest = span_of(what->target), user;

	if (what->kind == APPLY_VENV)
		aim->environment = fix_venv_path(a, what->target);
	if (what->kind == APPLY_JOIN_GROUP && r->subject[0] == '/' && span_cut(&rest, ':', &user))
		aim->user = arena_text(a, user);
}

struct fix_hand_aim fix_hand_aim(const struct options *o, struct arena *a)
{
	struct fix_hand_aim aim = { 0 };
	struct place place = { 0 };
	struct record r;

	if (o->from || o->host_root || open_place(o, &place) != 0)
		return aim;
	if (load_named(o, &place, &r)) {
		aim.cause = arena_text(a, span_of(r.cause));
		aim.evidence = r.evidence ? arena_text(a, span_of(r.evidence)) : NULL;
		for (size_t i = 0; i < r.count; i++)
			aim_at(a, &r, &r.actions[i].what, &aim);
		record_done(&r);
	}
	close_place(&place);
	return aim;
}
