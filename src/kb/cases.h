#pragma once

/*
 * cases - what a cause must say of which machine
 *
 * tests/causes/<slug>.cases is plain text: blocks with empty lines between
 * them, each a kind, and a machine with edits of its snapshot, or lines of a
 * log with what is stated beside it. workarounds/<remedy>.cases is the same for a
 * workaround, where a machine and a log may stand together and `fires:` has the
 * change. Parsing only; `rocsteady-kb test` runs them.
 */

#include "base/arena.h"
#include "kb/faults.h"

enum cases_kind { CASES_FIRES, CASES_NEAR_MISS, CASES_UNDECIDED, CASES_KINDS };

struct cases_block {
	enum cases_kind kind;
	unsigned int line;
	const char *subject; /* of fires: PCI address, path, or empty for the machine;
				of a workaround NAME=VALUE, or NAME for one that is unset */
	bool certain;        /* of fires: certain, not only likely */
	const char *machine; /* name without .snap */
	const char *edits;   /* lines for the end of the snapshot */
	const char *log;     /* lines of a log, of a cause instead of a machine; or NULL */
	const char *states;  /* NAME=VALUE a line, beside the log; or NULL */
	struct cases_block *next;
};

/* Faults are added; the list is what could be read. `file` is for messages. */
struct cases_block *cases_parse(struct span text, const char *file, bool workaround,
				struct arena *arena, struct faults *faults);

const char *cases_kind_name(enum cases_kind kind);

/* A block of each kind, or a fault for each that is missing. */
void cases_check_kinds(const struct cases_block *list, const char *file, struct faults *faults);
