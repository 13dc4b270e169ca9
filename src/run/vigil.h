#pragma once

/*
 * vigil - the watcher's eye on hangs
 *
 * Once a second: looks at the job when it has been silent for long (hang.h), has
 * the evidence written before anything else (stacks.h), keeps a record, tells the
 * user (speech.h), and asks the keeper to end the job if the user wants that.
 */

#include "gauges/connections.h"
#include "run/evidence.h"
#include "run/hang.h"
#include "run/heirs.h"
#include "run/timeline.h"

enum vigil_state { VIGIL_CALM, VIGIL_SLOW, VIGIL_GATHERS, VIGIL_TOLD };

struct vigil {
	const struct run_order *order;
	struct share *share;
	struct evidence *evidence;
	struct timeline *timeline;
	struct hang_look looks[HANG_LOOKS];
	size_t count;
	bool has_gpu; /* a process of the job has one open; asked once in a silence */
	struct connections connections; /* of a silence */
	enum vigil_state state;
	struct hang_verdict verdict; /* of this silence */
	uint64_t last_step_ms;       /* before it */
	uint64_t again_ms; /* with VIGIL_TOLD: evidence is kept once more when silent so long */
	pid_t gatherer;
	uint64_t gather_until;
	unsigned int file; /* number of the last */
	unsigned int kept; /* how many in all */
	struct buf line;   /* that is still to be said */
};

void vigil_open(struct vigil *v, const struct run_order *order, struct share *share,
		struct evidence *evidence, struct timeline *timeline);

/* Once a second, behind timeline_look(). */
void vigil_look(struct vigil *v, const struct heirs *heirs);

/* The job is gone: nobody is left to be looked at. */
void vigil_end(struct vigil *v);

/* ---- within vigil*.c ---- */

/* One more look at the job. */
void vigil_take(struct vigil *v, const struct heirs *heirs, uint64_t now);

/* Since the last step the kernel's log has told so of a GPU that may be the job's. */
bool vigil_heard(const struct vigil *v, enum timeline_alarm kind);
