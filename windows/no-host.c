/*
 * Questions that only a host with Linux answers: no collector of Windows asks them, and a
 * snapshot of Linux has their answers. Commands that need one refuse in one sentence.
 */

#include <errno.h>

#include "cli/check-many.h"
#include "cli/probe-front.h"
#include "cli/program.h"
#include "cli/snapshot-proof.h"
#include "door/accounts.h"
#include "door/host.h"
#include "root/root.h"
#include "root/snapshot.h"
#include "survey/drm-clients.h"
#include "survey/kernel-log.h"

#define NOBODY_ANSWERS(question)                                            \
	int question(struct door *d, struct span argument, struct buf *ret) \
	{                                                                   \
		(void)d;                                                    \
		(void)argument;                                             \
		(void)ret;                                                  \
		return -ENOTSUP;                                            \
	}

NOBODY_ANSWERS(accounts_group)
NOBODY_ANSWERS(drm_clients)
NOBODY_ANSWERS(host_access_list)
NOBODY_ANSWERS(host_kfd_version)
NOBODY_ANSWERS(host_open_node)
NOBODY_ANSWERS(host_space)
NOBODY_ANSWERS(kernel_log_file)
NOBODY_ANSWERS(kernel_log_journal)
NOBODY_ANSWERS(kernel_log_ring)

bool host_shares_kernel(struct door *d)
{
	return d->kind == DOOR_LIVE;
}

int check_many(const struct options *o, struct context *context, struct acks *acks)
{
	(void)o;
	(void)context;
	(void)acks;
	return program_refuse("check", "check of a directory");
}

struct options probe_front_options(const struct options *o)
{
	return *o;
}

int probe_front_walk(const struct options *o, struct machine *m)
{
	(void)o;
	(void)m;
	return program_refuse("check", "--probe");
}

int snapshot_proof(const struct options *o)
{
	(void)o;
	return program_refuse("snapshot", "--proof");
}

int snapshot_unpack(struct root *root, const char *dir)
{
	(void)root;
	(void)dir;
	return -ENOTSUP;
}
