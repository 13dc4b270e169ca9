#include "cli/snapshot-proof.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "built.h"
#include "cli/check-judge.h"
#include "cli/open.h"
#include "cli/probe-front.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "facts/column.h"
#include "facts/proof.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "root/root.h"
#include "root/snapshot.h"

#define PROOF_FILE "rocsteady-proof.snap.gz"

/* ---- what the note says ---- */

static void add_day(struct buf *lines)
{
	time_t now = (time_t)(clock_date_ms() / 1000);
	struct tm day;
	char text[16];

	if (gmtime_r(&now, &day) && strftime(text, sizeof(text), "%Y-%m-%d", &day) > 0)
		buf_addf(lines, "recorded %s\n", text);
}

static void add_walk(sqlite3 *db, uint64_t seconds, struct buf *lines)
{
	sqlite3_stmt *stmt = select_from(db, "SELECT level FROM walk");

	buf_text(lines, "walk");
	if (select_next(stmt))
		buf_addf(lines, " level %d,", sqlite3_column_int(stmt, 0));
	sqlite3_finalize(stmt);
	buf_addf(lines, " %llu s", (unsigned long long)seconds);
	stmt = select_from(db, "SELECT count(*), ending FROM probe GROUP BY 2 ORDER BY 1 DESC, 2");
	while (select_next(stmt))
		buf_addf(lines, ", %d %s", sqlite3_column_int(stmt, 0), column_text(stmt, 1));
	sqlite3_finalize(stmt);
	buf_char(lines, '\n');
}

static void add_causes(const struct diagnosis *d, struct buf *lines)
{
	for (size_t i = 0; i < d->finding_count; i++) {
		const struct finding *f = &d->findings[i];

		if ((f->section == SECTION_CAUSE || f->section == SECTION_UNDECIDED) &&
		    !section_repeats(d, i))
			buf_addf(lines, "cause %s %s\n", f->cause, belief_name(f->belief));
	}
}

static void add_lines(const struct check_report *r, uint64_t seconds, struct buf *lines)
{
	add_day(lines);
	buf_addf(lines, "program " ROCSTEADY_VERSION "%s\n",
		 BUILT_COMMIT[0] ? " " BUILT_COMMIT : "");
	buf_addf(lines, "knowledge %s %s\n", r->kb_version, r->kb_digest);
	add_walk(facts_db(r->facts), seconds, lines);
	buf_addf(lines, "answer %s\n", diagnose_verdict_name(r->diagnosis->verdict));
	add_causes(r->diagnosis, lines);
}

/* ---- what is shown before ---- */

static size_t count_lines(struct span text)
{
	struct span line;
	size_t count = 0;

	while (span_line(&text, &line))
		count++;
	return count;
}

/* The kinds of names below the note "scrubbed", as "host, user". */
static void add_replaced(struct span snapshot, struct buf *ret)
{
	struct span line;
	bool inside = false;

	while (span_line(&snapshot, &line)) {
		if (inside && line.len > 0 && line.data[0] != '\t')
			break;
		if (inside) {
			buf_text(ret, ret->len ? ", " : "");
			buf_span(ret, span_trim(line));
		}
		inside = inside || span_is(line, "note scrubbed");
	}
	if (ret->len == 0)
		buf_text(ret, "nothing that is known as a name, serial number or secret was found");
}

static void add_machine(const struct check_report *r, struct buf *ret)
{
	struct arena a = { 0 };
	size_t count;
	const char **parts = check_machine(r->facts, "x", &a, &count);

	for (size_t i = 0; i < count; i++)
		buf_addf(ret, "%s%s", i ? ", " : "", parts[i]);
	arena_done(&a);
}

static void add_row(struct page *p, const char *name, const char *text)
{
	page_row(p, 2, 13, name, text, "");
}

static void add_value(struct page *p, struct span lines, const char *name)
{
	struct span line, word;

	while (span_line(&lines, &line)) {
		struct buf text BUF_SCOPED = { 0 };

		if (!span_word(&line, &word) || !span_is(word, name))
			continue;
		buf_span(&text, span_trim(line));
		add_row(p, name, text.data);
	}
}

