#pragma once

/*
 * sieve - what a reader of device code needs of a file that streams by
 *
 * Bytes go in from front to back and most of them are forgotten. Kept are the
 * first megabyte and the last 512 KiB, the section headers, the dynamic
 * section and the table of contents where the file's own header says they
 * are, and, wherever they stand, the pages that begin a bundle, with as many
 * bytes after it as its table can need. What comes out is a source with holes.
 *
 * Nothing can be asked for again, so what is kept is chosen by what the
 * formats say (docs/targets.md has the list); a hole is never taken for "no
 * code": reading it fails, and the reader says so.
 */

#include "base/source.h"

#define SIEVE_PAGE      ((size_t)4096)
#define SIEVE_FIRST     ((uint64_t)1 << 20)   /* kept from the front; smaller files are whole */
#define SIEVE_LAST      ((uint64_t)512 << 10) /* kept from the end */
#define SIEVE_PAGES_MAX ((size_t)12288)       /* 48 MiB in all */

struct sieve;

struct sieve *sieve_new(void);
struct sieve *sieve_free(struct sieve *s); /* accepts NULL, returns NULL */

void sieve_add(struct sieve *s, struct span bytes);
void sieve_gap(struct sieve *s, uint64_t n); /* a hole of a sparse file: zeros, not kept */
void sieve_end(struct sieve *s);             /* before it is read; nothing is added then */

struct source sieve_source(const struct sieve *s); /* valid as long as the sieve */
size_t sieve_held(const struct sieve *s);          /* bytes of memory */

/* Something that should have been kept did not fit: a sentence, or NULL. */
const char *sieve_problem(const struct sieve *s);
