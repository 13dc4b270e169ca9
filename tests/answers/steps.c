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
#include "explain/explain.h"
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
static struct log_signatures signatures;
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

struct machine {
	const char *name;
	struct facts *facts;
};

static struct machine machines[256];
static size_t machine_count;

static struct facts *new_facts(struct root *root)
{
	struct facts *facts = facts_new();
	struct kb_info info;

	if (!facts)
		return NULL;
	if (root)
		collect_all(root, facts);
	if (kb_attach(facts_db(facts), knowledge, &info) < 0) {
		facts_free(facts);
		return NULL;
	}
	return facts;
}

static int open_machines(const char *dir)
{
	glob_t found = { 0 };

	glob(arena_format(&arena, "%s/*.snap", dir), 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && i < COUNT(machines); i++) {
		struct buf text BUF_SCOPED = { 0 };
		struct machine *m = &machines[machine_count];
		struct root *root;

		if (snapshot_read(found.gl_pathv[i], &text) < 0 || root_new_text(&text, &root) < 0)
			continue;
		m->name = arena_text(&arena, span_of(strrchr(found.gl_pathv[i], '/') + 1));
		m->facts = new_facts(root);
		machine_count += m->facts != NULL;
		root_free(root);
	}
	globfree(&found);
	return machine_count > 0 ? 0 : -ENOENT;
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

	if (e->word != EXPLAIN_UNDECIDED || !first || !first->remedy || first->cure ||
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
	if (e->word == EXPLAIN_NOTHING)
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

/* Whether the facts of the machine speak against it (diagnose/refute.h). */
static bool is_refuted(struct facts *facts, const char *cause, const char *title, const char *steps)
{
	struct derive derived = { .as = DERIVED_VIEWS };
	sqlite3_stmt *stmt;
	bool found = false;

	derive_make(&derived, facts_db(facts), NULL);
	stmt = select_from(facts_db(facts),
			   "SELECT effect FROM (SELECT * FROM refuted_install UNION ALL"
			   " SELECT * FROM refuted_variable) WHERE cause IN ('', ?1)");
	sqlite3_bind_text(stmt, 1, cause, -1, SQLITE_STATIC);
	while (!found && select_next(stmt)) {
		struct span effect = span_of(column_text(stmt, 0));
		struct span rest = span_of(steps), line;

		found = refute_does(span_of(title), effect);
		while (!found && span_line(&rest, &line))
			found = span_starts(line, "    ") && refute_does(line, effect);
	}
	sqlite3_finalize(stmt);
	derive_drop(&derived, facts_db(facts));
	return found;
}

/* Whether the program that the text names does none of these acts on Windows: SGLang runs on Linux alone. */
static bool lacks_acts_on_windows(struct facts *facts, const char *acts)
{
	struct derive derived = { .as = DERIVED_VIEWS };
	sqlite3_stmt *stmt;
	bool lacks;

	derive_make(&derived, facts_db(facts), NULL);
	stmt = select_from(
		facts_db(facts),
		"SELECT count(*) FROM program_way WHERE instr(' ' || ?1 || ' ', ' ' || act || ' ')"
		" HAVING count(*) > 0 AND sum(way <> 'none' AND coalesce(system, 'windows') = 'windows') = 0");
	sqlite3_bind_text(stmt, 1, acts, -1, SQLITE_STATIC);
	lacks = select_next(stmt);
	sqlite3_finalize(stmt);
	derive_drop(&derived, facts_db(facts));
	return lacks;
}

static bool has_releases(struct facts *facts)
{
	sqlite3_stmt *stmt = select_from(facts_db(facts), "SELECT 1 FROM framework LIMIT 1");
	bool has = select_next(stmt);

	sqlite3_finalize(stmt);
	return has;
}

static bool is_not_there(struct facts *facts, const struct offer *alone, size_t i)
{
	switch (steps_system(facts_db(facts))) {
	case SYSTEM_WSL:
		return alone->not_in_wsl[i];
	case SYSTEM_WINDOWS:
		return alone->not_on_windows[i] ||
		       (alone->acts[i] && lacks_acts_on_windows(facts, alone->acts[i]));
	default:
		return false;
	}
}

/* A machine whose GPU no build has code for is told so in the place of an install command. */
static bool is_answered(const struct offer *joined, const char *id)
{
	return strcmp(id, "see-install-command") == 0 && offers(joined, "see-no-build", "");
}

static void compare(struct facts *facts, const struct offer *alone, const struct offer *joined,
		    const char *text, const char *machine)
{
	if (strcmp(alone->cause, joined->cause) != 0)
		return;
	for (size_t i = 0; i < alone->count; i++)
		if (alone->of_first[i] && strcmp(alone->ids[i], BY_VULKAN) != 0 &&
		    !is_answered(joined, alone->ids[i]) &&
		    !offers(joined, alone->ids[i], alone->kinds[i]) &&
		    !is_not_there(facts, alone, i) &&
		    !(alone->of_defect[i] && has_releases(facts)) &&
		    !is_refuted(facts, alone->cause, alone->titles[i], alone->steps[i]))
			complain("lost", text, machine, alone->ids[i]);
}

static int explain_text_on(struct facts *facts, const struct text *t, struct scan *log,
			   bool machine, const char *name, struct offer *ret)
{
	struct explanation e;
	int r;

	kb_test_tell_read(facts, &signatures, log, t->states, machine);
	r = explain(&(struct explain_means){ .db = facts_db(facts) }, NULL, &e);
	if (r == 0) {
		judge(&e, t->name, name, ret);
		explain_done(&e);
	}
	return r;
}

/* What a text has told; what was seen of the machine stays. */
static void forget(struct facts *facts)
{
	struct buf sql BUF_SCOPED = { 0 };
	sqlite3_stmt *stmt =
		select_from(facts_db(facts), "SELECT m.name FROM main.sqlite_master m,"
					     " pragma_table_info(m.name, 'main') c"
					     " WHERE m.type = 'table' AND c.name = 'origin'");

	buf_text(&sql, "DELETE FROM main.event; DELETE FROM main.event_value;"
		       "DELETE FROM main.statement;");
	while (select_next(stmt))
		buf_addf(&sql, "DELETE FROM main.\"%s\" WHERE origin IN ('log', 'stated');",
			 column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_exec(facts_db(facts), sql.data, NULL, NULL, NULL);
}

static int try_text(size_t at, struct facts *bare, size_t every)
{
	const struct text *t = &texts[at];
	struct scan *log = scan_new(signatures.list, signatures.count);
	struct offer alone, joined;
	int r;

	if (!log)
		return -ENOMEM;
	scan_feed(log, span_of(t->log));
	scan_end(log);
	r = explain_text_on(bare, t, log, false, "no machine", &alone);
	for (size_t i = 0; r == 0 && i < machine_count; i++) {
		struct buf why BUF_SCOPED = { 0 };

		if (!t->of_cause && (at + i) % every != 0)
			continue;
		if (!fit_machine(facts_db(bare), facts_db(machines[i].facts), "this machine", &why))
			continue;
		r = explain_text_on(machines[i].facts, t, log, true, machines[i].name, &joined);
		compare(machines[i].facts, &alone, &joined, t->name, machines[i].name);
		forget(machines[i].facts);
	}
	forget(bare);
	scan_free(log);
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

int main(int argc, char **argv)
{
	static const struct option options[] = { { "every", required_argument, NULL, 'e' }, { 0 } };
	size_t every = 59;
	struct facts *bare;
	int r = 0;

	if (getopt_long(argc, argv, "", options, NULL) == 'e')
		every = strtoul(optarg, NULL, 10);
	if (argc - optind != 2 || every == 0)
		return 64;
	knowledge =
		(struct span){ (const char *)kb_embedded, (size_t)(kb_embedded_end - kb_embedded) };
	bare = new_facts(NULL);
	if (!bare || log_signatures_load(facts_db(bare), &signatures) < 0 ||
	    read_signatures(argv[optind]) < 0 || open_machines(argv[optind + 1]) < 0)
		return 66;
	add_defects(facts_db(bare));
	add_causes(facts_db(bare));
	facts_end(bare);
	for (size_t i = 0; r == 0 && i < text_count; i++) {
		r = try_text(i, bare, every);
		if (r < 0)
			fprintf(stderr, "steps: %s: %s\n", texts[i].name, strerror(-r));
	}
	for (size_t i = 0; i < machine_count; i++)
		check_machine(&machines[i]);
	printf("%zu texts, %zu machines, %zu answers, %zu complaints\n", text_count, machine_count,
	       answers, bad);
	for (size_t i = 0; i < machine_count; i++)
		facts_free(machines[i].facts);
	facts_free(bare);
	log_signatures_done(&signatures);
	arena_done(&arena);
	return r < 0 ? 70 : bad > 0;
}
