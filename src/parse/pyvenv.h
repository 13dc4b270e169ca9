#pragma once

/*
 * pyvenv - pyvenv.cfg, which makes a directory a virtual environment
 *
 *	home = /usr/bin
 *	include-system-site-packages = false
 *	version = 3.11.2
 *
 * venv writes `version`, virtualenv and uv `version_info` (3.11.2.final.0 or
 * 3.11.2); uv adds its own. Python reads keys in any case and the first of two.
 */

#include "base/span.h"

struct pyvenv {
	struct span home;    /* directory of the Python it was made with */
	struct span version; /* "3.11.2", empty if it does not say */
	struct span uv;      /* version of the uv that made it, or empty */
	bool system_site;    /* packages of that Python are seen too, after its own */
};

/* False if there is no `home`: Python does not take it for one either. */
bool pyvenv_parse(struct span text, struct pyvenv *ret);
