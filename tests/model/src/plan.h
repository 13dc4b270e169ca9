/*
 * plan.h - the faults of a run, read once from MODEL_DIRECTORY/plan
 *
 * A line is a fault or a setting; `#` at its beginning makes it a comment.
 *
 *   CALL[.KIND][@NODE][#N|#N+] VERB [ARGUMENT]
 *
 *   create-queue refuse ENOMEM        every one
 *   create-queue.sdma refuse ENOMEM   only queues of that kind
 *   create-queue@4 refuse ENOMEM      only on the GPU that is node 4 of the topology
 *   alloc-memory.vram#3 refuse ENOMEM the third in each process; #3+ the third and all after it
 *   map-memory late 2500              answers after 2.5 s
 *   wait-events hang                  never returns; SIGKILL ends it
 *   create-queue stuck                waits in state D: reads MODEL_DIRECTORY/tarpit/x
 *   alloc-memory#9 lose               the GPUs fall off the bus: this and all later calls say ENODEV;
 *                                     with @NODE that GPU alone
 *   aql stop                          the ring stands still
 *   aql.dispatch#2 reset              the GPU hangs and is reset; its memory is lost
 *   aql.dispatch fault not-present    a GPU memory fault; read-only, ecc and hang are the others
 *   sdma.copy garble                  a copy of other bytes
 *
 *   abi 1.1      the version that KFD states
 *   driver dkms  AMD's own driver, with the ioctls that the kernel's has not
 *   vram 16M     how much of a GPU's memory can be had; what it states of itself stays
 *   vram@4 16M   only of that GPU
 *
 * CALL is an ioctl as kfd.c and drm.c name it, `open-kfd`, `open-render`, or a packet of a ring:
 * `aql` and `sdma`. N counts the calls of one process that the rule meets. A call that names no GPU
 * (get-version, wait-events) is met by no rule with a NODE. Mapping names several: `map-memory` is met once,
 * `map-memory-on` for each GPU that it is mapped to.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PLAN_ANY_NODE UINT32_MAX

enum plan_verb {
	PLAN_NOTHING,
	PLAN_REFUSE,
	PLAN_LATE,
	PLAN_HANG,
	PLAN_STUCK,
	PLAN_LOSE,
	PLAN_STOP,
	PLAN_RESET,
	PLAN_FAULT,
	PLAN_GARBLE,
};

enum plan_memory_fault { FAULT_NOT_PRESENT, FAULT_READ_ONLY, FAULT_ECC, FAULT_HANG };

struct plan_fault {
	enum plan_verb verb;
	int argument;  /* an errno, milliseconds, or a plan_memory_fault */
	unsigned node; /* of the rule, or of the call that no rule met; PLAN_ANY_NODE */
};

struct plan_settings {
	unsigned abi_major, abi_minor;
	bool is_dkms;
};

extern struct plan_settings plan_settings;

/* A line that cannot be read is logged and ends the process: a fault that is not injected proves nothing. */
void plan_read(void);

/* How much memory of this GPU can be had; 0: as much as the topology states. */
uint64_t plan_vram(unsigned node);

/* The fault that this call meets, after counting it. PLAN_NOTHING if none. */
struct plan_fault plan_meet(const char *call, const char *kind, unsigned node);

/* Waits, or does not return, as the fault says. The errno that is left to answer with, 0 for none. */
int plan_suffer(struct plan_fault fault);

/* The GPU is gone since some PLAN_LOSE. */
bool plan_is_lost(unsigned node);
