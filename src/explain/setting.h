#pragma once

/*
 * setting - what a text shows as set, or asks about
 *
 * `export X=1`, `X=1 python ...`, `$env:X = "1"`, `set X=1`, `-e X=1`, `X: 1`,
 * the kernel's command line, `options amdgpu noretry=0`, `--flag`, and the
 * same in a sentence. The knowledge says which names are looked for
 * (setting-names.h); data/setting-words.tsv which sentences set one, ask about
 * one, or are the advice of a program, which sets nothing: a pasted text is a
 * stranger's, and what it advises is judged by the view setting_advised before
 * any step has it.
 */

#include "explain/setting-names.h"
#include "explain/state.h"

#define SETTINGS_MAX 96 /* of one text; where there are more a gap says so */

enum setting_how {
	SETTING_SET,
	SETTING_ASKED,   /* the text does not say that it is set */
	SETTING_ADVISED, /* a program's line says to set it */
};

struct setting {
	const struct setting_name *name;
	struct span value; /* without data: none is named */
	enum setting_how how;
	unsigned long long line;
};

struct settings {
	struct setting *list; /* in the arena */
	size_t count;
	bool cut; /* there were more */
};

/* The first of the lines has this number. What was found before stays, and is not added twice. */
void setting_read(const struct setting_names *names, struct span text, unsigned long long number,
		  struct arena *arena, struct settings *ret);

/* As rows of the log of this name. */
void setting_tell(struct state *state, const struct settings *settings, const char *file);
