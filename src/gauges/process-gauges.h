#pragma once

/*
 * process-gauges - what processes use, read again and again
 *
 * Which of a process's descriptors are those of a GPU is looked for when it is
 * new, and then ever seldomer: a server has thousands of others. One that shows
 * the same client as another, because it was inherited, counts once.
 */

#include <sys/types.h>

#include "door/door.h"

#define PROCESS_GAUGES     1024 /* beyond that processes are only counted */
#define PROCESS_GAUGES_FDS 128  /* of GPUs, of one process: one for each partition */
#define PROCESS_CLIENTS    4096

struct process_gauge {
	pid_t pid;
	bool seen;     /* in this round */
	bool denied;   /* its descriptors may not be looked at, or not all of them */
	uint8_t count; /* of descriptors of GPUs */
	uint16_t waited, waits;
	int fds[PROCESS_GAUGES_FDS];
};

struct process_client {
	char address[16];
	uint64_t id;
};

struct process_gauges {
	size_t count;
	struct process_gauge list[PROCESS_GAUGES];
	size_t client_count;
	bool full;                                      /* there were more of them in this round */
	struct process_client clients[PROCESS_CLIENTS]; /* met in this round */
};

struct process_reading {
	char name[16];
	int64_t threads, rss, cpu_ms, read, written; /* -1: not known */
};

/* A client that was not met before in this round. */
typedef void process_client_fn(void *ctx, const char *address, int64_t vram, int64_t gtt);

/* A round: begin, read each, end. Who was not read in it is forgotten. */
void process_gauges_begin(struct process_gauges *g);
bool process_gauges_read(struct process_gauges *g, struct door *d, pid_t pid,
			 struct process_reading *ret);
/* False: not all that it holds is told. */
bool process_gauges_clients(struct process_gauges *g, struct door *d, pid_t pid,
			    process_client_fn *tell, void *ctx);
void process_gauges_end(struct process_gauges *g);

/* Somebody may have opened a GPU: look for descriptors in the next round. */
void process_gauges_look(struct process_gauges *g);
