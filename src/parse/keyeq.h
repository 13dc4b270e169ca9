#pragma once

/*
 * keyeq - files of KEY=value: os-release, uevent, lsb-release
 *
 *	PRETTY_NAME="Ubuntu 24.04.1 LTS"
 *	PCI_SLOT_NAME=0000:03:00.0
 *
 * Quotes are dropped when the whole value stands in one pair; a backslash
 * inside them stays, since the span is borrowed. Lines that begin with '#'
 * and lines without '=' are skipped. As in a shell, the last one counts.
 */

#include "base/span.h"

bool keyeq_next(struct span *rest, struct span *ret_key, struct span *ret_value);
bool keyeq_find(struct span text, const char *key, struct span *ret_value);
