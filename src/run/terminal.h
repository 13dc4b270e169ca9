#pragma once

/*
 * terminal - our terminal, and the one that the job gets in its place
 *
 * If our standard output is a terminal the job gets one of its own, with what
 * is typed passed on (ours is raw meanwhile, so that Ctrl-C is the job's). If
 * only standard error is one, the job's standard error is a terminal that
 * nobody types into: the keyboard may belong to a pager at the end of the pipe.
 * In the background our terminal is left as it is.
 */

#include <sys/types.h>

#include "run/share.h"

struct terminal {
	int ours;          /* -1: none */
	int master, slave; /* -1: none */
	bool types;        /* there is a keyboard, and the job's session has this terminal */
	bool on[3];        /* the job's descriptors that are on it */
	char typed[256];   /* on its way to the job */
	size_t typed_count;
};

/* 0 or -errno; without a terminal `master` is -1. */
int terminal_open(struct terminal *t);

/* Whether we are in front: then ours becomes raw. */
bool terminal_take(struct terminal *t, struct share *s);
void terminal_give_back(int ours, struct share *s); /* also by the watcher */

void terminal_resize(const struct terminal *t);

/* Read from the keyboard. False: it is gone. */
bool terminal_read(struct terminal *t);

/*
 * Pass on what was typed. *ret_stop: that was the key that stops, and nobody but
 * the job itself would be stopped. Its session has nobody who could continue it,
 * so the kernel does not let the key stop it: we have to.
 */
void terminal_write(struct terminal *t, pid_t job, bool *ret_stop);
