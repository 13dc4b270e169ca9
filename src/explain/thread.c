#include "explain/thread.h"

#include <ctype.h>
#include <string.h>

#include "facts/column.h"
#include "facts/select.h"

/* "ROCm/MIOpen#2049; PR 2050" and "https://github.com/ROCm/mori/pull/355, ...": the first one's address. */
static const char *find_address(struct arena *a, const char *ref)
{
	size_t word = strcspn(ref, " ,;"), repository = strcspn(ref, "# ,;");
	size_t digits = 0;

	if (strncmp(ref, "https://github.com/", 19) == 0)
		return arena_text(a, (struct span){ ref, word });
	if (repository >= word || !memchr(ref, '/', repository))
		return NULL;
	while (isdigit((unsigned char)ref[repository + 1 + digits]))
		digits++;
	if (digits == 0 || repository + 1 + digits != word)
		return NULL;
	return arena_format(a, "https://github.com/%.*s/issues/%.*s", (int)repository, ref,
			    (int)digits, ref + repository + 1);
}

/* What somebody who mends it has written comes before what somebody who has it wrote. */
static const char *thread_of(sqlite3 *db, struct arena *a, const char *signature)
{
	sqlite3_stmt *stmt =
		select_kept(db, "SELECT ref FROM kb.source WHERE owner = ?1"
				" AND class IN ('maintainer', 'reporter') ORDER BY class, rowid");
	const char *found = NULL;

	if (stmt)
		sqlite3_bind_text(stmt, 1, signature, -1, SQLITE_STATIC);
	while (!found && select_next(stmt))
		found = find_address(a, column_text(stmt, 0));
	select_done(stmt);
	return found;
}

/* The strongest line of the log; a fact of the machine has no thread of its own. */
static const struct sign *find_line(const struct explain_cause *c)
{
	for (size_t i = 0; i < c->sign_count; i++)
		if (c->signs[i].counted > 0)
			return c->signs[i].describes || c->signs[i].seen ? NULL : &c->signs[i];
	return NULL;
}

void thread_find(sqlite3 *db, struct explanation *e)
{
	struct explain_cause *c = e->spoken > 0 ? e->causes : NULL;
	const struct sign *line = c && e->word >= BELIEF_LIKELY ? find_line(c) : NULL;

	if (line && !c->defect)
		c->thread = thread_of(db, &e->arena, line->id);
}
