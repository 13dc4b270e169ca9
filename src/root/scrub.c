#include "root/scrub.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/map.h"
#include "base/siphash.h"
#include "base/text.h"
#include "root/record.h"

#define SECRETS_MAX 512

/*
 * Words a system uses of itself. A user or host of that name cannot be hidden
 * without making the machine unreadable, and does not need to be.
 */
static const char *const common[] = {
	"root",	  "user",  "users", "ubuntu", "debian", "fedora", "arch",  "amd",    "rocm",
	"docker", "admin", "guest", "nobody", "ollama", "linux",  "host",  "local",  "localhost",
	"video",  "render", "home", "test",   "jenkins", "drm",	  "kfd",   "gpu",    "pci",
	"ttm",	  "usr",   "lib",   "log",    "run",	"dev",	  "sys",   "tmp",    "bin",
	"etc",	  "opt",   "var",   "pid",    "uid",	"gid",	  "cpu",   "bus",    "iommu",
	"kernel", "driver", "node", "file",   "link",	"ask",	  "note",  "dir",    "identity",
	"process", "group", "groups", "how",  "this",	"none",	  "true",  "false",  "auto",
	"active", "proc",  "open",  "opened", "clock",	"machine", "wall", "uptime", "system",
};

enum kind { USER, HOST, SERIAL, TOKEN, UUID, ID, KINDS };

static const char *const kind_names[KINDS] = { "user", "host", "serial", "token", "uuid", "id" };

struct secret {
	struct span text;
	enum kind kind;
};

struct scrubber {
	struct siphash_key key;
	struct arena arena;
	struct secret secrets[SECRETS_MAX];
	size_t count;
	bool starts[256]; /* first bytes, lower case, of the secrets */
	struct map numbers; /* every spelling of an id -> its replacement */
	bool used[KINDS];
};

/* ---- replacements ---- */

static uint64_t hash_of(const struct scrubber *s, struct span text)
{
	char lower[256];
	size_t n = text.len < sizeof(lower) ? text.len : sizeof(lower);

	for (size_t i = 0; i < n; i++)
		lower[i] = (char)tolower((unsigned char)text.data[i]);
	return siphash(s->key, (struct span){ lower, n });
}

static void put_pseudonym(struct scrubber *s, enum kind kind, struct span text, struct buf *out)
{
	s->used[kind] = true;
	buf_addf(out, "%s-%08llx", kind_names[kind],
		 (unsigned long long)(hash_of(s, text) & 0xffffffff));
}

/* An id stays a number of the same size: never 0, top bit as it was. */
static uint64_t other_number(const struct scrubber *s, uint64_t id)
{
	uint64_t hash = siphash(s->key, (struct span){ (const char *)&id, sizeof(id) });

	hash = (hash & INT64_MAX) | (id & ~(uint64_t)INT64_MAX);
	return hash ? hash : 1;
}

static void add_spelling(struct scrubber *s, const char *format, uint64_t id)
{
	char *from = arena_alloc(&s->arena, 32);
	char *to = arena_alloc(&s->arena, 32);

	snprintf(from, 32, format, (unsigned long long)id);
	snprintf(to, 32, format, (unsigned long long)other_number(s, id));
	map_put(&s->numbers, span_of(from), to);
}

static void add_id(struct scrubber *s, uint64_t id)
{
	static const char *const spellings[] = { "%llu", "%016llx", "%llx", "%016llX", "0x%llx",
						 "0x%016llx" };

	if (id < 1000000) /* too small to name one chip among many */
		return;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		add_spelling(s, spellings[i], id);
}

/* ---- finding what has to go ---- */

static bool is_common(struct span name)
{
	if (name.len < 3)
		return true;
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (strlen(common[i]) == name.len &&
		    strncasecmp(common[i], name.data, name.len) == 0)
			return true;
	return false;
}

static void add_secret(struct scrubber *s, enum kind kind, struct span text)
{
	text = span_trim(text);
	if (s->count == SECRETS_MAX || is_common(text) || !isalnum((unsigned char)text.data[0]))
		return;
	for (size_t i = 0; i < s->count; i++)
		if (s->secrets[i].text.len == text.len &&
		    strncasecmp(s->secrets[i].text.data, text.data, text.len) == 0)
			return;
	s->secrets[s->count++] = (struct secret){ arena_span(&s->arena, text), kind };
	s->starts[tolower((unsigned char)text.data[0])] = true;
}

