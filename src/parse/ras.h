#pragma once

/*
 * ras - error counters and retired pages, from amdgpu's sysfs directory `ras`
 *
 *	umc_err_count		"ue: 0\nce: 0\nde: 0\n"; newer kernels add de, deferred
 *	gpu_vram_bad_pages	"0x00a1b2c3 : 0x00001000 : R\n"
 *	features		"feature mask: 0x7fff\n"
 *
 * During a reset a counter reads "Query currently inaccessible": no counts,
 * which is not zero counts.
 */

#include "base/span.h"

struct ras_counts {
	uint64_t uncorrectable;
	uint64_t correctable;
	uint64_t deferred;
	bool has_deferred;
};

bool ras_counts_parse(struct span text, struct ras_counts *ret);

struct ras_bad_page {
	uint64_t page; /* page frame number */
	uint64_t size_bytes;
	char flag; /* R retired, P pending, F reservation failed */
};

/* Skips malformed lines. */
bool ras_bad_page_next(struct span *rest, struct ras_bad_page *ret);
