#include "gate/readers.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/exit-status.h"
#include "base/text.h"
#include "base/units.h"

#define NPD_MAX     80  /* bytes that node-problem-detector keeps of a message */
#define NFD_EXPIRES 180 /* seconds: three turns of a minute */
#define LABEL_MAX   63  /* bytes of a label's value in Kubernetes */

/* ---- the answer ---- */

static const struct node_verdict none = NODE_VERDICT_EMPTY;

struct gate_answer gate_blind(const char *why)
{
	return (struct gate_answer){ .state = GATE_UNKNOWN, .verdict = &none, .why = why };
}

static const char *list_unknown(struct arena *a, const struct node_verdict *v)
{
	struct buf out BUF_SCOPED = { 0 };

	if (v->why[0])
		return v->why;
	for (size_t i = 0; i < v->unknown_count; i++)
		buf_addf(&out, "%s%s", i ? ", " : "not decided: ", v->unknown[i]);
	return arena_text(a, buf_get(&out));
}

struct gate_answer gate_judge(struct arena *a, const struct node_verdict *v)
{
	struct gate_answer answer = { .verdict = v };

	answer.state = v->count > 0 || v->more > 0 ? GATE_CLOSED
		       : v->unknown_count > 0      ? GATE_UNKNOWN
						   : GATE_OPEN;
	if (answer.state == GATE_UNKNOWN)
		answer.why = list_unknown(a, v);
	return answer;
}

void gate_pass(struct gate_answer *answer, const char *off)
{
	answer->off = off;
	if (off)
		answer->state = GATE_OPEN;
}

const char *gate_state_name(enum gate_state state)
{
	static const char *const names[] = { "open", "closed", "unknown" };

	return (size_t)state < COUNT(names) ? names[state] : "?";
}

/* The first finding is enforced if any is. */
static bool is_enforced(const struct node_verdict *v)
{
	return v->count > 0 && v->findings[0].enforced;
}

void gate_leave_observed(struct arena *a, struct gate_answer *answer)
{
	const struct node_verdict *v = answer->verdict;

	if (answer->state != GATE_CLOSED || is_enforced(v))
		return;
	answer->observed = true;
	answer->state = v->unknown_count > 0 ? GATE_UNKNOWN : GATE_OPEN;
	if (answer->state == GATE_UNKNOWN)
		answer->why = list_unknown(a, v);
}

/* Of a verdict without a site nothing is told of enforcing. */
static const char *observed_word(const struct node_verdict *v, const struct node_finding *f)
{
	return f->enforced || !v->mode[0] ? "" : ", observed only";
}

static void add_first_finding(const struct node_verdict *v, bool with_mode, struct buf *ret)
{
	const struct node_finding *f = v->findings;
	uint64_t others = v->count + v->more - 1;

	if (v->count == 0)
		return;
	buf_addf(ret, "%s%s%s: %s%s", f->cause, f->subject[0] ? " " : "", f->subject, f->action,
		 with_mode ? observed_word(v, f) : "");
	if (others > 0)
		buf_addf(ret, ", and %llu more", (unsigned long long)others);
}

/* Cause and subject first: a monitor may cut the rest. */
static void add_summary(const struct gate_answer *a, struct buf *ret)
{
	if (a->off)
		buf_addf(ret, "everything passes: %s", a->off);
	else if (a->state == GATE_UNKNOWN)
		buf_text(ret, a->why);
	else if (a->observed) {
		buf_text(ret, "observed only: ");
		add_first_finding(a->verdict, false, ret);
	} else if (a->state == GATE_OPEN)
		buf_text(ret, "no fault that takes this node out of service");
	else
		add_first_finding(a->verdict, true, ret);
}

/* ---- people ---- */

