#include "cli/fix-place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "cli/say.h"
#include "fix/apply.h"

#define SYSTEM_SHELF "/var/lib/rocsteady/fix"

/* ---- where they are ---- */

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

int fix_place_open(const struct options *o, struct fix_place *ret)
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

void fix_place_close(struct fix_place *p)
{
	hand_close(&p->hand);
	arena_done(&p->arena);
}

/* ---- which there are ---- */

static bool is_record(struct span name)
{
	return name.len > 0 && name.data[0] != '.' && !span_ends(name, ".survey");
}

/* No shelf is an empty one; one that cannot be read is said. */
int fix_place_list(struct fix_place *p, struct buf *ret)
{
	int r = hand_list(&p->hand, p->shelf.dir, ret);

	if (r == 0 || r == -ENOENT)
		return 0;
	say("%s%s: %s", p->hand.prefix, p->shelf.dir, strerror(-r));
	return r;
}

static bool has_record(struct fix_place *p, const char *name)
{
	struct hand_state state;

	return hand_look(&p->hand, record_beside(&p->arena, &p->shelf, name, ""), &state, NULL) ==
		       0 &&
	       state.kind != '-';
}

int fix_place_find(struct fix_place *p, const char *remedy, const char *subject,
		   const char **ret_name)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	int count = 0;
	int r;

	if (subject && has_record(p, record_name(&p->arena, remedy, subject))) {
		*ret_name = record_name(&p->arena, remedy, subject);
		return 1;
	}
	if (subject) { /* of the whole machine, whatever it was found on */
		*ret_name = record_name(&p->arena, remedy, "");
		return has_record(p, *ret_name);
	}
	r = fix_place_list(p, &names);
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

bool fix_place_load(const struct options *o, struct fix_place *p, struct record *ret)
{
	const char *name = NULL;

	return fix_place_find(p, o->words[0], o->word_count > 1 ? o->words[1] : NULL, &name) == 1 &&
	       record_load(&p->shelf, name, ret) == 0;
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

int fix_place_tell(const struct options *o)
{
	struct buf names BUF_SCOPED = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct fix_place place = { 0 };
	struct span rest, name;
	size_t unread = 0;
	int status = fix_place_open(o, &place);

	if (status != 0)
		return status;
	if (fix_place_list(&place, &names) < 0) {
		fix_place_close(&place);
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
	fix_place_close(&place);
	if (text.len == 0 && unread > 0)
		return EXIT_OWN_FAULT;
	if (text.len == 0)
		buf_text(&text, "nothing is applied\n");
	text_clean(&clean, buf_get(&text), true); /* in a tree it may be anybody's */
	return say_answer(o->output, buf_get(&clean));
}

/* ---- what one was for ---- */

/* Of a service it is the service that is judged, not its user. */
static void aim_at(struct arena *a, const struct record *r, const struct apply_action *what,
		   struct fix_aim *aim)
{
	struct span rest = span_of(what->target), user;

	if (what->kind == APPLY_VENV)
		aim->environment = fix_venv_path(a, what->target);
	if (what->kind == APPLY_JOIN_GROUP && r->subject[0] == '/' && span_cut(&rest, ':', &user))
		aim->user = arena_text(a, user);
}

static bool is_lost(struct fix_place *p, const struct apply_action *what)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct hand_state state;

	if (what->kind != APPLY_WRITE)
		return false;
	return hand_look(&p->hand, what->target, &state, &bytes) < 0 || state.kind != 'f' ||
	       !span_is(buf_get(&bytes), what->content);
}

struct fix_aim fix_place_aim(const struct options *o, struct arena *a)
{
	struct fix_aim aim = { 0 };
	struct fix_place place = { 0 };
	struct record r;

	if (o->from || o->host_root || fix_place_open(o, &place) != 0)
		return aim;
	if (fix_place_load(o, &place, &r)) {
		aim.cause = arena_text(a, span_of(r.cause));
		aim.evidence = r.evidence ? arena_text(a, span_of(r.evidence)) : NULL;
		aim.subject = arena_text(a, span_of(r.subject));
		for (size_t i = 0; i < r.count; i++) {
			aim_at(a, &r, &r.actions[i].what, &aim);
			if (is_lost(&place, &r.actions[i].what))
				aim.lost = arena_text(a, span_of(r.actions[i].what.target));
		}
		record_done(&r);
	}
	fix_place_close(&place);
	return aim;
}
