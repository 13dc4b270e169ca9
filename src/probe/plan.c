#include "probe/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX     ((size_t)1 << 20) /* of a walk */
#define ROW_MAX      160               /* a row alone: kept for those that are still to come */
#define REPEATS      5                 /* of a question, at level 3 */
#define GIB          ((uint64_t)1 << 30)
#define SHORTER      4                   /* parts of a deadline, after one has passed */
#define TIMES_NEEDED 10                  /* what a GPU has needed for an answer, then */
#define LIBRARY_ROOM (256 * (GIB >> 10)) /* what a library may take of a GPU without saying */

static size_t row_of(const struct question *q)
{
	return (size_t)(q - questions);
}

static struct task *add_task(struct plan *p, size_t row, struct device *device, struct device *peer)
{
	struct task *t = arena_alloc(&p->arena, sizeof(*t));

	t->question = &questions[row];
	t->device = device;
	t->peer = peer;
	if (p->last[row])
		p->last[row]->next = t;
	else
		p->first[row] = t;
	p->last[row] = t;
	p->waiting[row]++;
	p->planned++;
	return t;
}

int plan_init(struct plan *p, const struct probe_options *options)
{
	*p = (struct plan){ .options = options };
	if (!questions_choose(options->level, options->layers, p->chosen))
		return -EINVAL;
	for (size_t i = 0; questions[i].name; i++) {
		if (strcmp(questions[i].layer, "torch") == 0 && !options->python)
			p->chosen[i] = false;
		if (p->chosen[i] && questions[i].scope == QUESTION_ONCE)
			add_task(p, i, NULL, NULL);
	}
	return 0;
}

void plan_done(struct plan *p)
{
	for (size_t i = 0; questions[i].name; i++)
		for (struct task *t = p->first[i]; t; t = t->next) {
			if (t->twin)
				answer_done(&t->twin->answer);
			answer_done(&t->answer);
		}
	arena_done(&p->arena);
}

bool plan_is_done(const struct plan *p)
{
	return p->done == p->planned;
}

/* ---- tasks for devices ---- */

/* A repeat finds a fault that shows one time in ten. A framework takes minutes as it is. */
static size_t repeats(const struct plan *p, size_t row)
{
	bool cheap = questions[row].level < 3 && strcmp(questions[row].layer, "torch") != 0;

	return p->options->level >= 3 && cheap ? REPEATS : 1;
}

static void add_each(struct plan *p, size_t row)
{
	p->by_device[row] = arena_alloc(&p->arena, p->device_count * sizeof(struct task *));
	for (size_t i = 0; i < p->device_count; i++) {
		if (!p->devices[i].chosen)
			continue;
		p->by_device[row][i] = add_task(p, row, &p->devices[i], NULL);
		for (size_t n = 1; n < repeats(p, row); n++)
			add_task(p, row, &p->devices[i], NULL);
	}
}

/* One task for each ordered pair of GPUs of which at least one was chosen. */
static void add_pairs(struct plan *p, size_t row)
{
	for (size_t i = 0; i < p->device_count; i++)
		for (size_t j = 0; j < p->device_count; j++)
			if (i != j && !p->devices[i].is_none && !p->devices[j].is_none &&
			    (p->devices[i].chosen || p->devices[j].chosen))
				add_task(p, row, &p->devices[i], &p->devices[j]);
}

static void add_tasks_of_devices(struct plan *p, struct task *devices)
{
	p->devices = devices_read(&p->arena, p->options, &devices->answer, &p->device_count);
	for (size_t i = 0; questions[i].name; i++) {
		enum question_scope scope = questions[i].scope;

		if (!p->chosen[i] || scope == QUESTION_ONCE)
			continue;
		if (scope == QUESTION_EACH)
			add_each(p, i);
		else if (scope == QUESTION_PAIR)
			add_pairs(p, i);
		else
			add_task(p, i, NULL, NULL);
	}
}

/* A refused peer mapping works with one device visible; a full GPU stays full. */
static bool wants_twin(const struct plan *p, const struct task *t)
{
	static const bool failed[] = {
		[ANSWER_REFUSED] = true, [ANSWER_WRONG] = true,   [ANSWER_CRASHED] = true,
		[ANSWER_EXITED] = true,  [ANSWER_TIMEOUT] = true, [ANSWER_SKIPPED] = false,
	};

	if (!t->question->alone || t->alone || p->device_count < 2 || p->devices[1].is_none)
		return false;
	return failed[t->answer.ending] ||
	       (p->options->level >= 3 && t->answer.ending == ANSWER_ANSWERED);
}

/* ---- what may be asked ---- */

/* Those whom the task would be put to, one after the other. */
static struct device *device_of(const struct plan *p, const struct task *t, size_t i)
{
	switch (t->question->scope) {
	case QUESTION_EACH:
		return i == 0 ? t->device : NULL;
	case QUESTION_PAIR:
		return i == 0 ? t->device : i == 1 ? t->peer : NULL;
	case QUESTION_GROUP:
		return i < t->member_count ? t->members[i] : NULL;
	case QUESTION_TOGETHER:
		return i < p->device_count ? &p->devices[i] : NULL;
	case QUESTION_ONCE:
		break;
	}
	return NULL;
}

