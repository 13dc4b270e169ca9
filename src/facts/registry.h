#pragma once

/*
 * registry - the registry of Windows, as collectors read it
 *
 * A key is a directory below /reg, a value a file in it: text as it is, a
 * number in decimal digits, several texts one a line, anything else as "hex:"
 * and its bytes. rocsteady-snapshot(5) has the form.
 */

#include "facts/collect.h"

#define REGISTRY          "/reg"
#define REGISTRY_CONTROL  REGISTRY "/HKLM/SYSTEM/CurrentControlSet/Control"
#define REGISTRY_DRIVERS  REGISTRY "/HKLM/SYSTEM/CurrentControlSet/Services"
#define REGISTRY_COMPUTER REGISTRY_CONTROL "/ComputerName/ActiveComputerName"
#define REGISTRY_DEVICES  REGISTRY "/HKLM/SYSTEM/CurrentControlSet/Enum"

/* Only Windows has one. */
bool registry_is_there(struct root *root);

/* A value, without a gap where there is none; 0 or the error. */
int registry_text(struct collect *c, const char *key, const char *value, struct span *ret);

/* A number of 32 or 64 bits, also where a driver has put it down as bytes. */
int registry_number(struct collect *c, const char *key, const char *value, uint64_t *ret);