static void add_host(struct scrubber *s, struct span name)
{
	struct span label;

	add_secret(s, HOST, name);
	name = span_trim(name);
	if (span_cut(&name, '.', &label))
		add_secret(s, HOST, label);
}

static void from_identity(struct scrubber *s, struct span text)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_starts(line, "user "))
			add_secret(s, USER, (struct span){ line.data + 5, line.len - 5 });
}

static void from_properties(struct scrubber *s, struct span text)
{
	struct span line, key, value;
	uint64_t id;

	while (span_line(&text, &line))
		if (span_word(&line, &key) && span_word(&line, &value) && span_u64(value, &id) &&
		    (span_is(key, "unique_id") || span_is(key, "hive_id")))
			add_id(s, id);
}

static void from_hex_file(struct scrubber *s, struct span text)
{
	uint64_t id;

	if (span_hex(span_trim(text), &id))
		add_id(s, id);
}

/* Whether it is decimal is the driver's choice by version: both may be meant. */
static void from_hive_file(struct scrubber *s, struct span text)
{
	uint64_t id;

	from_hex_file(s, text);
	if (span_u64(span_trim(text), &id))
		add_id(s, id);
}

static void from_serial(struct scrubber *s, struct span text)
{
	add_secret(s, SERIAL, text);
	from_hex_file(s, text);
}

/* Names after /home/ are users, whoever is judged. */
static const char *const homes[] = { "/home/", "/Users/", "/export/home/", "/mnt/c/Users/" };

static size_t home_name(struct span text, size_t at, size_t *ret_start)
{
	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		size_t n = strlen(homes[i]);
		size_t end;

		if (text.len - at < n || memcmp(text.data + at, homes[i], n) != 0)
			continue;
		for (end = at + n; end < text.len && !strchr("/ :\t\n'\",;=)", text.data[end]);)
			end++;
		*ret_start = at + n;
		return end - at - n;
	}
	return 0;
}

static void from_homes(struct scrubber *s, struct span text)
{
	const char *slash = text.data;
	size_t start;
	size_t n;

	while (slash && (slash = memchr(slash, '/', (size_t)(text.data + text.len - slash)))) {
		n = home_name(text, (size_t)(slash - text.data), &start);
		if (n > 0)
			add_secret(s, USER, (struct span){ text.data + start, n });
		slash++;
	}
}

static const struct {
	enum record_kind kind;
	const char *ends;
	void (*take)(struct scrubber *s, struct span content);
} places[] = {
	{ RECORD_ASK, "identity", from_identity },
	{ RECORD_FILE, "/proc/sys/kernel/hostname", add_host },
	{ RECORD_FILE, "/serial_number", from_serial },
	{ RECORD_FILE, "/unique_id", from_hex_file },
	{ RECORD_FILE, "/xgmi_device_id", from_hive_file },
	{ RECORD_FILE, "/xgmi_hive_id", from_hive_file },
	{ RECORD_FILE, "/properties", from_properties },
};

static void gather(struct scrubber *s, struct span snapshot)
{
	struct span rest = snapshot;
	struct record r;

	while (record_next(&rest, &r) > 0) {
		struct buf content BUF_SCOPED = { 0 };

		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			if (r.kind != places[i].kind || !span_ends(r.path, places[i].ends))
				continue;
			buf_clear(&content);
			if (record_content(&r, &content))
				places[i].take(s, buf_get(&content));
		}
	}
	from_homes(s, snapshot);
}

/* ---- replacing ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) != 0;
}

static size_t run_of(struct span text, size_t at, const char *also)
{
	size_t n = 0;

	while (at + n < text.len && (is_word(text.data[at + n]) ||
				     (text.data[at + n] && strchr(also, text.data[at + n]))))
		n++;
	return n;
}

static bool is_hex_run(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)p[i]))
			return false;
	return true;
}

/* 8-4-4-4-12, or 32 digits in one: its length, or 0. */
static size_t uuid_at(struct span text, size_t at)
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	const char *p = text.data + at;
	size_t n = 0;

	if (run_of(text, at, "") == 32 && is_hex_run(p, 32))
		return 32;
	for (size_t i = 0; i < 5; i++) {
		if (at + n + groups[i] > text.len || !is_hex_run(p + n, groups[i]))
			return 0;
		n += groups[i];
		if (i < 4 && (at + n >= text.len || p[n++] != '-'))
			return 0;
	}
	return at + n < text.len && is_word(p[n]) ? 0 : n;
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
		buf_char(out, uuid.data[i] == '-' ? '-' : fresh[n++]);
	s->used[UUID] = true;
}

