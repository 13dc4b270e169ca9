#pragma once

/*
 * pep440 - versions of Python packages, and whether one meets a demand
 *
 *	2.4.1+rocm6.1            release 2.4.1, local rocm6.1
 *	2.5.0a0+git1234567       an alpha of 2.5.0
 *	1!1.0.post2.dev3         epoch 1, post and dev release
 *	==2.4.1                  met by 2.4.1+rocm6.1: a demand without a local
 *	                         part does not look at one
 *
 * Answers are those of the packaging library with pre-releases allowed, as
 * `pip check` asks it. A version or demand that is not of PEP 440 (a legacy
 * version, "torch==2.*.1") gives no answer rather than a guess.
 */

#include "base/span.h"

#define PEP440_RELEASE_MAX 8 /* numbers of a release; nobody has more than six */

enum pep440_pre {
	PEP440_ALPHA,
	PEP440_BETA,
	PEP440_CANDIDATE,
	PEP440_NO_PRE,
};

struct pep440 {
	uint64_t epoch;
	uint64_t release[PEP440_RELEASE_MAX];
	size_t release_count;
	enum pep440_pre pre;
	uint64_t pre_number;
	bool has_post, has_dev;
	uint64_t post, dev;
	struct span local; /* after the plus sign, empty without one */
};

bool pep440_parse(struct span text, struct pep440 *ret);

/* Below, at or above zero. Local parts count only with `local`. */
int pep440_compare(const struct pep440 *a, const struct pep440 *b, bool local);

enum pep440_meets {
	PEP440_NO,
	PEP440_YES,
	PEP440_UNKNOWN,
};

/* Does a version meet every demand of ">=2.0,!=2.1.0,<3"? An empty list is met. */
enum pep440_meets pep440_meets(struct span version, struct span demands);
