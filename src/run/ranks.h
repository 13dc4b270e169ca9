#pragma once

/*
 * ranks - which processes of a job are its ranks, and which of them ended first
 *
 * A launcher (torchrun, accelerate, deepspeed) gives each rank its number in the
 * environment. What a rank starts inherits it, so the topmost process with a
 * number is the rank. Of two that end between two looks none is the first: then
 * nobody is named. A job of more than a thousand processes is not looked through.
 */

#include "base/span.h"
#include "door/descendants.h"

#define RANKS_MAX 256

struct ranks {
	size_t count, gone;
	struct rank {
		pid_t pid;
		long number;
		bool gone;
	} list[RANKS_MAX];
	size_t asked; /* processes; newer ones take the place of the oldest */
	struct rank_asked {
		pid_t pid;
		unsigned char times;
	} known[RANKS_MAX * 4];
};

struct ranks_news {
	const struct rank *came; /* the first that is new, and how many are */
	size_t came_count;
	const struct rank *ended; /* the first to end, told once; NULL: none, or several at once */
};

void ranks_look(struct ranks *r, const struct descendants *descendants, struct ranks_news *ret);

/* The number in an environment as the kernel shows it; -1: none. */
long ranks_number(struct span environment);
