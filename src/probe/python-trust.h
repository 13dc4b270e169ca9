#pragma once

/*
 * python-trust - what a Python runs by itself when it starts, and whose that is
 *
 * Its standard library, its packages with sitecustomize and usercustomize, the
 * .pth files among them, whose lines are code or further directories, and for a
 * virtual environment the Python that it was made with.
 */

#include "door/open-as-user.h"
#include "door/trust.h"

/* `python` is a path of bin/python. False with the reason. */
bool python_trust(struct trust *t, struct as_user *u, const char *python, struct buf *ret_why);