static void write_text(const struct gate_answer *a, struct buf *ret)
{
	static const char *const steps[] = {
		"", "\nThe steps for each: sudo rocsteady check\n",
		"\nSee what is not decided, and why: sudo rocsteady check\n"
	};

	if (a->off)
		buf_addf(ret, "ok       This node may take jobs: %s lets everything pass.\n",
			 a->off);
	else if (a->state == GATE_OPEN)
		buf_text(ret, "ok       This node may take jobs.\n");
	if (a->state == GATE_UNKNOWN)
		buf_addf(ret, "unclear  This node may take jobs; %s\n", a->why);
	for (size_t i = 0; a->state == GATE_CLOSED && i < a->verdict->count; i++) {
		const struct node_finding *f = &a->verdict->findings[i];

		buf_addf(ret, "problem  %s (%s%s%s): %s%s\n", f->title, f->cause,
			 f->subject[0] ? " " : "", f->subject, f->action,
			 observed_word(a->verdict, f));
	}
	if (a->state == GATE_CLOSED && a->verdict->more > 0)
		buf_addf(ret, "         and %llu more\n", (unsigned long long)a->verdict->more);
	buf_text(ret, steps[a->state]);
}

/* ---- node-problem-detector: one line, of which it keeps the first bytes ---- */

static void write_npd(const struct gate_answer *a, struct buf *ret)
{
	struct buf line BUF_SCOPED = { 0 };

	add_summary(a, &line);
	buf_span(ret, text_cut(buf_get(&line), NPD_MAX));
	buf_char(ret, '\n');
}

/* ---- Nagios and its heirs ---- */

static void write_nagios(const struct gate_answer *a, struct buf *ret)
{
	static const char *const words[] = { "OK", "CRITICAL", "UNKNOWN" };
	struct buf line BUF_SCOPED = { 0 };
	uint64_t count = a->verdict->count + a->verdict->more;

	add_summary(a, &line);
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] == '|')
			line.data[i] = '/'; /* what follows a bar is numbers to them */
	buf_addf(ret, "ROCSTEADY %s - %s | findings=%llu;;;0\n", words[a->state], line.data,
		 (unsigned long long)count);
}

/* ---- node-feature-discovery ---- */

/*
 * What Kubernetes takes: letters and digits at both ends, between them also -, _ and
 * dots. Of a value without any there is no label.
 */
static void add_label(struct buf *ret, const char *name, const char *value)
{
	size_t from = 0, to = strnlen(value, LABEL_MAX);

	while (from < to && !isalnum((unsigned char)value[from]))
		from++;
	while (to > from && !isalnum((unsigned char)value[to - 1]))
		to--;
	if (from == to)
		return;
	buf_addf(ret, "rocsteady.io/%s=", name);
	for (; from < to; from++)
		buf_char(ret, isalnum((unsigned char)value[from]) || strchr("-.", value[from])
				      ? value[from]
				      : '_');
	buf_char(ret, '\n');
}

static void write_nfd(const struct gate_answer *a, struct buf *ret)
{
	char date[UNITS_MAX];

	units_moment(a->now_s + NFD_EXPIRES, date);
	buf_addf(ret, "# +expiry-time=%s\nrocsteady.io/gate=%s\n", date, gate_state_name(a->state));
	if (a->state == GATE_CLOSED && a->verdict->count > 0) {
		add_label(ret, "cause", a->verdict->findings[0].cause);
		add_label(ret, "subject", a->verdict->findings[0].subject);
		add_label(ret, "mode", is_enforced(a->verdict) ? "enforce" : "observe");
	}
}

/* ---- the textfile collector of Prometheus ---- */

static void add_value(struct buf *ret, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\' || *text == '\n')
			buf_char(ret, '\\');
		buf_char(ret, *text == '\n' ? 'n' : *text);
	}
}

