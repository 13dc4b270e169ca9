#pragma once

/*
 * gpu-cards - the GPUs of a machine as a drawing needs them
 */

#include "base/arena.h"
#include "diagnose/diagnose.h"
#include "facts/facts.h"

#define GPU_SHARES 4 /* compute here, compute elsewhere, graphics, nobody's known */

struct gpu_card {
	const char *numbers; /* as programs count: "5", "40-47"; empty: they do not see it */
	const char *address, *product, *gfx; /* gfx may be empty */
	const char *partition;               /* "CPX, NPS4", or empty */
	const char *bus;                     /* "PCIe 32 GT/s x16", or empty */
	int64_t total, used;                 /* bytes; negative: not known */
	int64_t shares[GPU_SHARES];          /* 0: none, or not known */
	int64_t numa;                        /* negative: not known */
	int64_t agents; /* as many as partitions; 0: not known to the compute driver */
	int64_t units;  /* compute units of one; 0: not known */
	bool integrated;
	const char *ill; /* severity of the worst finding about it, or NULL */
};

/* Sorted by memory node, then address; their number. */
size_t gpu_cards(struct facts *f, const struct diagnosis *d, struct arena *a,
		 struct gpu_card **ret);

/* "compute processes seen here", ...: what a share is. */
const char *gpu_share_name(int share);

/* A link between two GPUs; xGMI before PCIe where both are known. Lost: two of one hive without. */
enum gpu_link_kind { GPU_LINK_PCIE, GPU_LINK_XGMI, GPU_LINK_LOST };

struct gpu_link {
	size_t from, to; /* cards */
	enum gpu_link_kind kind;
};
size_t gpu_links(struct facts *f, const struct gpu_card *cards, size_t count, struct arena *a,
		 struct gpu_link **ret);
