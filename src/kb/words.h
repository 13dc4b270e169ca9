#pragma once

/*
 * words - the closed lists of the knowledge format
 *
 * What a cause, a remedy and a source may be, in one place for the compiler
 * and for the program that meets later knowledge. Lists end with NULL.
 */

#include <stdbool.h>

#include "base/buf.h"

extern const char *const words_kind[];
extern const char *const words_scope[];
extern const char *const words_severity[];
extern const char *const words_action[];
extern const char *const words_repair[]; /* what a controller may start: rocsteady-kb(5) */
extern const char *const words_risk[];
extern const char *const words_costs[]; /* of a workaround */
extern const char
	*const words_cure[];          /* kinds of what makes a failure go away: docs/kb-format.md */
extern const char *const words_act[]; /* what a program does for a remedy: docs/kb-format.md */
extern const char *const words_class[];
extern const char *const words_verdict[]; /* of an override */
extern const char *const words_release[]; /* lines of ROCm releases */
extern const char *const words_build[];   /* kinds of builds of applications */
extern const char *const words_handled[]; /* of a component: what is done about its lines */
extern const char *const words_way[];     /* kinds of advice */
extern const char *const words_form[];    /* how a setting is made */
extern const char *const words_effect[];  /* what it does */
extern const char *const words_system[];  /* systems that advice is for */
extern const char *const words_line[];    /* kinds of signatures */
extern const char
	*const words_strength[]; /* of a line, a piece of evidence, a defect; the weakest first */
extern const char *const words_share[];   /* how often a failure is of a cause; the rarest first */
extern const char *const words_prior[];   /* how often a machine has it */
extern const char *const words_writer[];  /* of lines that signatures know */
extern const char *const words_stated[];  /* what can be stated of a machine */
extern const char *const words_world[];   /* tables of the world: what rules may read of a kb.db */
extern const char *const words_derived[]; /* views of derived-views.sql: rules may read them, too */

bool words_has(const char *const *list, const char *word); /* NULL is no word */
void words_tell(const char *const *list, struct buf *ret); /* each behind a blank */
