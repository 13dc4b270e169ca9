#pragma once

/*
 * package-name - one spelling for the name of a Python package
 *
 *	Flash_Attn -> flash-attn
 *	ruamel.yaml -> ruamel-yaml
 *	_rocm_sdk__core -> -rocm-sdk-core
 *
 * PEP 503: letters are small, and a run of '-', '_' and '.' is one '-'. Tools
 * write a package under any of its spellings, so names are compared only so.
 */

#include "base/span.h"

#define PACKAGE_NAME_MAX 128

/* False, and nothing written, for an empty name, one too long, or bytes no name has. */
bool package_name_parse(struct span text, char ret[static PACKAGE_NAME_MAX]);

/* Is it a spelling of this normalised name? */
bool package_name_is(struct span text, const char *normalised);
