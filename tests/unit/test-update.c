#include "kb/update.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check-kb.h"
#include "kb/signature.h"

#if __has_include(<sodium.h>)
#include <sodium.h>

/*
 * The list of keys that this program carries, in place of data/kb-keys.txt, as a
 * distributor's is by -Dkb_keys: written before each case.
 */
char data_kb_keys[1024];

static char dir[] = "/tmp/rocsteady-update.XXXXXX", path[64];

/* ---- who signs ---- */

struct signer {
	unsigned char id[MINISIG_ID];
	unsigned char public[crypto_sign_PUBLICKEYBYTES];
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
	char text[100]; /* as in a list */
};

static struct signer make_signer(unsigned char number)
{
	unsigned char seed[crypto_sign_SEEDBYTES] = { number }, bytes[2 + MINISIG_ID + MINISIG_KEY];
	struct signer s = { .id = { number } };

	crypto_sign_seed_keypair(s.public, s.secret, seed);
	memcpy(bytes, "Ed", 2);
	memcpy(bytes + 2, s.id, MINISIG_ID);
	memcpy(bytes + 2 + MINISIG_ID, s.public, MINISIG_KEY);
	sodium_bin2base64(s.text, sizeof(s.text), bytes, sizeof(bytes),
			  sodium_base64_VARIANT_ORIGINAL);
	return s;
}

static struct buf sign(const struct signer *s, struct span file)
{
	static const char comment[] = "of a test";
	unsigned char hash[crypto_generichash_BYTES_MAX], first[2 + MINISIG_ID + MINISIG_SIGN];
	unsigned char both[MINISIG_SIGN + sizeof(comment) - 1], whole[MINISIG_SIGN];
	char one[200], two[200];
	struct buf out = { 0 };

	crypto_generichash(hash, sizeof(hash), (const unsigned char *)file.data, file.len, NULL, 0);
	memcpy(first, "ED", 2);
	memcpy(first + 2, s->id, MINISIG_ID);
	crypto_sign_detached(first + 2 + MINISIG_ID, NULL, hash, sizeof(hash), s->secret);
	memcpy(both, first + 2 + MINISIG_ID, MINISIG_SIGN);
	memcpy(both + MINISIG_SIGN, comment, sizeof(comment) - 1);
	crypto_sign_detached(whole, NULL, both, sizeof(both), s->secret);
	sodium_bin2base64(one, sizeof(one), first, sizeof(first), sodium_base64_VARIANT_ORIGINAL);
	sodium_bin2base64(two, sizeof(two), whole, sizeof(whole), sodium_base64_VARIANT_ORIGINAL);
	buf_addf(&out, "untrusted comment: x\n%s\ntrusted comment: %s\n%s\n", one, comment, two);
	return out;
}

/* ---- what is taken ---- */

enum { FIRST, SECOND, SIGNERS };

static const struct {
	const char *list; /* %1$s and %2$s are the keys */
	int signer;
	const char *day;  /* of the knowledge */
	const char *says; /* NULL: taken */
	const char *why;
} cases[] = {
	{ "trusted first 2091-06-30 %1$s\n", FIRST, "2091-06-29", NULL, "before its last day" },
	{ "trusted first 2091-06-30 %1$s\n", FIRST, "2091-06-30", NULL, "on its last day" },
	{ "trusted first 2091-06-30 %1$s\n", FIRST, "2091-07-01",
	  "knowledge base 2091-07-01, but key first may sign only up to 2091-06-30",
	  "the day after" },
	{ "trusted first 2091-06-30 %1$s\ntrusted next 2093-06-30 %2$s\n", FIRST, "2092-01-01",
	  "key first may sign only up to 2091-06-30", "after its last day, the next one carried" },
	{ "trusted first 2091-06-30 %1$s\n", SECOND, "2091-06-30", "which is not trusted here",
	  "a key that a later release carries" },
	{ "trusted first 2091-06-30 %1$s\ntrusted next 2093-06-30 %2$s\n", SECOND, "2091-07-01",
	  NULL, "rotated: the next one signs on" },
	{ "trusted first 2091-06-30 %1$s\ntrusted next 2093-06-30 %2$s\n", FIRST, "2091-06-30",
	  "older than the one in use", "the old key, within its days, behind the new one" },
	{ "trusted next 2093-06-30 %2$s\n", FIRST, "2091-06-30", "which is not trusted here",
	  "the old key, left out of the list" },
	{ "trusted next 2093-06-30 %2$s\nrevoked next %2$s\n", SECOND, "2092-01-01",
	  "which is revoked", "revoked outweighs trusted" },
	{ "trusted next 2093-6-030 %2$s\n", SECOND, "2092-01-01", "not every key could be read",
	  "a last day that is none" },
	{ "trusted next 2093-06-30 %2$s\n", SECOND, "2093-06-30", NULL, "still good" },
};

static void write_list(const char *list, const struct signer *signers)
{
	snprintf(data_kb_keys, sizeof(data_kb_keys), list, signers[FIRST].text,
		 signers[SECOND].text);
}

static void try_case(size_t i, const struct signer *signers)
{
	char sql[100];
	struct span own;
	struct buf good = { 0 }, db, signature, said = { 0 };
	struct update u = { .path = path, .keys = "/nonexistent" };
	struct update_done done;
	int r;

	kb_read(NULL, NULL, &own);
	buf_span(&good, own);
	snprintf(sql, sizeof(sql), "UPDATE kb SET version = '%s', digest = '%s'", cases[i].day,
		 cases[i].day);
	db = kb_changed(&good, sql);
	signature = sign(&signers[cases[i].signer], buf_get(&db));
	write_list(cases[i].list, signers);
	u.bytes = buf_get(&db);
	u.signature = buf_get(&signature);
	r = update(&u, &done, &said);
	if (!CHECK(r == (cases[i].says ? -EBADMSG : 0)) ||
	    !CHECK(!cases[i].says || strstr(buf_get(&said).data, cases[i].says)))
		printf("  %s: %s\n", cases[i].why, said.len > 0 ? said.data : "taken");
	buf_done(&good);
	buf_done(&db);
	buf_done(&signature);
	buf_done(&said);
}

/* A last day that passes later does not take away what was taken before: no clock is asked. */
static void test_after(const struct signer *signers)
{
	struct update_signer signer;
	struct span bytes;
	struct buf keep = { 0 };

	write_list("trusted next 2091-01-01 %2$s\n", signers);
	CHECK_INT(kb_read(path, &keep, &bytes), 0);
	CHECK_INT(update_signer(path, bytes, "/nonexistent", &signer), 0);
	CHECK_TEXT(signer.name, "next");
	buf_done(&keep);
}

int main(void)
{
	struct signer signers[SIGNERS];
	char remove[100];

	if (!signature_library() || sodium_init() < 0) {
		printf("this build verifies no signatures\n");
		return 77;
	}
	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/kb.db", dir);
	for (int i = 0; i < SIGNERS; i++)
		signers[i] = make_signer((unsigned char)(i + 1));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		try_case(i, signers);
	test_after(signers);
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	CHECK_INT(system(remove), 0);
	return check_end();
}
#else
#include <stdio.h>

int main(void)
{
	printf("no libsodium to sign with\n");
	return 77;
}
#endif
