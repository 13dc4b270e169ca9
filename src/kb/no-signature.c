#include "kb/signature.h"

const char *signature_library(void)
{
	return NULL;
}

bool signature_fits(struct span bytes, const struct minisig *sig, const struct minisig_key *key)
{
	(void)bytes;
	(void)sig;
	(void)key;
	return false;
}
