#include "scrub/scrub.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/base64.h"
#include "base/siphash.h"
#include "base/text.h"
#include "door/paths.h"
#include "door/record.h"
#include "door/store.h"
#include "scrub/secrets.h"
#include "scrub/shapes.h"

static const char *const kind_names[SECRET_KINDS] = { "user",  "host", "serial",
						      "token", "uuid", "id" };

struct scrubber {
	struct siphash_key key;
	struct secrets secrets;
	bool used[SECRET_KINDS];
};

/* Of the small letters: a host is the same one in capitals. */
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

/* Digits without 0x, zeros in front and capitals: false if there are none or too many. */
static bool plain_digits(struct span word, char ret[static 24], size_t *ret_len)
{
	if (word.len > 2 && word.data[0] == '0' && (word.data[1] | 32) == 'x')
		word = (struct span){ word.data + 2, word.len - 2 };
	while (word.len > 0 && word.data[0] == '0')
		word = (struct span){ word.data + 1, word.len - 1 };
	if (word.len == 0 || word.len > 20)
		return false;
	for (size_t i = 0; i < word.len; i++)
		ret[i] = (char)tolower((unsigned char)word.data[i]);
	*ret_len = word.len;
	return true;
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

static bool replace_number(struct scrubber *s, struct span word, struct buf *out)
{
	const uint64_t *id;
	char digits[24];
	size_t n;

	if (word.len < 6 || !plain_digits(word, digits, &n))
		return false;
	for (size_t hex = 0; hex < 2; hex++)
		if ((id = map_find(&s->secrets.numbers[hex], (struct span){ digits, n }))) {
			/* An id stays a number of the same size: never 0, top bit as it was. */
			uint64_t hash =
				siphash(s->key, (struct span){ (const char *)id, sizeof(*id) });

			hash = (hash & INT64_MAX) | (*id & ~(uint64_t)INT64_MAX);
			put_number(word, hex, hash ? hash : 1, out);
			s->used[SECRET_ID] = true;
			return true;
		}
	return false;
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
static size_t replace_card(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	const char *p = text.data + at;

	if (shape_run(text, at, "") != 15 || (memcmp(p, "enx", 3) != 0 && memcmp(p, "wlx", 3) != 0))
		return 0;
	for (size_t i = 3; i < 15; i++)
		if (!isxdigit((unsigned char)p[i]))
			return 0;
	buf_add(out, p, 3);
	buf_addf(out, "%012llx",
		 (unsigned long long)(hash_of(s, (struct span){ p + 3, 12 }) & 0xffffffffffff));
	s->used[SECRET_HOST] = true;
	return 15;
}

/* Variables and mount options that name somebody or a machine of theirs. */
static const struct {
	const char *name;
	enum secret_kind kind;
} named_values[] = {
	{ "SLURM_JOB_USER", SECRET_USER },
	{ "SLURM_JOB_ACCOUNT", SECRET_USER },
	{ "SLURM_JOB_NODELIST", SECRET_HOST },
	{ "SLURM_NODELIST", SECRET_HOST },
	{ "SLURM_STEP_NODELIST", SECRET_HOST },
	{ "SLURM_TOPOLOGY_ADDR", SECRET_HOST },
	{ "SLURM_SUBMIT_HOST", SECRET_HOST },
	{ "SLURM_CLUSTER_NAME", SECRET_HOST },
	{ "SLURM_LAUNCH_NODE_IPADDR", SECRET_HOST },
	{ "SLURM_SRUN_COMM_HOST", SECRET_HOST },
	{ "SLURMD_NODENAME", SECRET_HOST },
	{ "username", SECRET_USER },
	{ "domain", SECRET_HOST },
};

static size_t replace_named_value(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	struct span near = { text.data, text.len - at > 40 ? at + 40 : text.len };
	size_t n = shape_run(near, at, "_");
	size_t start = at + n + 1;
	size_t end = start;

	if (start >= text.len || text.data[at + n] != '=')
		return 0;
	for (size_t i = 0; i < sizeof(named_values) / sizeof(named_values[0]); i++) {
		if (n != strlen(named_values[i].name) ||
		    memcmp(text.data + at, named_values[i].name, n) != 0)
			continue;
		while (end < text.len && !strchr(" \t\n,;\"'", text.data[end]))
			end++;
		if (end == start)
			return 0;
		buf_add(out, text.data + at, start - at);
		put_pseudonym(s, named_values[i].kind,
			      (struct span){ text.data + start, end - start }, out);
		return end - at;
	}
	return 0;
}

static const struct secret *secret_at(const struct scrubber *s, struct span text, size_t at)
{
	const struct secret *best = NULL;
	const struct secret *one = s->secrets.by_first[tolower((unsigned char)text.data[at])];

	for (; one; one = one->next) {
		size_t end = at + one->text.len;

		if (end > text.len ||
		    strncasecmp(text.data + at, one->text.data, one->text.len) != 0 ||
		    (end < text.len && shape_is_word(text.data[end])))
			continue;
		if (!best ||
		    best->text.len <= one->text.len) /* the first that was met comes last */
			best = one;
	}
	return best;
}

static size_t replace_serial(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	size_t start = at;
	size_t n = shape_serial(text, at, &start);
	struct span serial = { text.data + start, n };

	if (n == 0)
		return 0;
	buf_add(out, text.data + at, start - at);
	if (!replace_number(s, serial, out))
		put_pseudonym(s, SECRET_SERIAL, serial, out);
	return start - at + n;
}

/* What is known by its form: the bytes that were replaced, or 0. */
static size_t replace_shape(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	size_t start;
	size_t n;

	if ((n = shape_uuid(text, at)) > 0) {
		put_uuid(s, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = shape_mac(text, at)) > 0) {
		put_mac(s, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = shape_named(text, at, &start)) > 0) {
		buf_add(out, text.data + at, start - at);
		put_pseudonym(s, SECRET_TOKEN, (struct span){ text.data + start, n }, out);
		return start - at + n;
	}
	if ((n = shape_token(text, at)) > 0) {
		put_pseudonym(s, SECRET_TOKEN, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = replace_serial(s, text, at, out)) > 0)
		return n;
	if ((n = shape_mail(text, at)) > 0) {
		put_pseudonym(s, SECRET_USER, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = shape_ipv4(text, at)) > 0 || (n = shape_ipv6(text, at)) > 0) {
		put_pseudonym(s, SECRET_HOST, (struct span){ text.data + at, n }, out);
		return n;
	}
	return replace_card(s, text, at, out);
}

/* A chip's serial may be its id: then it stays a number wherever it stands. */
static size_t replace_word(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	const struct secret *secret;
	size_t n = shape_run(text, at, "");

	if (n > 0 && replace_number(s, (struct span){ text.data + at, n }, out))
		return n;
	if (n > 0 && (n = replace_shape(s, text, at, out)) > 0)
		return n;
	if ((n = replace_named_value(s, text, at, out)) > 0)
		return n;
	secret = secret_at(s, text, at);
	if (!secret)
		return 0;
	put_pseudonym(s, secret->kind, secret->text, out);
	return secret->text.len;
}

/* At a slash: a name that its place shows, or the login of a URL. */
static size_t replace_behind_slash(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	const struct secret_place *place;
	size_t start;
	size_t n;

	place = secrets_place(text, at, &start, &n);
	if (place) {
		buf_add(out, text.data + at, start - at);
		put_pseudonym(s, place->kind, (struct span){ text.data + start, n }, out);
		return start - at + n;
	}
	n = shape_login(text, at + 1);
	if (n > 0) {
		buf_char(out, '/');
		put_pseudonym(s, SECRET_TOKEN, (struct span){ text.data + at + 1, n }, out);
		return n + 1;
	}
	return 0;
}

static void scrub_text(struct scrubber *s, struct span text, struct buf *out)
{
	size_t at = 0;

	while (at < text.len) {
		size_t n = 0;

		if (text.data[at] == '/')
			n = replace_behind_slash(s, text, at, out);
		else if (shape_begins(text, at))
			n = replace_word(s, text, at, out);
		if (n == 0) {
			buf_char(out, text.data[at]);
			n = 1;
		}
		at += n;
	}
}

/*
 * Where the place says that it is a name, also one that is_common() would
 * leave: else "user ubuntu" would not be the owner of /home/user-1f0c93aa.
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

int scrub(struct span snapshot, struct span machine, const char *key, struct buf *ret)
{
	struct buf body BUF_SCOPED = { 0 };
	struct scrubber *s = calloc(1, sizeof(*s));
	struct span rest = snapshot;
	struct record r;
	int error = 0;

	if (!s)
		return -ENOMEM;
	if (key)
		s->key = (struct siphash_key){
			siphash((struct siphash_key){ 0, 0 }, span_of(key)),
			siphash((struct siphash_key){ 0, 1 }, span_of(key)),
		};
	else if (getrandom(&s->key, sizeof(s->key), 0) != (ssize_t)sizeof(s->key))
		error = -EIO;
	if (error == 0) {
		secrets_gather(&s->secrets, machine);
		secrets_gather(&s->secrets, snapshot);
		while (record_next(&rest, &r) > 0)
			if (r.kind != RECORD_UNKNOWN)
				scrub_record(s, &r, &body);
		buf_text(ret, RECORD_MAGIC "\n");
		buf_text(ret, "note scrubbed\n");
		for (int kind = 0; kind < SECRET_KINDS; kind++)
			if (s->used[kind])
				buf_addf(ret, "\t%s\n", kind_names[kind]);
		buf_span(ret, buf_get(&body));
	}
	secrets_done(&s->secrets);
	free(s);
	return error;
}
