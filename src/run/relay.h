#pragma once

/*
 * relay - one stream of the job's output, on its way to where ours goes
 *
 * A thread that reads into the shared ring and writes from it: a stream that
 * nobody takes away holds up neither the other stream nor the signals. Bytes
 * are copied no more often than by cat. Nothing is allocated once it runs.
 */

#include <pthread.h>

#include "run/shared-memory.h"

enum relay_state { RELAY_READING, RELAY_WRITING, RELAY_DONE };

struct relay {
	int in, out;   /* in: -1, there is no such stream */
	bool keeps;    /* a writer that is gone ends a terminal, not the job: go on reading */
	bool survives; /* the job survives our death, and another relay goes on */
	int aside[2];  /* then a pipe that its bytes go through; -1: none */
	int over;      /* a byte is written here at the end */
	struct shared_memory *shared;
	struct shared_stream *stream;
	_Atomic int state;
	pthread_mutex_t turn; /* to write to `out`: the watcher's lines go there too */
	char last;            /* byte that was written there */
	pthread_t thread;
	bool started;
};

#define RELAY_NONE                                       \
	{                                                \
		.in = -1, .out = -1, .aside = { -1, -1 } \
	}

int relay_start(struct relay *r); /* 0 or -errno */

/* Nothing is on its way, though the stream has not ended: somebody else keeps it open. */
bool relay_is_idle(struct relay *r);
