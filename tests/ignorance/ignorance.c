/*
 * ignorance - take answers away from machines, and see what is said then
 *
 *	ignorance [--gate] [--healthy N] [--ill N] [--seed S] [--workers N]
 *	          [--kb FILE] [--machine NAME] [--show] MACHINES
 *
 * Each replay takes a recorded machine and turns some of its answers into
 * absent, denied, broken, stuck or busy, by a seed of its own.
 *
 *	alarm     a healthy machine so treated must not get a problem, unless the
 *	          evidence that carries it says that it concludes from absence, and
 *	          something was made absent
 *	absolve   an ill machine so treated must not become ready without something
 *	          undecided or a thing that it says it does not know
 *
 * With --gate as `rocsteady gate` judges: a healthy node must not be closed,
 * whatever is absent, and a closed one not opened in the same way.
 *
 * A violation is printed with its seed, the machine and the fewest edits that
 * still give it; `--seed S --healthy 1` (or --ill 1) repeats it, and the edits
 * can be added to the end of the snapshot. Exit status 1 if there was any.
 */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "diagnose/diagnose.h"
#include "door/record.h"
#include "facts/collect.h"
#include "kb/kb.h"
#include "root/snapshot.h"

/* ---- chance ---- */

/* splitmix64: the same numbers everywhere. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t most)
{
	return (size_t)(next(state) % most);
}

/* ---- machines ---- */

struct question {
	enum record_kind kind;
	const char *path; /* as written */
};

struct machine {
	const char *name;
	struct buf text;
	bool healthy;
	struct question *questions;
	size_t count;
	bool ill;         /* the knowledge finds something as it is */
	const char *gaps; /* as it is, a line each */
};

static struct arena arena;
static struct machine machines[256];
static size_t machine_count;
static struct span knowledge;

static const char *const errors[] = { "ENOENT", "EACCES", "EIO", "STUCK", "EBUSY" };

static void add_question(struct machine *m, enum record_kind kind, const char *path)
{
	if ((m->count & (m->count - 1)) == 0) {
		struct question *larger =
			arena_alloc(&arena, sizeof(*larger) * (m->count ? 2 * m->count : 1));

		if (m->count > 0)
			memcpy(larger, m->questions, sizeof(*larger) * m->count);
		m->questions = larger;
	}
	m->questions[m->count++] = (struct question){ kind, path };
}

static void list_questions(struct machine *m)
{
	struct span rest = buf_get(&m->text);
	struct record r;

	while (record_next(&rest, &r) > 0) {
		struct span body = r.body;
		struct record file;

		if (r.kind == RECORD_FILES)
			while (record_file_next(&body, &file) > 0)
				add_question(m, RECORD_FILE,
					     arena_format(&arena, "%.*s/%.*s", (int)r.path.len,
							  r.path.data, (int)file.path.len,
							  file.path.data));
		else if (r.kind != RECORD_UNKNOWN && r.kind != RECORD_NOTE)
			add_question(m, r.kind, arena_text(&arena, r.path));
	}
}

static bool is_healthy(const char *snap)
{
	struct buf about BUF_SCOPED = { 0 };
	char path[4096];
	struct span rest, line;

	snprintf(path, sizeof(path), "%.*s.about", (int)(strlen(snap) - strlen(".snap")), snap);
	if (snapshot_read(path, &about) < 0)
		return false;
	rest = buf_get(&about);
	while (span_line(&rest, &line))
		if (span_is(line, "state: healthy"))
			return true;
	return false;
}

static void load_machines(const char *dir, const char *only)
{
	char pattern[4096];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.snap", dir);
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc && machine_count < COUNT(machines); i++) {
		struct machine *m = &machines[machine_count];
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;

		m->name = arena_text(&arena, (struct span){ name, strlen(name) - strlen(".snap") });
		if ((only && strcmp(only, m->name) != 0) ||
		    snapshot_read(found.gl_pathv[i], &m->text) < 0)
			continue;
		m->healthy = is_healthy(found.gl_pathv[i]);
		list_questions(m);
		machine_count++;
	}
	globfree(&found);
}

