#pragma once

/*
 * remedies-json - what to do, the same in every report
 */

#include "base/json-write.h"
#include "diagnose/diagnose.h"
#include "diagnose/steps.h"

/* "remedies": a list, best first. */
void remedies_json(struct json *j, const struct remedy *const *remedies, size_t count,
		   enum shell shell);