/* A group leaves out who must not be asked: the others can still be together. */
static void gather(struct plan *p, struct task *t)
{
	unsigned int most = t->question->ranks;

	if (t->question->scope != QUESTION_GROUP || t->members)
		return;
	t->members = arena_alloc(&p->arena, p->device_count * sizeof(struct device *));
	for (size_t i = 0; i < p->device_count; i++) {
		struct device *d = &p->devices[i];

		if (d->chosen && !d->barred && (most == 0 || t->member_count < most))
			t->members[t->member_count++] = d;
	}
}

static const struct task *need_of(const struct plan *p, size_t row, const struct device *d)
{
	if (questions[row].scope == QUESTION_EACH)
		return d && p->by_device[row] ? p->by_device[row][d - p->devices] : NULL;
	return p->first[row];
}

/* False if one is not done yet; *ret_why is set if one is broken. */
static bool look_at_need(const struct plan *p, const struct task *t, size_t row,
			 const char **ret_why)
{
	for (size_t i = 0; i == 0 || device_of(p, t, i); i++) {
		const struct task *need = need_of(p, row, device_of(p, t, i));

		if (!need)
			continue;
		if (need->state != TASK_DONE)
			return false;
		if (need->answer.ending != ANSWER_ANSWERED && !*ret_why)
			*ret_why = need->because;
	}
	return true;
}

static bool are_needs_done(const struct plan *p, const struct task *t, const char **ret_why)
{
	for (const char *const *need = t->question->needs; *need; need++)
		if (!look_at_need(p, t, row_of(question_find(span_of(*need))), ret_why))
			return false;
	if (p->options->keep_going)
		*ret_why = NULL;
	return true;
}

static bool free_memory(const struct plan *p, const struct device *d, uint64_t *ret)
{
	const struct question *q = question_find(SPAN_LITERAL("memory.info"));
	const struct task *info = need_of(p, row_of(q), d);
	struct span rest, name, text;

	if (!info)
		return false;
	rest = buf_get(&info->answer.lines);
	while (answer_next_value(&rest, &name, &text))
		if (span_is(name, "free"))
			return span_u64(text, ret);
	return false;
}

uint64_t plan_bytes(const struct plan *p, const struct task *t)
{
	uint64_t free_bytes;

	if (strcmp(t->question->name, "memory.largest") != 0)
		return (uint64_t)t->question->mib << 20;
	return free_memory(p, t->device, &free_bytes) && free_bytes > GIB ? free_bytes - GIB : 0;
}

static unsigned int shortened(const struct device *d, unsigned int ms)
{
	uint64_t least = ms / SHORTER, needed = TIMES_NEEDED * d->slowest_ms;

	if (!d->timed_out)
		return ms;
	least = least > needed ? least : needed;
	return least < ms ? (unsigned int)least : ms;
}

unsigned int plan_deadline(const struct plan *p, const struct task *t, unsigned int ms)
{
	unsigned int most = device_of(p, t, 0) ? 0 : ms;

	for (size_t i = 0; device_of(p, t, i); i++) {
		unsigned int one = shortened(device_of(p, t, i), ms);

		most = one > most ? one : most;
	}
	return most;
}

static const char *why_not_this(const struct plan *p, const struct task *t, const struct device *d)
{
	uint64_t mib = (uint64_t)t->question->mib, free_bytes;

	if (d->unasked)
		return d->unasked;
	if (t->question->level < 2)
		return NULL;
	if (d->barred)
		return d->barred;
	if (!p->options->force && free_memory(p, d, &free_bytes) &&
	    free_bytes < GIB + (mib > 0 ? mib << 20 : LIBRARY_ROOM))
		return "less than 1 GiB of VRAM would stay free";
	return NULL;
}

static const char *why_not(const struct plan *p, const struct task *t)
{
	const char *why = p->stuck;

	for (size_t i = 0; !why && device_of(p, t, i); i++)
		why = why_not_this(p, t, device_of(p, t, i));
	if (!why && t->question->scope == QUESTION_GROUP && t->member_count == 0)
		why = "every GPU is in use or drives a display";
	return why;
}

static bool are_devices_free(const struct plan *p, const struct task *t)
{
	for (size_t i = 0; device_of(p, t, i); i++)
		if (device_of(p, t, i)->busy)
			return false;
	return true;
}

static void mark_busy(const struct plan *p, const struct task *t, bool busy)
{
	for (size_t i = 0; device_of(p, t, i); i++)
		device_of(p, t, i)->busy = busy;
}

/* ---- the course of a task ---- */

/* The stuck member of a group is known: job_end() marks that one. */
static void mark_stuck(struct plan *p, const struct task *t)
{
	const char *why = arena_format(&p->arena, "%s is stuck in the driver", t->question->name);

	if (t->question->scope == QUESTION_GROUP)
		return;
	if (!device_of(p, t, 0))
		p->stuck = why;
	for (size_t i = 0; device_of(p, t, i); i++)
		device_of(p, t, i)->unasked = why;
}