/* xx:xx:xx:xx:xx:xx of a network card. */
static size_t mac_at(struct span text, size_t at)
{
	const char *p = text.data + at;

	if (text.len - at < 17)
		return 0;
	for (size_t i = 0; i < 17; i++)
		if (i % 3 == 2 ? p[i] != ':' : !isxdigit((unsigned char)p[i]))
			return 0;
	return text.len - at > 17 && (is_word(p[17]) || p[17] == ':') ? 0 : 17;
}

static const char *const token_marks[] = {
	"hf_",	"sk-",	"sk_live_", "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "glpat-", "xoxb-",
	"xoxp-", "xoxa-", "AKIA", "ASIA", "AIza", "eyJ",  "nvapi-", "npm_", "pypi-", "dckr_pat_", "r8_",
};

/* Long, and mixed as no word and no number is. */
static bool looks_random(const char *p, size_t n)
{
	size_t upper = 0, lower = 0, digit = 0, changes = 0;

	if (n < 24)
		return false;
	for (size_t i = 0; i < n; i++) {
		upper += isupper((unsigned char)p[i]) != 0;
		lower += islower((unsigned char)p[i]) != 0;
		digit += isdigit((unsigned char)p[i]) != 0;
		changes += i > 0 && !isalpha((unsigned char)p[i]) != !isalpha((unsigned char)p[i - 1]);
	}
	return upper > 2 && lower > 2 && digit > 2 && changes > 4;
}

static size_t token_at(struct span text, size_t at)
{
	const char *p = text.data + at;
	size_t n;

	for (size_t i = 0; i < sizeof(token_marks) / sizeof(token_marks[0]); i++) {
		size_t mark = strlen(token_marks[i]);

		if (text.len - at > mark && memcmp(p, token_marks[i], mark) == 0) {
			n = run_of(text, at, "_-.");
			return n >= mark + 12 ? n : 0;
		}
	}
	n = run_of(text, at, "_-+=");
	return looks_random(p, n) ? n : 0;
}

static const char *const secret_names[] = { "TOKEN", "SECRET", "PASSWORD", "PASSWD",   "APIKEY",
					    "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL" };

/* "HF_TOKEN=value": where the value begins and ends, if the name says secret. */
static size_t named_secret(struct span text, size_t at, size_t *ret_start)
{
	size_t n = run_of(text, at, "_");
	size_t end = at + n;
	bool secret = false;

	if (n < 3 || end >= text.len || text.data[end] != '=')
		return 0;
	for (size_t i = 0; !secret && i < sizeof(secret_names) / sizeof(secret_names[0]); i++)
		for (size_t k = 0; k + strlen(secret_names[i]) <= n; k++)
			secret |= strncasecmp(text.data + at + k, secret_names[i],
					      strlen(secret_names[i])) == 0;
	if (!secret)
		return 0;
	*ret_start = end + 1;
	for (end = *ret_start; end < text.len && !strchr(" \t\n;&", text.data[end]);)
		end++;
	return end - *ret_start;
}

static const struct secret *secret_at(const struct scrubber *s, struct span text, size_t at)
{
	const struct secret *best = NULL;

	if (!s->starts[tolower((unsigned char)text.data[at])])
		return NULL;
	for (size_t i = 0; i < s->count; i++) {
		const struct secret *one = &s->secrets[i];
		size_t end = at + one->text.len;

		if (end > text.len || strncasecmp(text.data + at, one->text.data, one->text.len) != 0 ||
		    (end < text.len && is_word(text.data[end])))
			continue;
		if (!best || best->text.len < one->text.len)
			best = one;
	}
	return best;
}

