#pragma once

/*
 * value-pair - a name and its value that stand beside each other under names of their own
 *
 * {"name": "HF_TOKEN", "value": "x"} of docker and kubectl, in either order,
 * and <add key="ApiKey" value="x"/>.
 */

#include "scrub/named-value.h"

/* Whether this is such a name: "value". */
bool value_pair_is(const struct secret_rules *rules, struct span name);

/* Judges the name that a name such as "value" belongs to; NONE if there is none beside it. */
enum secret_name value_pair_judge(const struct secret_rules *rules, struct span text,
				  const struct named_value *value, size_t behind);
