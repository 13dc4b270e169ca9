#include "cli/kb-score.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json-write.h"
#include "cli/knowledge.h"
#include "cli/say.h"
#include "explain/explain.h"
#include "explain/log.h"
#include "explain/score.h"

#define FILE_MAX    ((size_t)64 << 20)
#define RECORDS_MAX 5000
#define OTHERS_MAX  8
#define LINES_MAX   400
#define HAY_LINES   5000
#define HEALTHY     "tests/logs/healthy"

enum presentation { AS_IS, SHUFFLED, BURIED, PRESENTATIONS };
static const char *const presentations[] = { "as is", "shuffled", "buried" };

struct record {
	const struct json_node *json;
	const char *id;
	const char *cause;
	const char *others[OTHERS_MAX];
	size_t other_count;
	bool likely; /* not confirmed */
	struct span lines[LINES_MAX];
	size_t line_count;
};

struct scorer {
	const struct options *options;
	struct arena arena;
	struct buf file;
	struct record *records;
	size_t count;
	struct score scores[PRESENTATIONS];
	struct score likely; /* records that were only likely, as they are */
	struct buf details;
	struct json json;
};

/* ---- records ---- */

static int read_file(const char *path, struct buf *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	while (n > 0 && ret->len < FILE_MAX) {
		buf_room(ret, 65536);
		n = read(fd, ret->data + ret->len, 65536);
		ret->len += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return n < 0 ? -EIO : 0;
}

static void take_record(struct scorer *s, const struct json_node *json)
{
	struct record *r = &s->records[s->count++];
	const struct json_node *others = json_tree_find(json, "cause2");
	const struct json_node *log = json_tree_find(json, "log");

	r->json = json;
	r->id = arena_text(&s->arena, json_tree_text(json, "id"));
	r->cause = arena_text(&s->arena, json_tree_text(json, "cause"));
	r->likely = span_is(json_tree_text(json, "strength"), "likely");
	for (const struct json_node *n = others ? others->children : NULL; n; n = n->next)
		if (n->kind == JSON_TEXT && r->other_count < OTHERS_MAX)
			r->others[r->other_count++] = arena_text(&s->arena, n->text);
	for (const struct json_node *n = log ? log->children : NULL; n; n = n->next)
		if (n->kind == JSON_TEXT && r->line_count < LINES_MAX)
			r->lines[r->line_count++] = n->text;
}

static int read_records(struct scorer *s, const char *path)
{
	struct span rest, line;
	size_t number = 0;
	int r = read_file(path, &s->file);

	if (r < 0) {
		say("%s: %s", path, strerror(-r));
		return EXIT_USAGE;
	}
	s->records = arena_alloc(&s->arena, sizeof(*s->records) * RECORDS_MAX);
	rest = buf_get(&s->file);
	while (span_line(&rest, &line) && s->count < RECORDS_MAX) {
		struct json_node *json;

		number++;
		if (span_trim(line).len == 0)
			continue;
		if (json_tree_parse(line, &s->arena, &json, NULL) < 0 ||
		    !json_tree_find(json, "cause")) {
			say("%s:%zu: no record", path, number);
			return EXIT_USAGE;
		}
		take_record(s, json);
	}
	return 0;
}

/* ---- presentations ---- */

/* The same on every machine: a record must not get other lines tomorrow. */
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

static void present(const struct record *r, enum presentation how, struct buf *ret)
{
	uint32_t state = seed_of(r->id);
	size_t order[LINES_MAX];
	size_t hay = how == BURIED ? HAY_LINES / (r->line_count + 1) : 0;

	for (size_t i = 0; i < r->line_count; i++)
		order[i] = i;
	for (size_t i = r->line_count; how == SHUFFLED && i > 1; i--) {
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
}

/* ---- one answer ---- */

struct bench {
	struct facts *facts;
	struct knowledge knowledge;
	struct log_signatures signatures;
};

static int bench_open(const struct options *o, struct bench *ret)
{
	*ret = (struct bench){ .facts = facts_new() };
	if (!ret->facts)
		return EXIT_OWN_FAULT;
	if (knowledge_attach(facts_db(ret->facts), o, &ret->knowledge) != 0 ||
	    log_signatures_load(facts_db(ret->facts), &ret->signatures) < 0)
		return EXIT_OWN_FAULT;
	return 0;
}

static void bench_close(struct bench *b)
{
	log_signatures_done(&b->signatures);
	facts_free(b->facts);
	knowledge_done(&b->knowledge);
}

static int explain_one(const struct options *o, const struct json_node *env, struct span log,
		       struct explanation *ret)
{
	struct bench b;
	int r = bench_open(o, &b);
	struct state state = { .facts = b.facts };
	struct scan *scan = r == 0 ? scan_new(b.signatures.list, b.signatures.count) : NULL;

	if (scan) {
		if (env)
			state_json(&state, env, "env");
		scan_feed(scan, log);
		scan_end(scan);
		log_events(&state, &b.signatures, scan, "log");
		state_settle(&state);
		facts_end(b.facts);
		r = explain(facts_db(b.facts), ret);
	}
	scan_free(scan);
	state_done(&state);
	bench_close(&b);
	return scan && r == 0 ? 0 : -EIO;
}

static void write_detail(struct scorer *s, const struct record *r, const struct score_answer *a,
			 const struct explanation *e)
{
	json_open(&s->json, NULL, '{');
	json_text(&s->json, "id", span_of(r->id));
	json_text(&s->json, "cause", span_of(r->cause));
	json_text(&s->json, "answer", span_of(explain_word_name(e->word)));
	json_real(&s->json, "gain", score_gain(a));
	json_open(&s->json, "named", '[');
	for (size_t i = 0; i < e->cause_count && i < 4; i++) {
		json_open(&s->json, NULL, '{');
		json_text(&s->json, "cause", span_of(e->causes[i].cause));
		json_real(&s->json, "belief", e->causes[i].belief);
		json_open(&s->json, "by", '[');
		for (size_t k = 0; k < e->causes[i].line_count; k++)
			if (e->causes[i].lines[k].counted) {
				json_open(&s->json, NULL, '{');
				json_text(&s->json, "id", span_of(e->causes[i].lines[k].id));
				json_int(&s->json, "counted", e->causes[i].lines[k].counted);
				json_close(&s->json, '}');
			}
		json_close(&s->json, ']');
		json_close(&s->json, '}');
	}
	json_close(&s->json, ']');
	json_close(&s->json, '}');
}

static int score_record(struct scorer *s, const struct record *r, enum presentation how)
{
	struct buf log BUF_SCOPED = { 0 };
	struct explanation e;
	struct score_answer a = { .cause = r->cause,
				  .others = r->others,
				  .other_count = r->other_count };
	int status;

	present(r, how, &log);
	status = explain_one(s->options, json_tree_find(r->json, "env"), buf_get(&log), &e);
	if (status < 0)
		return status;
	for (size_t i = 0; i < SCORE_RANKS && i < e.cause_count; i++)
		a.ranked[i] = e.causes[i].cause;
	a.belief = e.cause_count ? e.causes[0].belief : 0;
	a.decided = e.word >= EXPLAIN_LIKELY;
	score_add(r->likely ? &s->likely : &s->scores[how], &a);
	if (how == AS_IS)
		write_detail(s, r, &a, &e);
	explain_done(&e);
	return 0;
}

/* ---- healthy ones ---- */

static int is_log(const struct dirent *entry)
{
	return span_ends(span_of(entry->d_name), ".log");
}

static void score_good(struct scorer *s, const char *path)
{
	struct buf log BUF_SCOPED = { 0 };
	struct explanation e;

	if (read_file(path, &log) < 0 || explain_one(s->options, NULL, buf_get(&log), &e) < 0)
		return;
	if (e.word >= EXPLAIN_LIKELY)
		say("%s: alarm %s", path, e.causes[0].cause);
	for (size_t i = 0; i < PRESENTATIONS; i++)
		score_add_healthy(&s->scores[i], e.word >= EXPLAIN_LIKELY);
	explain_done(&e);
}

static int score_healthy(struct scorer *s, const char *dir)
{
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_log, alphasort);

	for (int i = 0; i < count; i++) {
		struct buf path BUF_SCOPED = { 0 };

		buf_addf(&path, "%s/%s", dir, entries[i]->d_name);
		score_good(s, path.data);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

/* ---- the report ---- */

static void say_rate(struct buf *ret, const char *name, struct score_rate r)
{
	double low, high;

	score_interval(r, &low, &high);
	buf_addf(ret, "  %-9s %5.1f %%  (%4.1f-%5.1f)  %u of %u\n", name,
		 r.of ? 100.0 * r.hits / r.of : 0.0, 100 * low, 100 * high, r.hits, r.of);
}

static void say_group(struct buf *ret, const struct score *s, enum score_group g)
{
	static const char *const names[] = { "causes that facts can decide", "release defects",
					     "all" };

	buf_addf(ret, " %s: gain %+.3f\n", names[g],
		 s->hit1[g].of ? s->gain[g] / s->hit1[g].of : 0.0);
	say_rate(ret, "hit@1", s->hit1[g]);
	say_rate(ret, "strict@1", s->strict1[g]);
	say_rate(ret, "hit@3", s->hit3[g]);
	say_rate(ret, "decided", s->decided[g]);
	say_rate(ret, "right", s->right[g]);
}

static void say_bands(struct buf *ret, const struct score *s)
{
	static const char *const names[] = { ">= 90", "60-90", "< 60" };

	for (size_t i = 0; i < SCORE_BANDS; i++) {
		buf_addf(ret, "  belief %s, stated %.1f %% on average:\n", names[i],
			 s->bands[i].of ? 100 * s->band_belief[i] / s->bands[i].of : 0.0);
		say_rate(ret, "  right", s->bands[i]);
	}
	buf_addf(ret, "  Brier     %.3f\n",
		 s->hit1[SCORE_ALL].of ? s->brier / s->hit1[SCORE_ALL].of : 0.0);
}

static size_t worst_of(const struct scorer *s)
{
	size_t worst = 0;

	for (size_t i = 1; i < PRESENTATIONS; i++)
		if (s->scores[i].gain[SCORE_ALL] < s->scores[worst].gain[SCORE_ALL])
			worst = i;
	return worst;
}

static void report(const struct scorer *s, struct buf *ret)
{
	const struct score *worst = &s->scores[worst_of(s)];

	for (size_t i = 0; i < PRESENTATIONS; i++) {
		buf_addf(ret, "%s\n", presentations[i]);
		for (size_t g = 0; g < SCORE_GROUPS; g++)
			say_group(ret, &s->scores[i], (enum score_group)g);
		say_bands(ret, &s->scores[i]);
	}
	buf_text(ret, "records that are only likely, as is\n");
	say_group(ret, &s->likely, SCORE_ALL);
	buf_text(ret, "healthy logs\n");
	say_rate(ret, "alarms", worst->alarms);
	buf_addf(ret, "worst: %s, hit@1 %.1f %%, hit@3 %.1f %%, gain %+.3f, alarms %u of %u\n",
		 presentations[worst_of(s)],
		 worst->hit1[SCORE_ALL].of
			 ? 100.0 * worst->hit1[SCORE_ALL].hits / worst->hit1[SCORE_ALL].of
			 : 0.0,
		 worst->hit3[SCORE_ALL].of
			 ? 100.0 * worst->hit3[SCORE_ALL].hits / worst->hit3[SCORE_ALL].of
			 : 0.0,
		 worst->hit1[SCORE_ALL].of ? worst->gain[SCORE_ALL] / worst->hit1[SCORE_ALL].of
					   : 0.0,
		 worst->alarms.hits, worst->alarms.of);
}

static int score_all(struct scorer *s)
{
	s->json = json_on(&s->details);
	json_open(&s->json, NULL, '[');
	for (size_t i = 0; i < s->count; i++)
		for (size_t how = 0; how < PRESENTATIONS; how++) {
			if (s->records[i].likely && how != AS_IS)
				continue;
			if (score_record(s, &s->records[i], (enum presentation)how) < 0) {
				say("%s: the knowledge cannot be read", s->records[i].id);
				return EXIT_OWN_FAULT;
			}
		}
	json_close(&s->json, ']');
	return score_healthy(s, s->options->healthy ? s->options->healthy : HEALTHY);
}

int kb_score(const struct options *o)
{
	struct scorer s = { .options = o };
	struct buf text BUF_SCOPED = { 0 };
	int status;

	if (o->word_count != 2)
		return say_usage("kb", "kb score takes a file of records, a JSON object a line");
	status = read_records(&s, o->words[1]);
	if (status == 0)
		status = score_all(&s);
	if (status == 0) {
		if (!o->json)
			report(&s, &text);
		status = say_answer(o->output, o->json ? buf_get(&s.details) : buf_get(&text));
	}
	buf_done(&s.file);
	buf_done(&s.details);
	arena_done(&s.arena);
	return status;
}
