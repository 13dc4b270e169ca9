#pragma once

/*
 * ask-packages - what the metadata in one directory of Python packages says
 *
 * The question "packages /venv/lib/python3.12/site-packages". Only packages of
 * data/python-packages.txt are looked into; their RECORD is read as a stream
 * and only libraries and directories of kernels are named. Everything is read
 * as the judged process would reach it (open-as-user.h). No Python is run, and what
 * .pth files and editable installs refer to is named, not followed.
 * docs/design/0007-device-code.md has the grammar of the answer.
 */

#include "door/door.h"

int ask_packages(struct door *d, struct span argument, struct buf *ret);
