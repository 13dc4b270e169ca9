#include "fix/apply.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const struct fix_change *const changes[] = {
	[APPLY_WRITE] = &fix_change_write,
	[APPLY_JOIN_GROUP] = &fix_change_join,
	[APPLY_VENV] = &fix_change_venv,
};

const char *fix_reason(int error)
{
	switch (error) {
	case -ELOOP:
		return "the path contains a symbolic link, which is not followed";
	case -ENOTUNIQ:
		return "the path contains . or .., which is not followed";
	case -EBADMSG:
		return "the record is damaged";
	case -EMLINK:
		return "the file has another name (a hard link), so it is not trusted";
	default:
		return strerror(-error);
	}
}

int fix_refuse(struct buf *said, int error, const char *format, ...)
{
	va_list args;

	buf_clear(said);
	va_start(args, format);
	buf_addv(said, format, args);
	va_end(args);
	if (error != -EEXIST && error != -EBUSY && error != -EINVAL && error != -EAGAIN)
		buf_addf(said, ": %s", fix_reason(error));
	return error;
}

static int refuse_record(const struct record_dir *records, const char *name, int error,
			 struct buf *said)
{
	return fix_refuse(said, error, "%s%s/%s%s", records->writer->prefix, records->dir, name,
			  error == -EPERM ? " belongs to another user, so it is not trusted" : "");
}

/* Under the lock: no other process writes a record now. */
static int load_settled(const struct record_dir *records, const char *name, struct fix_record *ret)
{
	int r = fix_record_settle(records, name);

	return r < 0 ? r : fix_record_load(records, name, ret);
}

/* ---- undo ---- */

static int take_back(const struct record_dir *records, const struct fix_record *r, bool really,
		     struct buf *said)
{
	for (size_t i = r->count; i-- > 0;) {
		const struct fix_record_action *a = &r->actions[i];
		int status = changes[a->what.kind]->take_back(records, r, a, really, said);

		if (status < 0)
			return status;
	}
	return 0;
}

static int undo(const struct record_dir *records, const char *name, struct buf *said)
{
	struct fix_record r = { 0 };
	int status = load_settled(records, name, &r);

	if (status == -ENOENT) {
		fix_record_forget(records, name); /* a plan that was cut off before it began */
		return fix_refuse(said, status, "%s", name);
	}
	if (status < 0)
		return refuse_record(records, name, status, said);
	status = take_back(records, &r, false, said);
	if (status == 0 && !r.undoing)
		status = fix_record_mark(records, &r, "undoing");
	if (status == 0)
		status = take_back(records, &r, true, said);
	if (status < 0 && said->len == 0)
		fix_refuse(said, status, "%s%s/%s", records->writer->prefix, records->dir, name);
	if (status == 0 && (status = fix_record_forget(records, name)) < 0)
		fix_refuse(said, status, "%s%s/%s", records->writer->prefix, records->dir, name);
	fix_record_done(&r);
	return status;
}

/* ---- apply ---- */

static int refuse_journal(const struct record_dir *records, int error, struct buf *said)
{
	return fix_refuse(said, error, "the journal in %s%s cannot be written",
			  records->writer->prefix, records->dir);
}

static int check_allowed(const struct fix_wish *wish, const struct apply_action *a,
			 struct buf *said)
{
	const char *why = wish->refusal(a);

	return why ? fix_refuse(said, -EINVAL, "%s: %s", a->target, why) : 0;
}

static int prepare(const struct record_dir *records, const struct fix_wish *wish,
		   struct fix_record *ret, struct buf *said)
{
	struct fix_record r = { .remedy = wish->remedy,
				.subject = wish->subject,
				.cause = wish->cause,
				.evidence = wish->evidence,
				.at = writer_now(),
				.count = wish->count };
	int status = wish->count > FIX_RECORD_ACTIONS_MAX ? -E2BIG : 0;

