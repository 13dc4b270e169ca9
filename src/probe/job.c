#include "probe/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/memory.h"
#include "probe/closure.h"
#include "probe/environment.h"

#define GROUP_GRACE_MS 2000
#define GIB            ((uint64_t)1 << 30)

static bool is_framework(const struct question *q)
{
	return strcmp(q->layer, "torch") == 0;
}

/* ---- whose rights ---- */

static struct job_rights *rights_for(struct job_maker *m, const struct question *q)
{
	struct job_rights *r = &m->rights[is_framework(q)];
	struct trust owner = { m->plan->options->uid, m->plan->options->gid, true };

	if (r->decided)
		return r;
	r->decided = true;
	r->allowed =
		geteuid() != 0 || closure_trust(&owner, m->plan->options, is_framework(q), &r->why);
	r->uid = owner.uid;
	r->gid = owner.gid;
	return r;
}

/* ---- the order ---- */

struct arguments {
	struct arena *arena;
	char **list;
	size_t count;
};

static void add(struct arguments *a, const char *text)
{
	a->list[a->count++] = arena_text(a->arena, span_of(text));
}

static void add_number(struct arguments *a, const char *option, uint64_t number)
{
	add(a, option);
	a->list[a->count++] = arena_format(a->arena, "%llu", (unsigned long long)number);
}

static void add_devices(struct arguments *a, const struct task *t, size_t rank)
{
	if (t->question->scope == QUESTION_GROUP) {
		add_number(a, "--device", (uint64_t)t->members[rank]->index);
		add_number(a, "--rank", rank);
		add_number(a, "--ranks", t->member_count);
		return;
	}
	if (t->device)
		add_number(a, "--device", t->alone ? 0 : (uint64_t)t->device->index);
	if (t->peer)
		add_number(a, "--peer", (uint64_t)t->peer->index);
}

static char **make_arguments(struct job_maker *m, struct arena *arena, const struct task *t,
			     size_t rank, const char *dir)
{
	const struct probe_options *o = m->plan->options;
	uint64_t bytes = plan_bytes(m->plan, t);
	struct arguments a = { arena,
			       arena_alloc(arena, (20 + 2 * o->library_count) * sizeof(char *)),
			       0 };

	add(&a, m->program);
	add(&a, t->question->name);
	add_devices(&a, t, rank);
	if (bytes > 0)
		add_number(&a, "--bytes", bytes);
	if (dir) {
		add(&a, "--dir");
		add(&a, dir);
	}
	if (o->python && is_framework(t->question)) {
		add(&a, "--python");
		add(&a, o->python);
	}
	for (size_t i = 0; i < o->library_count; i++) {
		add(&a, "--lib");
		a.list[a.count++] =
			arena_format(arena, "%s=%s", o->libraries[i].name, o->libraries[i].path);
	}
	return a.list;
}

/* Enough for what a runtime keeps of many GPUs, not enough to hurt the host. */
static uint64_t data_limit(const struct job_maker *m, const struct question *q)
{
	uint64_t most = (is_framework(q) ? 32 : 8) * GIB, part = m->memory / 2;

	return part > 0 && part < most ? part : most;
}

static unsigned int with_patience(const struct job_maker *m, unsigned int ms)
{
	int percent = m->plan->options->patience;

	return percent > 0 ? (unsigned int)((uint64_t)ms * (uint64_t)percent / 100) : ms;
}

static struct child *start_rank(struct job_maker *m, struct arena *arena, const struct task *t,
				size_t rank, const char *group_dir)
{
	const struct job_rights *rights = rights_for(m, t->question);
	const struct question *q = t->question;
	const char *home = scratch_dir_home(&m->scratch, arena, rights->uid, rights->gid);
	struct spawn_order order = { .directory = home,
				     .data_bytes = data_limit(m, q),
				     .uid = rights->uid,
				     .gid = rights->gid };
	struct child_times times;

	if (!home) {
		m->error = -EIO;
		return NULL;
	}
	order.arguments = make_arguments(m, arena, t, rank, group_dir);
	order.environment = environment_make(arena, home, m->plan->options->variables,
					     t->alone ? t->device->index : -1);
	times = (struct child_times){
		plan_deadline(m->plan, t, with_patience(m, q->deadline_ms)),
		with_patience(m, q->long_ms),
		q->compiles_in,
	};
	return child_new(&order, &times, &m->error);
}

