#include "report/check-environments.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "report/html.h"

#define SHOWN_MAX 12
#define ITS       " it loads" /* may be left out */

/* One row for each environment and framework: the device that it serves best. */
static const char ranked[] =
	"SELECT environment, framework, coalesce(version, ''), verdict, why, device, used, libraries, served,"
	" min(CASE verdict WHEN 'runs' THEN 0 WHEN 'partly' THEN 1 WHEN 'unknown' THEN 2 ELSE 3 END) AS rank"
	" FROM environment_fit WHERE meant = 1 AND framework IN ('torch', 'tensorflow', 'jax', 'vllm',"
	" 'onnxruntime', 'ollama', 'llama.cpp', 'koboldcpp')"
	" GROUP BY environment, framework ORDER BY rank >= 2, used DESC, rank, environment, framework";

struct place {
	const char *environment; /* with ~ for the user's home */
	const char *prefix;
	const char *framework, *version, *verdict, *why, *device;
	bool used;
	int64_t libraries, served;
	int rank;
};

static const char *text_of(sqlite3_stmt *stmt, int column, struct arena *a)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return arena_text(a, span_of(text ? text : ""));
}

static const char *find_home(struct facts *f, struct arena *a)
{
	sqlite3_stmt *stmt = NULL;
	const char *home = "";

	sqlite3_prepare_v2(facts_db(f),
			   "SELECT value FROM env WHERE subject = 'identity' AND name = 'HOME'", -1,
			   &stmt, NULL);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		home = text_of(stmt, 0, a);
	sqlite3_finalize(stmt);
	return home;
}

static const char *shorten(struct arena *a, const char *path, const char *home)
{
	size_t n = strlen(home);

	if (n > 1 && strncmp(path, home, n) == 0 && (path[n] == '/' || path[n] == '\0'))
		return arena_format(a, "~%s", path + n);
	return path;
}

static size_t rank(struct facts *f, struct arena *a, struct place *ret, size_t most)
{
	sqlite3_stmt *stmt = NULL;
	const char *home = find_home(f, a);
	size_t count = 0;

	sqlite3_prepare_v2(facts_db(f), ranked, -1, &stmt, NULL);
	while (stmt && count < most && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *prefix = text_of(stmt, 0, a);

		ret[count++] = (struct place){
			.prefix = prefix,
			.environment = shorten(a, prefix, home),
			.framework = text_of(stmt, 1, a),
			.version = text_of(stmt, 2, a),
			.verdict = text_of(stmt, 3, a),
			.why = text_of(stmt, 4, a),
			.device = text_of(stmt, 5, a),
			.used = sqlite3_column_int(stmt, 6) != 0,
			.libraries = sqlite3_column_int64(stmt, 7),
			.served = sqlite3_column_int64(stmt, 8),
			.rank = sqlite3_column_int(stmt, 9),
		};
	}
	sqlite3_finalize(stmt);
	return count;
}

static enum page_mark mark_of(const struct place *place)
{
	static const enum page_mark marks[] = { PAGE_GOOD, PAGE_GOOD, PAGE_UNDECIDED, PAGE_NOTE };

	return marks[place->rank & 3];
}

/* "torch 2.9.1+rocm6.4 in ~/venv has code for gfx1100 in all 14 libraries it loads" */
static const char *sentence(struct arena *a, const struct place *place, const char *why,
			    const char *behind)
{
	return arena_format(a, "%s%s%s in %s %s%s", place->framework, place->version[0] ? " " : "",
			    place->version, place->environment, why, behind);
}

static void write_place(struct page *p, const struct place *place, const char *text)
{
	page_mark(p, mark_of(place));
	page_wrap(p, 3, 3, text);
}

static size_t count_working(const struct place *places, size_t count)
{
	size_t working = 0;

	for (size_t i = 0; i < count; i++)
		working += places[i].rank <= 1;
	return working;
}

/* One line, if words can be spared to make it one. */
static void write_best(struct page *p, struct arena *a, const struct place *best, size_t others)
{
	const char *more = others ? arena_format(a, "; %zu more would work", others) : "";
	const char *plain =
		arena_format(a, "has code for %.*s", (int)strcspn(best->device, ":"), best->device);
	size_t cut = strlen(best->why) - (span_ends(span_of(best->why), ITS) ? strlen(ITS) : 0);
	const char *const forms[] = {
		sentence(a, best, best->why, more),
		sentence(a, best, best->why, ""),
		sentence(a, best, arena_text(a, (struct span){ best->why, cut }), ""),
		sentence(a, best, best->rank == 0 ? plain : best->why, ""),
	};
	size_t i = 0;

	while (i < 3 && 3 + text_width(span_of(forms[i])) > p->width)
		i++;
	write_place(p, best, forms[i]);
}

