#pragma once

/*
 * probe - a walk through the GPU stack, in processes that may die
 *
 * Each question is put by a rocsteady-probe of its own, with a deadline, limits
 * and a closed environment. None is waited for beyond its deadline; one that
 * not even SIGKILL ends is named and left. The outcome is text, in the form of
 * docs/design/0009-probe.md, for root_add() and for parse/walk-text.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/* A GPU as known before the walk, by the address under which HIP will name it. */
struct probe_gpu {
	const char *address; /* 0000:03:00.0 */
	bool in_use;         /* by somebody else's process */
	bool display;        /* a monitor is attached */
};

/* A file to be loaded in place of the usual one: hsa, hip, hiprtc, rocblas, ... */
struct probe_library {
	const char *name;
	const char *path;
};

struct probe_progress {
	const char *question;
	const char *subject;
	size_t done, planned; /* planned grows while the walk learns of devices */
};

struct probe_options {
	const char *program; /* rocsteady-probe, as a path */
	int level;           /* 1, 2 or 3 */
	const char *layers;  /* "memory,rocblas": these, and what they rest on; NULL: all */
	const char *device;  /* an index or an address; NULL: all */
	bool keep_going;     /* ask on above a broken layer */
	bool force;          /* also GPUs that are in use */
	const char
		*like; /* "system", "torch@/path", "pid@N", "libraries@/path": for the first line */
	const char *python;           /* for the framework layer; NULL: not asked */
	const char *package;          /* directory of the framework that it runs; may be NULL */
	const char *const *variables; /* NAME=VALUE for every prober; NULL ends it; may be NULL */
	const struct probe_gpu *gpus;
	size_t gpu_count;
	const struct probe_library *libraries;
	size_t library_count;
	uid_t uid; /* run by root, probers become this user, whatever they load; 0: see door/trust.h */
	gid_t gid;
	int64_t now;  /* seconds since 1970, for the first line */
	int patience; /* of the usual deadlines, in percent; 0: 100 */

	/* Called as questions begin and end; may be NULL. */
	void (*progress)(void *ctx, const struct probe_progress *p);
	void *ctx;
	const volatile bool *cancelled; /* by a signal: end all, remove all; may be NULL */
};

/*
 * The path of rocsteady-probe: beside this program, or where a package puts
 * helpers. False with a reason for one that root does not run.
 */
bool probe_find_program(char *ret, size_t size, struct buf *ret_why);

/* -error of execve; -ELIBACC if the program is there, but not the loader that it names (musl). */
int probe_unstarted(const char *program, int error);

/*
 * Appends the walk to *text. -ECANCELED, or -errno if no prober can be started at all:
 * -ELIBACC where its loader is missing.
 */
int probe_walk(const struct probe_options *options, struct buf *text);
