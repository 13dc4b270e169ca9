#pragma once

/*
 * gauges - files of the GPUs that are read again and again
 *
 * Descriptors are kept and read from their start. One that says that its device
 * is gone, as after a reset, is opened anew: at once, and then seldomer.
 * Only paths of the closed table are opened (paths.h). A GPU that sleeps is not
 * asked. Reading a sensor counts as use (pm_runtime_mark_last_busy() in linux
 * amdgpu_pm.c), reading memory does not.
 * A read may never come back: the caller is a thread that can be lost. One thread
 * at a time may be at work here.
 */

#include "door/door.h"
#include "parse/pci.h"

#define GAUGES_GPUS    32
#define GAUGES_UNKNOWN ((int64_t)-1)

enum gauge {
	GAUGE_VRAM_USED,
	GAUGE_VRAM_TOTAL,
	GAUGE_GTT_USED,
	GAUGE_GTT_TOTAL,
	GAUGE_BUSY,  /* percent */
	GAUGE_TEMP,  /* millidegrees Celsius */
	GAUGE_SCLK,  /* MHz */
	GAUGE_POWER, /* microwatts */
	GAUGES,
};

struct gauge_file {
	int fd;             /* -1: not open */
	unsigned int waits; /* reads until it is tried again */
	unsigned int waited;
	int64_t value;
};

struct gauges_gpu {
	char address[PCI_ADDRESS_MAX];
	bool asleep;
	bool may_sleep; /* by itself, when nobody uses it */
	int status;     /* descriptor of power/runtime_status, -1: none */
	struct gauge_file files[GAUGES];
};

struct gauges {
	struct door door;
	size_t count, left_out; /* that there was no room for */
	struct gauges_gpu gpus[GAUGES_GPUS];
};

/* Find the GPUs of this host, or of a tree. 0 or -errno; without a GPU there are none. */
int gauges_open(struct gauges *g, const char *top);
void gauges_done(struct gauges *g);

/* Read one: its memory, and its sensors if wanted. */
void gauges_read(struct gauges *g, size_t gpu, bool sensors);
