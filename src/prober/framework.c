#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "prober/answers.h"
#include "prober/ask.h"
#include "prober/wire.h"

extern const char prober_torch[]; /* torch.py */

/*
 * This process becomes the Python that was named. -B: nothing is written into
 * somebody's environment; faulthandler tells the Python side of a crash on
 * standard error, in place of our own handler, which does not outlive exec.
 */
void answer_torch(const struct ask *ask)
{
	char device[16], rank[16], ranks[16];

	if (!ask->python)
		wire_usage("--python is wanted");
	snprintf(device, sizeof(device), "%d", ask->device);
	snprintf(rank, sizeof(rank), "%d", ask->rank);
	snprintf(ranks, sizeof(ranks), "%d", ask->ranks);
	wire_call("python");
	if (fcntl(WIRE_DESCRIPTOR, F_SETFD, 0) == 0)
		execl(ask->python, ask->python, "-B", "-X", "faulthandler", "-c", prober_torch,
		      ask->question, device, rank, ranks, ask->dir, (char *)NULL);
	wire_missing("%s: %s", ask->python, strerror(errno));
}
