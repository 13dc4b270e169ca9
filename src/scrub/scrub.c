#include "scrub/scrub.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/base64.h"
#include "base/memory.h"
#include "base/siphash.h"
#include "base/text.h"
#include "door/paths.h"
#include "door/record.h"
#include "scrub/find-secret.h"
#include "scrub/shapes.h"

#define NAME_LONGEST ((size_t)1024) /* bytes of a user, host or serial number */

static const char *const kind_names[SECRET_KINDS] = { "user",  "host", "serial",
						      "token", "uuid", "id" };

struct scrubber {
	struct siphash_key key;
	struct secret_rules rules;
	struct secrets secrets;
	bool used[SECRET_KINDS];
};

/* Hashes small letters: a host in capitals is the same host. */
static uint64_t hash_of(const struct scrubber *s, struct span text)
{
	struct buf lower BUF_SCOPED = { 0 };

	buf_span(&lower, text);
	for (size_t i = 0; i < lower.len; i++)
		lower.data[i] = (char)tolower((unsigned char)lower.data[i]);
	return siphash(s->key, buf_get(&lower));
}

static void put_pseudonym(struct scrubber *s, enum secret_kind kind, struct span text,
			  struct buf *out)
{
	s->used[kind] = true;
	buf_addf(out, "%s-%08llx", kind_names[kind],
		 (unsigned long long)(hash_of(s, text) & 0xffffffff));
}

/* The same number elsewhere looks the same: 0x, zeros and capitals stay. */
static void put_number(struct span word, bool hex, uint64_t other, struct buf *out)
{
	bool prefixed = word.len > 2 && (word.data[1] | 32) == 'x';
	bool upper = false;

	for (size_t i = prefixed ? 2 : 0; i < word.len; i++)
		upper |= isupper((unsigned char)word.data[i]) != 0;
	if (prefixed)
		buf_add(out, word.data, 2);
	if (!hex)
		buf_addf(out, "%llu", (unsigned long long)other);
	else if (word.len - (prefixed ? 2 : 0) == 16)
		buf_addf(out, upper ? "%016llX" : "%016llx", (unsigned long long)other);
	else
		buf_addf(out, upper ? "%llX" : "%llx", (unsigned long long)other);
}

/* An id stays a number of the same size: never 0, top bit as it was. */
static void put_id(struct scrubber *s, struct span word, const struct secret_found *f,
		   struct buf *out)
{
	uint64_t hash = siphash(s->key, (struct span){ (const char *)&f->id, sizeof(f->id) });

	hash = (hash & INT64_MAX) | (f->id & ~(uint64_t)INT64_MAX);
	put_number(word, f->hex, hash ? hash : 1, out);
	s->used[SECRET_ID] = true;
}

/* The same id with and without its dashes gets the same digits. */
static void put_uuid(struct scrubber *s, struct span uuid, struct buf *out)
{
	char digits[33] = { 0 };
	char fresh[33];
	size_t n = 0;

	for (size_t i = 0; i < uuid.len && n < 32; i++)
		if (uuid.data[i] != '-')
			digits[n++] = (char)tolower((unsigned char)uuid.data[i]);
	snprintf(fresh, sizeof(fresh), "%016llx%016llx",
		 (unsigned long long)hash_of(s, (struct span){ digits, 32 }),
		 (unsigned long long)hash_of(s, (struct span){ digits, 31 }));
	n = 0;
	for (size_t i = 0; i < uuid.len; i++)
		buf_char(out, uuid.data[i] == '-' ? '-' : fresh[n++ % 32]);
	s->used[SECRET_UUID] = true;
}

/* With colons or dashes, and after the hardware type that BOOTIF has: one card. */
static void put_mac(struct scrubber *s, struct span mac, struct buf *out)
{
	char digits[64];
	size_t n = 0;

	for (size_t i = 0; i < mac.len && n < sizeof(digits); i++)
		if (shape_is_word(mac.data[i]))
			digits[n++] = mac.data[i];
	if (n > 12 && n <= 14)
		put_pseudonym(s, SECRET_HOST, (struct span){ digits + n - 12, 12 }, out);
	else
		put_pseudonym(s, SECRET_HOST, (struct span){ digits, n }, out);
}

/* The name of a card that udev made from its address: enx001122aabbcc. */
static void put_card(struct scrubber *s, struct span name, struct buf *out)
{
	struct span digits = { name.data + 3, name.len - 3 };

	buf_add(out, name.data, 3);
	buf_addf(out, "%012llx", (unsigned long long)(hash_of(s, digits) & 0xffffffffffff));
	s->used[SECRET_HOST] = true;
}

static void put_find(struct scrubber *s, struct span secret, const struct secret_found *f,
		     struct buf *out)
{
	switch (f->form) {
	case FIND_NUMBER:
		put_id(s, secret, f, out);
		break;
	case FIND_UUID:
		put_uuid(s, secret, out);
		break;
	case FIND_MAC:
		put_mac(s, secret, out);
		break;
	case FIND_CARD:
		put_card(s, secret, out);
		break;
	default:
		put_pseudonym(s, f->kind, secret, out);
	}
}

static void scrub_text(struct scrubber *s, struct span text, struct buf *out)
{
	size_t kept = 0;
	struct secret_found f;

	while (find_secret(&s->rules, &s->secrets, text, kept, &f)) {
		buf_add(out, text.data + kept, f.start - kept);
		put_find(s, (struct span){ text.data + f.start, f.len }, &f, out);
		kept = f.start + f.len;
	}
	buf_add(out, text.data + kept, text.len - kept);
}

