#pragma once

/*
 * threads - names of public threads in a text
 *
 *   ROCm/hip#12
 *   https://github.com/ROCm/hip/issues/12    also /pull/ and /discussions/
 *
 * Lists of threads keep the SHA-256 of "rocm/hip#12", in small letters.
 */

#include "base/sha256.h"
#include "base/span.h"

struct thread {
	struct span repository; /* owner/name */
	struct span number;
};

/* The next thread of `text`, which then begins behind it; false: none is left. */
bool threads_next(struct span *text, struct thread *ret);

/* `repository` may be another name of it. */
void threads_digest(struct span repository, struct span number, char ret_hex[SHA256_HEX]);
