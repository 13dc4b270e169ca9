#include "run/process-class.h"

#include <string.h>

#include "base/names.h"
#include "base/rules.h"

extern const char data_process_classes[], data_process_waits[], data_gpu_waits[];

#define TREE_MAX   256
#define NUMBER_MAX 1000000000000 /* a larger one is nonsense, and sums of them stay whole */

struct one {
	long long pid, parent;
	char state;
	struct span name, wait; /* of its first thread */
	bool is_live;           /* a thread that has not ended */
};

struct tree {
	struct one list[TREE_MAX];
	size_t count;
};

static const char *const kinds[] = { "works", "stuck", "unclear" };

static long long take_number(struct span *rest)
{
	struct span word;
	int64_t n = 0;

	if (!span_word(rest, &word) || !span_i64(word, &n) || n < 0 || n > NUMBER_MAX)
		return 0;
	return n;
}

static char take_state(struct span *rest)
{
	struct span word;

	return span_word(rest, &word) && word.len == 1 ? word.data[0] : '?';
}

static long long limit_of(const char *name)
{
	return rules_number(data_process_classes, name);
}

/* ---- the text ---- */

static struct one *find_one(struct tree *t, long long pid)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->list[i].pid == pid)
			return &t->list[i];
	return NULL;
}

static void take_process(struct span rest, struct tree *t, struct process_class *c)
{
	struct one one = { 0 };

	one.pid = take_number(&rest);
	one.parent = take_number(&rest);
	one.state = take_state(&rest);
	c->cpu_ms += take_number(&rest);
	c->read_kib += take_number(&rest);
	c->rss_kib += take_number(&rest);
	c->grown_kib += take_number(&rest);
	one.name = span_trim(rest);
	if (t->count < TREE_MAX)
		t->list[t->count++] = one;
	else
		c->is_whole = false;
}

static void take_thread(struct span rest, struct tree *t, struct rules_found *f)
{
	long long pid = take_number(&rest), tid = take_number(&rest);
	char state = take_state(&rest);
	struct one *of = find_one(t, pid);
	struct span wait = { 0 }, none = { 0 };

	(void)take_number(&rest);
	(void)span_word(&rest, &wait);
	if (!of)
		return;
	of->is_live = of->is_live || !strchr("ZX", state);
	if (tid == pid)
		of->wait = span_is(wait, "-") ? none : wait;
	if (state == 'D')
		rules_flag(f, names_has_as(data_gpu_waits, wait, NULL) ? "gpu-d" : "disk-d");
	if (names_has_as(data_process_waits, wait, "gpu"))
		rules_flag(f, "gpu-wait");
}

static bool take_line(struct span line, struct tree *t, struct rules_found *f,
		      struct process_class *c, long long *compiler)
{
	struct span word;

	if (!span_word(&line, &word))
		return false;
	if (span_is(word, "look")) {
		c->pid = c->focus = take_number(&line);
		c->look_ms = take_number(&line);
	} else if (span_is(word, "process")) {
		take_process(line, t, c);
	} else if (span_is(word, "thread")) {
		take_thread(line, t, f);
	} else if (span_is(word, "compiler")) {
		*compiler = take_number(&line);
	} else if (span_is(word, "runs")) {
		rules_flag(f, "busy");
	} else if (span_is(word, "gpu") || span_is(word, "asks")) {
		rules_flag(f, span_is(word, "gpu") ? "gpu" : "asks");
	} else if (span_is(word, "ranks")) {
		(void)take_number(&line);
		if (take_number(&line) > 1)
			rules_flag(f, "ranks");
	}
	return span_is(word, "end");
}

/* ---- what it shows ---- */

static bool waits_for(const struct one *p, const char *what)
{
	return p->wait.len > 0 && names_has_as(data_process_waits, p->wait, what);
}

static struct one *live_child(struct tree *t, long long parent)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->list[i].parent == parent && t->list[i].is_live)
			return &t->list[i];
	return NULL;
}

