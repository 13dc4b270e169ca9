#include "explain/explain-scrub.h"

#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "diagnose/steps-shared.h"
#include "explain/defects.h"
#include "facts/column.h"
#include "facts/select.h"
#include "scrub/scrub.h"

struct scrubbing {
	struct scrubber *scrubber; /* NULL: texts are gathered, to learn whose homes they name */
	struct buf about;
	struct arena *arena;
	struct map changed; /* by what it was: many causes name the same line */
	bool leaves;
	struct steps_owner owner;
};

/* ---- one text ---- */

static char *changed(struct scrubbing *s, const char *text)
{
	char *known = map_find(&s->changed, span_of(text));
	struct buf clean BUF_SCOPED = { 0 };

	if (known)
		return known;
	if (s->leaves)
		scrubber_text(s->scrubber, span_of(text), &clean);
	else
		scrubber_withhold(s->scrubber, span_of(text), &clean);
	known = arena_text(s->arena, buf_get(&clean));
	map_put(&s->changed, span_of(text), known);
	return known;
}

static void change(struct scrubbing *s, const char **text)
{
	if (*text && s->scrubber)
		*text = changed(s, *text);
	else if (*text)
		buf_addf(&s->about, "\n%s\n", *text);
}

/* Whose home a command names, if the machine does not tell: "/home/ada" */
static void learn_home(struct scrubbing *s, const char *command)
{
	const char *home = s->owner.home ? NULL : strstr(command, "/home/");

	if (home && home[6] && home[6] != '/')
		s->owner.home = arena_text(
			s->arena, (struct span){ home, 6 + strcspn(home + 6, "/ \t\n:'\"") });
}

static void change_command(struct scrubbing *s, const char **command)
{
	if (*command && s->scrubber && s->leaves) {
		learn_home(s, *command);
		*command = steps_shared_command(s->arena, *command, &s->owner);
	}
	change(s, command);
}

static void change_steps(struct scrubbing *s, const char **steps)
{
	if (*steps && s->scrubber && s->leaves) {
		learn_home(s, *steps);
		*steps = steps_shared(s->arena, *steps, &s->owner);
	}
	change(s, steps);
}

/* ---- the parts of an explanation ---- */

/* The knowledge holds no secrets: only what was filled in may. */
static bool is_filled(const struct remedy *r)
{
	return r->job || (r->subject && (r->subject[0] || r->value[0]));
}

static void change_remedy(struct scrubbing *s, const struct remedy **remedy)
{
	struct remedy *copy;

	if (!*remedy || !(s->leaves || is_filled(*remedy)))
		return;
	copy = arena_alloc(s->arena, sizeof(*copy));
	*copy = **remedy;
	change(s, &copy->title);
	change_steps(s, &copy->steps);
	change_command(s, &copy->verify);
	change(s, &copy->needs);
	change(s, &copy->changes);
	change_command(s, &copy->undo);
	change(s, &copy->subject);
	change(s, &copy->value);
	*remedy = copy;
}

static void change_cause(struct scrubbing *s, struct explain_cause *c)
{
	change(s, &c->headline);
	if (s->leaves) {
		change(s, &c->title);
		change(s, &c->story);
		change(s, &c->undecided);
		change(s, &c->tells);
		change(s, &c->cure);
	}
	for (size_t i = 0; i < c->sign_count; i++) {
		change(s, &c->signs[i].says);
		change(s, &c->signs[i].source);
	}
	for (size_t i = 0; i < c->remedy_count; i++)
		change_remedy(s, &c->remedies[i]);
}

static void change_family(struct scrubbing *s, const struct explain_family **family)
{
	struct explain_family *copy;

	if (!*family)
		return;
	copy = arena_alloc(s->arena, sizeof(*copy));
	*copy = **family;
	change(s, &copy->title);
	change_remedy(s, &copy->remedy);
	*family = copy;
}

static void change_failure(struct scrubbing *s, const struct failure **failure)
{
	struct failure *copy;

	if (!*failure)
		return;
	copy = arena_alloc(s->arena, sizeof(*copy));
	*copy = **failure;
	change(s, &copy->file);
	change(s, &copy->first.text);
	change(s, &copy->last.text);
	change(s, &copy->closing.text);
	change(s, &copy->place);
	change(s, &copy->says);
	change(s, &copy->step);
	change_command(s, &copy->typed);
	change(s, &copy->stopped);
	change(s, &copy->unread);
	*failure = copy;
}

