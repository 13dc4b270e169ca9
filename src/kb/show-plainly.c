/* A cause for whoever has it; show.c has it for whoever maintains it. */

#include <string.h>

#include "facts/column.h"
#include "facts/select.h"
#include "kb/show-internal.h"

/* "GPU {subject} has stopped" as "GPU ... has stopped": what only a machine fills in. */
static void add_dotted(struct buf *ret, const char *text)
{
	struct span rest = span_of(text);

	while (rest.len > 0) {
		const char *end = rest.data[0] == '{' ? memchr(rest.data, '}', rest.len) : NULL;
		size_t n = end ? (size_t)(end - rest.data) + 1 : 1;

		buf_add(ret, end ? "..." : rest.data, end ? 3 : 1);
		rest.data += n;
		rest.len -= n;
	}
}

/* What a statement says of the cause, each behind a dash; false if it says nothing. */
static bool tell_list(sqlite3 *db, const char *slug, const char *title, const char *sql,
		      struct buf *ret)
{
	sqlite3_stmt *stmt = show_ask(db, sql, slug);
	bool any = false;

	while (select_next(stmt)) {
		struct buf says BUF_SCOPED = { 0 };

		if (!any)
			buf_addf(ret, "\n%s\n", title);
		any = true;
		add_dotted(&says, column_text(stmt, 0));
		buf_text(ret, "  - ");
		show_wrap_at(ret, 4, "    ", says.data);
	}
	sqlite3_finalize(stmt);
	return any;
}

/* The steps of a remedy are a page of their own, and a machine decides which remedies fit. */
static const char remedies[] = "SELECT r.title || ' (' || r.id || ')' FROM kb.cause_remedy c"
			       " JOIN kb.remedy r ON r.id = c.remedy WHERE c.cause = ?1"
			       " ORDER BY c.position";

/* Without those that only a machine could say: they would be nothing but dots. */
static const char signs[] = "SELECT DISTINCT says FROM kb.evidence WHERE cause = ?1"
			    " AND weight > 0 AND says NOT LIKE '{%' ORDER BY position";

void show_cause_plainly(sqlite3 *db, sqlite3_stmt *cause, struct buf *ret)
{
	const char *slug = column_text(cause, 0);
	struct buf title BUF_SCOPED = { 0 };

	add_dotted(&title,
		   column_text(cause, 10)[0] ? column_text(cause, 10) : column_text(cause, 1));
	buf_addf(ret, "%s\n\n", title.data);
	show_wrap(ret, "  ", column_text(cause, 6));
	if (tell_list(db, slug, "What can help", remedies, ret))
		buf_text(ret, "  Steps: rocsteady kb show NAME, with the name in brackets\n"
			      "  What fits this machine: rocsteady check\n");
	if (column_text(cause, 7)[0]) {
		buf_text(ret, "\nTo decide\n");
		show_wrap(ret, "  ", column_text(cause, 7));
	}
	tell_list(db, slug, "What shows it", signs, ret);
	show_sources(db, slug, ret);
	buf_addf(ret, "\nFor operators: severity %s, scope %s, action %s\n", column_text(cause, 4),
		 column_text(cause, 3), column_text(cause, 5));
	buf_addf(ret, "How it is weighed, with the queries: rocsteady kb show %s --verbose\n",
		 slug);
}
