/*
 * steps - every answer but "ok" has a step
 *
 *	steps [--every N] KB MACHINES
 *
 * Each example of each signature, each defect with what it asks for, and the
 * line that speaks loudest for each cause is explained: without a machine, and
 * with recorded ones. The lines of the causes meet each machine, of the others
 * every Nth meets each, another Nth on the next machine; `--every 1` is the
 * whole product, which takes minutes. What fits which system is asked by systems.py.
 *
 *	no step     an answer that names or weighs causes must offer something to
 *	            do, and computing on the CPU must not be all of it
 *	no command  one of its steps must have a line to type
 *	lost        where the first cause is the same, a machine takes none of its
 *	            steps away, unless another one cures in the same way, its facts
 *	            speak against the step or answer it (no build for this GPU), its
 *	            system does not have it, or the step is that of a known bug of one
 *	            release, and it has its own releases
 *	holes       nothing of {value} and its like is left in a step
 *	reboot      where the cause is unclear, no step that reboots stands before a quick
 *	            one of the same cause that does not
 *
 * A machine lends its hardware and software, not its system: most of the texts are
 * of Linux, whoever would meet them on Windows has no step to look for.
 *
 * On each machine every finding of `check` above info must have a remedy too.
 * A violation is printed with its text and machine. Exit status 1 if there was any.
 */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "diagnose/diagnose.h"
#include "diagnose/refute.h"
#include "diagnose/steps.h"
#include "explain/engine.h"
#include "explain/fit.h"
#include "facts/collect.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/derive.h"
#include "kb/files.h"
#include "kb/kb.h"
#include "kb/yaml.h"
#include "lab/kb-test-log.h"
#include "root/root.h"
#include "root/snapshot.h"

#define LAST_RESORT "compute-on-processor"
#define BY_VULKAN \
	"ollama-other-backend" /* a machine with Instinct cards takes it away: they have none */

static struct arena arena;
static struct span knowledge;
static size_t answers, bad;

/* ---- texts ---- */

struct text {
	const char *name;
	const char *log;    /* lines */
	const char *states; /* NAME=VALUE a line */
	bool of_cause;
};

static struct text *texts;
static size_t text_count;

static void add_text(const char *name, const char *log, const char *states, bool of_cause)
{
	texts = arena_grow(&arena, texts, text_count, sizeof(*texts));
	texts[text_count++] = (struct text){ name, log, states, of_cause };
}

static const char *text_of(const char *name)
{
	for (size_t i = 0; i < text_count; i++)
		if (strcmp(texts[i].name, name) == 0)
			return texts[i].log;
	return "";
}

static void add_examples(const struct yaml_node *signature)
{
	const struct yaml_node *id = yaml_find(signature, "id");
	const struct yaml_node *examples = yaml_find(signature, "examples");
	size_t n = 0;

	for (const struct yaml_node *e = examples ? examples->children : NULL; e; e = e->next)
		add_text(n++ == 0 ? id->text : arena_format(&arena, "%s#%zu", id->text, n),
			 arena_format(&arena, "%s\n", e->text), "", false);
}

static int read_signatures(const char *dir)
{
	struct files_set set;
	const char *unread;
	int r = files_read_dir(dir, &arena, &set, &unread);

	for (size_t i = 0; r == 0 && i < set.count; i++) {
		struct yaml_node *top;
		struct yaml_error error;
		const struct yaml_node *list;

		if (!strstr(set.list[i].path, "signatures/"))
			continue;
		r = yaml_parse(set.list[i].text, &arena, &top, &error);
		list = r == 0 ? yaml_find(top, "list") : NULL;
		for (const struct yaml_node *s = list ? list->children : NULL; s; s = s->next)
			add_examples(s);
	}
	return r;
}

