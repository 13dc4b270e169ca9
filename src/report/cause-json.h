#pragma once

/*
 * cause-json - what speaks for a cause, and what to do, the same in every report
 */

#include "base/json-write.h"
#include "diagnose/diagnose.h"
#include "diagnose/steps.h"

/* Each says all that the one before does. */
enum sign_detail {
	SIGN_COUNTS, /* only those that count */
	SIGN_WEIGHS,
	SIGN_ASKED, /* what was answered, and why it was not */
};

/* "evidence": a list. */
void signs_json(struct json *j, const struct sign *signs, size_t count, enum sign_detail detail);

/* "remedies": a list, best first. */
void remedies_json(struct json *j, const struct remedy *const *remedies, size_t count,
		   enum shell shell);