/*
 * The place shows that it is a name, so even one that is_common() would leave is
 * replaced: else "user ubuntu" would not be the owner of /home/user-1f0c93aa.
 */
static void scrub_identity(struct scrubber *s, struct span body, struct buf *out)
{
	struct span line;

	while (span_line(&body, &line)) {
		if (span_starts(line, "\tuser ") && !span_is(line, "\tuser root")) {
			buf_text(out, "\tuser ");
			put_pseudonym(s, SECRET_USER, (struct span){ line.data + 6, line.len - 6 },
				      out);
		} else {
			scrub_text(s, line, out);
		}
		buf_char(out, '\n');
	}
}

/* "... - nfs4 filer.example.org:/export/data rw": a server of somebody's. */
static void scrub_mounts(struct scrubber *s, struct span body, struct buf *out)
{
	struct span line;

	while (span_line(&body, &line)) {
		size_t dash = span_find(line, SPAN_LITERAL(" - "));
		struct span source = { line.data, 0 }, rest = source, type, word;

		if (dash != SIZE_MAX)
			rest = (struct span){ line.data + dash + 3, line.len - dash - 3 };
		if (span_word(&rest, &type) && span_word(&rest, &word) &&
		    (span_starts(word, "//") || memchr(word.data, ':', word.len)))
			source = word; /* of a network file system */
		scrub_text(s, (struct span){ line.data, (size_t)(source.data - line.data) }, out);
		if (source.len > 0)
			put_pseudonym(s, SECRET_HOST, source, out);
		source.data += source.len;
		scrub_text(
			s,
			(struct span){ source.data, (size_t)(line.data + line.len - source.data) },
			out);
		buf_char(out, '\n');
	}
}

static void scrub_record(struct scrubber *s, const struct record *r, struct buf *out)
{
	struct buf content BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct buf path BUF_SCOPED = { 0 };

	if (!(r->flags & RECORD_BASE64) || !record_content(r, &content)) {
		scrub_text(s, (struct span){ r->raw.data, r->raw.len - r->body.len }, out);
		if (r->kind == RECORD_ASK && span_is(r->path, "identity"))
			scrub_identity(s, r->body, out);
		else if (r->kind == RECORD_FILE && span_ends(r->path, "/mountinfo"))
			scrub_mounts(s, r->body, out);
		else
			scrub_text(s, r->body, out);
		return;
	}
	scrub_text(s, buf_get(&content), &clean);
	scrub_text(s, r->path, &path);
	buf_clear(&content);
	if (!text_unword(&content, buf_get(&path)))
		buf_span(&content, buf_get(&path));
	record_write_content(out, r->kind, buf_get(&content), r->flags, buf_get(&clean));
}

struct scrubber *scrubber_new(struct span about, const char *key)
{
	struct scrubber *s = memory_new(1, sizeof(*s));

	if (key)
		s->key = (struct siphash_key){
			siphash((struct siphash_key){ 0, 0 }, span_of(key)),
			siphash((struct siphash_key){ 0, 1 }, span_of(key)),
		};
	else if (getrandom(&s->key, sizeof(s->key), 0) != (ssize_t)sizeof(s->key)) {
		free(s);
		return NULL;
	}
	if (!secret_rules_load(&s->rules)) {
		scrubber_free(s);
		return NULL;
	}
	secrets_gather(&s->secrets, &s->rules, about);
	return s;
}

void scrubber_free(struct scrubber *s)
{
	if (!s)
		return;
	secrets_done(&s->secrets);
	secret_rules_done(&s->rules);
	free(s);
}

void scrubber_text(struct scrubber *s, struct span text, struct buf *ret)
{
	scrub_text(s, text, ret);
}

/*
 * A name stays, but what was taken for it may hold a secret: `user=ada,pass=x`. It is
 * looked through, unless it is longer than any name: then it goes as a whole.
 */
void scrubber_withhold(struct scrubber *s, struct span text, struct buf *ret)
{
	size_t kept = 0, from = 0;
	struct secret_found f;

	while (find_secret(&s->rules, NULL, text, from, &f)) {
		from = f.start + 1;
		if (f.kind != SECRET_TOKEN && f.len <= NAME_LONGEST)
			continue;
		from = f.start + f.len;
		buf_add(ret, text.data + kept, f.start - kept);
		buf_text(ret, PATHS_WITHHELD);
		kept = from;
	}
	buf_add(ret, text.data + kept, text.len - kept);
}

int scrub(struct span snapshot, struct span machine, const char *key, struct buf *ret)
{
	struct buf body BUF_SCOPED = { 0 };
	struct scrubber *s = scrubber_new(machine, key);
	struct span rest = snapshot;
	struct record r;

	if (!s)
		return -EIO;
	secrets_gather(&s->secrets, &s->rules, snapshot);
	while (record_next(&rest, &r) > 0)
		if (r.kind != RECORD_UNKNOWN)
			scrub_record(s, &r, &body);
	buf_text(ret, RECORD_MAGIC "\n");
	buf_text(ret, "note scrubbed\n");
	for (int kind = 0; kind < SECRET_KINDS; kind++)
		if (s->used[kind])
			buf_addf(ret, "\t%s\n", kind_names[kind]);
	buf_span(ret, buf_get(&body));
	scrubber_free(s);
	return 0;
}
