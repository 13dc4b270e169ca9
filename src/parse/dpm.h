#pragma once

/*
 * dpm - clock levels, from pp_dpm_sclk and its like
 *
 *	0: 500Mhz
 *	1: 2482Mhz *
 *	S: 19Mhz *		(deep sleep, a level without number)
 *	1: 16.0GT/s, x16 1143Mhz *	(pp_dpm_pcie)
 */

#include "base/span.h"

struct dpm_level {
	uint32_t index; /* 0 if asleep */
	uint32_t mhz;
	bool asleep;
	bool active;
};

/* Skips lines that are no level. */
bool dpm_next(struct span *rest, struct dpm_level *ret);
bool dpm_find_active(struct span text, struct dpm_level *ret);
