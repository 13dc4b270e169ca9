#pragma once

/*
 * process-look - one look of two seconds at a process that runs already
 *
 * Nothing is attached to it: small files of /proc are read at the begin and at the end, by a
 * child that is given up if one of them does not answer. The look is text, and is classified from
 * that text alone (process-class.h), now or later:
 *
 *	look 4711 2003                                   process, milliseconds
 *	process 4711 1 S 12 0 48212 0 python             parent, state, then over the look:
 *	                                                 CPU ms, KiB read; RSS and its growth in KiB
 *	thread 4711 4712 S 0 futex_wait_queue python     state, CPU ms, where it sleeps or "-"
 *	runs 4711                                        a thread of it, at both moments
 *	compiler 4713
 *	gpu 4711
 *	asks 4711
 *	ranks 4711 2                                     of WORLD_SIZE
 *	more                                             there were more than fit
 *	end
 *
 * Without "end" the look did not come to its end.
 */

#include <sys/types.h>

#include "base/buf.h"

/* 0; -ESRCH: there is no such process; -errno. */
int process_look(pid_t pid, struct buf *ret);
