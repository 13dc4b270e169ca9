#pragma once

/*
 * gather - what a reading of device code has found so far
 *
 * The parts of code_read share it: targets with the number of bundles that
 * hold them, problems, and limits that keep a hostile file from costing more
 * than an honest one. gather_end() puts it all into the answer.
 */

#include "base/map.h"
#include "code/code.h"
#include "code/unpack.h"

#define GATHER_BUNDLES_MAX  (1u << 16) /* the largest library seen has 319 */
#define GATHER_TARGETS_MAX  1024
#define GATHER_PROBLEMS_MAX 32
#define GATHER_MEMBERS_MAX  (1u << 16)            /* of a static archive */
#define GATHER_UNPACKED_MAX (UINT64_C(256) << 20) /* of all bundles; 8 KB each are enough */
#define GATHER_BLOCKS_MAX   (1u << 20) /* passed to find ends; 4 GiB unpacked have 32,768 */
#define GATHER_PAGE         4096
#define GATHER_WINDOW       ((size_t)64 << 10) /* that is searched at once */
#define GATHER_PLACES       32 /* entries of a bundle whose ids are remembered for the next */

struct held; /* a target */

struct gather {
	const struct code_opener *opener;
	struct arena *arena;
	struct code *code;
	struct map by_id;    /* of struct held */
	struct buf targets;  /* pointers to them */
	struct buf problems; /* pointers to text */
	size_t left_out;     /* problems beyond the limit */
	struct unpack unpack;
	uint64_t unpacked;   /* bytes that came out, and those that went in */
	unsigned int blocks; /* of zstd, that were passed to find the end of a frame */
	bool too_many;       /* a limit was met, and said */
	bool full;           /* that of bundles: no more are read */
	struct span kpack;   /* content of .rocm_kpack_ref */
	struct buf window;   /* for searches and long tables */
	struct {
		struct span id;
		struct held *held;
	} places[GATHER_PLACES];
	size_t table; /* bytes of the last plain bundle's table: the next one has as many */
	unsigned char page[GATHER_PAGE];
};

/* A sentence without a full stop. */
void gather_problem(struct gather *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A bundle begins; false if there are too many. Targets that follow are of it. */
bool gather_bundle(struct gather *g, enum code_form form);

/* Once for each bundle, however often it is named there. */
void gather_target(struct gather *g, const char *id);

/*
 * The bundles of a library name the same targets in the same order. The id of
 * entry `place` as it stands in a table: true if it was remembered, and counted.
 */
bool gather_again(struct gather *g, uint64_t place, struct span id);
void gather_remember(struct gather *g, uint64_t place, struct span id, const char *target);

void gather_version(struct gather *g, unsigned int code_object_version);

/* Foreign text for the answer: without control characters. NULL stays NULL. */
const char *gather_text(struct gather *g, const char *text);

/* The place in the file of a place in a part. */
uint64_t gather_place(const struct source *s, uint64_t at);

void gather_end(struct gather *g);

/* Bundles one after the other, as in a section .hip_fatbin. `search`: go on after a gap. */
void gather_bundles(struct gather *g, struct source *s, bool search);

/* Bundles on page boundaries, wherever they are: for files without an index. */
void gather_scan(struct gather *g, struct source *s);

/* LLVM's containers, one after the other. */
void gather_offloaded(struct gather *g, struct source *s);
