#pragma once

/*
 * plan - what is to be asked of whom, what may be asked now, and what came of it
 *
 * Starts with the questions to the machine; the answer to hip.devices makes the
 * questions to devices, pairs and groups of them. A task whose ground is broken
 * is done without being asked, and says what it rests on. No processes here and
 * no clock.
 */

#include "base/arena.h"
#include "probe/answer.h"
#include "probe/devices.h"
#include "probe/probe.h"
#include "probe/questions.h"

enum task_state { TASK_WAITING, TASK_RUNNING, TASK_DONE };

struct task {
	const struct question *question;
	struct device *device, *peer; /* NULL where the scope has none */
	struct device **members;      /* of a group; set when it is started */
	size_t member_count;
	bool alone;
	enum task_state state;
	struct answer answer;
	const char *because; /* what those who rest on it say, if it was not answered */
	struct task *twin;   /* the same, asked alone */
	struct task *next;   /* of the same question */
};

struct plan {
	struct arena arena;
	const struct probe_options *options;
	bool chosen[QUESTIONS_MAX];
	struct task *first[QUESTIONS_MAX], *last[QUESTIONS_MAX];
	struct task **by_device[QUESTIONS_MAX]; /* of questions to each device */
	size_t waiting[QUESTIONS_MAX];
	struct device *devices;
	size_t device_count;
	const char *stuck; /* a question to the machine is stuck: nothing more is asked */
	size_t planned, done;
};

/* -EINVAL if a layer is not known. */
int plan_init(struct plan *p, const struct probe_options *options);
void plan_done(struct plan *p);

/*
 * A task that can be started now, besides `running` processes of `most`; its
 * devices are taken. NULL if there is none at the moment. Tasks that need not be
 * asked become done on the way.
 */
struct task *plan_next(struct plan *p, size_t running, size_t most);

/* The task's answer is complete. */
void plan_end(struct plan *p, struct task *t);
void plan_skip(struct plan *p, struct task *t, const char *why);

bool plan_is_done(const struct plan *p);

/* For --bytes; 0: not given. */
uint64_t plan_bytes(const struct plan *p, const struct task *t);

/*
 * The deadline of a question that has this many milliseconds. After a question has timed out
 * on a GPU, the next there gets a quarter, or ten times the GPU's slowest answer if that is
 * more. Several GPUs that are asked together get the longest of their times.
 */
unsigned int plan_deadline(const struct plan *p, const struct task *t, unsigned int ms);

const char *plan_subject(struct plan *p, const struct task *t);

/* The lines of the walk below its first. */
void plan_write(struct plan *p, struct buf *text);