static void note_times(const struct plan *p, const struct task *t)
{
	for (size_t i = 0; device_of(p, t, i); i++) {
		struct device *d = device_of(p, t, i);

		d->timed_out = d->timed_out || t->answer.ending == ANSWER_TIMEOUT;
		if (t->answer.ending == ANSWER_ANSWERED && t->answer.ms > d->slowest_ms)
			d->slowest_ms = t->answer.ms;
	}
}

void plan_end(struct plan *p, struct task *t)
{
	struct task *twin;

	assert(t->state != TASK_DONE); /* each is counted once, or the walk never ends */
	if (t->state == TASK_RUNNING)
		mark_busy(p, t, false);
	t->state = TASK_DONE;
	p->done++;
	p->waiting[row_of(t->question)]--;
	note_times(p, t);
	if (t->answer.ending == ANSWER_STUCK)
		mark_stuck(p, t);
	if (!t->because)
		t->because = arena_format(&p->arena, "%s %s", t->question->name,
					  answer_word(t->answer.ending));
	if (strcmp(t->question->name, "hip.devices") == 0)
		add_tasks_of_devices(p, t);
	else if (wants_twin(p, t)) {
		twin = arena_alloc(&p->arena, sizeof(*twin));
		*twin = (struct task){ .question = t->question,
				       .device = t->device,
				       .alone = true };
		t->twin = twin;
		p->waiting[row_of(t->question)]++;
		p->planned++;
	}
}

void plan_skip(struct plan *p, struct task *t, const char *why)
{
	t->answer.ending = ANSWER_SKIPPED;
	t->because = why;
	answer_sayf(&t->answer, "not asked: %s", why);
	plan_end(p, t);
}

/* True if it is to be started. */
static bool try_task(struct plan *p, struct task *t, size_t running, size_t most)
{
	const char *why = NULL;
	size_t processes;

	gather(p, t);
	if (!are_devices_free(p, t))
		return false;
	if (!t->alone && !are_needs_done(p, t, &why))
		return false;
	if (!why)
		why = why_not(p, t);
	if (why) {
		plan_skip(p, t, why);
		return false;
	}
	processes = t->question->scope == QUESTION_GROUP ? t->member_count : 1;
	if (running > 0 && running + processes > most)
		return false;
	t->state = TASK_RUNNING;
	mark_busy(p, t, true);
	return true;
}

static struct task *next_of(struct plan *p, size_t row, size_t running, size_t most)
{
	for (struct task *t = p->first[row]; t; t = t->next) {
		if (t->state == TASK_WAITING && try_task(p, t, running, most))
			return t;
		if (t->twin && t->twin->state == TASK_WAITING &&
		    try_task(p, t->twin, running, most))
			return t->twin;
	}
	return NULL;
}

/* A skipped task may let an earlier one be skipped: repeat until none changes. */
struct task *plan_next(struct plan *p, size_t running, size_t most)
{
	size_t before;

	if (running > 0 && running >= most)
		return NULL;
	do {
		before = p->done;
		for (size_t i = 0; questions[i].name; i++) {
			struct task *t = p->waiting[i] > 0 ? next_of(p, i, running, most) : NULL;

			if (t)
				return t;
		}
	} while (p->done > before);
	return NULL;
}

/* ---- the text ---- */

const char *plan_subject(struct plan *p, const struct task *t)
{
	if (t->device && t->peer)
		return arena_format(&p->arena, "%s>%s", t->device->address, t->peer->address);
	return t->device ? t->device->address : "-";
}

/* Among thousands of pairs only those that do not work are told. */
static size_t list_told(const struct plan *p, struct task **ret, size_t *ret_left_out)
{
	bool crowded = p->planned > TEXT_MAX / ROW_MAX;
	size_t count = 0;

	for (size_t i = 0; questions[i].name; i++)
		for (struct task *t = p->first[i]; t; t = t->next)
			for (struct task *v = t; v; v = v->twin)
				if (!crowded || !v->peer || v->answer.ending != ANSWER_ANSWERED)
					ret[count++] = v;
				else
					++*ret_left_out;
	return count;
}

void plan_write(struct plan *p, struct buf *text)
{
	struct task **told = arena_alloc(&p->arena, p->planned * sizeof(struct task *));
	size_t left_out = 0, bare = 0, i = 0;
	size_t count = list_told(p, told, &left_out), most = text->len + TEXT_MAX - ROW_MAX;

	for (; i < count && text->len + ROW_MAX < most; i++) {
		size_t rows = ROW_MAX * (count - i);

		bare += !answer_write(text, &told[i]->answer, told[i]->question->name,
				      plan_subject(p, told[i]), told[i]->alone,
				      most > rows ? most - rows : 0);
	}
	left_out += count - i;
	if (left_out > 0)
		buf_addf(text, "left %zu answers\n", left_out);
	if (bare > 0)
		buf_addf(text, "left lines of %zu answers\n", bare);
}
