#pragma once

/*
 * kmsg - one record of /dev/kmsg
 *
 * One read() of /dev/kmsg gives one record:
 *
 *	3,1042,123456789,-,caller=T87;amdgpu 0000:03:00.0: ring gfx timeout
 *	 SUBSYSTEM=pci
 *	 DEVICE=+pci:0000:03:00.0
 *
 * The kernel writes unprintable bytes and backslashes of the text as \xNN, a
 * newline too; they are left as they are.
 */

#include "base/span.h"

struct kmsg {
	unsigned int level;    /* 0 emergency ... 7 debug */
	unsigned int facility; /* 0 is the kernel; others were written by user space */
	uint64_t seq;
	uint64_t since_boot_us;
	struct span caller; /* "T87" a thread, "C3" a CPU; empty if unsaid */
	struct span text;
	struct span subsystem;   /* "pci"; empty if unsaid, as the next two */
	struct span device;      /* "+pci:0000:03:00.0", "c235:0", "n2" */
	struct span pci_address; /* "0000:03:00.0" */
};

/* 0 or -EBADMSG; spans borrow the record. */
int kmsg_parse(struct span record, struct kmsg *ret);

/*
 * "+pci:0000:03:00.0", as DEVICE= and the journal's _KERNEL_DEVICE= have it,
 * to "0000:03:00.0"; an empty span for any other kind of device.
 */
struct span kmsg_pci_address(struct span device);
