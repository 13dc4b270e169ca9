#include "kb/signature.h"

#include <string.h>

#include <sodium.h>

#include "base/buf.h"

const char *signature_library(void)
{
	return sodium_version_string();
}

static bool fits(struct span bytes, const unsigned char *signature, const struct minisig_key *key)
{
	return crypto_sign_verify_detached(signature, (const unsigned char *)bytes.data, bytes.len,
					   key->key) == 0;
}

bool signature_fits(struct span bytes, const struct minisig *sig, const struct minisig_key *key)
{
	unsigned char hash[crypto_generichash_BYTES_MAX];
	struct buf signed_too BUF_SCOPED = { 0 };

	if (sodium_init() < 0 || memcmp(sig->id, key->id, MINISIG_ID) != 0 ||
	    crypto_generichash(hash, sizeof(hash), (const unsigned char *)bytes.data, bytes.len,
			       NULL, 0) != 0)
		return false;
	buf_add(&signed_too, sig->signature, MINISIG_SIGN);
	buf_span(&signed_too, sig->comment);
	return fits((struct span){ (const char *)hash, sizeof(hash) }, sig->signature, key) &&
	       fits(buf_get(&signed_too), sig->whole, key);
}
