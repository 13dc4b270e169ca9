#include "diagnose/gaps.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "facts/column.h"
#include "facts/select.h"

struct gap_list {
	struct gap *first;
	struct gap *last;
	const struct gap_list *next_column; /* of the same table */
};

/* A GPU on whose way from the processor a device stands. */
struct gap_owner {
	const char *gpu;
	const struct gap_owner *next;
};

/* 0000:03:00.0 */
#define PCI_LENGTH 12

static bool is_pci(const char *text)
{
	static const char form[] = "hhhh:hh:hh.h";

	for (size_t i = 0; i < PCI_LENGTH; i++) {
		bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');

		if (form[i] == 'h' ? !hex : text[i] != form[i])
			return false; /* the NUL of a short text, too */
	}
	return true;
}

static struct gap_list *list_of(struct gaps *g, struct arena *a, const char *topic)
{
	struct gap_list *list = map_find(&g->by_topic, span_of(topic));
	size_t table_len = strcspn(topic, ".");
	struct gap_list *table;

	if (list)
		return list;
	list = arena_alloc(a, sizeof(*list));
	map_put(&g->by_topic, span_of(topic), list);
	if (topic[table_len] == '\0')
		return list;
	table = list_of(g, a, arena_text(a, (struct span){ topic, table_len }));
	list->next_column = table->next_column;
	table->next_column = list;
	return list;
}

/*
 * A whole table that is absent is an answer, and no gap to a rule. Nor is a walk
 * that nobody asked for: it could show everything, and would leave every cause
 * undecided on a machine that has nothing.
 */
