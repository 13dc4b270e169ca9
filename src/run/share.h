#pragma once

/*
 * share - what keeper and watcher have in common: one piece of memory
 *
 * The keeper writes, the watcher reads, and neither ever waits for the other.
 * Output goes through rings that the keeper writes over without asking: a
 * watcher that comes too late sees that it was lapped, counts what it missed,
 * and goes on with the newest bytes. So the last bytes of a job are always there,
 * after any death of the keeper too.
 */

#include <stdatomic.h>
#include <sys/types.h>
#include <termios.h>

#include "base/span.h"

#define SHARE_RING        ((size_t)4 << 20)    /* a late reader is not overrun at 300 MB/s */
#define SHARE_FLOOD       ((size_t)1280 << 10) /* a second-level cache holds it */
#define SHARE_CHUNK       ((size_t)128 << 10)  /* most that is read at once */
#define SHARE_EVENTS      256
#define SHARE_VERDICT_MAX 4096
#define SHARE_PLAN_MAX    16384
#define SHARE_SPEECH      400 /* most of a line to the user */

/* Bytes below `head` are whole; those below `reserved` may be being written. */
struct share_ring {
	char *bytes; /* at the same place in both processes */
	size_t size;
	_Atomic uint64_t head, reserved;
	_Atomic uint64_t passed; /* bytes below were handed on */
};

/*
 * One stream. In a flood, which nobody could scan whole, the reader rests, and
 * the writer keeps the newest bytes in a smaller ring: memory that does not fit
 * into the cache costs a tenth of the speed. Afterwards their end goes into the
 * larger one.
 */
struct share_stream {
	struct share_ring ring, flood;
	_Atomic bool in_flood;    /* said by the reader */
	_Atomic uint64_t poured;  /* bytes of `flood` below went into `ring`, or were skimmed */
	_Atomic uint64_t skimmed; /* bytes that never went there */
	_Atomic uint64_t lost;    /* bytes that could not be handed on */
	_Atomic int lost_why;     /* errno of the last of them */
};

/* The columns: name in the journal, what `number` and `more` are. */
#define SHARE_EVENT_KINDS                                               \
	X(SHARE_STARTED, "started", "pid")                              \
	X(SHARE_PASSED, "passed", "signal")                             \
	X(SHARE_STOPPED, "stopped", "signal")                           \
	X(SHARE_CONTINUED, "continued", "")                             \
	X(SHARE_ENDED, "ended", "wait status")                          \
	X(SHARE_HEIRS, "left-behind", "number of processes")            \
	X(SHARE_TERMINATED, "terminated", "number of processes")        \
	X(SHARE_KILLED, "killed", "number of processes")                \
	X(SHARE_HUNG, "ended-hung", "signal")                           \
	X(SHARE_STUCK, "stuck", "pid of one that was killed and stays") \
	X(SHARE_HELD, "held", "descriptor that a stranger keeps open")

enum share_event_kind {
#define X(kind, name, number) kind,
	SHARE_EVENT_KINDS
#undef X
		SHARE_KINDS
};

struct share_event {
	uint64_t at_ms; /* since 1970 */
	int64_t number;
	enum share_event_kind kind;
};

struct share {
	_Atomic bool over; /* the job, and all that we do about it */
	_Atomic int job;   /* its process id; 0: not started */
	int keeper;
	uint64_t pipes[2]; /* inodes of the job's output, 0: none */
	int status;        /* of the job, as wait() tells; valid when over */
	int exec_error;    /* the job could not be executed; valid when over */
	_Atomic bool asleep;
	int wake; /* the keeper's end of the pipe that wakes the watcher, and tells it of our end */

	_Atomic bool raw; /* the terminal is as `made`, and should be as `found` */
	struct termios found, made;

	_Atomic uint64_t event_head;
	struct share_event events[SHARE_EVENTS];

	_Atomic uint32_t verdict_len; /* set last */
	char verdict[SHARE_VERDICT_MAX];
	uint32_t plan_len; /* of what the ladder says; set before the verdict */
	char plan[SHARE_PLAN_MAX];
	_Atomic bool told; /* the watcher has no more to say, though a thread of it may stand */
	_Atomic uint64_t unscanned;

	_Atomic uint32_t speech_len; /* set last; 0: no line waits (speech.h) */
	char speech[SHARE_SPEECH];
	uint64_t spoke_at;  /* the watcher's */
	int call;           /* the watcher's end of the pipe that wakes the keeper */
	_Atomic bool hung;  /* the watcher asks the keeper to end the job */
	_Atomic bool asked; /* a signal or a key has asked for the end */

	struct share_stream
		streams[2]; /* standard output or a terminal; standard error, if apart */
	char memory[2][SHARE_RING + SHARE_FLOOD] __attribute__((aligned(4096)));
};

struct share *share_new(void); /* NULL: no memory */
void share_free(struct share *s);

uint64_t share_clock(void); /* milliseconds of a clock that never jumps */
uint64_t share_date(void);  /* milliseconds since 1970 */

/* ---- the keeper's side ---- */

/* Where to put up to *ret_room bytes; then how many there are. */
char *share_reserve(struct share_ring *r, size_t *ret_room);
void share_publish(struct share *s, struct share_ring *r, size_t n);
void share_note(struct share *s, enum share_event_kind kind, int64_t number); /* one thread only */
void share_wake(struct share *s);

/* The end of a flood into the ring that is scanned. */
void share_pour(struct share *s, struct share_stream *stream);

/* ---- the watcher's side ---- */

/*
 * Copy what comes after *at, at most `size`, and move *at behind it. What was
 * missed is added to *ret_missed. 0: nothing new.
 */
size_t share_take(struct share_ring *r, uint64_t *at, char *to, size_t size, uint64_t *ret_missed);
bool share_event(struct share *s, uint64_t *at, struct share_event *ret);
bool share_may_sleep(struct share *s, const uint64_t at[2]);
void share_call(struct share *s);                  /* the keeper is to look */
uint64_t share_bytes(struct share_stream *stream); /* that the job has written */
uint64_t share_unscanned(struct share *s);
const char *share_event_name(enum share_event_kind kind);
