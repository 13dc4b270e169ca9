#pragma once

/*
 * compile-internal - what the parts of the compiler share
 *
 * One file a kind of knowledge takes its YAML and inserts rows; faults carry
 * the line of the node that is to blame.
 */

#include <sqlite3.h>

#include "base/arena.h"
#include "kb/compile.h"
#include "kb/fields.h"

/* All of them are looked at once more when every file has been read. */
struct known_signature {
	const struct yaml_node *node;
	const char *file;
	const char *pattern; /* NULL: the literals are enough */
	const struct known_signature *next;
};

/* The scales that weights and priors are words of: rows of tables/belief.yaml. */
enum strength_scale {
	STRENGTH_LINE,   /* of a signature, from weak to proves */
	STRENGTH_SAID,   /* of evidence that only asks what a text says */
	STRENGTH_FACT,   /* of evidence that asks the machine */
	STRENGTH_DEFECT, /* of a defect of which all is there */
	STRENGTH_SHARE,  /* from rare to common */
	STRENGTH_PRIOR,
	STRENGTH_SCALES,
};

#define STRENGTH_WORDS 4
struct strength {
	int number;
	bool known; /* that table has it */
};

struct compiler {
	sqlite3 *db; /* the kb.db in the making */
	struct arena arena;
	struct faults *faults;
	const struct compile_file *files; /* sorted */
	size_t count;
	const char *file;                         /* the one being read */
	const struct known_signature *signatures; /* the last first */
	const struct klog_table *kernel_rows;     /* NULL: no signature asked for them */
	struct strength strengths[STRENGTH_SCALES][STRENGTH_WORDS];
	bool versioned;
};

/* How long a line and a text may be, and how many entries a list may have. */
#define COMPILE_LINE_MAX_BYTES 200
#define COMPILE_TEXT_MAX_BYTES 6000
#define COMPILE_ENTRIES_MAX    40

/* One row: `types` has a letter for each value, s (text or NULL), i (int) or l (int64_t). 0, -EEXIST, -EIO. */
int compile_insert(struct compiler *c, const char *table, const char *types, ...);

void compile_fault(struct compiler *c, const struct yaml_node *node, const char *what,
		   const char *name); /* name may be NULL */

/* Without the newline that a block of YAML ends with; NULL if not given. */
const char *compile_text(struct compiler *c, const struct yaml_node *map, const char *key);

/* A file is named by what is in it. */
void compile_check_name(struct compiler *c, const struct yaml_node *top, const char *key);

/* A text makes no claim that is forbidden, and has no hole but these. */
void compile_check_text(struct compiler *c, const struct yaml_node *map, const char *key);
void compile_check_holes(struct compiler *c, const struct yaml_node *map, const char *key,
			 const char *const *holes);

/* The kinds of cure of a remedy or a defect. */
#define COMPILE_CURES 2
void compile_cures(struct compiler *c, const struct yaml_node *map, const char *owner);
void compile_unchecked(struct compiler *c, const struct yaml_node *map, const char *owner);

/* The list "sources" of a map; at least one. */
void compile_sources(struct compiler *c, const struct yaml_node *top, const char *owner);

/* Whether a file of that directory has this name. */
bool compile_exists(struct compiler *c, const char *directory, const char *name);

/* The numbers behind words, before any file is taken; and a row of their table. */
void compile_load_strengths(struct compiler *c);
void compile_check_belief(struct compiler *c, const struct yaml_node *row);

/* The number of a word, times `sign`, or of a number that is given; 0, with a fault, if it is neither. */
int compile_strength(struct compiler *c, const struct yaml_node *node, enum strength_scale of,
		     int sign);

/* The same of a key that may be left out: the number of "usual", or `otherwise` without that table. */
int compile_usual(struct compiler *c, const struct yaml_node *map, const char *key,
		  enum strength_scale of, int otherwise);

/* The block `apply` of a remedy. */
void compile_apply(struct compiler *c, const struct yaml_node *apply, const char *remedy);

void compile_cause(struct compiler *c, const struct yaml_node *top);
void compile_remedy(struct compiler *c, const struct yaml_node *top);
void compile_advice(struct compiler *c, const struct yaml_node *top);
void compile_program(struct compiler *c, const struct yaml_node *top);
void compile_workaround(struct compiler *c, const struct yaml_node *map, const char *remedy);
void compile_table(struct compiler *c, const struct yaml_node *top);
void compile_signatures(struct compiler *c, const struct yaml_node *top);

/* The pattern of a signature: its own, and the lines of the kernel whose classes it names. */
struct kernel_lines {
	const char *pattern;   /* NULL: neither */
	const char **literals; /* one of each line */
	size_t count;
};

bool compile_kernel_lines(struct compiler *c, const struct yaml_node *signature,
			  struct kernel_lines *ret);
void compile_check_kernel_lines(struct compiler *c);

void compile_defects(struct compiler *c, const struct yaml_node *top);

/* What the source of a component prints, and that it is one of ours. */
void compile_printable(struct compiler *c, struct span text);
void compile_check_printable(struct compiler *c);

/* The words of each cause, once all files are read. 0 or -EIO. */
int compile_report_words(struct compiler *c);

/* Threads that `explain` is measured on. */
void compile_seen(struct compiler *c, const struct yaml_node *top);

/* After all files: what signatures and defects refer to is there, and more than those threads. */
void compile_check_references(struct compiler *c);
void compile_check_seen(struct compiler *c);

/* Threads that stay unread, and that no file names one of them. */
void compile_unseen(struct compiler *c, const struct yaml_node *top);
void compile_check_unseen(struct compiler *c);