void check_environments_calm(struct facts *f, struct page *p, bool all)
{
	struct place places[SHOWN_MAX];
	struct arena a = { 0 };
	size_t count = rank(f, &a, places, SHOWN_MAX);
	size_t working = count_working(places, count);

	if (working > 0 && !all)
		write_best(p, &a, &places[0], working - 1);
	for (size_t i = 0; all && i < count; i++)
		write_place(p, &places[i], sentence(&a, &places[i], places[i].why, ""));
	arena_done(&a);
}

/* The first thing that is wrong with this very place, or NULL. */
static const struct finding *find_finding(const struct diagnosis *d, const char *prefix)
{
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if (strcmp(f->subject, prefix) == 0 && f->belief >= BELIEF_LIKELY &&
		    strcmp(f->severity, "info") != 0)
			return f;
	}
	return NULL;
}

static void write_ill(struct page *p, struct arena *a, const struct place *place,
		      const struct finding *finding)
{
	if (!finding) {
		write_place(p, place, sentence(a, place, place->why, ""));
		return;
	}
	page_mark(p, strcmp(finding->severity, "problem") == 0 ? PAGE_PROBLEM : PAGE_WARNING);
	page_wrap(p, 3, 3, sentence(a, place, "would fail: ", finding->cause));
}

void check_environments_ill(struct facts *f, const struct diagnosis *d, struct page *p)
{
	struct place places[SHOWN_MAX];
	struct arena a = { 0 };
	size_t count = rank(f, &a, places, SHOWN_MAX);

	for (size_t i = 0; count > 1 && i < count; i++)
		write_ill(p, &a, &places[i], find_finding(d, places[i].prefix));
	if (count > 1)
		buf_char(p->out, '\n');
	arena_done(&a);
}

static void text(struct json *j, const char *key, const char *value)
{
	json_text(j, key, span_of(value));
}

void check_environments_json(struct facts *f, struct json *j)
{
	struct place places[SHOWN_MAX];
	struct arena a = { 0 };
	size_t count = rank(f, &a, places, SHOWN_MAX);

	json_open(j, "environments", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(j, NULL, '{');
		j->compact = true;
		text(j, "prefix", places[i].prefix);
		text(j, "framework", places[i].framework);
		text(j, "version", places[i].version);
		text(j, "device", places[i].device);
		text(j, "verdict", places[i].verdict);
		text(j, "why", places[i].why);
		json_bool(j, "used", places[i].used);
		json_int(j, "libraries", places[i].libraries);
		json_int(j, "served", places[i].served);
		json_close(j, '}');
		j->compact = false;
	}
	json_close(j, ']');
	arena_done(&a);
}

bool check_environments_html(struct facts *f, struct buf *out)
{
	static const char *const kinds[] = { "good", "warning", "undecided", "problem" };
	static const char *const words[] = { "runs", "partly", "not known", "would not run" };
	struct place places[SHOWN_MAX];
	struct arena a = { 0 };
	size_t count = rank(f, &a, places, SHOWN_MAX);

	buf_text(
		out,
		"<div class=\"wide\"><table class=\"stack\"><caption>Frameworks that were found, and the GPU that each serves best.</caption>\n<thead><tr><th>framework</th><th>where</th><th>verdict</th><th>why</th></tr></thead>\n<tbody>");
	for (size_t i = 0; i < count; i++) {
		const struct place *p = &places[i];

		html(out,
		     "<tr><th scope=\"row\">%s %s</th><td><code>%s</code>%s</td><td class=\"%s\">%s</td><td>%s</td></tr>\n",
		     p->framework, p->version, p->environment, p->used ? ", in use" : "",
		     p->rank == 3 && !p->used ? "note" : kinds[p->rank & 3], words[p->rank & 3],
		     p->why);
	}
	buf_text(out, "</tbody></table></div>\n");
	arena_done(&a);
	return count > 0;
}