/* ---- edits ---- */

struct edits {
	const char **lines;
	size_t count;
	size_t cap;
	struct arena arena;
};

static const char *const kinds[] = {
	[RECORD_FILE] = "file", [RECORD_DIR] = "dir", [RECORD_LINK] = "link",
	[RECORD_NODE] = "node", [RECORD_ASK] = "ask",
};

/*
 * What opening a node answers is a fact, whatever it is: EACCES there is no
 * ignorance but the commonest illness. So an open is only left unasked.
 */
static void add_edit(struct edits *e, const struct question *q, const char *error)
{
	if (q->kind == RECORD_ASK && strncmp(q->path, "open ", 5) == 0)
		error = "UNASKED";
	if (e->count == e->cap) {
		const char **larger = arena_alloc(&e->arena, sizeof(*larger) * 2 * (e->cap + 8));

		if (e->count > 0)
			memcpy(larger, e->lines, sizeof(*larger) * e->count);
		e->lines = larger;
		e->cap = 2 * (e->cap + 8);
	}
	e->lines[e->count++] = arena_format(&e->arena, "%s %s !%s", kinds[q->kind], q->path, error);
}

/* A directory some way above a path, or a word of a question: one thing is out of reach as a whole. */
static size_t stem_of(uint64_t *chance, const char *path)
{
	size_t len = strlen(path);
	size_t up = 1 + below(chance, 3);

	while (up > 0 && len > 1)
		if (path[--len] == '/' || path[len] == ' ')
			up--;
	return len;
}

static void take_tree(uint64_t *chance, const struct machine *m, struct edits *e)
{
	const struct question *q = &m->questions[below(chance, m->count)];
	const char *error = errors[below(chance, COUNT(errors))];
	size_t len = stem_of(chance, q->path);

	for (size_t i = 0; len > 1 && i < m->count; i++)
		if (strncmp(m->questions[i].path, q->path, len) == 0)
			add_edit(e, &m->questions[i], error);
}

static void take_some(uint64_t *chance, const struct machine *m, struct edits *e)
{
	static const size_t counts[] = { 1, 1, 2, 3, 5, 10, 30, 100, 300 };
	size_t count = counts[below(chance, COUNT(counts))];

	for (size_t i = 0; i < count; i++)
		add_edit(e, &m->questions[below(chance, m->count)],
			 errors[below(chance, COUNT(errors))]);
}

/* Every answer of one error, with some luck for each. */
static void take_most(uint64_t *chance, const struct machine *m, struct edits *e)
{
	const char *error = errors[below(chance, COUNT(errors))];
	size_t luck = 2 + below(chance, 8);

	for (size_t i = 0; i < m->count; i++)
		if (below(chance, luck) > 0)
			add_edit(e, &m->questions[i], error);
}

static void choose_edits(uint64_t *chance, const struct machine *m, struct edits *e)
{
	switch (below(chance, 8)) {
	case 0:
		take_most(chance, m, e);
		break;
	case 1:
	case 2:
	case 3:
		take_tree(chance, m, e);
		break;
	default:
		take_some(chance, m, e);
	}
}

/* ---- one replay ---- */

struct outcome {
	struct diagnosis d;
	struct buf gaps; /* a line each */
	size_t refusals; /* of those: not plain absence */
	char alarm[512]; /* the findings that must not be */
};

