#pragma once

/*
 * serve - answers a client of the Model Context Protocol until it hangs up
 *
 * One message a line in, one a line out. A call of a tool runs this program
 * once; several run at a time, further ones wait, and each is answered when its
 * run has ended, in whatever order that is. Nothing is kept between calls.
 */

#include "door/allowed.h"

struct serve_order {
	int in, out;
	const char *version;           /* of this program */
	const struct allowed *allowed; /* directories of --allow; NULL: no file is opened */
};

/* 0 when the client has hung up, or -errno of reading or writing. */
int serve(const struct serve_order *order);
