/*
 * There is no host behind rocsteady.wasm: a machine is a snapshot that was recorded
 * elsewhere. What a live root would ask is refused here; nobody calls it.
 */

#include <errno.h>

#include "cli/check-many.h"
#include "cli/probe-front.h"
#include "cli/program.h"
#include "door/accounts.h"
#include "door/host.h"
#include "door/subject.h"
#include "door/trust.h"
#include "root/root.h"
#include "survey/ask-code.h"
#include "survey/ask-environments.h"
#include "survey/ask-kernels.h"
#include "survey/ask-libraries.h"
#include "survey/ask-loads.h"
#include "survey/ask-packages.h"
#include "survey/drm-clients.h"
#include "survey/kernel-log.h"

/* ---- the door ---- */

int door_init(struct door *d, enum door_kind kind, const char *dir,
	      const struct door_options *options)
{
	(void)d;
	(void)kind;
	(void)dir;
	(void)options;
	return -ENOTSUP;
}

void door_done(struct door *d)
{
	(void)d;
}

int door_read(struct door *d, const char *path, size_t max, struct buf *ret)
{
	(void)d;
	(void)path;
	(void)max;
	(void)ret;
	return -ENOTSUP;
}

bool trust_file(const char *path)
{
	(void)path;
	return false;
}

int door_link(struct door *d, const char *path, struct buf *ret)
{
	return door_read(d, path, 0, ret);
}

int door_list(struct door *d, const char *path, struct buf *ret)
{
	return door_read(d, path, 0, ret);
}

int door_stat(struct door *d, const char *path, struct door_node *ret)
{
	(void)ret;
	return door_read(d, path, 0, NULL);
}

bool door_is_stuck(const struct door *d, struct span path)
{
	(void)d;
	(void)path;
	return false;
}

bool door_asleep(struct door *d, struct span device_dir)
{
	(void)d;
	(void)device_dir;
	return false;
}

int subject_wear(struct door *d, struct subject_worn *ret)
{
	(void)ret;
	return door_read(d, "", 0, NULL);
}

void subject_take_off(struct subject_worn *worn)
{
	(void)worn;
}

/* ---- what a recording child and its parent share ---- */

bool root_can_record(void)
{
	return false;
}

int root_record(struct root *root, void (*collect)(struct root *root))
{
	(void)root;
	(void)collect;
	return 0; /* a snapshot is recorded */
}

void root_end_recording(void)
{
}

void root_meanwhile(struct root *root, void (*work)(void *ctx), void *ctx)
{
	(void)root;
	(void)work;
	(void)ctx;
}

void root_waiting(struct root *root, void (*tell)(void *ctx, const char *path), void *ctx)
{
	(void)root;
	(void)tell;
	(void)ctx;
}

struct beacon *beacon_new(void)
{
	return NULL;
}

struct beacon *beacon_free(struct beacon *b)
{
	(void)b;
	return NULL;
}

void beacon_begin(struct beacon *b, int kind, const char *path)
{
	(void)b;
	(void)kind;
	(void)path;
}

void beacon_end(struct beacon *b)
{
	(void)b;
}

bool beacon_append(struct beacon *b, struct span record, struct span *ret_kept)
{
	(void)b;
	(void)record;
	(void)ret_kept;
	return false;
}

/* ---- questions that are no file ---- */

#define NOBODY_ANSWERS(question)                                            \
	int question(struct door *d, struct span argument, struct buf *ret) \
	{                                                                   \
		(void)argument;                                             \
		return door_read(d, "", 0, ret);                            \
	}

NOBODY_ANSWERS(accounts_group)
NOBODY_ANSWERS(ask_code)
NOBODY_ANSWERS(ask_environments)
NOBODY_ANSWERS(ask_kernels)
NOBODY_ANSWERS(ask_libraries)
NOBODY_ANSWERS(ask_loads)
NOBODY_ANSWERS(ask_packages)
NOBODY_ANSWERS(drm_clients)
NOBODY_ANSWERS(host_access_list)
NOBODY_ANSWERS(host_clock)
NOBODY_ANSWERS(host_kfd_version)
NOBODY_ANSWERS(host_machine)
NOBODY_ANSWERS(host_open_node)
NOBODY_ANSWERS(host_space)
NOBODY_ANSWERS(kernel_log_file)
NOBODY_ANSWERS(kernel_log_journal)
NOBODY_ANSWERS(kernel_log_ring)
NOBODY_ANSWERS(subject_environment)
NOBODY_ANSWERS(subject_identity)

bool host_shares_kernel(struct door *d)
{
	return d->kind == DOOR_LIVE;
}

/* ---- commands ---- */

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
