#pragma once

/*
 * aer - the errors that a PCIe function has reported, by name
 *
 *	aer_dev_fatal	"Undefined 0\nDLP 0\nSDES 1\n...\nTOTAL_ERR_FATAL 1\n"
 *
 * aer_dev_nonfatal and aer_dev_correctable have the same form. Names may have
 * blanks in them ("Bad TLP 0"), as the kernel's own documents show them. The
 * total is no error of its own, and one message may carry several.
 */

#include "base/span.h"

struct aer_error {
	struct span name;
	uint64_t count;
};

/* Skips the total and lines of another form. */
bool aer_next(struct span *rest, struct aer_error *ret);
