#include "gate/readers.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/exit-status.h"
#include "base/json-write.h"
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
	else if (a->observed) {
		buf_text(ret, "observed only: ");
		add_first_finding(a->verdict, false, ret);
		if (a->state == GATE_UNKNOWN)
			buf_addf(ret, "; %s", a->why);
	} else if (a->state == GATE_UNKNOWN)
		buf_text(ret, a->why);
	else if (a->state == GATE_OPEN)
		buf_text(ret, "no fault that takes this node out of service");
	else
		add_first_finding(a->verdict, true, ret);
}

/* What a controller may start: of an enforced cause alone, and of none while everything passes. */
static const char *repair_of(const struct gate_answer *a)
{
	return a->state == GATE_CLOSED && is_enforced(a->verdict) ? a->verdict->findings[0].repair
								  : "none";
}

/* Seconds since the last test of the GPUs. */
static uint64_t test_age(const struct gate_answer *a)
{
	const struct node_verdict *v = a->verdict;

	return v->second + a->age_s - (v->test.second < v->second ? v->test.second : v->second);
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
	if (a->latched)
		buf_addf(ret,
			 "         It is not drained, but latched until a person resets it: %s\n",
			 a->latched);
	if (a->verdict->test.result[0])
		buf_addf(ret, "         The GPU test %llu s ago: %s%s%s\n",
			 (unsigned long long)test_age(a), a->verdict->test.result,
			 a->verdict->test.layers[0] ? " in " : "", a->verdict->test.layers);
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
		add_label(ret, "repair", repair_of(a));
	}
}

/* ---- a controller ---- */

static void add_json_finding(struct json *j, const struct node_finding *f)
{
	json_open(j, NULL, '{');
	json_string(j, "cause", f->cause);
	json_string(j, "subject", f->subject);
	json_string(j, "action", f->action);
	json_string(j, "repair", f->repair);
	json_string(j, "mode", f->enforced ? "enforce" : "observe");
	json_string(j, "title", f->title);
	json_int(j, "first_second", (int64_t)f->first_s);
	json_close(j, '}');
}

static void add_json_test(struct json *j, const struct gate_answer *a)
{
	const struct node_test *t = &a->verdict->test;

	if (!t->result[0]) {
		json_string(j, "gpu_test", NULL);
		return;
	}
	json_open(j, "gpu_test", '{');
	json_string(j, "result", t->result);
	json_string(j, "layers", t->layers);
	json_int(j, "age_seconds", (int64_t)test_age(a));
	json_close(j, '}');
}

static void add_json_versions(struct json *j, const struct gate_answer *a)
{
	const struct node_verdict *v = a->verdict;

	json_string(j, "boot", v->boot);
	json_int(j, "second", (int64_t)v->second);
	if (a->aged)
		json_int(j, "age_seconds", (int64_t)a->age_s);
	json_string(j, "program", v->program);
	json_string(j, "knowledge", v->knowledge);
	json_string(j, "gate_conf", v->conf);
	json_string(j, "expect_conf", v->expected);
}

