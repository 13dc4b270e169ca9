#pragma once

/*
 * fields - what keys a map of knowledge may have, and of which kind
 *
 * Each kind of file is a table of fields. A key that is not in it, one that is
 * missing and a value of another kind are faults with their line.
 */

#include "kb/faults.h"
#include "kb/yaml.h"

enum field_type {
	FIELD_LINE,  /* text of one line */
	FIELD_TEXT,  /* text of lines; the last newline is dropped */
	FIELD_SLUG,  /* kebab-case */
	FIELD_WORD,  /* one of `words` */
	FIELD_INT,   /* between low and high */
	FIELD_FLAG,  /* true or false */
	FIELD_SLUGS, /* a list of kebab-case words */
	FIELD_TEXTS, /* a list of texts of one line */
	FIELD_MAP,   /* names and values, which somebody else looks at */
	FIELD_BLOCK, /* a map that has fields of its own */
	FIELD_LIST,  /* of maps, which have fields of their own */
};

struct field {
	const char *key;
	enum field_type type;
	bool optional;
	size_t most; /* bytes of a text, entries of a list */
	const char *const *words;
	int low, high;
};

/* False, with faults, if the map does not fit. */
bool fields_check(const struct yaml_node *map, const char *file, const struct field *fields,
		  size_t count, struct faults *faults);

/* Of a map that fits. */
const char *fields_text(const struct yaml_node *map, const char *key); /* NULL if not given */
int fields_int(const struct yaml_node *map, const char *key);
bool fields_flag(const struct yaml_node *map, const char *key); /* false if not given */

bool fields_number(const struct yaml_node *node, int64_t *ret);
