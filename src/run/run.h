#pragma once

/*
 * run - a job under supervision, in two processes
 *
 * The keeper (keeper.h) starts the job and relays its bytes; the watcher
 * (watcher.h) reads them, samples the machine and judges.
 */

#include "base/buf.h"
#include "facts/facts.h"
#include "run/retry.h"

/* The action on a hang; evidence is kept and the user is warned in any case. */
enum run_hang { RUN_HANG_NOTIFY, RUN_HANG_DUMP, RUN_HANG_END, RUN_HANG_RETRY };

struct run_order {
	char *const *arguments;    /* NULL-terminated */
	const char *directory;     /* of the journal, that the user named; or NULL: */
	const char *own_directory; /* a new one below this; NULL: no journal */
	const char *kb;            /* a kb.db, or NULL; used only without facts */
	struct facts *facts;       /* the machine, with the knowledge attached; or NULL */
	struct span preflight;     /* lines for the journal; empty: the machine was not looked at */
	bool leave;                /* processes that outlive the job are not ended */
	bool survive;              /* the job goes on if we die */
	enum run_hang on_hang;
	uint64_t hang_after_ms; /* silence below is no hang; 0: as hang.h says */

	bool heal;                         /* look for workarounds when it fails */
	bool allow_cpu;                    /* as the last one */
	unsigned int attempt, attempts;    /* which, from 1, of how many; 0: there is one */
	const struct workaround *settings; /* in force, already in our environment */
	size_t setting_count;              /* for all attempts so far */
	size_t setting_new;                /* the last ones, of this attempt */
	const char *why_cause, *why_title; /* of this attempt, or NULL */
	const char *resume;                /* words that were added to the command, or NULL */
	const struct retry_place *before;  /* where the attempt before failed, or NULL */

	/* Updates the facts before a workaround is chosen; or NULL. False: nothing has changed. */
	bool (*look_again)(void *ctx);
	void *look_again_ctx;

	/* Told that the job takes our place, since we cannot watch it (-errno). */
	void (*bare)(void *ctx, int error);
	void *bare_ctx;
};

struct run_end {
	int status;         /* as wait() tells */
	int exec_error;     /* why the program was not executed, or 0 */
	bool hung;          /* and was ended for that */
	bool stopped;       /* a signal or a key has asked for the end */
	bool late;          /* the watcher lives, and had not told by then */
	bool held;          /* a stranger has its output: nothing more can be started here */
	struct buf verdict; /* lines for the user; the caller releases it */
	struct buf plan;    /* for the next attempt (retry_read); likewise */
};

/* Until the job has ended. Where there is no room for us, it takes our place. */
void run_job(const struct run_order *order, struct run_end *ret);

/*
 * The exit status for a job's. Where a signal ended it, the same ends this
 * process: our parent learns what the job's would have. The core is the job's.
 */
int run_end_like(int status);

/* The same as a shell tells it: the job's own status, or 128 and the signal. */
int run_exit_status(int status);
