#pragma once

/*
 * job - the probers of one task: one, or one for each member of a group
 *
 * When a member of a group has failed the others wait for it in vain: they are
 * ended soon after, and the one that failed first is the answer.
 */

#include "probe/child.h"
#include "probe/plan.h"
#include "probe/scratch-dir.h"

struct job {
	struct task *task;
	size_t count;
	struct child **ranks;
	uint64_t broken; /* when the first of a group failed; 0: none has */
	size_t first_bad;
	struct job *next;
};

/* The user whose code is loaded, decided once for a walk. */
struct job_rights {
	bool decided, allowed;
	uid_t uid;
	gid_t gid;
	struct buf why;
};

struct job_maker {
	struct plan *plan;
	const char *program; /* absolute */
	struct scratch_dir scratch;
	uint64_t memory;             /* of the host */
	struct job_rights rights[2]; /* without and with the framework */
	int error;                   /* why the last one could not be started */
	bool any;                    /* one was */
};

/* NULL if it could not be started: the task is done then. */
struct job *job_new(struct job_maker *m, struct task *t);
struct job *job_free(struct job *j); /* kills what is alive; accepts NULL, returns NULL */

/* True when it is over: the task has its answer. *ret_left: some of its processes may be left. */
bool job_step(struct job *j, uint64_t now_ms, bool *ret_left);

/* The task's answer is taken into account. */
void job_end(struct job_maker *m, struct job *j);

void job_maker_done(struct job_maker *m);
