#include "parse/minisig.h"

#include <errno.h>
#include <string.h>

#include "check-span.h"
#include "kb/keys.h"
#include "kb/signature.h"

/* Made once by minisign 0.11; the secret was thrown away. */
#define KEY "RWTYjyYEXHhtVlRmiv4OVLi3FsSftKlpYT4F+P7+YwqQO04nQ6uVSFsn"
#define FIRST \
	"RUTYjyYEXHhtVt4sAOTFHT9VD7EkUjhmeVXknYskpaMJejPIAhn3Qncaf2+4lh+sKYLLg1Bc11lKI0fXcyHkTg7AF/6fViMkKgU="
#define LAST \
	"aRgWf6A7s6auRCxKQi01w4+CJd9SYlv5U9AB9MDicJmLidaQeE8O3qcvVfIW7TuetNeWXMdMYBDWYnkTqInfBw=="
#define TEXT "twelve bytes"

#define HEAD "untrusted comment: signature from minisign secret key\n"
#define MID  "\ntrusted comment: tiny\n"

static const struct {
	const char *text;
	int want;
	const char *why;
} signatures[] = {
	{ HEAD FIRST MID LAST "\n", 0, "as minisign writes it" },
	{ HEAD FIRST MID LAST, 0, "without the last newline" },
	{ "untrusted comment: x\r\n" FIRST "\r\ntrusted comment: tiny\r\n" LAST "\r\n", 0,
	  "through a mail program" },
	{ HEAD FIRST "\ntrusted comment: timestamp:1794755084\tfile:kb.db\thashed\n" LAST, 0,
	  "a comment that minisign makes by itself" },
	{ "", -EBADMSG, "nothing" },
	{ HEAD FIRST, -EBADMSG, "half of it" },
	{ HEAD FIRST MID, -EBADMSG, "without the last line" },
	{ HEAD FIRST MID LAST "\nmore\n", -EBADMSG, "a fifth line" },
	{ FIRST MID LAST, -EBADMSG, "without the first comment" },
	{ HEAD LAST MID LAST, -EBADMSG, "too short a signature" },
	{ HEAD FIRST "\ncomment: tiny\n" LAST, -EBADMSG, "another comment" },
	{ HEAD FIRST "\ntrusted comment: \033[31m\n" LAST, -EBADMSG, "an escape in the comment" },
	{ HEAD "*" FIRST MID LAST, -EBADMSG, "no base64" },
};

static void test_signatures(void)
{
	struct minisig sig;

	for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++)
		if (!CHECK(minisig_read(span_of(signatures[i].text), &sig) == signatures[i].want))
			printf("  %s\n", signatures[i].why);
	CHECK_INT(minisig_read(span_of(signatures[0].text), &sig), 0);
	CHECK_SPAN(sig.comment, "tiny");
}

static void test_keys(void)
{
	struct minisig_key key, same;
	char id[17];

	CHECK(minisig_read_key(span_of(KEY), &key));
	CHECK(minisig_read_key(span_of("untrusted comment: x\n" KEY "\n"), &same));
	CHECK(memcmp(&key, &same, sizeof(key)) == 0);
	minisig_id_text(key.id, id);
	CHECK_TEXT(id, "566D785C04268FD8");
	CHECK(!minisig_read_key(span_of(""), &key));
	CHECK(!minisig_read_key(span_of("untrusted comment: x\n"), &key));
	CHECK(!minisig_read_key(span_of(KEY "\nmore"), &key));
	CHECK(!minisig_read_key(span_of(FIRST), &key));
}

static void test_verify(void)
{
	struct minisig sig, bad;
	struct minisig_key key;

	if (!signature_library())
		return;
	CHECK_INT(minisig_read(span_of(signatures[0].text), &sig), 0);
	CHECK(minisig_read_key(span_of(KEY), &key));
	CHECK(signature_fits(span_of(TEXT), &sig, &key));
	CHECK(!signature_fits(span_of("twelve bites"), &sig, &key));
	CHECK(!signature_fits(span_of(""), &sig, &key));
	for (size_t i = 0; i < MINISIG_SIGN; i++) {
		bad = sig;
		bad.signature[i] ^= 1;
		CHECK(!signature_fits(span_of(TEXT), &bad, &key));
		bad = sig;
		bad.whole[i] ^= 1;
		CHECK(!signature_fits(span_of(TEXT), &bad, &key));
	}
	bad = sig;
	bad.comment = span_of("tinz");
	CHECK(!signature_fits(span_of(TEXT), &bad, &key));
	key.key[0] ^= 1;
	CHECK(!signature_fits(span_of(TEXT), &sig, &key));
}

static void test_list(void)
{
	static const char text[] = "# remark\n\ntrusted one 2030-12-31 " KEY "\n";
	struct buf said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct keys keys = { 0 };
	const struct key *found;
	struct minisig_key key;

	CHECK(minisig_read_key(span_of(KEY), &key));
	CHECK(keys_find(&keys, key.id) == NULL);
	keys_parse(span_of(text), &arena, &keys, &said);
	found = keys_find(&keys, key.id);
	if (CHECK(found != NULL)) {
		CHECK_TEXT(found->name, "one");
		CHECK_TEXT(found->until, "2030-12-31");
		CHECK(!found->revoked);
	}
	CHECK(!keys.doubtful && said.len == 0);
	keys_parse(span_of("revoked one " KEY), &arena, &keys, &said);
	found = keys_find(&keys, key.id);
	CHECK(found && found->revoked);
	CHECK(!keys.doubtful);
	keys_parse(span_of("trusted two forever " KEY), &arena, &keys, &said);
	CHECK(keys.doubtful && said.len > 0);
	arena_done(&arena);
}

int main(void)
{
	test_signatures();
	test_keys();
	test_verify();
	test_list();
	return check_end();
}