/* A release within the bounds: the first of them, else one just before the last. */
static void add_condition(struct buf *out, sqlite3_stmt *stmt)
{
	const char *low = column_text_or_null(stmt, 2), *high = column_text_or_null(stmt, 3);
	struct span words = span_of(column_text(stmt, 4)), word;

	buf_addf(out, "%s=", column_text(stmt, 1));
	if (span_word(&words, &word))
		buf_span(out, word);
	else if (low)
		buf_text(out, low);
	else
		buf_addf(out, "%d.%d", high ? atoi(high) - (strchr(high, '.') == NULL) : 1, 0);
	buf_char(out, '\n');
}

static void add_defects(sqlite3 *db)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT id FROM kb.defect ORDER BY id");

	while (select_next(stmt)) {
		const char *id = column_copy(stmt, 0, &arena);
		struct buf log BUF_SCOPED = { 0 }, states BUF_SCOPED = { 0 };
		sqlite3_stmt *more = select_from(
			db,
			"SELECT defect, name, low, high, words FROM kb.defect_when WHERE defect = ?1");

		sqlite3_bind_text(more, 1, id, -1, SQLITE_STATIC);
		while (select_next(more))
			add_condition(&states, more);
		sqlite3_finalize(more);
		more = select_from(
			db, "SELECT signature FROM kb.defect_signature WHERE defect = ?1 LIMIT 1");
		sqlite3_bind_text(more, 1, id, -1, SQLITE_STATIC);
		while (select_next(more))
			buf_text(&log, text_of(column_text(more, 0)));
		sqlite3_finalize(more);
		add_text(arena_format(&arena, "defect %s", id), arena_text(&arena, buf_get(&log)),
			 arena_text(&arena, buf_get(&states)), false);
	}
	sqlite3_finalize(stmt);
}

static void add_causes(sqlite3 *db)
{
	sqlite3_stmt *stmt =
		select_from(db, "SELECT g.cause, g.signature, max(g.weight) FROM kb.suggests g"
				" JOIN kb.signature s ON s.id = g.signature AND s.kind = 'failure'"
				" GROUP BY g.cause ORDER BY g.cause");

	while (select_next(stmt))
		add_text(arena_format(&arena, "cause %s", column_text(stmt, 0)),
			 text_of(column_text(stmt, 1)), "", true);
	sqlite3_finalize(stmt);
}

/* ---- machines ---- */

/* One text after the other is explained on it, as by `explain --batch`. */
struct machine {
	const char *name;
	struct facts *facts;
	struct engine engine;
};

static void close_machine(struct machine *m)
{
	engine_close(&m->engine);
	facts_free(m->facts);
}

/* `root`: NULL for no machine. */
static int open_machine(struct machine *m, const char *name, struct root *root)
{
	struct kb_info info;
	int r;

	*m = (struct machine){ .name = name, .facts = facts_new() };
	if (!m->facts)
		return -ENOMEM;
	if (root)
		collect_all(root, m->facts);
	r = kb_attach(facts_db(m->facts), knowledge, &info);
	if (r == 0)
		r = engine_open(&m->engine, m->facts);
	if (r < 0)
		close_machine(m);
	return r;
}

static int open_snapshot(struct machine *m, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };
	struct root *root;
	int r = snapshot_read(path, &text);

	if (r == 0)
		r = root_new_text(&text, &root);
	if (r < 0)
		return r;
	r = open_machine(m, arena_text(&arena, span_of(strrchr(path, '/') + 1)), root);
	root_free(root);
	return r;
}

/* ---- judging ---- */

static void complain(const char *what, const char *text, const char *machine, const char *which)
{
	bad++;
	printf("%s: %s, %s%s%s\n", what, text, machine, *which ? ": " : "", which);
}

#define HEARD 64

/* What an answer offers. A step that serves several causes stands under one of them. */
struct offer {
	const char *cause; /* the first, or empty */
	const char *ids[HEARD], *kinds[HEARD], *titles[HEARD], *steps[HEARD];
	const char *acts[HEARD]; /* as remedy.acts, or NULL */
	bool of_first[HEARD], of_defect[HEARD], not_in_wsl[HEARD], not_on_windows[HEARD];
	size_t count;
};

