#pragma once

/*
 * scale - from how many decibans on a belief of `check` has a word
 *
 * The compiler holds the weights of a cause against it, `diagnose` the sums.
 */

#define SCALE_CERTAIN    20
#define SCALE_LIKELY     7
#define SCALE_OPEN       (-6) /* one in five */
#define SCALE_STATED_MAX 10   /* counts of evidence that is only stated or read from a log */
