#include "lab/score-records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/fd.h"
#include "base/text.h"

#define FILE_MAX  ((size_t)64 << 20)
#define HAY_LINES 5000
#define HEALTHY   "tests/logs/healthy"

static int read_file(const char *path, struct buf *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd_all(fd, FILE_MAX, ret);
}

static struct score_record *new_record(struct score_records *s)
{
	s->list = arena_grow(&s->arena, s->list, s->count, sizeof(*s->list));
	return &s->list[s->count++];
}

/* ---- records ---- */

/* What stands for "nothing was wrong", besides null. */
static bool is_healthy(struct span cause)
{
	return cause.len == 0 || span_is(cause, "healthy") || span_is(cause, "none");
}

/* The texts of a list. */
static const char **take_texts(struct score_records *s, const struct json_node *list,
			       size_t *ret_count)
{
	const char **texts;

	*ret_count = 0;
	if (!list || list->kind != JSON_LIST)
		return NULL;
	texts = arena_alloc(&s->arena, (list->count + 1) * sizeof(*texts));
	for (const struct json_node *n = list->children; n; n = n->next)
		if (n->kind == JSON_TEXT)
			texts[(*ret_count)++] = arena_text(&s->arena, n->text);
	return texts;
}

static void take_lines(struct score_records *s, struct span text, struct score_record *r)
{
	struct span rest = text, line;
	size_t count = 0;

	while (span_line(&rest, &line))
		count++;
	r->lines = arena_alloc(&s->arena, (count + 1) * sizeof(*r->lines));
	while (span_line(&text, &line))
		r->lines[r->line_count++] = line;
}

/* A list of texts, each a line or several, or one text. */
static void take_log(struct score_records *s, const struct json_node *log, struct score_record *r)
{
	size_t most = log && log->kind == JSON_LIST ? log->count : 0;

	if (log && log->kind == JSON_TEXT) {
		take_lines(s, log->text, r);
		return;
	}
	r->lines = arena_alloc(&s->arena, (most + 1) * sizeof(*r->lines));
	for (const struct json_node *n = most > 0 ? log->children : NULL; n; n = n->next)
		if (n->kind == JSON_TEXT)
			r->lines[r->line_count++] = n->text;
}

static bool take_record(struct score_records *s, const struct json_node *json)
{
	struct span cause = json_tree_text(json, "cause");
	struct score_record *r;

	if (!json_tree_find(json, "cause"))
		return false;
	r = new_record(s);
	r->id = arena_text(&s->arena, json_tree_text(json, "id"));
	r->cause = is_healthy(cause) ? NULL : arena_text(&s->arena, cause);
	r->likely = span_is(json_tree_text(json, "strength"), "likely");
	r->env = json_tree_find(json, "env");
	r->others = take_texts(s, json_tree_find(json, "cause2"), &r->other_count);
	take_log(s, json_tree_find(json, "log"), r);
	return true;
}

/* {"id": "...", "cures": ["set-env"], "also": []} */
static bool take_cures(struct score_records *s, const struct json_node *json)
{
	struct score_cures *c = arena_alloc(&s->arena, sizeof(*c));
	struct span id = json_tree_text(json, "id");

	*c = (struct score_cures){ 0 };
	c->kinds = take_texts(s, json_tree_find(json, "cures"), &c->kind_count);
	c->also = take_texts(s, json_tree_find(json, "also"), &c->also_count);
	for (size_t i = 0; c->kinds && i < s->count; i++)
		if (span_is(id, s->list[i].id)) {
			s->list[i].cures = c;
			return true;
		}
	return false;
}

/* One object a line; `take` says whether it is one. */
static int read_objects(struct score_records *s, const char *path, struct buf *said,
			bool (*take)(struct score_records *s, const struct json_node *json),
			const char *what)
{
	struct buf file BUF_SCOPED = { 0 };
	struct span rest, line;
	size_t number = 0;
	int r = read_file(path, &file);

	if (r < 0) {
		text_line(said, "%s: %s", path, strerror(-r));
		return EXIT_NO_INPUT;
	}
	rest = arena_span(&s->arena, buf_get(&file));
	while (span_line(&rest, &line)) {
		struct json_node *json;

		number++;
		if (span_trim(line).len == 0)
			continue;
		if (json_tree_parse(line, &s->arena, &json, NULL) < 0 || !take(s, json)) {
			text_line(said, "%s:%zu: %s", path, number, what);
			return EXIT_NO_INPUT;
		}
	}
	return 0;
}