static void show(const char *file, const struct check_report *r, struct span lines,
		 struct span snapshot)
{
	struct buf text BUF_SCOPED = { 0 }, machine BUF_SCOPED = { 0 };
	struct buf replaced BUF_SCOPED = { 0 }, size BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, NULL);
	struct arena a = { 0 };

	add_machine(r, &machine);
	add_replaced(snapshot, &replaced);
	buf_addf(&size, "%zu lines of text, %zu bytes", count_lines(snapshot), snapshot.len);
	buf_addf(&text, "\n%s would hold\n", file);
	add_row(&page, "machine", machine.data);
	add_row(&page, "answer", check_sentence(r, &a));
	add_value(&page, lines, "walk");
	add_value(&page, lines, "program");
	add_value(&page, lines, "knowledge");
	add_row(&page, "replaced", replaced.data);
	add_row(&page, "size", size.data);
	text_screen(&clean, buf_get(&text), page.colour);
	fputs(clean.data, stderr);
	arena_done(&a);
}

enum consent { WRITE_IT, SHOW_ALL, LEAVE_IT };

static enum consent ask(const char *file)
{
	char line[16];

	fprintf(stderr, "Write %s? y: yes, s: show every line first, n: no [y/s/N] ", file);
	fflush(stderr);
	if (!fgets(line, sizeof(line), stdin))
		return LEAVE_IT;
	return line[0] == 'y' || line[0] == 'Y'   ? WRITE_IT
	       : line[0] == 's' || line[0] == 'S' ? SHOW_ALL
						  : LEAVE_IT;
}

static int consent(const struct options *o, const char *file, struct span proof)
{
	enum consent answer = o->yes ? WRITE_IT : SHOW_ALL;

	for (bool asked = o->yes; !asked;) {
		answer = ask(file);
		asked = answer != SHOW_ALL;
		if (!asked && say_answer(NULL, proof) != 0)
			return EXIT_OWN_FAULT;
	}
	if (answer == WRITE_IT)
		return 0;
	say("nothing was written");
	return EXIT_DECLINED;
}

/* ---- made and written ---- */

static int write_proof(const char *file, struct span proof)
{
	struct buf why BUF_SCOPED = { 0 };
	int r = snapshot_write(file, proof, &why);

	if (r < 0)
		return say_unwritten(file, r, &why);
	say("%s written; look at it: rocsteady check --from %s", file, file);
	say("send it with the form \"A real machine\" of the issue tracker");
	return 0;
}

static int hand_over(const struct options *o, const struct check_report *r, struct span lines,
		     struct root *root)
{
	struct snapshot_options options = { .key = o->scrub_key };
	struct buf snapshot BUF_SCOPED = { 0 }, proof BUF_SCOPED = { 0 };
	const char *file = o->output ? o->output : PROOF_FILE;
	int error = snapshot_of(root, &options, &snapshot);
	int status;

	if (error < 0) {
		say("could not make the snapshot: %s", strerror(-error));
		return EXIT_OWN_FAULT;
	}
	proof_write(lines, buf_get(&snapshot), &proof);
	if (strcmp(file, "-") == 0)
		return say_answer(NULL, buf_get(&proof));
	show(file, r, lines, buf_get(&proof));
	status = consent(o, file, buf_get(&proof));
	return status == 0 ? write_proof(file, buf_get(&proof)) : status;
}

static int judge(const struct options *o, struct context *context, uint64_t seconds)
{
	struct acks none = { 0 };
	struct check_judged j;
	struct buf lines BUF_SCOPED = { 0 };
	int status = check_judge(o, context, &none, false, &j);

	if (status == 0) {
		add_lines(&j.report, seconds, &lines);
		status = say_unread_tables();
		if (status == 0)
			status = hand_over(o, &j.report, buf_get(&lines), context->machine.root);
		check_judged_done(&j);
	} else {
		say_unread_tables();
	}
	return status;
}

static int check_options(const struct options *o)
{
	if (o->context.from || o->context.root || o->context.host_root)
		return say_usage("snapshot", "--proof is made on the machine itself: leave out "
					     "--from, --root and --host-root");
	if (o->no_scrub || o->unpack || o->context.brief)
		return say_usage("snapshot", "--proof is a whole scrubbed file: leave out "
					     "--no-scrub, --unpack and --brief");
	if (!o->yes && !(o->output && strcmp(o->output, "-") == 0) && !isatty(STDIN_FILENO))
		return say_usage("snapshot", "no terminal to ask on: add --yes, or -o - to print");
	return 0;
}

int snapshot_proof(const struct options *o)
{
	struct options words = probe_front_options(o);
	struct context context;
	uint64_t begin = clock_ms();
	int status = check_options(o);

	if (status == 0)
		status = open_context(&words, &context);
	if (status != 0)
		return status;
	status = probe_front_walk(&words, &context.machine);
	if (status == 0) {
		knowledge_note(context_db(&context), &context.knowledge);
		status = judge(o, &context, (clock_ms() - begin) / 1000);
	}
	context_close(&context);
	return status;
}
