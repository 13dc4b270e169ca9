#pragma once

/*
 * disk - a thread that waits for the disk, so that the watcher need not
 *
 * A busy disk or a file server takes seconds to sync, in which the job prints its
 * steps and failures and may end: the watcher reads on meanwhile.
 */

#include <pthread.h>
#include <stdbool.h>

struct disk {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t asked;
	int dir, file;          /* -1: there is none */
	bool own_dir, own_file; /* duplicates, which it closes; else the caller's */
	bool started, wanted, over;
};

#define DISK_NONE ((struct disk){ .dir = -1, .file = -1 }) /* nothing is kept */

/*
 * First the names: what is synced later can be found after a power failure only if its
 * name is on the disk, and those of the directories that we may have made, the run's own
 * and the one for all of them. Where no thread can be had, whoever asks waits. Both
 * descriptors stay open until disk_close(): where there is none left, they are not doubled.
 */
void disk_open(struct disk *d, int dir, int file);
void disk_sync(struct disk *d);  /* what is written by now will be on the disk */
void disk_close(struct disk *d); /* ... and is; waits for it */
