#include "report/check-environments.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "diagnose/environments.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "report/html.h"

#define SHOWN_MOST 12          /* lines of an ill machine; the number of the others is told */
#define ITS        " it loads" /* may be left out */

/* What was found, and the words for it. */
struct environments_writer {
	struct arena arena;
	struct environments all;
	const char *home; /* of the judged user, or empty */
};

static void begin(struct facts *f, struct environments_writer *ret)
{
	sqlite3_stmt *stmt = NULL;

	*ret = (struct environments_writer){ .home = "" };
	environments_rank(facts_db(f), &ret->arena, &ret->all);
	stmt = select_from(facts_db(f),
			   "SELECT value FROM env WHERE subject = 'identity' AND name = 'HOME'");
	if (select_next(stmt))
		ret->home = column_copy(stmt, 0, &ret->arena);
	sqlite3_finalize(stmt);
}

/* With ~ for the user's home. */
static const char *place_of(struct environments_writer *w, const struct environment *e)
{
	size_t n = strlen(w->home);

	if (n > 1 && strncmp(e->prefix, w->home, n) == 0 &&
	    (e->prefix[n] == '/' || e->prefix[n] == '\0'))
		return arena_format(&w->arena, "~%s", e->prefix + n);
	return e->prefix;
}

/* "torch 2.9.1+rocm6.4 in ~/venv has code for gfx1100 in all 14 libraries it loads" */
static const char *sentence(struct environments_writer *w, const struct environment *e,
			    const char *why, const char *behind)
{
	return arena_format(&w->arena, "%s%s%s in %s %s%s", e->framework, e->version[0] ? " " : "",
			    e->version, place_of(w, e), why, behind);
}

static void write_line(struct page *p, const struct environment *e, const char *text)
{
	static const enum page_mark marks[] = { [ENVIRONMENT_RUNS] = PAGE_GOOD,
						[ENVIRONMENT_PARTLY] = PAGE_GOOD,
						[ENVIRONMENT_UNKNOWN] = PAGE_UNDECIDED,
						[ENVIRONMENT_NOT] = PAGE_NOTE };

	page_mark(p, marks[e->verdict]);
	page_wrap(p, 3, 3, text);
}

/* One line, if words can be spared to make it one. */
static void write_best(struct page *p, struct environments_writer *w)
{
	const struct environment *best = &w->all.list[0];
	size_t others = w->all.working - 1;
	const char *more = others ? arena_format(&w->arena, "; %zu more work", others) : "";
	const char *plain = arena_format(&w->arena, "has code for %.*s",
					 (int)strcspn(best->device, ":"), best->device);
	size_t cut = strlen(best->why) - (span_ends(span_of(best->why), ITS) ? strlen(ITS) : 0);
	const char *const forms[] = {
		sentence(w, best, best->why, more),
		sentence(w, best, best->why, ""),
		sentence(w, best, arena_text(&w->arena, (struct span){ best->why, cut }), ""),
		sentence(w, best, best->verdict == ENVIRONMENT_RUNS ? plain : best->why, ""),
	};
	size_t i = 0;

	while (i < 3 && 3 + text_width(span_of(forms[i])) > p->width)
		i++;
	write_line(p, best, forms[i]);
}

void check_environments_calm(struct facts *f, struct page *p, bool all)
{
	struct environments_writer w;

	begin(f, &w);
	if (w.all.working > 0 && !all)
		write_best(p, &w);
	for (size_t i = 0; all && i < w.all.count; i++)
		write_line(p, &w.all.list[i], sentence(&w, &w.all.list[i], w.all.list[i].why, ""));
	arena_done(&w.arena);
}

static void write_ill(struct page *p, struct environments_writer *w, const struct environment *e,
		      const struct finding *finding)
{
	if (!finding) {
		write_line(p, e, sentence(w, e, e->why, ""));
		return;
	}
	page_mark(p, section_mark(finding));
	page_wrap(p, 3, 3, sentence(w, e, "would fail: ", finding->cause));
}

void check_environments_ill(struct facts *f, const struct diagnosis *d, struct page *p, bool all)
{
	struct environments_writer w;
	size_t shown;

	begin(f, &w);
	shown = all || w.all.count <= SHOWN_MOST ? w.all.count : SHOWN_MOST;
	for (size_t i = 0; w.all.count > 1 && i < shown; i++)
		write_ill(p, &w, &w.all.list[i], diagnose_wrong_with(d, w.all.list[i].prefix));
	if (shown < w.all.count)
		buf_addf(p->out, "   %zu more environments: --verbose\n", w.all.count - shown);
	if (w.all.count > 1)
		buf_char(p->out, '\n');
	arena_done(&w.arena);
}

void check_environments_json(struct facts *f, struct json *j)
{
	struct environments_writer w;

	begin(f, &w);
	json_open(j, "environments", '[');
	for (size_t i = 0; i < w.all.count; i++) {
		const struct environment *e = &w.all.list[i];

		json_open_row(j);
		json_string(j, "prefix", e->prefix);
		json_string(j, "framework", e->framework);
		json_string(j, "version", e->version);
		json_string(j, "device", e->device);
		json_string(j, "verdict", environment_verdict_name(e->verdict));
		json_string(j, "why", e->why);
		json_bool(j, "used", e->used);
		json_int(j, "libraries", e->libraries);
		json_int(j, "served", e->served);
		json_close_row(j);
	}
	json_close(j, ']');
	arena_done(&w.arena);
}

bool check_environments_html(struct facts *f, struct buf *out)
{
	static const struct {
		const char *class, *word;
	} cells[] = {
		[ENVIRONMENT_RUNS] = { "good", "runs" },
		[ENVIRONMENT_PARTLY] = { "warning", "partly" },
		[ENVIRONMENT_UNKNOWN] = { "undecided", "unknown" },
		[ENVIRONMENT_NOT] = { "problem", "does not run" },
	};
	struct environments_writer w;

	begin(f, &w);
	buf_text(
		out,
		"<div class=\"wide\"><table class=\"stack\"><caption>Frameworks found, and the GPU each one serves best.</caption>\n<thead><tr><th>framework</th><th>where</th><th>verdict</th><th>why</th></tr></thead>\n<tbody>");
	for (size_t i = 0; i < w.all.count; i++) {
		const struct environment *e = &w.all.list[i];

		html(out,
		     "<tr><th scope=\"row\">%s %s</th><td><code>%s</code>%s</td><td class=\"%s\">%s</td><td>%s</td></tr>\n",
		     e->framework, e->version, place_of(&w, e), e->used ? ", in use" : "",
		     e->verdict == ENVIRONMENT_NOT && !e->used ? "note" : cells[e->verdict].class,
		     cells[e->verdict].word, e->why);
	}
	buf_text(out, "</tbody></table></div>\n");
	arena_done(&w.arena);
	return w.all.count > 0;
}
