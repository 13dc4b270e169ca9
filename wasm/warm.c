/*
 * Where a page answers text after text, each begins from one image of the memory, in which
 * the knowledge is open and its statements are prepared. Whoever runs the module makes it: a
 * text is explained by warm() in a new instance, and the memory is copied. A run of _start on
 * top of a copy knows nothing of the text before it.
 */

#include <stdio.h>

#include "cli/commands.h"

int __main_void(void); /* of the C library: main() with the words that WASI has */

__attribute__((export_name("warm"))) int warm(void)
{
	int status;

	explain_keep();
	status = __main_void();
	fflush(NULL);
	return status;
}