static bool has_hole(const char *text)
{
	static const char *const holes[] = { "{value}", "{subject}", "{user}", "{group}" };

	for (size_t i = 0; i < COUNT(holes); i++)
		if (strstr(text, holes[i]))
			return true;
	return false;
}

static bool has_command(const char *steps)
{
	return strncmp(steps, "    ", 4) == 0 || strstr(steps, "\n    ");
}

static bool is_quick(const struct remedy *r)
{
	return r->minutes <= 10 && strcmp(r->risk, "needs-reboot") != 0 && r->kinds[0] &&
	       !strstr(r->kinds, "hardware") && !strstr(r->kinds, "-driver") &&
	       !strstr(r->kinds, "-rocm") && !strstr(r->kinds, "-framework") &&
	       !strstr(r->kinds, "switch-build");
}

static void judge_reboot(const struct explanation *e, const char *text, const char *machine)
{
	const struct explain_step *first = e->step_count > 0 ? &e->steps[0] : NULL;

	if (e->word != BELIEF_UNDECIDED || !first || !first->remedy || first->cure ||
	    strcmp(first->remedy->risk, "needs-reboot") != 0)
		return;
	for (size_t i = 1; i < e->step_count; i++)
		if (e->steps[i].cause == first->cause && e->steps[i].remedy && !e->steps[i].cure &&
		    is_quick(e->steps[i].remedy))
			complain("reboot", text, machine, e->steps[i].remedy->id);
}

static void judge(const struct explanation *e, const char *text, const char *machine,
		  struct offer *ret)
{
	bool some = false, typed = false;

	*ret = (struct offer){ .cause = "" };
	if (e->word == BELIEF_NOTHING)
		return;
	answers++;
	if (e->spoken > 0)
		ret->cause = arena_text(&arena, span_of(e->causes[0].cause));
	for (size_t i = 0; i < e->step_count; i++) {
		const struct remedy *r = e->steps[i].remedy;

		if (!r) {
			some = true;
			continue;
		}
		some |= strcmp(r->id, LAST_RESORT) != 0;
		typed |= has_command(r->steps);
		if (has_hole(r->title) || has_hole(r->steps))
			complain("holes", text, machine, r->id);
		if (strcmp(r->id, LAST_RESORT) == 0 || ret->count == HEARD)
			continue;
		ret->of_first[ret->count] = e->steps[i].cause == e->causes;
		ret->of_defect[ret->count] = e->steps[i].cure;
		ret->not_in_wsl[ret->count] = r->wsl && !r->wsl[0];
		ret->not_on_windows[ret->count] = r->windows && !r->windows[0];
		ret->acts[ret->count] = r->acts ? arena_text(&arena, span_of(r->acts)) : NULL;
		ret->titles[ret->count] = arena_text(&arena, span_of(r->title));
		ret->steps[ret->count] = arena_text(&arena, span_of(r->steps));
		ret->kinds[ret->count] = arena_text(&arena, span_of(r->kinds));
		ret->ids[ret->count++] = arena_text(&arena, span_of(r->id));
	}
	judge_reboot(e, text, machine);
	if (!some)
		complain("no step", text, machine, ret->cause);
	else if (!typed)
		complain("no command", text, machine, ret->cause);
}

/* What a machine shows may put a remedy made for it in the place of one of the same kind. */
static bool offers(const struct offer *o, const char *id, const char *kinds)
{
	for (size_t i = 0; i < o->count; i++)
		if (strcmp(o->ids[i], id) == 0 || (kinds[0] && strstr(o->kinds[i], kinds)))
			return true;
	return false;
}

/* A statement that may name derived views, which the guard keeps as tables. */
static sqlite3_stmt *select_derived(struct machine *m, const char *sql)
{
	derive_make(&m->engine.guard.derived, facts_db(m->facts), sql);
	return select_from(facts_db(m->facts), sql);
}

