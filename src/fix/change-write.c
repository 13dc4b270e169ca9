#include <errno.h>
#include <string.h>

#include "fix/apply.h"

#define TEMP ".rocsteady-fix.tmp"
#define MODE 0644

static const char *temp_of(struct arena *a, const char *path)
{
	return arena_format(a, "%.*s/" TEMP, (int)(strrchr(path, '/') - path), path);
}

static int prepare(const struct record_dir *s, struct fix_record *r, struct fix_record_action *a,
		   struct buf *said)
{
	const char *path = a->what.target;
	const char *names[] = { path, temp_of(&r->arena, path) };
	struct writer_state state;
	int status;

	for (size_t i = 0; i < 2; i++) {
		status = writer_look(s->writer, names[i], &state, NULL);
		if (status < 0)
			return fix_refuse(said, status, "%s", names[i]);
		if (state.kind != '-')
			return fix_refuse(said, -EEXIST,
					  "%s already exists, and rocsteady did not create it",
					  names[i]);
	}
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *dir =
			arena_text(&r->arena, (struct span){ path, (size_t)(slash - path) });

		status = writer_look(s->writer, dir, &state, NULL);
		if (status < 0 || (state.kind != 'd' && state.kind != '-' && s->writer->strict))
			return fix_refuse(said, status < 0 ? status : -ELOOP, "%s", dir);
		if (state.kind != '-')
			continue;
		if (a->dir_count == FIX_RECORD_FILES_MAX)
			return fix_refuse(said, -E2BIG, "%s", path);
		a->dirs[a->dir_count++] = dir;
	}
	return 0;
}

static bool is_ours(const struct fix_record_action *a, const struct buf *bytes)
{
	return bytes->len == strlen(a->what.content) &&
	       memcmp(bytes->data, a->what.content, bytes->len) == 0;
}

static int carry_out(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, struct buf *said)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct writer_state state;
	int status = 0;

	(void)r;
	for (size_t i = 0; status == 0 && i < a->dir_count; i++) {
		status = writer_make_dir(s->writer, a->dirs[i], 0755);
		if (status == 0 || status == -EEXIST) /* ours: it was not there before the record */
			status = writer_give(s->writer, a->dirs[i]);
	}
	if (status == 0)
		status = writer_create(s->writer, a->what.target, TEMP, span_of(a->what.content),
				       MODE);
	if (status == -EEXIST && writer_look(s->writer, a->what.target, &state, &bytes) == 0 &&
	    state.kind == 'f' && is_ours(a, &bytes))
		status = 0; /* we were killed between the change and its mark */
	if (status == 0)
		status = writer_give(s->writer, a->what.target);
	return status < 0 ? fix_refuse(said, status, "%s cannot be written", a->what.target) : 0;
}

static int take_back(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, bool really, struct buf *said)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct writer_state state;
	int status = writer_look(s->writer, a->what.target, &state, &bytes);

	(void)r;
	if (status == 0 && state.kind != '-' && (state.kind != 'f' || !is_ours(a, &bytes)))
		return fix_refuse(said, -EBUSY, "%s was changed since: it is left as it is",
				  a->what.target);
	if (status == 0 && really) {
		writer_remove(s->writer, temp_of(&arena, a->what.target));
		status = writer_remove(s->writer, a->what.target);
		for (size_t i = a->dir_count; status == 0 && i-- > 0;)
			writer_remove_dir(s->writer,
					  a->dirs[i]); /* what others put there keeps it */
	}
	arena_done(&arena);
	return status < 0 ? fix_refuse(said, status, "%s", a->what.target) : 0;
}

const struct fix_change fix_change_write = { prepare, carry_out, take_back };
