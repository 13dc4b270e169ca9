#pragma once

/*
 * say-format - an answer in the form that --format names
 */

#include "base/buf.h"

/*
 * As say_answer(). With `github`, `text` are records of report/annotations.h: they are written
 * as workflow commands and, unless a file was named, added to the summary of the step.
 */
int say_format(const char *format, const char *output, struct span text);
