#pragma once

/*
 * state - what is said of a machine, as facts
 *
 * People say "RX 6750 XT", "rocm6.1 wheel", "WSL2 Ubuntu 22.04"; a log says
 * more. Each becomes a row of `statement`, and what follows from it (the gfx
 * of a product, the family of a system, the ROCm of a wheel's tag) becomes one
 * too. Nothing here overrules what a machine shows: it is said, and counts so.
 * Of what is said, what is stated goes before what a log says.
 */

#include "facts/facts.h"
#include "parse/json-tree.h"

struct said {
	const char *name; /* of words_stated, or the name of a variable behind "env:" */
	struct span value;
	const char *source;
	const char *origin; /* stated or log */
};

struct state {
	struct facts *facts;
	struct arena arena;
	struct state_row *rows; /* said so far: a statement is made once */
	size_t row_count;
	bool cut;     /* there were more than are kept, which is a gap */
	bool has_gpu; /* a machine stands behind the facts */
};

void state_say(struct state *s, const struct said *said);

bool state_has(const struct state *s, const char *name);

/* What a text names of a kind, by data/spoken-names.txt: "Win11 24H2" is the system "windows". */
bool state_spoken(struct span text, const char *kind, struct span *ret);

/* Whether a version of this program is known: "PyTorch" is the statement torch. */
bool state_has_version(const struct state *s, struct span program);

/* What the log said and is not so. What was stated stays. */
void state_take_back(struct state *s, const char *name, const char *value);

/* {"gfx": "gfx1031", "env_vars": {...} or "A=1 B=2", ...}: nulls and unknown keys are skipped. */
void state_json(struct state *s, const struct json_node *map, const char *source);
bool state_takes(const struct json_node *n); /* a member of such a map; others are left out */

/* What follows from all that was said. Once, at the end. */
void state_conclude(struct state *s);
void state_done(struct state *s);

/* The first version number in a text: "rocm6.1 wheel" -> 6.1; false without one. */
bool state_version(struct span text, struct span *ret);
