#pragma once

/*
 * verdict-file - where the verdict of this node is kept
 *
 * Everybody may read it: it names causes, PCI addresses and the serial numbers of
 * GPUs, and nothing of users or jobs. Readers believe it only if nobody but root,
 * or they themselves, could have written it.
 */

#include "gate/node-verdict.h"

#define VERDICT_FILE  "/run/rocsteady/verdict"
#define VERDICT_OLD_S 600 /* seconds after which it tells nothing any more */

/* What this boot calls itself, and how many seconds it has lasted. */
struct boot_now {
	char id[40]; /* empty: not known */
	uint64_t second;
};

void boot_now(struct boot_now *ret);

#define HOST_NAME_MAX_LEN 65
void host_name_now(char ret[static HOST_NAME_MAX_LEN]); /* empty: not known */

/* 0, or -errno with the reason. The directory is made, if it is missing. */
int verdict_file_write(const char *path, const struct node_verdict *v, struct buf *why);

/* 0, or -errno with the reason: not there, not ours to believe, damaged. Of any boot and age. */
int verdict_file_read(const char *path, struct arena *a, struct node_verdict *ret, struct buf *why);

/* Whether it is of this boot, so that its age is known. */
bool verdict_file_is_of(const struct node_verdict *v, const struct boot_now *now);

/* Whether it is of this boot and young enough; else why not. */
bool verdict_file_is_fresh(const struct node_verdict *v, const struct boot_now *now,
			   struct buf *why);
