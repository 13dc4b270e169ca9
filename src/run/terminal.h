#pragma once

/*
 * terminal - our terminal, and the one that the job gets in its place
 *
 * If our standard output is a terminal the job gets one of its own, with what
 * is typed passed on (ours is raw meanwhile, so that Ctrl-C is the job's). If
 * only standard error is one, the job's standard error is a terminal that
 * nobody types into: the keyboard may belong to a pager at the end of the pipe.
 * In the background, and as long as somebody else writes into our standard
 * input, our terminal is left as it is.
 */

#include <sys/types.h>

#include "run/shared-memory.h"

struct terminal {
	int ours;          /* -1: none */
	int master, slave; /* -1: none */
	bool flat;         /* we have taken the job's work on its output away, ours does it */
	bool types;        /* there is a keyboard, and the job's session has this terminal */
	bool on[3];        /* the job's descriptors that are on it */
	char typed[256];   /* on its way to the job */
	size_t typed_count;
};

/* 0 or -errno; without a terminal `master` is -1. */
int terminal_open(struct terminal *t);

/* Whether we are in front: then ours becomes raw. */
bool terminal_take(struct terminal *t, struct shared_memory *s);
void terminal_give_back(int ours, struct shared_memory *s); /* also by the watcher */

void terminal_resize(const struct terminal *t);

/* Read from the keyboard. False: it is gone, or not ours any more. */
bool terminal_read(struct terminal *t);

struct terminal_keys {
	bool ends;  /* Ctrl-C and the like */
	bool stops; /* Ctrl-Z, and nobody but the job itself would be stopped */
};

/*
 * Pass on what was typed, and tell which keys were in it. The job's session has
 * nobody who could continue it, so the kernel does not let Ctrl-Z stop it: we
 * have to.
 */
void terminal_write(struct terminal *t, pid_t job, struct terminal_keys *ret);

/* The job is no more: what was typed is dropped. True: it asks for the end. */
bool terminal_drop(struct terminal *t, const struct shared_memory *s);
