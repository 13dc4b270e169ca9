#pragma once

/*
 * standing - why something could not be learned
 *
 * Inside, a failed access is a negative errno. Five things that no errno says
 * get a number of their own here, so that one int carries every answer of the
 * door. In a snapshot and in the tables they are words.
 */

#include <errno.h>

#include "base/span.h"

enum {
	DOOR_STUCK = -ETIME,       /* asked, and no answer within the deadline */
	DOOR_ASLEEP = -EHOSTDOWN,  /* not asked: the question would wake a sleeping GPU */
	DOOR_SKIPPED = -ECANCELED, /* not asked: its device is stuck */
	DOOR_UNASKED = -ENOMSG,    /* not asked: nobody recorded it, or not allowed */
	DOOR_LATE = -EINPROGRESS,  /* not asked: the time was over before its turn came */
};

/* "EACCES", "STUCK", ...; an unlisted number gives "EIO". */
const char *standing_error_name(int error);

/* Back from the name; 0 for a name that is not known. */
int standing_error(struct span name);

/* absent, denied, broken, stuck, busy or unasked: the words of the gap table. */
const char *standing_of(int error);
