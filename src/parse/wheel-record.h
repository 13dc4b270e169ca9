#pragma once

/*
 * wheel-record - RECORD of an installed wheel: every file of a package
 *
 *	torch/lib/libtorch_hip.so,sha256=Zm9v...,1234567
 *	"odd, name.txt",sha256=...,12
 *	../../../bin/torchrun,sha256=...,236
 *	torch-2.4.1.dist-info/RECORD,,
 *
 * Comma-separated, quotes doubled inside quotes. A wheel of torch has 12,000
 * lines and one of ROCm more, so it is read from a source a piece at a time
 * and only names come out. A name longer than the longest is skipped and
 * counted.
 */

#include "base/source.h"

#define WHEEL_RECORD_NAME_MAX 1024

struct wheel_record {
	struct source *source;
	uint64_t at;          /* of the next piece */
	unsigned int skipped; /* lines without a name, or with one too long */
	size_t have, used;    /* of the piece */
	char piece[16384];
	char name[WHEEL_RECORD_NAME_MAX];
};

void wheel_record_init(struct wheel_record *r, struct source *source);

/* 1 and a name, which lives until the next call; 0 at the end; -errno of the source. */
int wheel_record_next(struct wheel_record *r, struct span *ret_name);