static size_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;
	size_t n = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		n = (size_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

static void list_gaps(sqlite3 *db, struct buf *ret)
{
	sqlite3_stmt *stmt;

	sqlite3_prepare_v2(db, "SELECT topic || ' ' || subject || ' ' || standing FROM gap", -1,
			   &stmt, NULL);
	buf_text(ret, "\n");
	while (sqlite3_step(stmt) == SQLITE_ROW)
		buf_addf(ret, "%s\n", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

/* Is there a gap that the machine does not have by itself? */
static bool has_more_gaps(const struct machine *m, const struct buf *gaps)
{
	struct span rest = buf_get(gaps);
	struct span line;

	while (span_line(&rest, &line)) {
		char *whole = NULL;
		bool found;

		if (asprintf(&whole, "\n%.*s\n", (int)line.len, line.data) < 0)
			return false;
		found = strstr(m->gaps, whole) != NULL;
		free(whole);
		if (!found && line.len > 0)
			return true;
	}
	return false;
}

static bool is_absence(sqlite3 *db, const char *cause, const char *id)
{
	sqlite3_stmt *stmt;
	bool yes = false;

	sqlite3_prepare_v2(db, "SELECT absence FROM kb.evidence WHERE cause = ?1 AND id = ?2", -1,
			   &stmt, NULL);
	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, id, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		yes = sqlite3_column_int(stmt, 0) != 0;
	sqlite3_finalize(stmt);
	return yes;
}

/* Without what is concluded from absence it would not be believed. */
static bool stands_on_absence(sqlite3 *db, const struct finding *f)
{
	int sum = f->sum;

	for (size_t i = 0; i < f->sign_count; i++)
		if (f->signs[i].counted > 0 && is_absence(db, f->cause, f->signs[i].id))
			sum -= f->signs[i].counted;
	return sum < SCALE_LIKELY;
}

static bool for_gate; /* --gate */

/* Whatever was made absent: the gate of a node that cannot be read stays open. */
static bool is_alarm(sqlite3 *db, const struct finding *f, bool absent)
{
	if (for_gate)
		return f->section == SECTION_CAUSE;
	return f->belief >= BELIEF_LIKELY && strcmp(f->severity, "problem") == 0 &&
	       !(absent && stands_on_absence(db, f));
}

static void note_alarms(sqlite3 *db, struct outcome *o, bool absent)
{
	for (size_t i = 0; i < o->d.finding_count; i++) {
		const struct finding *f = &o->d.findings[i];
		size_t used = strlen(o->alarm);

		if (!is_alarm(db, f, absent))
			continue;
		snprintf(o->alarm + used, sizeof(o->alarm) - used, "%s%s %s %s %+d",
			 used ? "; " : "", f->cause, f->subject[0] ? f->subject : "-",
			 belief_name(f->belief), f->sum);
	}
}

static void die(const char *what)
{
	fprintf(stderr, "ignorance: %s\n", what);
	exit(2);
}

static void replay(const struct machine *m, const char *const *lines, size_t count,
		   struct outcome *ret)
{
	struct buf text = { 0 };
	struct root *root = NULL;
	struct facts *facts = facts_new();
	struct kb_info info;
	bool absent = false;

	buf_span(&text, buf_get(&m->text));
	for (size_t i = 0; i < count; i++) {
		buf_addf(&text, "%s\n", lines[i]);
		absent = absent || span_ends(span_of(lines[i]), " !ENOENT");
	}
	if (!facts || root_new_text(&text, &root) < 0)
		die("the snapshot is not read any more");
	(for_gate ? collect_hardware : collect_all)(root, facts);
	*ret = (struct outcome){ 0 };
	list_gaps(facts_db(facts), &ret->gaps);
	ret->refusals =
		number(facts_db(facts), "SELECT count(*) FROM gap WHERE standing <> 'absent'");
	if (kb_attach(facts_db(facts), knowledge, &info) < 0)
		die("no knowledge");
	if ((for_gate ? diagnose_node(facts_db(facts), &ret->d)
		      : diagnose(facts_db(facts), NULL, &ret->d)) < 0)
		die("no diagnosis");
	note_alarms(facts_db(facts), ret, absent);
	facts_free(facts);
	root_free(root);
}

/* ---- what must not be ---- */

enum verdict_of { FINE, BROKEN };

static size_t undecided(const struct diagnosis *d)
{
	size_t count = 0;

	for (size_t i = 0; i < d->finding_count; i++)
		count += d->findings[i].belief == BELIEF_UNDECIDED;
	for (size_t i = 0; i < d->check_count; i++)
		count += d->checks[i].state == CHECK_CRASHED;
	return count + (d->blind != NULL) + (d->late != NULL);
}

static bool is_fine(const struct outcome *o)
{
	return for_gate ? o->alarm[0] == '\0' : o->d.verdict == VERDICT_READY;
}

/* Broken, and how. `softly` counts what is ready with nothing but more absent things. */
static enum verdict_of judge(const struct machine *m, const char *const *lines, size_t count,
			     struct buf *ret_how, size_t *softly)
{
	struct outcome o;
	enum verdict_of verdict = FINE;

	replay(m, lines, count, &o);
	if (m->healthy && o.alarm[0]) {
		buf_text(ret_how, o.alarm);
		verdict = BROKEN;
	}
	if (!m->healthy && is_fine(&o) && undecided(&o.d) == 0 && (for_gate || o.refusals == 0)) {
		if (count > 0 && has_more_gaps(m, &o.gaps))
			(*softly)++;
		else if (count > 0) {
			buf_text(ret_how, "ready, and nothing is said to be unknown");
			verdict = BROKEN;
		}
	}
	diagnose_done(&o.d);
	buf_done(&o.gaps);
	return verdict;
}

/* Drop halves, then quarters, ... of the edits as long as it stays broken. */
static void shrink(const struct machine *m, struct edits *e)
{
	for (size_t chunk = e->count / 2; chunk > 0; chunk /= 2)
		for (size_t at = 0; at < e->count;) {
			size_t n = at + chunk < e->count ? chunk : e->count - at;
			const char **fewer =
				arena_alloc(&e->arena, sizeof(*fewer) * (e->count + 1));
			struct buf how BUF_SCOPED = { 0 };
			size_t softly = 0;

			memcpy(fewer, e->lines, sizeof(*fewer) * at);
			memcpy(fewer + at, e->lines + at + n, sizeof(*fewer) * (e->count - at - n));
			if (judge(m, fewer, e->count - n, &how, &softly) == BROKEN) {
				e->lines = fewer;
				e->count -= n;
			} else {
				at += n;
			}
		}
}

static void report(const struct machine *m, uint64_t seed, struct edits *e)
{
	struct buf how BUF_SCOPED = { 0 };
	size_t softly = 0;

	shrink(m, e);
	judge(m, e->lines, e->count, &how, &softly);
	printf("%s: %s: %s\n  --seed %llu --%s 1, %zu edits:\n", m->healthy ? "alarm" : "absolve",
	       m->name, how.data ? how.data : "", (unsigned long long)seed,
	       m->healthy ? "healthy" : "ill", e->count);
	for (size_t i = 0; i < e->count && i < 12; i++)
		printf("    edit: %s\n", e->lines[i]);
	if (e->count > 12)
		printf("    ... and %zu more\n", e->count - 12);
	fflush(stdout);
}

/* ---- all of them ---- */

struct options {
	size_t healthy, ill;
	uint64_t seed;
	size_t workers;
	bool show;
};

struct tally {
	size_t replays, broken, edits, softly;
};

static const struct machine *choose(uint64_t *chance, bool healthy)
{
	for (size_t tries = 0; tries < 10000; tries++) {
		const struct machine *m = &machines[below(chance, machine_count)];

		if (healthy ? m->healthy : m->ill)
			return m;
	}
	return NULL;
}

static void one(const struct options *o, uint64_t seed, bool healthy, struct tally *t)
{
	uint64_t chance = seed;
	const struct machine *m = choose(&chance, healthy);
	struct edits e = { 0 };
	struct buf how BUF_SCOPED = { 0 };

	if (!m)
		die(healthy ? "no healthy machine" : "no machine that the knowledge finds ill");
	choose_edits(&chance, m, &e);
	if (o->show)
		for (size_t i = 0; i < e.count; i++)
			printf("%s\n", e.lines[i]);
	t->replays++;
	t->edits += e.count;
	if (judge(m, e.lines, e.count, &how, &t->softly) == BROKEN) {
		t->broken++;
		if (t->broken <= 20)
			report(m, seed, &e);
	}
	arena_done(&e.arena);
}

/* Without an edit: who is ill, and is anyone healthy who should not be? */
static size_t look_at_all(void)
{
	size_t broken = 0;

	for (size_t i = 0; i < machine_count; i++) {
		struct machine *m = &machines[i];
		struct outcome o;

		replay(m, NULL, 0, &o);
		m->gaps = arena_text(&arena, buf_get(&o.gaps));
		m->ill = !m->healthy && !is_fine(&o);
		if (m->healthy && o.alarm[0]) {
			printf("alarm: %s: %s, without any edit\n", m->name, o.alarm);
			broken++;
		}
		diagnose_done(&o.d);
		buf_done(&o.gaps);
	}
	return broken;
}

static struct tally work(const struct options *o, size_t worker)
{
	struct tally t = { 0 };

	for (size_t i = worker; i < o->healthy; i += o->workers)
		one(o, o->seed + i, true, &t);
	for (size_t i = worker; i < o->ill; i += o->workers)
		one(o, o->seed + i, false, &t);
	return t;
}

static int start(const struct options *o, size_t worker)
{
	int ends[2];

	if (pipe(ends) < 0)
		die("no pipe");
	if (fork() == 0) {
		struct tally t = work(o, worker);

		exit(write(ends[1], &t, sizeof(t)) == sizeof(t) ? 0 : 2);
	}
	close(ends[1]);
	return ends[0];
}

static struct tally work_together(const struct options *o)
{
	struct tally all = { 0 };
	int ends[64];

	fflush(stdout);
	for (size_t i = 0; i < o->workers; i++)
		ends[i] = start(o, i);
	for (size_t i = 0; i < o->workers; i++) {
		struct tally t;

		if (read(ends[i], &t, sizeof(t)) != sizeof(t))
			die("a worker was lost");
		all.replays += t.replays;
		all.broken += t.broken;
		all.edits += t.edits;
		all.softly += t.softly;
	}
	while (wait(NULL) > 0)
		;
	return all;
}

static void usage(void)
{
	die("usage: ignorance [--gate] [--healthy N] [--ill N] [--seed S] [--workers N] [--kb FILE] "
	    "[--machine NAME] [--show] MACHINES");
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "gate", no_argument, NULL, 'g' },
		{ "healthy", required_argument, NULL, 'n' },
		{ "ill", required_argument, NULL, 'i' },
		{ "seed", required_argument, NULL, 's' },
		{ "workers", required_argument, NULL, 'w' },
		{ "kb", required_argument, NULL, 'k' },
		{ "machine", required_argument, NULL, 'm' },
		{ "show", no_argument, NULL, 'v' },
		{ 0 },
	};
	struct options o = { .seed = 1, .workers = 2 };
	const char *kb = NULL, *only = NULL;
	struct buf kept = { 0 };
	struct tally all;
	size_t unedited;
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) >= 0) {
		switch (c) {
		case 'g':
			for_gate = true;
			break;
		case 'n':
			o.healthy = strtoul(optarg, NULL, 10);
			break;
		case 'i':
			o.ill = strtoul(optarg, NULL, 10);
			break;
		case 's':
			o.seed = strtoull(optarg, NULL, 10);
			break;
		case 'w':
			o.workers = strtoul(optarg, NULL, 10);
			break;
		case 'k':
			kb = optarg;
			break;
		case 'm':
			only = optarg;
			break;
		case 'v':
			o.show = true;
			break;
		default:
			usage();
		}
	}
	if (optind + 1 != argc || o.healthy + o.ill == 0 || o.workers < 1 || o.workers > 64)
		usage();
	if (kb_read(kb, &kept, &knowledge) < 0)
		die("the knowledge cannot be read");
	load_machines(argv[optind], only);
	if (machine_count == 0)
		die("no machines");
	unedited = look_at_all();
	all = work_together(&o);
	printf("%zu replays, %zu edits, %zu ready with only more absent things\n", all.replays,
	       all.edits, all.softly);
	printf("%zu passed, %zu failed\n", all.replays - all.broken, all.broken + unedited);
	return all.broken + unedited > 0;
}
