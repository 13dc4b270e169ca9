#include "explain/job.h"

#include <string.h>

#include "base/buf.h"
#include "facts/column.h"
#include "facts/select.h"

extern const char data_python_signs[];

static const char written[] = "python train.py";

/* The command that the text shows, its script, or how its program is usually started. */
static const char *find_shown(sqlite3 *db, struct arena *a)
{
	sqlite3_stmt *stmt = select_kept(
		db,
		"SELECT value FROM (SELECT value, name = 'script' AS rank, rowid AS at FROM main.statement"
		" WHERE name IN ('command', 'script') UNION ALL SELECT c.command, 2, s.rowid"
		" FROM main.statement s JOIN kb.program c"
		" ON instr(lower(s.value), c.application) > 0 WHERE s.name = 'framework' AND c.command NOT NULL)"
		" ORDER BY rank, at DESC LIMIT 1");
	const char *job = select_next(stmt) ? column_copy(stmt, 0, a) : NULL;

	select_done(stmt);
	return job;
}

static bool has_sign(const char *text)
{
	struct span rest = span_of(data_python_signs), sign;
	struct buf glob BUF_SCOPED = { 0 };

	while (span_line(&rest, &sign)) {
		if (sign.len == 0 || sign.data[0] == '#')
			continue;
		buf_clear(&glob);
		buf_addf(&glob, "*%.*s*", (int)sign.len, sign.data);
		if (sqlite3_strglob(glob.data, text) == 0)
			return true;
	}
	return false;
}

static bool is_of_python(sqlite3 *db)
{
	sqlite3_stmt *stmt =
		select_kept(db, "SELECT 1, '' FROM main.statement WHERE name IN ('torch', 'python')"
				" UNION ALL SELECT 0, text FROM main.event");
	bool found = false;

	while (!found && select_next(stmt))
		found = sqlite3_column_int(stmt, 0) || has_sign(column_text(stmt, 1));
	select_done(stmt);
	return found;
}

const char *job_find(sqlite3 *db, struct arena *a)
{
	const char *shown = find_shown(db, a);

	return shown || is_of_python(db) ? shown : "COMMAND";
}

/* Where it stands as words of their own: not in ~/venv/bin/python train.py. */
static const char *find_written(const char *text)
{
	const char *at = strstr(text, written);

	while (at && at > text && !strchr(" \n", at[-1]))
		at = strstr(at + 1, written);
	return at;
}

const char *job_in(struct arena *a, const char *text, const char *job)
{
	struct buf out BUF_SCOPED = { 0 };
	const char *at;

	while ((at = find_written(text))) {
		buf_add(&out, text, (size_t)(at - text));
		buf_text(&out, job);
		text = at + sizeof(written) - 1;
	}
	buf_text(&out, text);
	return arena_text(a, buf_get(&out));
}

void job_fill(struct arena *a, const char *job, const struct remedy **remedies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct remedy *r;

		if (!strstr(remedies[i]->steps, written) &&
		    !(remedies[i]->verify && strstr(remedies[i]->verify, written)))
			continue;
		r = arena_alloc(a, sizeof(*r));
		*r = *remedies[i];
		r->job = job;
		r->steps = job_in(a, r->steps, job);
		r->verify = r->verify ? job_in(a, r->verify, job) : NULL;
		remedies[i] = r;
	}
}