/* A launcher waits for its child: the one that waits for something else is looked at. */
static const struct one *find_focus(struct tree *t, long long pid)
{
	const struct one *p = find_one(t, pid);
	struct one *child;

	for (size_t depth = 0; p && depth < t->count && waits_for(p, "child"); depth++) {
		child = live_child(t, p->pid);
		if (!child)
			break;
		p = child;
	}
	return p;
}

static bool has_dead_child(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct one *parent = find_one(t, t->list[i].parent);

		if (t->list[i].state == 'Z' && !t->list[i].is_live && parent && parent->is_live)
			return true;
	}
	return false;
}

static void set_flags(struct tree *t, const struct one *focus, const struct process_class *c,
		      struct rules_found *f)
{
	static const char *const waits[] = { "lock", "pipe",   "sleep", "child", "events",
					     "peer", "signal", "disk",  "keys" };
	const struct one *top = find_one(t, c->pid);

	if (top && strchr("ZX", top->state))
		rules_flag(f, "zombie");
	if (top && top->is_live)
		rules_flag(f, "threads");
	if (focus && strchr("Tt", focus->state))
		rules_flag(f, "stopped");
	if (c->look_ms > 0 && c->cpu_ms * 100 >= c->look_ms * limit_of("busy-percent"))
		rules_flag(f, "busy");
	if (c->grown_kib >= limit_of("grows-kib"))
		rules_flag(f, "grows");
	if (c->read_kib >= limit_of("reads-kib"))
		rules_flag(f, "reads");
	if (has_dead_child(t))
		rules_flag(f, "dead-child");
	for (size_t i = 0; focus && i < sizeof(waits) / sizeof(waits[0]); i++)
		if (waits_for(focus, waits[i]))
			rules_flag(f, waits[i]);
}

/* ---- the answer ---- */

static const char *fill(struct rules_found *f, struct span step, long long pid, long long compiler,
			struct arena *a)
{
	rules_value(f, "pid", arena_format(a, "%lld", pid));
	rules_value(f, "compiler", arena_format(a, "%lld", compiler));
	return rules_fill(f, step, a);
}

static void choose(struct rules_found *f, long long compiler, struct arena *a,
		   struct process_class *c)
{
	struct span row, conditions, kind;

	for (size_t i = 0; rules_row(data_process_classes, "class", i, &row); i++) {
		span_cut(&row, '\t', &c->name);
		span_cut(&row, '\t', &conditions);
		span_cut(&row, '\t', &kind);
		span_cut(&row, '\t', &c->says);
		if (!rules_hold(f, conditions))
			continue;
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			if (span_is(kind, kinds[k]))
				c->kind = (enum process_kind)k;
		c->step = fill(f, row, c->focus, compiler, a);
		return;
	}
}

bool process_class_of(struct span look, struct arena *a, struct process_class *ret)
{
	struct process_class c = { .kind = PROCESS_UNCLEAR, .is_whole = true };
	struct tree *tree = arena_alloc(a, sizeof(*tree));
	struct rules_found flags = { .flag_count = 0 };
	const struct one *focus;
	long long compiler = 0;
	struct span line;
	bool ended = false;

	while (!ended && span_line(&look, &line)) {
		c.is_whole = c.is_whole && !span_is(line, "more");
		ended = take_line(line, tree, &flags, &c, &compiler);
	}
	if (c.pid <= 0 || !find_one(tree, c.pid))
		return false;
	c.is_whole = c.is_whole && ended;
	focus = find_focus(tree, c.pid);
	c.focus = focus->pid;
	c.focus_name = focus->name;
	c.wait = focus->wait;
	c.processes = tree->count;
	if (compiler > 0)
		rules_flag(&flags, "compiles");
	set_flags(tree, focus, &c, &flags);
	choose(&flags, compiler, a, &c);
	*ret = c;
	return true;
}
