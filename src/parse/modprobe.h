#pragma once

/*
 * modprobe - lines of /etc/modprobe.d
 *
 *	blacklist amdgpu
 *	options amdgpu ppfeaturemask=0xffffffff noretry=0
 *	install amdgpu /bin/false
 *
 * Module names are handed out as written: modprobe takes '-' and '_' for the
 * same letter, so compare with modprobe_is and store with modprobe_name.
 */

#include "base/span.h"
#include "parse/cmdline.h"

enum modprobe_verb {
	MODPROBE_ALIAS,
	MODPROBE_BLACKLIST,
	MODPROBE_INSTALL,
	MODPROBE_OPTIONS,
	MODPROBE_REMOVE,
	MODPROBE_SOFTDEP,
	MODPROBE_WEAKDEP,
};

struct modprobe_entry {
	enum modprobe_verb verb;
	unsigned int line;  /* from 1 */
	struct span module; /* for an alias: the alias */
	struct span rest;   /* command, options, dependencies or module; may be empty */
};

struct modprobe_reader {
	struct span rest;
	unsigned int count; /* lines read so far; start with 0 */
};

/* Skips comments, empty lines, unknown verbs and verbs without a module. */
bool modprobe_next(struct modprobe_reader *reader, struct modprobe_entry *ret);

/* The parameters in the rest of an options line, quoted as on the kernel's command line. */
bool modprobe_param_next(struct span *rest, struct cmdline_param *ret);

const char *modprobe_verb_name(enum modprobe_verb verb);
bool modprobe_is(struct span module, const char *name);

/* The name with '_' only, cut to fit; the kernel's names have at most 55 bytes. */
#define MODPROBE_NAME_MAX 64
void modprobe_name(struct span module, char ret[static MODPROBE_NAME_MAX]);
