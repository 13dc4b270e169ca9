#pragma once

/*
 * rules - tables of data/ whose rows say when they hold
 *
 * Tabs part the columns, and the first one is the kind of the row. In conditions "+" joins what
 * must hold together, "!" denies, and " | " stands between those of which one is enough; "-"
 * always holds. In texts {name} stands for a value.
 */

#include "base/arena.h"

#define RULES_FLAGS  48
#define RULES_VALUES 32

/* The flags and values for conditions and texts. The texts are borrowed. */
struct rules_found {
	const char *flags[RULES_FLAGS];
	size_t flag_count;
	struct {
		const char *name, *value;
	} values[RULES_VALUES];
	size_t value_count;
};

void rules_flag(struct rules_found *r, const char *name);
void rules_flag_if(struct rules_found *r, const char *name, bool holds);
void rules_value(struct rules_found *r, const char *name, const char *value);

/* The rest of the nth row of a kind. */
bool rules_row(const char *table, const char *kind, size_t nth, struct span *ret);

/* The number of a row "number NAME N"; 0: there is none. */
long long rules_number(const char *table, const char *name);

bool rules_hold(const struct rules_found *r, struct span conditions);

/* The text with its values; a name that has none stays as it is. */
const char *rules_fill(const struct rules_found *r, struct span text, struct arena *a);
