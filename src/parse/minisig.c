#include "parse/minisig.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"

#define UNTRUSTED "untrusted comment: "
#define TRUSTED   "trusted comment: "

/* Without the carriage return that a transfer may have added. */
static bool next_line(struct span *rest, struct span *ret)
{
	if (!span_line(rest, ret))
		return false;
	if (ret->len > 0 && ret->data[ret->len - 1] == '\r')
		ret->len--;
	return true;
}

/* Exactly n bytes. */
static bool read_bytes(struct span line, size_t n, unsigned char *ret)
{
	struct buf bytes BUF_SCOPED = { 0 };

	if (!base64_read(&bytes, line) || bytes.len != n)
		return false;
	memcpy(ret, bytes.data, n);
	return true;
}

static bool read_comment(struct span line, struct span *ret)
{
	size_t n = sizeof(TRUSTED) - 1;

	if (!span_starts(line, TRUSTED))
		return false;
	*ret = (struct span){ line.data + n, line.len - n };
	return text_is_clean(*ret, true); /* minisign itself puts tabs there */
}

int minisig_read(struct span text, struct minisig *ret)
{
	unsigned char first[2 + MINISIG_ID + MINISIG_SIGN];
	struct span lines[4], further;
	struct minisig m;

	if (text.len > MINISIG_TEXT)
		return -EBADMSG;
	for (size_t i = 0; i < 4; i++)
		if (!next_line(&text, &lines[i]))
			return -EBADMSG;
	if (next_line(&text, &further) || !span_starts(lines[0], UNTRUSTED) ||
	    !read_bytes(lines[1], sizeof(first), first) || !read_comment(lines[2], &m.comment) ||
	    !read_bytes(lines[3], MINISIG_SIGN, m.whole))
		return -EBADMSG;
	if (memcmp(first, "Ed", 2) == 0)
		return -ENOTSUP;
	if (memcmp(first, "ED", 2) != 0)
		return -EBADMSG;
	memcpy(m.id, first + 2, MINISIG_ID);
	memcpy(m.signature, first + 2 + MINISIG_ID, MINISIG_SIGN);
	*ret = m;
	return 0;
}

bool minisig_read_key(struct span text, struct minisig_key *ret)
{
	unsigned char bytes[2 + MINISIG_ID + MINISIG_KEY];
	struct span line = { 0 }, further;

	if (text.len > MINISIG_TEXT || !next_line(&text, &line))
		return false;
	if (span_starts(line, UNTRUSTED) && !next_line(&text, &line))
		return false;
	if (next_line(&text, &further) || !read_bytes(line, sizeof(bytes), bytes) ||
	    memcmp(bytes, "Ed", 2) != 0)
		return false;
	memcpy(ret->id, bytes + 2, MINISIG_ID);
	memcpy(ret->key, bytes + 2 + MINISIG_ID, MINISIG_KEY);
	return true;
}

/* The program shows the id as a little-endian number. */
void minisig_id_text(const unsigned char id[static MINISIG_ID], char ret[static 17])
{
	for (int i = 0; i < MINISIG_ID; i++)
		snprintf(ret + 2 * i, 3, "%02X", id[MINISIG_ID - 1 - i]);
}