	r.name = fix_record_name(&r.arena, wish->remedy, wish->subject);
	for (size_t i = 0; status == 0 && i < wish->count; i++) {
		r.actions[i].what = wish->actions[i];
		status = check_allowed(wish, &wish->actions[i], said);
		if (status == 0)
			status = changes[wish->actions[i].kind]->prepare(records, &r, &r.actions[i],
									 said);
	}
	if (status < 0)
		fix_record_done(&r);
	else
		*ret = r;
	return status;
}

static int carry_out(const struct record_dir *records, struct fix_record *r, struct buf *said)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < r->count; i++) {
		struct fix_record_action *a = &r->actions[i];
		struct arena arena = { 0 };

		if (a->done)
			continue;
		status = changes[a->what.kind]->carry_out(records, r, a, said);
		if (status == 0)
			status = fix_record_mark(records, r, arena_format(&arena, "done %zu", i));
		a->done = status == 0;
		arena_done(&arena);
	}
	if (status == 0)
		status = fix_record_mark(records, r, "applied");
	if (status < 0 && said->len == 0)
		refuse_journal(records, status, said);
	return status;
}

static int begin(const struct record_dir *records, const struct fix_wish *wish,
		 struct fix_record *ret, struct buf *said)
{
	int status = prepare(records, wish, ret, said);

	if (status < 0)
		return status;
	status = fix_record_begin(records, ret);
	if (status < 0) {
		refuse_journal(records, status, said);
		fix_record_forget(records, ret->name);
		fix_record_done(ret);
	}
	return status;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Only the agreed change is carried out, even if an interrupted record has another one. */
static int check_agreed(const struct fix_wish *wish, const struct fix_record *r, struct buf *said)
{
	bool same = wish->count == r->count;

	for (size_t i = 0; same && i < r->count; i++) {
		const struct apply_action *a = &wish->actions[i], *b = &r->actions[i].what;

		same = a->kind == b->kind && is_same(a->target, b->target) &&
		       is_same(a->content, b->content) && is_same(a->place, b->place);
	}
	return same ? 0
		    : fix_refuse(said, -EBUSY,
				 "a different change was started: revert it with --undo, or "
				 "repeat this command to see and finish it");
}

static int apply(const struct record_dir *records, const struct fix_wish *wish, struct buf *said)
{
	struct arena a = { 0 };
	const char *name = fix_record_name(&a, wish->remedy, wish->subject);
	struct fix_record r = { 0 };
	struct buf why BUF_SCOPED = { 0 };
	int status = load_settled(records, name, &r);

	if (status == 0 && r.undoing)
		status = fix_refuse(said, -EBUSY, "an undo was interrupted: finish it with --undo");
	else if (status == 0 && r.applied)
		status = fix_refuse(said, -EALREADY, "it is already applied");
	else if (status == -ENOENT)
		status = begin(records, wish, &r, said);
	else if (status < 0)
		refuse_record(records, name, status, said);
	for (size_t i = 0; status == 0 && i < r.count; i++) /* what an older program began */
		status = check_allowed(wish, &r.actions[i].what, said);
	if (status == 0)
		status = check_agreed(wish, &r, said);
	if (status == 0) {
		status = carry_out(records, &r, said);
		/* A failed change is undone at once; if that fails too, the record says how. */
		if (status < 0 && undo(records, name, &why) == 0)
			buf_text(said, "; nothing was changed");
		else if (status < 0)
			buf_addf(said, "; the started change stays: %s", why.len ? why.data : "");
	}
	fix_record_done(&r);
	arena_done(&a);
	return status;
}

/* ---- one at a time ---- */

int fix_apply(const struct record_dir *records, const struct fix_wish *wish, struct buf *said)
{
	struct record_dir_hold hold;
	int status = record_dir_hold(records, true, &hold, said);

	if (status < 0)
		return status;
	status = apply(records, wish, said);
	record_dir_release(records, &hold);
	return status;
}

int fix_undo(const struct record_dir *records, const char *name, struct buf *said)
{
	struct record_dir_hold hold;
	int status = record_dir_hold(records, false, &hold, said);

	if (status < 0)
		return status;
	status = undo(records, name, said);
	record_dir_release(records, &hold);
	return status;
}