/* "//name:password@" of a URL: the length up to the @, or 0. */
static size_t login_at(struct span text, size_t at)
{
	size_t n = run_of(text, at, "_-.%~+:");

	if (at < 2 || text.data[at - 1] != '/' || text.data[at - 2] != '/' || n == 0 ||
	    at + n >= text.len || text.data[at + n] != '@')
		return 0;
	return n;
}

/* At the start of a word: what was replaced, in bytes, or 0. */
static size_t replace_at(struct scrubber *s, struct span text, size_t at, struct buf *out)
{
	const struct secret *secret;
	const char *number;
	size_t start;
	size_t n;

	if ((n = uuid_at(text, at)) > 0) {
		put_uuid(s, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = mac_at(text, at)) > 0) {
		put_pseudonym(s, HOST, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = login_at(text, at)) > 0 || (n = token_at(text, at)) > 0) {
		put_pseudonym(s, TOKEN, (struct span){ text.data + at, n }, out);
		return n;
	}
	if ((n = named_secret(text, at, &start)) > 0) {
		buf_add(out, text.data + at, start - at);
		put_pseudonym(s, TOKEN, (struct span){ text.data + start, n }, out);
		return start - at + n;
	}
	if ((secret = secret_at(s, text, at))) {
		put_pseudonym(s, secret->kind, secret->text, out);
		return secret->text.len;
	}
	n = run_of(text, at, "");
	if (n >= 7 && (number = map_find(&s->numbers, (struct span){ text.data + at, n }))) {
		s->used[ID] = true;
		buf_text(out, number);
		return n;
	}
	return 0;
}

static void scrub_text(struct scrubber *s, struct span text, struct buf *out)
{
	size_t at = 0;

	while (at < text.len) {
		bool begins = is_word(text.data[at]) && (at == 0 || !is_word(text.data[at - 1]));
		size_t n = begins ? replace_at(s, text, at, out) : 0;
		size_t start;

		if (n == 0 && text.data[at] == '/' && (n = home_name(text, at, &start)) > 0) {
			buf_add(out, text.data + at, start - at);
			put_pseudonym(s, USER, (struct span){ text.data + start, n }, out);
			n += start - at;
		}
		if (n == 0) {
			buf_char(out, text.data[at]);
			n = 1;
		}
		at += n;
	}
}

static void scrub_record(struct scrubber *s, const struct record *r, struct buf *out)
{
	struct buf content BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct buf path BUF_SCOPED = { 0 };

	if (!(r->flags & RECORD_BASE64) || !record_content(r, &content)) {
		scrub_text(s, r->raw, out);
		return;
	}
	scrub_text(s, buf_get(&content), &clean);
	scrub_text(s, r->path, &path);
	buf_clear(&content);
	if (text_unword(&content, buf_get(&path)))
		record_write_content(out, r->kind, buf_get(&content), r->flags, buf_get(&clean));
}

static int make_key(const char *text, struct siphash_key *ret)
{
	struct siphash_key half = { 0, 1 };

	if (!text)
		return getrandom(ret, sizeof(*ret), 0) == (ssize_t)sizeof(*ret) ? 0 : -EIO;
	ret->k0 = siphash((struct siphash_key){ 0, 0 }, span_of(text));
	ret->k1 = siphash(half, span_of(text));
	return 0;
}

static void write_note(const struct scrubber *s, struct buf *out)
{
	buf_text(out, "note scrubbed\n");
	for (int kind = 0; kind < KINDS; kind++)
		if (s->used[kind])
			buf_addf(out, "\t%s\n", kind_names[kind]);
}

int scrub(struct span snapshot, const char *key, struct buf *ret)
{
	struct buf body BUF_SCOPED = { 0 };
	struct scrubber *s = calloc(1, sizeof(*s));
	struct span rest = snapshot;
	struct record r;
	int error;

	if (!s)
		return -ENOMEM;
	error = make_key(key, &s->key);
	if (error == 0) {
		gather(s, snapshot);
		while (record_next(&rest, &r) > 0)
			if (r.kind != RECORD_UNKNOWN)
				scrub_record(s, &r, &body);
		buf_text(ret, RECORD_MAGIC "\n");
		write_note(s, ret);
		buf_span(ret, buf_get(&body));
	}
	map_done(&s->numbers);
	arena_done(&s->arena);
	free(s);
	return error;
}
