#pragma once

/*
 * kfd-keys - a "key value" file of KFD, read by a table and turned into columns
 *
 * One pass over the file, whatever the number of keys: a machine of 64 agents
 * has some six hundred such files. A key that is missing or has no number gives
 * no value, and its column a gap that says which of both it was.
 */

#include "facts/collect.h"

#define KFD_KEYS_MAX 24

struct kfd_key {
	const char *key;
	const char *column; /* NULL: only other columns are made of it */
	enum {
		KFD_NUMBER, /* 32 bits, as the kernel prints all but the ids */
		KFD_HEX,    /* the same, in a column of hexadecimal text */
		KFD_ID,     /* 64 bits, decimal in the file, 16 digits in the column; 0: none */
	} form;
};

struct kfd_keys {
	const struct kfd_key *keys;
	size_t count;
	const char *path;
	uint64_t value[KFD_KEYS_MAX]; /* 0 where it is not known */
	uint32_t present;             /* a bit for each key: it stands in the file ... */
	uint32_t known;               /* ... and has a value */
};

#define KFD_KEYS(table, file)                                                                \
	{                                                                                    \
		.keys = (table), .count = sizeof(table) / sizeof((table)[0]), .path = (file) \
	}

void kfd_keys_read(struct kfd_keys *k, struct span text);
bool kfd_keys_know(const struct kfd_keys *k, size_t key);

/* A gap of table.column, because of this key. */
void kfd_keys_gap(struct collect *c, const char *table, const char *column, const char *subject,
		  const struct kfd_keys *k, size_t key);

/* Every key that has a column, into the row or into a gap. */
void kfd_keys_columns(struct collect *c, struct row *r, const char *subject,
		      const struct kfd_keys *k);