static void add_metric(struct buf *ret, const char *name, const char *help)
{
	buf_addf(ret, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void write_modes(const struct gate_answer *a, struct buf *ret)
{
	static const char *const modes[] = { "observe", "enforce", "off" };
	const char *mode = a->off ? "off" : a->verdict->mode;

	add_metric(ret, "rocsteady_gate_mode", "What this site lets the gate do, a series a mode.");
	for (size_t i = 0; i < COUNT(modes); i++)
		buf_addf(ret, "rocsteady_gate_mode{mode=\"%s\"} %d\n", modes[i],
			 strcmp(mode, modes[i]) == 0);
	add_metric(ret, "rocsteady_gate_conf_ignored",
		   "Whether gate.conf has a mistake and enforces nothing.");
	buf_addf(ret, "rocsteady_gate_conf_ignored %d\n", a->verdict->ignored[0] != '\0');
}

static void write_passed(const struct gate_answer *a, struct buf *ret)
{
	buf_text(ret,
		 "# HELP rocsteady_gate_passed_total Times in this boot that a hook let the node "
		 "pass because it could not tell or may not act.\n"
		 "# TYPE rocsteady_gate_passed_total counter\n");
	for (enum passed why = 0; why < PASSED_KINDS; why++)
		buf_addf(ret, "rocsteady_gate_passed_total{why=\"%s\"} %llu\n", passed_name(why),
			 (unsigned long long)a->passed[why]);
}

static void write_findings(const struct node_verdict *v, struct buf *ret)
{
	add_metric(ret, "rocsteady_gate_findings",
		   "How many faults take this node out of service, also those without a series.");
	buf_addf(ret, "rocsteady_gate_findings %llu\n", (unsigned long long)v->count + v->more);
	if (v->count > 0)
		add_metric(ret, "rocsteady_gate_finding",
			   "A fault that takes this node out of service.");
	for (size_t i = 0; i < v->count; i++) {
		const struct node_finding *f = &v->findings[i];

		buf_text(ret, "rocsteady_gate_finding{cause=\"");
		add_value(ret, f->cause);
		buf_text(ret, "\",subject=\"");
		add_value(ret, f->subject);
		buf_text(ret, "\",action=\"");
		add_value(ret, f->action);
		buf_addf(ret, "\",mode=\"%s\"} 1\n", f->enforced ? "enforce" : "observe");
	}
}

/* What is only known of a verdict that counts. */
static void write_verdict(const struct gate_answer *a, struct buf *ret)
{
	const struct node_verdict *v = a->verdict;

	add_metric(ret, "rocsteady_gate_verdict_age_seconds",
		   "Age of the verdict when the metrics were written.");
	buf_addf(ret, "rocsteady_gate_verdict_age_seconds %llu\n", (unsigned long long)a->age_s);
	add_metric(ret, "rocsteady_gate_undecided_causes",
		   "How many causes could not be decided on this node.");
	buf_addf(ret, "rocsteady_gate_undecided_causes %zu\n", v->unknown_count);
	add_metric(ret, "rocsteady_gate_knowledge_info", "The knowledge that judged this node.");
	buf_text(ret, "rocsteady_gate_knowledge_info{version=\"");
	add_value(ret, v->knowledge);
	buf_text(ret, "\"} 1\n");
	write_findings(v, ret);
}

/* The textfile collector takes no dates, so a file that nobody renews tells its own. */
static void write_textfile(const struct gate_answer *a, struct buf *ret)
{
	add_metric(ret, "rocsteady_gate_written_timestamp_seconds",
		   "When these metrics were written, in seconds since 1970.");
	buf_addf(ret, "rocsteady_gate_written_timestamp_seconds %llu\n",
		 (unsigned long long)a->now_s);
	add_metric(ret, "rocsteady_gate_state",
		   "Whether this node may take jobs, a series a state.");
	for (enum gate_state s = GATE_OPEN; s <= GATE_UNKNOWN; s++)
		buf_addf(ret, "rocsteady_gate_state{state=\"%s\"} %d\n", gate_state_name(s),
			 a->state == s);
	write_modes(a, ret);
	write_passed(a, ret);
	if (a->verdict != &none)
		write_verdict(a, ret);
}

/* What they call a problem and what they call ignorance is not the same number. */
static const struct gate_reader readers[] = {
	{ "text", { EXIT_FINE, EXIT_PROBLEM, EXIT_UNDECIDED }, .write = write_text },
	{ "npd", { 0, 1, 2 }, .write = write_npd, .acts = true },
	{ "nagios", { 0, 2, 3 }, .write = write_nagios },
	{ "nfd", { 0, 0, 0 }, .write = write_nfd },
	{ "textfile", { 0, 0, 0 }, .write = write_textfile },
};

const struct gate_reader *reader_find(const char *name)
{
	for (size_t i = 0; i < COUNT(readers); i++)
		if (strcmp(readers[i].name, name) == 0)
			return &readers[i];
	return NULL;
}
