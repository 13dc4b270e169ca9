#pragma once

/*
 * requirement - what one Python package demands of another
 *
 *	torch==2.4.1
 *	torch (==2.4.1)
 *	triton==3.0.0; platform_system == "Linux" and python_version < "3.13"
 *	vllm[audio] >= 0.6 ; extra == 'serve'
 *	torch @ https://example.org/torch-2.4.1-cp311-linux_x86_64.whl
 *
 * PEP 508, as it stands after Requires-Dist. The condition after the
 * semicolon is decided for a Linux machine; what it asks that is not known
 * there gives no answer.
 */

#include "base/span.h"
#include "parse/pep440.h"

struct requirement {
	struct span name;    /* as written */
	struct span extras;  /* inside the brackets */
	struct span demands; /* ">=2.0,<3", without parentheses; empty: any version */
	struct span url;     /* after the @; empty: none */
	struct span marker;  /* after the semicolon; empty: always */
};

bool requirement_parse(struct span text, struct requirement *ret);

/* The host's values for a marker; an empty value is not known. */
struct requirement_host {
	struct span python;  /* "3.11" */
	struct span machine; /* "x86_64" */
};

/* Does it hold on this host, without any extra asked for? */
enum pep440_meets requirement_applies(const struct requirement *r,
				      const struct requirement_host *host);