static void write_json(const struct gate_answer *a, struct buf *ret)
{
	const struct node_verdict *v = a->verdict;
	struct json j = json_on(ret);

	j.compact = true;
	json_open(&j, NULL, '{');
	json_string(&j, "state", gate_state_name(a->state));
	json_string(&j, "mode", a->off ? "off" : v->mode);
	json_string(&j, "repair", repair_of(a));
	json_string(&j, "why", a->off ? a->off : a->state == GATE_UNKNOWN ? a->why : "");
	json_open(&j, "findings", '[');
	for (size_t i = 0; i < v->count; i++)
		add_json_finding(&j, &v->findings[i]);
	json_close(&j, ']');
	json_int(&j, "more_findings", (int64_t)v->more);
	json_open(&j, "undecided", '[');
	for (size_t i = 0; i < v->unknown_count; i++)
		json_string(&j, NULL, v->unknown[i]);
	json_close(&j, ']');
	add_json_test(&j, a);
	add_json_versions(&j, a);
	json_close(&j, '}');
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

static void add_info(struct buf *ret, const char *name, const char *help, const char *label,
		     const char *value)
{
	if (!value[0])
		return;
	add_metric(ret, name, help);
	buf_addf(ret, "%s{%s=\"", name, label);
	add_value(ret, value);
	buf_text(ret, "\"} 1\n");
}

/* By which versions and configuration this node is judged: where they differ, a rollout is half done. */
static void write_versions(const struct node_verdict *v, struct buf *ret)
{
	add_info(ret, "rocsteady_gate_program_info", "The program that judged this node.",
		 "version", v->program);
	add_info(ret, "rocsteady_gate_knowledge_info", "The knowledge that judged this node.",
		 "version", v->knowledge);
	add_info(ret, "rocsteady_gate_conf_info", "Digest of gate.conf.", "digest",
		 v->conf[0] ? v->conf : "none");
	add_info(ret, "rocsteady_gate_expect_info", "Digest of what expect.conf states.", "digest",
		 v->expected[0] ? v->expected : "none");
}

static void write_act(const struct acts *acts, enum act act, const char *name, const char *help,
		      struct buf *ret)
{
	bool first = true;

	for (size_t i = 0; i < acts->count; i++) {
		const struct act_count *c = &acts->causes[i];

		if (c->counts[act] == 0)
			continue;
		if (first)
			buf_addf(ret, "# HELP %s %s\n# TYPE %s counter\n", name, help, name);
		first = false;
		buf_addf(ret, "%s{cause=\"", name);
		add_value(ret, c->cause);
		buf_addf(ret, "\"} %llu\n", (unsigned long long)c->counts[act]);
	}
}

static void write_acts(const struct acts *acts, struct buf *ret)
{
	write_act(acts, ACT_DRAIN, "rocsteady_gate_drains_total",
		  "Times in this boot that the gate drained this node in Slurm.", ret);
	write_act(acts, ACT_RELEASE, "rocsteady_gate_releases_total",
		  "Times in this boot that the gate took a drain back.", ret);
	write_act(acts, ACT_TAKEN, "rocsteady_gate_taken_total",
		  "Times in this boot that somebody else ended a drain of the gate.", ret);
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

/* Where the site wants no latch there is no series. */
static void write_latched(const struct gate_answer *a, struct buf *ret)
{
	if (!a->verdict->latch)
		return;
	add_metric(
		ret, "rocsteady_gate_latched",
		"Whether the brake kept this node from being drained, until a person resets it.");
	buf_addf(ret, "rocsteady_gate_latched %d\n", a->latched != NULL);
}

/* A verdict that is too old to count has an age as well, by which one notices. */
static void write_age(const struct gate_answer *a, struct buf *ret)
{
	if (!a->aged)
		return;
	add_metric(ret, "rocsteady_gate_verdict_age_seconds",
		   "Age of the verdict when the metrics were written.");
	buf_addf(ret, "rocsteady_gate_verdict_age_seconds %llu\n", (unsigned long long)a->age_s);
}

static void write_test(const struct gate_answer *a, struct buf *ret)
{
	static const char *const results[] = { "passed", "failed" };

	if (!a->verdict->test.result[0])
		return;
	add_metric(ret, "rocsteady_gate_test", "How the last test of the GPUs ended.");
	for (size_t i = 0; i < COUNT(results); i++)
		buf_addf(ret, "rocsteady_gate_test{result=\"%s\"} %d\n", results[i],
			 strcmp(a->verdict->test.result, results[i]) == 0);
	add_metric(ret, "rocsteady_gate_test_age_seconds",
		   "Age of that test when the metrics were written.");
	buf_addf(ret, "rocsteady_gate_test_age_seconds %llu\n", (unsigned long long)test_age(a));
}

/* What is only known of a verdict that counts. */
static void write_verdict(const struct gate_answer *a, struct buf *ret)
{
	const struct node_verdict *v = a->verdict;

	add_metric(ret, "rocsteady_gate_undecided_causes",
		   "How many causes could not be decided on this node.");
	buf_addf(ret, "rocsteady_gate_undecided_causes %zu\n", v->unknown_count);
	write_versions(v, ret);
	write_test(a, ret);
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
	write_acts(&a->acts, ret);
	write_latched(a, ret);
	write_age(a, ret);
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
	{ "json", { EXIT_FINE, EXIT_PROBLEM, EXIT_UNDECIDED }, .write = write_json },
};

const struct gate_reader *reader_find(const char *name)
{
	for (size_t i = 0; i < COUNT(readers); i++)
		if (strcmp(readers[i].name, name) == 0)
			return &readers[i];
	return NULL;
}
