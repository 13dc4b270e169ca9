#include "parse/minisig.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct minisig_key key;
	struct minisig sig;
	char id[17];

	if (minisig_read(input, &sig) == 0) {
		must_lie_in(sig.comment, input);
		minisig_id_text(sig.id, id);
	}
	if (minisig_read_key(input, &key))
		minisig_id_text(key.id, id);
	return 0;
}