/* Whether the facts of the machine speak against it (diagnose/refute.h). */
static bool is_refuted(struct machine *m, const char *cause, const char *title, const char *steps)
{
	sqlite3_stmt *stmt =
		select_derived(m, "SELECT effect FROM (SELECT * FROM refuted_install UNION ALL"
				  " SELECT * FROM refuted_set UNION ALL"
				  " SELECT * FROM refuted_unset) WHERE cause IN ('', ?1)");
	bool found = false;

	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	while (!found && select_next(stmt)) {
		struct span effect = span_of(column_text(stmt, 0));
		struct span rest = span_of(steps), line;

		found = refute_does(span_of(title), effect);
		while (!found && span_line(&rest, &line))
			found = span_starts(line, "    ") && refute_does(line, effect);
	}
	sqlite3_finalize(stmt);
	return found;
}

/* Whether the program that the text names does none of these acts on Windows: SGLang runs on Linux alone. */
static bool lacks_acts_on_windows(struct machine *m, const char *acts)
{
	sqlite3_stmt *stmt = select_derived(
		m,
		"SELECT count(*) FROM program_way WHERE instr(' ' || ?1 || ' ', ' ' || act || ' ')"
		" HAVING count(*) > 0 AND sum(way <> 'none' AND coalesce(system, 'windows') = 'windows') = 0");
	bool lacks;

	sqlite3_bind_text(stmt, 1, acts, -1, SQLITE_STATIC);
	lacks = select_next(stmt);
	sqlite3_finalize(stmt);
	return lacks;
}

static bool has_releases(struct facts *facts)
{
	sqlite3_stmt *stmt = select_from(facts_db(facts), "SELECT 1 FROM framework LIMIT 1");
	bool has = select_next(stmt);

	sqlite3_finalize(stmt);
	return has;
}

static bool is_not_there(struct machine *m, const struct offer *alone, size_t i)
{
	switch (steps_system(facts_db(m->facts))) {
	case SYSTEM_WSL:
		return alone->not_in_wsl[i];
	case SYSTEM_WINDOWS:
		return alone->not_on_windows[i] ||
		       (alone->acts[i] && lacks_acts_on_windows(m, alone->acts[i]));
	default:
		return false;
	}
}

/* A machine whose GPU no build has code for is told so in the place of an install command. */
static bool is_answered(const struct offer *joined, const char *id)
{
	return strcmp(id, "see-install-command") == 0 && offers(joined, "see-no-build", "");
}

static void compare(struct machine *m, const struct offer *alone, const struct offer *joined,
		    const char *text)
{
	if (strcmp(alone->cause, joined->cause) != 0)
		return;
	for (size_t i = 0; i < alone->count; i++)
		if (alone->of_first[i] && strcmp(alone->ids[i], BY_VULKAN) != 0 &&
		    !is_answered(joined, alone->ids[i]) &&
		    !offers(joined, alone->ids[i], alone->kinds[i]) && !is_not_there(m, alone, i) &&
		    !(alone->of_defect[i] && has_releases(m->facts)) &&
		    !is_refuted(m, alone->cause, alone->titles[i], alone->steps[i]))
			complain("lost", text, m->name, alone->ids[i]);
}

static void tell(struct machine *m, const struct text *t, bool machine)
{
	struct engine *e = &m->engine;

	scan_feed(e->scan, span_of(t->log));
	scan_end(e->scan);
	kb_test_tell_read(m->facts, &e->signatures, e->scan, t->states, machine);
}

/* What was told is cleared by the caller. */
static int explain_text_on(struct machine *m, const struct text *t, bool machine, struct offer *ret)
{
	struct explanation e;
	int r;

	tell(m, t, machine);
	r = engine_explain(&m->engine, facts_db(m->facts), NULL, false, &e);
	if (r == 0) {
		judge(&e, t->name, m->name, ret);
		explain_done(&e);
	}
	return r;
}

