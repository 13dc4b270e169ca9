#include "kb/signature.h"

bool signature_is_built(void)
{
	return false;
}

bool signature_fits(struct span bytes, const struct minisig *sig, const struct minisig_key *key)
{
	(void)bytes;
	(void)sig;
	(void)key;
	return false;
}
