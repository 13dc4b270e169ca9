#pragma once

/*
 * asks - questions to a live host that are no file
 *
 * What opening a device answers, an ioctl, an access list, who is judged, the
 * kernel log. Each is a verb with an optional argument; its answer is text and
 * is recorded like a file's. A snapshot repeats the recorded answer.
 */

#include "door/door.h"

/* Is it about the kernel that runs, which a mounted host may share with us? */
bool asks_is_about_kernel(const char *question);

/* Is the question about a process, user or container rather than the host? */
bool asks_is_about_process(const char *question);

/* Would answering wake the GPU behind its argument? */
bool asks_wakes(const char *question);

/* Does the answer belong into a brief snapshot? */
bool asks_is_brief(const char *question);

/* May it be asked again, and leave out what did not answer? */
bool asks_resumes(const char *question);

/* Is it never asked of a host, and its answer added by root_add()? */
bool asks_is_added(const char *question);

/* Is it about one file or directory, the path after its verb? */
bool asks_is_about_file(const char *question);

/* Is it about software on the machine, which comes last in a snapshot? */
bool asks_is_about_software(struct span question);

/* 0 and text, or -errno; -EINVAL for a question nobody knows. */
int asks_answer(struct door *d, const char *question, struct buf *ret);

/* "open PATH", ...: one line a question, for `facts --paths`. */
void asks_table(struct buf *ret);