static int load_gaps(sqlite3 *db, struct arena *a, struct gaps *g)
{
	static const char sql[] = "SELECT topic, subject, standing, detail FROM main.gap "
				  "WHERE (standing <> 'absent' OR instr(topic, '.')) "
				  "AND coalesce(detail, '') <> 'NOT WALKED' "
				  "ORDER BY topic, subject, standing, detail, source";
	sqlite3_stmt *stmt = select_kept(db, sql);

	while (select_next(stmt)) {
		struct gap *gap = arena_alloc(a, sizeof(*gap));
		struct gap_list *list;

		*gap = (struct gap){ .topic = column_copy_or_null(stmt, 0, a),
				     .subject = column_copy_or_null(stmt, 1, a),
				     .standing = column_copy_or_null(stmt, 2, a),
				     .detail = column_copy_or_null(stmt, 3, a) };
		assert(gap->topic); /* the schema says NOT NULL */
		list = list_of(g, a, gap->topic);
		if (list->last)
			list->last->next = gap;
		else
			list->first = gap;
		list->last = gap;
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

static int load_tables(sqlite3 *db, struct arena *a, struct gaps *g)
{
	sqlite3_stmt *stmt =
		select_kept(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'");

	while (select_next(stmt)) {
		char *name = column_copy(stmt, 0, a);

		map_put(&g->tables, span_of(name), name);
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

static int load_owners(sqlite3 *db, struct arena *a, struct gaps *g)
{
	static const char sql[] = "SELECT address, gpu FROM main.pcie UNION "
				  "SELECT address, address FROM main.gpu ORDER BY 1, 2";
	sqlite3_stmt *stmt = select_kept(db, sql);

	while (select_next(stmt)) {
		struct gap_owner *owner = arena_alloc(a, sizeof(*owner));
		const char *address = column_copy_or_null(stmt, 0, a);

		owner->gpu = column_copy_or_null(stmt, 1, a);
		owner->next = map_find(&g->by_device, span_of(address));
		map_put(&g->by_device, span_of(address), owner);
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

/* What lies in the system's own Python may be ROCm's, and everyone's. */
static int load_places(sqlite3 *db, struct arena *a, struct gaps *g)
{
	static const char sql[] = "SELECT DISTINCT prefix FROM main.environment WHERE kind NOT IN "
				  "('system', 'user') ORDER BY prefix";
	sqlite3_stmt *stmt = select_kept(db, sql);

	while (select_next(stmt)) {
		const char **more = arena_alloc(a, sizeof(*more) * (g->place_count + 1));

		if (g->place_count > 0)
			memcpy(more, g->places, sizeof(*more) * g->place_count);
		more[g->place_count++] = column_copy_or_null(stmt, 0, a);
		g->places = more;
	}
	select_done(stmt);
	return select_error() ? -EIO : 0;
}

int gaps_load(sqlite3 *db, struct arena *a, struct gaps *ret)
{
	struct gaps g = { 0 };
	int r = load_gaps(db, a, &g);

	if (r == 0)
		r = load_tables(db, a, &g);
	if (r == 0)
		r = load_owners(db, a, &g);
	if (r == 0)
		r = load_places(db, a, &g);
	if (r < 0) {
		gaps_done(&g);
		return r;
	}
	*ret = g;
	return 0;
}

void gaps_done(struct gaps *g)
{
	map_done(&g->tables);
	map_done(&g->by_topic);
	map_done(&g->by_device);
}

/* The environment that a path is or lies in: the innermost one, or NULL. */
static const char *place_of(const struct gaps *g, const char *path)
{
	const char *place = NULL;

	for (size_t i = 0; i < g->place_count; i++) {
		size_t n = strlen(g->places[i]);

		if (strncmp(path, g->places[i], n) == 0 && (path[n] == '/' || path[n] == '\0'))
			place = g->places[i]; /* sorted, so a longer one comes later */
	}
	return place;
}

static bool is_elsewhere(const struct gaps *g, const struct gap *gap, const char *subject)
{
	const char *own = place_of(g, subject);
	const char *other = place_of(g, gap->subject);

	return own && other && own != other;
}

/*
 * A bridge above a GPU is another address and still part of its story: a gap
 * there counts for that GPU. A device that nobody placed counts for everyone.
 * A link names two addresses in its subject, so it is searched, not compared.
 */
static bool concerns(const struct gaps *g, const struct gap *gap, const char *subject)
{
	const struct gap_owner *owner;

	if (is_elsewhere(g, gap, subject))
		return false;
	if (!is_pci(gap->subject) || !is_pci(subject) || strstr(subject, gap->subject))
		return true;
	owner = map_find(&g->by_device, span_of(gap->subject));
	if (!owner)
		return true;
	for (; owner; owner = owner->next)
		if (strstr(subject, owner->gpu))
			return true;
	return false;
}

static const struct gap *first_of(const struct gaps *g, const struct gap_list *list,
				  const char *subject)
{
	const struct gap *first = NULL;

	for (const struct gap *gap = list ? list->first : NULL; gap; gap = gap->next) {
		if (!concerns(g, gap, subject))
			continue;
		if (strcmp(gap->subject, subject) == 0)
			return gap; /* its own is the one to tell of */
		first = first ? first : gap;
	}
	return first;
}

const struct gap *gaps_find_column(const struct gaps *g, struct span name, const char *subject)
{
	const struct gap *gap = first_of(g, map_find(&g->by_topic, name), subject);
	const char *dot = memchr(name.data, '.', name.len);

	if (gap || !dot)
		return gap;
	name.len = (size_t)(dot - name.data);
	return first_of(g, map_find(&g->by_topic, name), subject);
}

const struct gap *gaps_find(const struct gaps *g, const char *reads, const char *subject)
{
	struct span rest = span_of(reads);
	struct span word;

	while (span_word(&rest, &word)) {
		const struct gap *gap = gaps_find_column(g, word, subject);

		if (gap)
			return gap;
	}
	return NULL;
}

bool gaps_knows(const struct gaps *g, struct span table)
{
	return map_find(&g->tables, table) != NULL;
}

const struct gap *gaps_find_table(const struct gaps *g, struct span table, const char *subject)
{
	const struct gap_list *list = map_find(&g->by_topic, table);
	const struct gap *gap = NULL;

	for (; list && !gap; list = list->next_column)
		gap = first_of(g, list, subject);
	return gap;
}

bool gaps_is_lost(const struct gap *gap)
{
	return strcmp(gap->standing, "absent") != 0 && strcmp(gap->standing, "unasked") != 0 &&
	       strcmp(gap->standing, "denied") != 0;
}

const char *gaps_says(struct arena *a, const struct gap *gap)
{
	bool at = gap->subject[0] != '\0';

	return arena_format(a, "%s%s%s %s%s%s%s", gap->topic, at ? " of " : "", gap->subject,
			    gap->standing, gap->detail ? " (" : "", gap->detail ? gap->detail : "",
			    gap->detail ? ")" : "");
}
