#pragma once

/*
 * check-kb - small knowledge for tests
 *
 * A set of files with one sound cause, which a test can spoil in one place,
 * and the compiler's answer to it.
 */

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kb/compile.h"

#define KB_CAUSE                                                                                 \
	"cause: too-hot\n"                                                                       \
	"title: \"{subject} is too hot\"\n"                                                      \
	"story: >\n"                                                                             \
	"  It burns.\n"                                                                          \
	"scope: gpu\n"                                                                           \
	"severity: problem\n"                                                                    \
	"action: watch\n"                                                                        \
	"prior: -20\n"                                                                           \
	"evidence:\n"                                                                            \
	"  - id: hot\n"                                                                          \
	"    weight: 30\n"                                                                       \
	"    says: \"{subject}: {value} degrees\"\n"                                             \
	"    when: |\n"                                                                          \
	"      SELECT address AS subject, value, source, origin FROM sensor WHERE value > 100\n" \
	"undecided: \"a look at it\"\n"                                                          \
	"remedies: [cool-it]\n"                                                                  \
	"sources:\n"                                                                             \
	"  - {class: inferred, ref: \"this test\"}\n"

#define KB_REMEDY                   \
	"remedy: cool-it\n"         \
	"title: Cool it\n"          \
	"risk: none\n"              \
	"changes: the air\n"        \
	"undo: setting\n"           \
	"minutes: 1\n"              \
	"verify: rocsteady check\n" \
	"steps: |\n"                \
	"  Open a window.\n"        \
	"      rocsteady check\n"   \
	"sources:\n"                \
	"  - {class: inferred, ref: \"this test\"}\n"

#define KB_TABLE                \
	"table: env_variable\n" \
	"rows:\n"               \
	"  - {name: HSA_FOO, is_read: 0, real_name: HSA_BAR, class: inferred, checked: 2026-11-15, source: \"this test\"}\n"

#define KB_PROGRAM                 \
	"program: fan\n"           \
	"title: Fan\n"             \
	"uses-torch: 0\n"          \
	"class: inferred\n"        \
	"checked: 2026-11-15\n"    \
	"source: this test\n"      \
	"acts:\n"                  \
	"  - act: less-memory\n"   \
	"    says: Turn it down\n" \
	"    option: --low\n"      \
	"    source: this test\n"

#define KB_VERSION "version: 2026-11-15\nneeds: 0.1.0\n"

enum { FILE_VERSION, FILE_CAUSE, FILE_PROGRAM, FILE_REMEDY, FILE_TABLE, FILES };

/* `text` with the first `from` in it replaced; from NULL: as it is. The caller frees it. */
static inline char *spoil(const char *text, const char *from, const char *to)
{
	struct buf out = { 0 };
	const char *at = from ? strstr(text, from) : NULL;

	if (!at) {
		CHECK(from == NULL);
		return strdup(text);
	}
	buf_add(&out, text, (size_t)(at - text));
	buf_text(&out, to);
	buf_text(&out, at + strlen(from));
	return out.data;
}

/* The set with one place of one file changed. */
static inline int compile_spoilt(int file, const char *from, const char *to, struct faults *faults,
				 struct buf *ret)
{
	static const char *const texts[FILES] = { KB_VERSION, KB_CAUSE, KB_PROGRAM, KB_REMEDY,
						  KB_TABLE };
	static const char *const paths[FILES] = { "VERSION", "causes/too-hot.yaml",
						  "programs/fan.yaml", "remedies/cool-it.yaml",
						  "tables/env_variable.yaml" };
	struct compile_file files[FILES];
	char *owned[FILES];
	int r;

	for (int i = 0; i < FILES; i++) {
		owned[i] = spoil(texts[i], i == file ? from : NULL, to);
		files[i] = (struct compile_file){ paths[i], span_of(owned[i]) };
	}
	r = compile(files, FILES, faults, ret);
	for (int i = 0; i < FILES; i++)
		free(owned[i]);
	return r;
}

/* A sound kb.db after somebody else had it in hand. */
static inline struct buf kb_changed(const struct buf *from, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_int64 size = (sqlite3_int64)from->len;
	unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)size);
	struct buf out = { 0 };
	char *error = NULL;

	memcpy(copy, from->data, from->len);
	sqlite3_open(":memory:", &db);
	sqlite3_deserialize(db, "main", copy, size, size,
			    SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
	if (!CHECK(sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK))
		printf("  %s: %s\n", sql, error);
	copy = sqlite3_serialize(db, "main", &size, 0);
	buf_add(&out, copy, (size_t)size);
	sqlite3_free(copy);
	sqlite3_close(db);
	return out;
}
