#pragma once

/*
 * options (context) - which machine, whose rights, which knowledge
 *
 * What a command line names of them; everything may be left out.
 */

#include "door/door.h"

struct context_options {
	const char *from;      /* a snapshot */
	const char *root;      /* an unpacked tree */
	const char *host_root; /* a live host seen through a mount */
	bool brief;            /* ask only what a brief snapshot holds */
	bool hardware;         /* ask only what the kernel says of GPUs and links */
	struct door_options door;
	const char *kb;     /* a kb.db; NULL: what this host has */
	const char *expect; /* "gpus=8": what the machine is meant to have; NULL: not said */
	const char *ack;    /* directory of acknowledgements; NULL: this host's */

	/* Told what is being read, again and again while a machine is asked; or NULL. */
	void (*waiting)(void *ctx, const char *path);
	void *waiting_ctx;
};
