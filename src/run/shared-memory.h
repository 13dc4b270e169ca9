#pragma once

/*
 * shared-memory - what keeper and watcher have in common: one piece of memory
 *
 * Of the job's output the keeper writes and the watcher reads, and neither ever
 * waits for the other.
 * Output goes through rings that the keeper writes over without asking: a
 * watcher that comes too late sees that it was lapped, counts what it missed,
 * and goes on with the newest bytes. So the last bytes of a job are always there,
 * after any death of the keeper too.
 */

#include <stdatomic.h>
#include <sys/types.h>
#include <termios.h>

#include "base/span.h"

#define SHARED_RING        ((size_t)4 << 20)    /* a late reader is not overrun at 300 MB/s */
#define SHARED_FLOOD       ((size_t)1280 << 10) /* a second-level cache holds it */
#define SHARED_CHUNK       ((size_t)128 << 10)  /* most that is read at once */
#define SHARED_EVENTS      256
#define SHARED_VERDICT_MAX 4096
#define SHARED_PLAN_MAX    65536 /* sixteen changes with their reasons fit twice */
#define SHARED_STATUS_LINE 400   /* most of a line to the user */

/* Bytes below `head` are whole; those below `reserved` may be being written. */
struct shared_ring {
	char *bytes; /* at the same place in both processes */
	size_t size;
	_Atomic uint64_t head, reserved;
	_Atomic uint64_t passed; /* bytes below were handed on */

	/* For a job that survives: a new relay reads these after a death in mid-call (relay.c). */
	_Atomic uint64_t claimed; /* `head`, were all read that the pipe aside held; 0: none */
	_Atomic int64_t at_file;  /* the offset of the output before a piece, -1: it has none */
	_Atomic uint64_t at_ring; /* and `passed` at that time */
};

/*
 * One stream. In a flood, which nobody could scan whole, the reader rests, and
 * the writer keeps the newest bytes in a smaller ring: memory that does not fit
 * into the cache costs a tenth of the speed. Afterwards their end goes into the
 * larger one.
 */
struct shared_stream {
	struct shared_ring ring, flood;
	_Atomic bool in_flood;    /* said by the reader */
	_Atomic uint64_t poured;  /* bytes of `flood` below went into `ring`, or were skimmed */
	_Atomic uint64_t skimmed; /* bytes that never went there */
	_Atomic uint64_t lost;    /* bytes that could not be handed on */
	_Atomic int lost_why;     /* errno of the last of them */
};

/* The columns: the kind, its name in the journal, what `number` means. */
#define SHARED_EVENT_KINDS                                               \
	X(SHARED_STARTED, "started", "pid")                              \
	X(SHARED_PASSED, "passed", "signal")                             \
	X(SHARED_STOPPED, "stopped", "signal")                           \
	X(SHARED_CONTINUED, "continued", "")                             \
	X(SHARED_ENDED, "ended", "wait status")                          \
	X(SHARED_LEFT_BEHIND, "left-behind", "number of processes")      \
	X(SHARED_TERMINATED, "terminated", "number of processes")        \
	X(SHARED_KILLED, "killed", "number of processes")                \
	X(SHARED_HUNG, "ended-hung", "signal")                           \
	X(SHARED_STUCK, "stuck", "pid of one that was killed and stays") \
	X(SHARED_HELD, "held", "descriptor that a stranger keeps open")

enum shared_event_kind {
#define X(kind, name, number) kind,
	SHARED_EVENT_KINDS
#undef X
		SHARED_KINDS
};

struct shared_event {
	uint64_t at_ms; /* since 1970 */
	int64_t number;
	enum shared_event_kind kind;
};

struct shared_memory {
	_Atomic bool over; /* the job, and all that we do about it */
	_Atomic int job;   /* its process id; 0: not started */
	int keeper;
	uint64_t pipes[2]; /* inodes of the job's output, 0: none */
	int status;        /* of the job, as wait() tells; valid when over */
	int exec_error;    /* the job could not be executed; valid when over */
	_Atomic bool asleep;
	int watcher_pipe; /* end of the pipe that wakes the watcher, and tells it of our end; the keeper has it */

	_Atomic bool raw; /* the terminal is as `made`, and should be as `found` */
	struct termios found, made;

	_Atomic uint64_t event_head;
	struct shared_event events[SHARED_EVENTS];

	_Atomic uint32_t verdict_len; /* set last */
	char verdict[SHARED_VERDICT_MAX];
	uint32_t plan_len; /* of what the decision to retry says; set before the verdict */
	char plan[SHARED_PLAN_MAX];
	_Atomic bool
		told; /* the watcher has no more to say, though one of its threads may still be stuck */
	_Atomic uint64_t unscanned;

	_Atomic uint32_t status_line_len; /* set last; 0: no line waits (status-line.h) */
	char status_line[SHARED_STATUS_LINE];
	uint64_t spoke_at;  /* the watcher's */
	int keeper_pipe;    /* end of the pipe that wakes the keeper; the watcher has it */
	_Atomic bool hung;  /* the watcher asks the keeper to end the job */
	_Atomic bool asked; /* a signal or a key has asked for the end */

	struct shared_stream
		streams[2]; /* standard output or a terminal; standard error, if apart */
	char memory[2][SHARED_RING + SHARED_FLOOD] __attribute__((aligned(4096)));
};

struct shared_memory *shared_new(void); /* NULL: no memory */
void shared_free(struct shared_memory *s);

/* ---- the keeper's side ---- */

/* Returns room for up to *ret_room bytes; shared_publish() then says how many there are. */
char *shared_reserve(struct shared_ring *r, size_t *ret_room);
void shared_publish(struct shared_memory *s, struct shared_ring *r, size_t n);
void shared_add_event(struct shared_memory *s, enum shared_event_kind kind,
		      int64_t number); /* one thread only */
void shared_wake_watcher(struct shared_memory *s);

/* The end of a flood into the ring that is scanned. */
void shared_pour(struct shared_memory *s, struct shared_stream *stream);

/* ---- the watcher's side ---- */

/*
 * Copy what comes after *at, at most `size`, and move *at after it. What was
 * missed is added to *ret_missed. 0: nothing new.
 */
size_t shared_take(struct shared_ring *r, uint64_t *at, char *to, size_t size,
		   uint64_t *ret_missed);
bool shared_event(struct shared_memory *s, uint64_t *at, struct shared_event *ret,
		  uint64_t *ret_missed);
bool shared_may_sleep(struct shared_memory *s, const uint64_t at[2]);
void shared_wake_keeper(struct shared_memory *s);
uint64_t shared_bytes(struct shared_stream *stream); /* that the job has written */
uint64_t shared_unscanned(struct shared_memory *s);
const char *shared_event_name(enum shared_event_kind kind);
