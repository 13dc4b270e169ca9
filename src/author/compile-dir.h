#pragma once

/*
 * compile-dir - a directory of YAML becomes the bytes of a kb.db
 */

#include "base/buf.h"
#include "kb/faults.h"

/* 0, or an exit status after saying why. */
int compile_dir(const char *dir, struct faults *faults, struct buf *ret);

/* Each as file:line, where editors jump to; ends them, and returns EXIT_NO_INPUT. */
int say_faults(struct faults *faults, const char *dir);