int score_records_read(struct score_records *s, const char *path, struct buf *said)
{
	return read_objects(s, path, said, take_record, "not a JSON object with a \"cause\"");
}

int score_records_cures(struct score_records *s, const char *path, struct buf *said)
{
	return read_objects(s, path, said, take_cures,
			    "not a JSON object with \"id\", \"cures\" and \"also\"");
}

/* ---- healthy logs ---- */

static int is_log(const struct dirent *entry)
{
	return span_ends(span_of(entry->d_name), ".log");
}

static int take_healthy(struct score_records *s, const char *path, struct buf *said)
{
	struct buf file BUF_SCOPED = { 0 };
	struct score_record *record;
	int r = read_file(path, &file);

	if (r < 0) {
		text_line(said, "%s: %s", path, strerror(-r));
		return EXIT_NO_INPUT;
	}
	record = new_record(s);
	record->id = arena_text(&s->arena, span_of(path));
	take_lines(s, arena_span(&s->arena, buf_get(&file)), record);
	return 0;
}

int score_records_healthy(struct score_records *s, const char *named, struct buf *said)
{
	const char *dir = named ? named : HEALTHY;
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_log, alphasort);
	int status = named && count < 0 ? EXIT_NO_INPUT : 0;

	if (count < 0)
		text_line(said, "%s: %s; --healthy names a directory of healthy logs", dir,
			  strerror(errno));
	for (int i = 0; i < count; i++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "%s/%s", dir, entries[i]->d_name);
		if (status == 0)
			status = take_healthy(s, path.data, said);
		free(entries[i]);
	}
	free(entries);
	return status;
}

void score_records_done(struct score_records *s)
{
	arena_done(&s->arena);
	*s = (struct score_records){ 0 };
}

/* ---- presentations ---- */

const char *score_records_name(enum presentation how)
{
	static const char *const names[] = { "as is", "shuffled", "buried" };

	return names[how];
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static uint32_t seed_of(const char *id)
{
	uint32_t seed = 2166136261u;

	for (; *id; id++)
		seed = (seed ^ (unsigned char)*id) * 16777619u;
	return seed ? seed : 1;
}

static void add_hay(struct buf *ret, size_t i, uint32_t *state)
{
	uint32_t a = next_random(state), b = next_random(state);

	buf_addf(ret,
		 "2026-11-14 10:%02u:%02u INFO trainer epoch %u step %zu loss %u.%04u lr 1.0e-4 "
		 "samples/s %u.%u\n",
		 (unsigned int)(i / 60 % 60), (unsigned int)(i % 60), (unsigned int)(i / 1000), i,
		 a % 4, a / 7 % 10000, b % 5000, b / 11 % 10);
}

void score_records_present(const struct score_record *r, enum presentation how, struct buf *ret)
{
	uint32_t state = seed_of(r->id);
	struct arena arena = { 0 };
	size_t *order = arena_alloc(&arena, (r->line_count + 1) * sizeof(*order));
	size_t hay = how == PRESENTATION_BURIED ? HAY_LINES / (r->line_count + 1) : 0;

	for (size_t i = 0; i < r->line_count; i++)
		order[i] = i;
	for (size_t i = r->line_count; how == PRESENTATION_SHUFFLED && i > 1; i--) {
		size_t k = next_random(&state) % i, keep = order[i - 1];

		order[i - 1] = order[k];
		order[k] = keep;
	}
	for (size_t i = 0; i <= r->line_count; i++) {
		for (size_t k = 0; k < hay; k++)
			add_hay(ret, i * hay + k, &state);
		if (i < r->line_count) {
			buf_span(ret, r->lines[order[i]]);
			buf_char(ret, '\n');
		}
	}
	arena_done(&arena);
}
