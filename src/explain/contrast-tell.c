#include "explain/contrast.h"

#include "base/buf.h"
#include "base/text.h"
#include "facts/select.h"

static bool is_told(struct facts *facts, const char *signature)
{
	sqlite3_stmt *stmt =
		select_kept(facts_db(facts), "SELECT 1 FROM main.event WHERE signature = ?1");
	bool told = false;

	if (stmt) {
		sqlite3_bind_text(stmt, 1, signature, -1, SQLITE_STATIC);
		told = select_next(stmt);
	}
	select_done(stmt);
	return told;
}

static void add_value(struct facts *facts, const char *signature, const char *name,
		      struct span value, const char *source)
{
	struct buf text BUF_SCOPED = { 0 };
	struct row row = row_of("event_value");

	if (value.len == 0)
		return;
	buf_span(&text, value);
	row_string(&row, "signature", signature);
	row_int(&row, "nth", 0);
	row_string(&row, "name", name);
	row_string(&row, "value", text.data);
	row_string(&row, "source", source);
	row_string(&row, "origin", "log");
	facts_add(facts, &row);
}

static void say_what(const struct contrast *c, struct buf *ret)
{
	if (c->works.len > 0) {
		buf_span(ret, c->works);
		buf_text(ret, " works");
	}
	if (c->fails.len > 0) {
		buf_text(ret, c->works.len > 0 ? ", " : c->turns ? "since " : "");
		buf_span(ret, c->fails);
		buf_text(ret, c->works.len > 0 || !c->turns ? " fails" : "");
	}
}

static void add_event(struct facts *facts, const struct contrast *c, const char *file)
{
	struct buf signature BUF_SCOPED = { 0 }, source BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 },
			     what BUF_SCOPED = { 0 };
	struct row row = row_of("event");

	buf_text(&signature, "contrast-");
	buf_span(&signature, c->name);
	buf_addf(&source, "%s:%llu", file, c->line);
	text_clean(&text, c->text, false);
	if (is_told(facts, signature.data))
		return;
	row_string(&row, "signature", signature.data);
	row_int(&row, "nth", 0);
	row_string(&row, "kind", c->has_both ? "hint" : "remark");
	row_string(&row, "program", "hints");
	row_u64(&row, "line", c->line);
	row_u64(&row, "last_line", c->line);
	row_u64(&row, "count", 1);
	row_string(&row, "text", buf_get(&text).len > 0 ? text.data : "");
	row_string(&row, "source", source.data);
	row_string(&row, "origin", "log");
	facts_add(facts, &row);
	say_what(c, &what);
	add_value(facts, signature.data, "works", c->works, source.data);
	add_value(facts, signature.data, "fails", c->fails, source.data);
	add_value(facts, signature.data, "what", buf_get(&what), source.data);
}

void contrast_tell(struct facts *facts, const struct contrasts *contrasts, const char *file)
{
	for (size_t i = 0; i < contrasts->count; i++)
		add_event(facts, &contrasts->list[i], file);
}
