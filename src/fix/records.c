#include "fix/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "fix/apply.h"

#define SYSTEM_RECORDS "/var/lib/rocsteady/fix"

/* ---- where they are ---- */

static const char *record_dir_of(struct arena *a, const char *tree)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (tree || writer_user() == 0)
		return SYSTEM_RECORDS;
	if (state && state[0] == '/')
		return arena_format(a, "%s/rocsteady/fix", state);
	return home && home[0] == '/' ? arena_format(a, "%s/.local/state/rocsteady/fix", home)
				      : NULL;
}

int records_open(const char *tree, struct records *ret, struct buf *said)
{
	char *real = tree ? realpath(tree, NULL) : NULL; /* usermod wants it absolute */
	int r = tree && !real ? -errno
			      : writer_open(real ? arena_text(&ret->arena, span_of(real)) : NULL,
					    &ret->writer);

	free(real);
	if (r < 0) {
		text_line(said, "%s: %s", tree ? tree : "/", strerror(-r));
		arena_done(&ret->arena);
		return tree ? EXIT_NO_INPUT : EXIT_OWN_FAULT;
	}
	ret->records = (struct record_dir){ &ret->writer, record_dir_of(&ret->arena, tree) };
	if (ret->records.dir)
		return 0;
	text_line(said, "no place for the journal: HOME is not set");
	writer_close(&ret->writer);
	return EXIT_OWN_FAULT;
}

void records_close(struct records *r)
{
	writer_close(&r->writer);
	arena_done(&r->arena);
}

/* ---- which there are ---- */

static bool is_record(struct span name)
{
	return name.len > 0 && name.data[0] != '.' && !span_ends(name, ".survey");
}

/* Names, a line each. */
static int list(struct records *r, struct buf *ret, struct buf *said)
{
	int error = writer_list(&r->writer, r->records.dir, ret);

	if (error == 0 || error == -ENOENT)
		return 0;
	text_line(said, "%s%s: %s", r->writer.prefix, r->records.dir, strerror(-error));
	return error;
}

int records_each(struct records *r, void (*visit)(void *ctx, const struct fix_record *record),
		 void *ctx, struct buf *said)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	int unread = 0;
	int error = list(r, &names, said);

	if (error < 0)
		return error;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		const char *file = arena_text(&r->arena, name);
		struct fix_record record;

		error = is_record(name) ? fix_record_load(&r->records, file, &record) : -ENOENT;
		if (error == 0) {
			visit(ctx, &record);
			fix_record_done(&record);
		} else if (error != -ENOENT) {
			text_line(said, "%s/%s: %s", r->records.dir, file, fix_reason(error));
			unread++;
		}
	}
	return unread;
}

/* ---- which is meant ---- */

static bool has_record(struct records *r, const char *name)
{
	struct writer_state state;

	return writer_look(&r->writer, fix_record_beside(&r->arena, &r->records, name, ""), &state,
			   NULL) == 0 &&
	       state.kind != '-';
}

int records_find(struct records *r, const char *remedy, const char *subject, const char **ret_name,
		 struct buf *said)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;
	int count = 0;
	int error;

	if (subject && has_record(r, fix_record_name(&r->arena, remedy, subject))) {
		*ret_name = fix_record_name(&r->arena, remedy, subject);
		return 1;
	}
	if (subject) { /* of the whole machine, whatever it was found on */
		*ret_name = fix_record_name(&r->arena, remedy, "");
		return has_record(r, *ret_name);
	}
	error = list(r, &names, said);
	if (error < 0)
		return error;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		size_t n = strlen(remedy);

		if (!is_record(name) || !span_starts(name, remedy) ||
		    (name.len > n && name.data[n] != '@'))
			continue;
		*ret_name = arena_text(&r->arena, name);
		count++;
	}
	return count;
}

bool records_load(struct records *r, const char *remedy, const char *subject,
		  struct fix_record *ret, struct buf *said)
{
	const char *name = NULL;

	return records_find(r, remedy, subject, &name, said) == 1 &&
	       fix_record_load(&r->records, name, ret) == 0;
}

/* ---- taken back ---- */

/* Half a plan of a process that was killed is no record, and is not left behind. */
static void forget_halves(struct records *r)
{
	struct buf said BUF_SCOPED = { 0 };
	struct buf names BUF_SCOPED = { 0 };
	struct span rest, name;

	writer_list(&r->writer, r->records.dir, &names);
	rest = buf_get(&names);
	while (span_line(&rest, &name))
		if (span_starts(name, ".") && span_ends(name, ".new")) {
			char *of = arena_text(&r->arena, name);

			of[strlen(of) - strlen(".new")] = '\0';
			fix_undo(&r->records, of + 1, &said);
		}
}

int records_undo(struct records *r, const char *name, const char **ret_subject, struct buf *said)
{
	struct fix_record record;
	int error;

	*ret_subject = "";
	if (fix_record_load(&r->records, name, &record) == 0) {
		*ret_subject = arena_text(&r->arena, span_of(record.subject));
		fix_record_done(&record);
	}
	error = fix_undo(&r->records, name, said);
	if (error == -ENOENT)
		forget_halves(r);
	return error;
}
