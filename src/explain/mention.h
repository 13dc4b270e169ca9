#pragma once

/*
 * mention - what a line names of a machine
 *
 * "RX 7900 XTX", "ROCm 6.2", "Ubuntu 24.04 LTS", "6.8.0-45-generic": each is
 * known by its words (data/machine-words.tsv) and by the form of its number.
 * A name that looks like a GPU's is one only if the tables have it
 * (kb/gpu-names.h); whose machine it is, the words around it say (owner.h).
 */

#include "explain/token-line.h"

enum mention_kind {
	MENTION_GPU,
	MENTION_GFX,
	MENTION_RELEASE, /* of ROCm, the kernel, the driver */
	MENTION_SYSTEM,
	MENTION_PROGRAM,
	MENTION_ENGINE,
	MENTION_IMAGE,
	MENTION_COUNT,
};

struct mention {
	enum mention_kind kind;
	struct span name;  /* of the fact, or of the program */
	struct span value; /* as it is written; of a program its version, or empty */
	size_t from, to;   /* words of the line */
	bool is_library;   /* of a program: one that others load */
	bool is_processor; /* of a GPU: it is named by the processor that it is in */
	bool is_inside;    /* and the words say that its own GPU is meant */
	bool is_common;    /* a word of every day, written small */
	bool is_wsl;
};

/* False: no word of the line can be a part of a name, so that it need not be looked at. */
bool mention_is_near(const struct token_line *line);

/* What begins at this word; false: nothing. */
bool mention_at(const struct token_line *line, size_t at, struct mention *ret);

/* "2", "6.8.0-45-generic", "v0.9", "b6786": the version that begins a text; false without one. */
bool mention_version(struct span text, struct span *ret);