static bool start_ranks(struct job_maker *m, struct job *j)
{
	const struct job_rights *rights = rights_for(m, j->task->question);
	struct arena arena = { 0 };
	const char *dir = NULL;
	bool good = true;

	if (j->task->question->scope == QUESTION_GROUP)
		dir = scratch_dir_group(&m->scratch, &arena, rights->uid, rights->gid);
	for (size_t i = 0; i < j->count && good; i++) {
		j->ranks[i] = start_rank(m, &arena, j->task, i, dir);
		good = j->ranks[i] != NULL;
	}
	arena_done(&arena);
	return good;
}

struct job *job_new(struct job_maker *m, struct task *t)
{
	const struct job_rights *rights = rights_for(m, t->question);
	struct job *j;

	if (!rights->allowed) {
		DEBUG(DEBUG_PROBE, 0, "%s: refused: %s", t->question->name, rights->why.data);
		m->any = true;
		plan_skip(m->plan, t, rights->why.data);
		return NULL;
	}
	j = memory_new(1, sizeof(*j));
	j->task = t;
	j->count = t->question->scope == QUESTION_GROUP ? t->member_count : 1;
	j->ranks = memory_new(j->count, sizeof(struct child *));
	if (start_ranks(m, j))
		return j;
	plan_skip(m->plan, t, arena_format(&m->plan->arena, "no process: %s", strerror(-m->error)));
	return job_free(j);
}

struct job *job_free(struct job *j)
{
	if (!j)
		return NULL;
	for (size_t i = 0; j->ranks && i < j->count; i++)
		child_free(j->ranks[i]);
	free(j->ranks);
	free(j);
	return NULL;
}

/* ---- its course ---- */

bool job_step(struct job *j, uint64_t now_ms, bool *ret_left)
{
	size_t over = 0;

	for (size_t i = 0; i < j->count; i++) {
		if (!child_step(j->ranks[i], now_ms))
			continue;
		over++;
		if (j->broken == 0 && child_answer(j->ranks[i])->ending != ANSWER_ANSWERED) {
			j->broken = now_ms;
			j->first_bad = i;
		}
		*ret_left = *ret_left || child_left_processes(j->ranks[i]);
	}
	if (j->broken && now_ms >= j->broken + GROUP_GRACE_MS)
		for (size_t i = 0; i < j->count; i++)
			child_end(j->ranks[i], now_ms);
	return over == j->count;
}

void job_end(struct job_maker *m, struct job *j)
{
	struct task *t = j->task;
	struct answer *a;

	for (size_t i = 0; i < j->count; i++)
		if (child_was_killed(j->ranks[i]))
			m->scratch.generation++;
	/* A rank that is stuck made the others wait, though they died first. */
	for (size_t i = 0; t->members && i < j->count; i++)
		if (child_answer(j->ranks[i])->ending == ANSWER_STUCK) {
			t->members[i]->unasked = "a member of a group is stuck there in the driver";
			j->first_bad = i;
		}
	a = child_answer(j->ranks[j->first_bad]);
	if (t->members && a->ending != ANSWER_ANSWERED)
		answer_value(a, "member", span_of(t->members[j->first_bad]->address));
	t->answer = *a;
	*a = (struct answer){ 0 };
	if (t->answer.unstarted == 0) {
		m->any = true;
		plan_end(m->plan, t);
		return;
	}
	m->error = probe_unstarted(m->program, t->answer.unstarted);
	answer_done(&t->answer);
	plan_skip(m->plan, t,
		  arena_format(&m->plan->arena, "%s cannot be executed: %s", m->program,
			       strerror(-m->error)));
}

void job_maker_done(struct job_maker *m)
{
	for (size_t i = 0; i < sizeof(m->rights) / sizeof(m->rights[0]); i++)
		buf_done(&m->rights[i].why);
	scratch_dir_done(&m->scratch);
}