static void change_steps_of(struct scrubbing *s, struct explanation *e)
{
	for (size_t i = 0; i < e->step_count; i++) {
		change(s, &e->steps[i].cure);
		change_remedy(s, &e->steps[i].remedy);
		change(s, &e->steps[i].says);
		change_command(s, &e->steps[i].typed);
	}
}

static void change_all(struct scrubbing *s, const struct explain_scrub *how, struct explanation *e)
{
	change(s, how->file);
	change(s, how->used);
	for (size_t i = 0; i < how->left_out_count; i++)
		change(s, &how->left_out[i]);
	for (size_t i = 0; i < e->spoken; i++) /* nothing of the text is in the others */
		change_cause(s, &e->causes[i]);
	for (size_t i = 0; i < e->event_count; i++) {
		change(s, &e->events[i].says);
		change(s, &e->events[i].text);
		change(s, &e->events[i].source);
	}
	for (size_t i = 0; i < e->fact_count; i++) {
		change(s, &e->facts[i].value);
		change(s, &e->facts[i].source);
	}
	for (size_t i = 0; i < e->setting_count; i++) {
		change(s, &e->settings[i].what);
		change(s, &e->settings[i].source);
	}
	for (size_t i = 0; i < e->defect_count; i++)
		change(s, &e->defects[i].source);
	change(s, &e->first_says);
	change(s, &e->first_look.says);
	change(s, &e->first_look.tells);
	change_command(s, &e->first_look.typed);
	change_family(s, &e->family);
	change_failure(s, &e->failure);
	change_steps_of(s, e);
}

/* ---- whose machine it is ---- */

/* What names somebody here, as a snapshot has it: the scrubber reads it so. */
static void gather_machine(struct scrubbing *s, sqlite3 *db)
{
	sqlite3_stmt *stmt = select_kept(db, "SELECT home, user FROM identity");

	if (select_next(stmt)) {
		s->owner.home = column_copy_or_null(stmt, 0, s->arena);
		s->owner.user = column_copy_or_null(stmt, 1, s->arena);
		buf_addf(&s->about, "ask identity\n\tuser %s\n\thome %s\n",
			 s->owner.user ? s->owner.user : "root",
			 s->owner.home ? s->owner.home : "/root");
	}
	select_done(stmt);
	stmt = select_kept(db,
			   "SELECT '/proc/sys/kernel/hostname', hostname FROM run "
			   "WHERE hostname IS NOT NULL UNION "
			   "SELECT '/x/serial_number', serial FROM gpu WHERE serial IS NOT NULL");
	while (select_next(stmt))
		buf_addf(&s->about, "file %s\n\t%s\n", column_text(stmt, 0), column_text(stmt, 1));
	select_done(stmt);
	if (s->owner.user && strcmp(s->owner.user, "root") == 0)
		s->owner.user = NULL; /* it is no name, and stays */
}

bool explain_scrub(struct explanation *e, sqlite3 *db, const struct explain_scrub *how)
{
	struct scrubbing s = { .arena = &e->arena, .leaves = how->leaves };
	bool keeps = !s.leaves && how->withholder; /* what it knows of a machine is not withheld */

	if (s.leaves) {
		buf_text(&s.about, "rocsteady-snapshot 1\n");
		gather_machine(&s, db);
		change_all(&s, how, e);
	}
	s.scrubber = keeps ? *how->withholder : NULL;
	if (!s.scrubber)
		s.scrubber = scrubber_new(buf_get(&s.about), how->key);
	if (s.scrubber)
		change_all(&s, how, e);
	if (keeps)
		*how->withholder = s.scrubber;
	else
		scrubber_free(s.scrubber);
	map_done(&s.changed);
	buf_done(&s.about);
	return s.scrubber != NULL;
}

int explain_scrub_text(struct span text, const char *key, struct buf *ret)
{
	struct scrubber *s = scrubber_new(text, key);

	if (!s)
		return -EIO;
	scrubber_text(s, text, ret);
	scrubber_free(s);
	return 0;
}
