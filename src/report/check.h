#pragma once

/*
 * check (report) - a diagnosis, for people and for programs
 *
 * Only renders: what is wrong, how sure that is and what it means for the exit
 * status was decided before. Text and JSON name the same causes, subjects and
 * severities.
 */

#include "advise/advise.h"
#include "diagnose/ack.h"
#include "diagnose/diagnose.h"
#include "diagnose/steps-shared.h"
#include "diagnose/steps.h"
#include "facts/facts.h"
#include "facts/proof.h"
#include "report/page.h"

struct check_report {
	const char *node; /* one of many: its JSON begins with this name and is one line; or NULL */
	const struct diagnosis *diagnosis;
	const struct acks *acks;
	const struct advice
		*advice; /* what to install on a ready machine without any framework; or NULL */
	struct facts *facts;
	const struct proof *proof; /* of a snapshot that has one, or NULL */
	const char *kb_version;
	const char *kb_digest;
	bool verbose;
	enum shell shell; /* that steps are written for */
	bool provable;    /* a GPU of this host that nobody has tried yet */
	bool scrubbed;    /* the facts hold pseudonyms: what is not of them stays out */
};

/* Healthy: at most six lines. Ill: the answer first. */
void check_text(const struct check_report *r, struct page *p);

/* One object; docs/check.schema.json. What differs between two runs is in "run". */
void check_json(const struct check_report *r, struct buf *ret);

/* The same in about 2 kB; docs/compact.schema.json. */
void check_compact(const struct check_report *r, struct buf *ret);

/* One file for a browser, without a script and without an outside reference. */
void check_html(const struct check_report *r, struct buf *ret);

/* To be pasted into an issue: the tracker, a summary, details folded. */
void check_markdown(const struct check_report *r, struct buf *ret);

/* Records of report/annotations.h: one for each cause that holds or is undecided. */
void check_annotations(const struct check_report *r, struct buf *ret);

/* The verdict in one sentence: "Not ready: GPU memory is full". */
const char *check_sentence(const struct check_report *r, struct arena *a);

/* Whose pseudonyms stand in commands that are handed on; nobody's, if names were not replaced. */
struct steps_owner check_owner(const struct check_report *r, struct arena *a);

/* Every line of every sum. `all` is the diagnosis of all causes, for what explains this one. */
void why_text(const struct diagnosis *one, const struct diagnosis *all, struct page *p);

/* "2 x Radeon RX 7900 XT (gfx1100, 20.0 GiB)", "kernel 6.8.0-45", ...: parts, to be joined. */
const char **check_machine(struct facts *f, const char *times, struct arena *a, size_t *ret_count);

/* Tables of which something is not known, as "kernel_log (denied), pcie (denied/stuck)"; NULL if there is none. */
const char *check_not_known(struct facts *f, struct arena *a);

/* What to type to know more of it: as root, where a user was denied; else to read why. */
const char *check_not_known_ask(struct facts *f, struct arena *a);
