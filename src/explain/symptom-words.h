#pragma once

/*
 * symptom-words - the symptom that a sentence of a person tells of
 *
 * Reads data/symptoms.tsv, which is compiled in: signs (it hangs, it is slow), what they are
 * about (the compiler, the ranks, the machine), words that take a sign back (not, if, detection,
 * fixed), and rules over them. A row has a kind, a name and phrases, or for a rule its
 * conditions, an example and a near miss, parted by tabs:
 *
 *	sign	hang	hangs|is stuck|never returns
 *	word	collective	fsdp|all_reduce*|# gpus
 *	rule	collective-hangs	collective+hang | collective~hang-word	(hangs here, both GPUs 100%)	-
 *
 * A line is read sentence by sentence, in small letters and without quotes. Of several rules the
 * first one holds.
 */

#include "base/arena.h"
#include "base/span.h"

struct symptom_words;

struct symptom_rule {
	struct span symptom, condition;
	struct span example, near_miss; /* empty: none */
	bool ends;         /* success behind the sentence takes it back: what hung has gone on */
	unsigned int line; /* of the table */
};

/* The table is borrowed. *ret_line is that of a wrong row, and NULL is returned. */
struct symptom_words *symptom_words_new(struct span table, unsigned int *ret_line);
struct symptom_words *symptom_words_free(struct symptom_words *w); /* accepts NULL, returns NULL */

/*
 * The first rule that holds for a sentence of the line, or NULL. Earlier rules lie lower. A remark
 * that points, "(hangs here)", is about what stands `above` it: lines, or none.
 */
const struct symptom_rule *symptom_words_find(const struct symptom_words *w, struct span line,
					      struct span above);

const struct symptom_rule *symptom_words_rules(const struct symptom_words *w, size_t *ret_count);
