#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static const struct {
	const char *text;
	size_t repeat;
	const char *want;
	const char *why;
} cases[] = {
	{ "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "nothing" },
	{ "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	  "the example of FIPS 180-4, one block" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	  "56 bytes: the length needs a second block" },
	{ "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	  "a million bytes" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sha256 s;
		char hex[SHA256_HEX];

		sha256_init(&s);
		for (size_t n = 0; n < cases[i].repeat; n++)
			sha256_add(&s, span_of(cases[i].text));
		sha256_end(&s, hex);
		CHECK_TEXT(hex, cases[i].want);
	}
	return check_end();
}
