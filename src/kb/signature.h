#pragma once

/*
 * signature - whether a key has signed these bytes
 *
 * Ed25519 over BLAKE2b-512, by libsodium; nothing of it is ours. A build
 * without it (-Dupdates=disabled) has no-signature.c instead, which trusts
 * nothing.
 */

#include "parse/minisig.h"

/* The version of libsodium, or NULL without it. */
const char *signature_library(void);

/* Both: that of the file, and that of the comment. */
bool signature_fits(struct span bytes, const struct minisig *sig, const struct minisig_key *key);