static int explain_alone(struct machine *bare, struct offer *ret_alone)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < text_count; i++) {
		r = explain_text_on(bare, &texts[i], false, &ret_alone[i]);
		engine_clear(&bare->engine);
	}
	return r;
}

static bool fits(struct machine *bare, const struct text *t, struct machine *m)
{
	struct buf why BUF_SCOPED = { 0 };
	bool fit;

	tell(bare, t, false);
	fit = fit_machine(facts_db(bare->facts), facts_db(m->facts), "this machine", &why);
	engine_clear(&bare->engine);
	return fit;
}

static int explain_beside(struct machine *bare, const struct offer *alone, struct machine *m,
			  size_t number, size_t every)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < text_count; i++) {
		struct offer joined;

		if ((!texts[i].of_cause && (i + number) % every != 0) || !fits(bare, &texts[i], m))
			continue;
		r = explain_text_on(m, &texts[i], true, &joined);
		if (r == 0)
			compare(m, &alone[i], &joined, texts[i].name);
		engine_clear(&m->engine);
	}
	return r;
}

static void check_machine(const struct machine *m)
{
	struct diagnosis d;

	if (diagnose(facts_db(m->facts), NULL, &d) < 0) {
		complain("no diagnosis", "check", m->name, "");
		return;
	}
	for (size_t i = 0; i < d.finding_count; i++) {
		const struct finding *f = &d.findings[i];

		if (!f->holds || strcmp(f->severity, "info") == 0)
			continue;
		answers++;
		if (f->remedy_count == 0)
			complain("no step", "check", m->name, f->cause);
	}
	diagnose_done(&d);
}

/* Of each machine in turn: what one keeps for its texts is too large for all at once. */
static int try_machines(const char *dir, struct machine *bare, const struct offer *alone,
			size_t every, size_t *ret_count)
{
	glob_t found = { 0 };
	int r = 0;

	glob(arena_format(&arena, "%s/*.snap", dir), 0, NULL, &found);
	for (*ret_count = 0; r == 0 && *ret_count < found.gl_pathc; ++*ret_count) {
		struct machine m;

		r = open_snapshot(&m, found.gl_pathv[*ret_count]);
		if (r < 0)
			break;
		check_machine(&m);
		select_exec(facts_db(m.facts), "DELETE FROM main.statement"); /* see above */
		r = engine_keep(&m.engine);
		if (r == 0)
			r = explain_beside(bare, alone, &m, *ret_count, every);
		close_machine(&m);
	}
	globfree(&found);
	return r == 0 && *ret_count == 0 ? -ENOENT : r;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "every", required_argument, NULL, 'e' }, { 0 } };
	size_t every = 59, machines = 0;
	struct machine bare;
	struct offer *alone;
	int r;

	if (getopt_long(argc, argv, "", options, NULL) == 'e')
		every = strtoul(optarg, NULL, 10);
	if (argc - optind != 2 || every == 0)
		return 64;
	knowledge =
		(struct span){ (const char *)kb_embedded, (size_t)(kb_embedded_end - kb_embedded) };
	if (open_machine(&bare, "no machine", NULL) < 0 || read_signatures(argv[optind]) < 0)
		return 66;
	add_defects(facts_db(bare.facts));
	add_causes(facts_db(bare.facts));
	facts_end(bare.facts);
	alone = arena_alloc(&arena, text_count * sizeof(*alone));
	r = engine_keep(&bare.engine);
	if (r == 0)
		r = explain_alone(&bare, alone);
	if (r == 0)
		r = try_machines(argv[optind + 1], &bare, alone, every, &machines);
	if (r < 0)
		fprintf(stderr, "steps: %s\n", strerror(-r));
	printf("%zu texts, %zu machines, %zu answers, %zu complaints\n", text_count, machines,
	       answers, bad);
	close_machine(&bare);
	arena_done(&arena);
	return r < 0 ? 70 : bad > 0;
}
