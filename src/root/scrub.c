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
#include "root/paths.h"
#include "root/record.h"
#include "root/shapes.h"
#include "root/store.h"

#define SECRETS_MAX 512

/*
 * Words a system uses of itself. A user or host of that name cannot be hidden
 * without making the machine unreadable, and does not need to be. The names of
 * the closed table count too (is_common): "max" is a user and memory.max a file.
 */
static const char common[] =
	/* accounts and hosts of every second machine */
	"root user users ubuntu debian fedora arch admin guest nobody daemon ollama docker jenkins test "
	"linux host local localhost server master worker login compute desktop laptop workstation builder "
	/* hardware, and the names of its families */
	"amd gpu cpu pci pcie radeon instinct ryzen epyc threadripper vega navi strix halo rocm amdgpu drm "
	"kfd ttm iommu "
	/* what the records are made of */
	"file files link ask note dir char block socket fifo head noeol base64 excerpt scrubbed program "
	"identity environment process group groups how this none true false auto active open opened clock "
	"machine wall uptime kernel driver node system unit acl home usr lib log run dev sys tmp bin etc opt "
	"var proc pid uid gid bus core mem min max ram ace edge pat jun sun";

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
	bool starts[256];      /* first bytes, lower case, of the secrets */
	struct map numbers[2]; /* an id, decimal and hexadecimal -> its replacement */
	struct map judged;     /* names that were looked at once */
	bool used[KINDS];
};

/* ---- replacements ---- */

/* Of the small letters: a host is the same one in capitals. */
static uint64_t hash_of(const struct scrubber *s, struct span text)
{
	struct buf lower BUF_SCOPED = { 0 };

	buf_span(&lower, text);
	for (size_t i = 0; i < lower.len; i++)
		lower.data[i] = (char)tolower((unsigned char)lower.data[i]);
	return siphash(s->key, buf_get(&lower));
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

static void add_id(struct scrubber *s, uint64_t id)
{
	static const char *const spellings[] = { "%llu", "%llx" };
	uint64_t *other;

	if (id < 1000000) /* too small to name one chip among many */
		return;
	other = arena_alloc(&s->arena, sizeof(*other));
	*other = other_number(s, id);
	for (size_t i = 0; i < 2; i++)
		map_put(&s->numbers[i],
			span_of(arena_format(&s->arena, spellings[i], (unsigned long long)id)),
			other);
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
	const uint64_t *other;
	char digits[24];
	size_t n;

	if (word.len < 6 || !plain_digits(word, digits, &n))
		return false;
	for (size_t hex = 0; hex < 2; hex++)
		if ((other = map_find(&s->numbers[hex], (struct span){ digits, n }))) {
			put_number(word, hex, *other, out);
			s->used[ID] = true;
			return true;
		}
	return false;
}

/* ---- finding what has to go ---- */

static bool is_same(struct span a, const char *b, size_t n)
{
	return a.len == n && strncasecmp(a.data, b, n) == 0;
}

/* Among the words of a text, such as "link" in "current_link_speed". */
static bool has_part(const char *text, struct span name)
{
	struct span s = span_of(text);

	for (size_t at = 0; at < s.len; at++) {
		size_t n = shape_begins(s, at) ? shape_run(s, at, "") : 0;

		if (n > 0 && is_same(name, s.data + at, n))
			return true;
	}
	return false;
}

static bool is_common(struct span name)
{
	size_t count;
	const struct path_rule *rules = paths_table(&count);

	if (name.len < 3 || has_part(common, name))
		return true;
	for (size_t i = 0; i < count; i++)
		if (has_part(rules[i].dir, name) || has_part(rules[i].names, name))
			return true;
	return paths_watched_part(name);
}

static void add_secret(struct scrubber *s, enum kind kind, struct span text)
{
	text = span_trim(text);
	if (s->count == SECRETS_MAX || text.len == 0 || text.len > 255 ||
	    ispunct((unsigned char)text.data[0]) || map_find(&s->judged, text))
		return;
	text = arena_span(&s->arena, text);
	map_put(&s->judged, text, s);
	if (is_common(text))
		return;
	s->secrets[s->count++] = (struct secret){ text, kind };
	s->starts[tolower((unsigned char)text.data[0])] = true;
	s->starts[toupper((unsigned char)text.data[0])] = true;
}

/* "gpu01.lab.example.org": the whole, "gpu01" and, where it has a dot, the domain. */
static void add_host(struct scrubber *s, struct span name)
{
	struct span label;

	name = span_trim(name);
	add_secret(s, HOST, name);
	if (!span_cut(&name, '.', &label))
		return;
	add_secret(s, HOST, label);
	if (memchr(name.data, '.', name.len))
		add_secret(s, HOST, name);
}

/* "alice", and of a directory service "alice@corp.example.org" or "CORP\alice". */
static void add_user(struct scrubber *s, struct span name)
{
	const char *part;

	add_secret(s, USER, name);
	part = memchr(name.data, '@', name.len);
	if (part) {
		size_t n = (size_t)(part - name.data);

		add_secret(s, USER, (struct span){ name.data, n });
		add_host(s, (struct span){ part + 1, name.len - n - 1 });
	}
	part = memchr(name.data, '\\', name.len);
	if (part)
		add_secret(s, USER,
			   (struct span){ part + 1, (size_t)(name.data + name.len - part - 1) });
}

/* A home need not be below /home: /scratch/alice is named for its owner too. */
static void from_identity(struct scrubber *s, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		if (span_starts(line, "user "))
			add_user(s, (struct span){ line.data + 5, line.len - 5 });
		if (span_starts(line, "home /"))
			add_secret(s, USER, path_name(line));
	}
}

/*
 * The account of a service is often a person's. One that is called like its
 * unit (vllm of vllm.service) is not, and its name is worth reading.
 */
static void from_unit(struct scrubber *s, struct span unit, struct span text)
{
	static const char *const keys[] = { "User=", "Group=" };
	struct span line;

	while (span_line(&text, &line)) {
		const char *colon = memchr(line.data, ':', line.len);

		if (colon && isdigit((unsigned char)line.data[0])) /* the number of an excerpt */
			line = (struct span){ colon + 1,
					      (size_t)(line.data + line.len - colon - 1) };
		for (size_t i = 0; i < 2; i++) {
			size_t n = strlen(keys[i]);

			if (span_starts(line, keys[i]) &&
			    span_find(unit, (struct span){ line.data + n, line.len - n }) ==
				    SIZE_MAX)
				add_user(s, (struct span){ line.data + n, line.len - n });
		}
	}
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

/* A board without one says so in zeros. */
static void from_serial(struct scrubber *s, struct span text)
{
	uint64_t number;

	if (!span_hex(span_trim(text), &number) || number > 0)
		add_secret(s, SERIAL, text);
}

/*
 * Places that show a name, whoever is judged. /media/ only where a path begins:
 * the kernel has a directory of that name too.
 */
static const struct name_place {
	const char *before;
	enum kind kind;
	bool top;    /* only at the beginning of a path */
	bool blanks; /* Windows has them in names: "/mnt/c/Users/Ada Lovelace/x" */
} name_places[] = {
	{ "/home/", USER, false, false },     { "/homes/", USER, false, false },
	{ "/users/", USER, false, false },    { "/Users/", USER, false, true },
	{ "/run/media/", USER, true, false }, { "/media/", USER, true, false },
	{ "/by-id/", SERIAL, false, false }, /* ata-Samsung_SSD_870_S5Y1NX0R123456 */
};

static bool ends_name(char c)
{
	return c == '\0' || strchr("/ :\t\n'\",;=)\\", c) != NULL;
}

/* Up to the next slash, if there is one in the same path. */
static size_t name_with_blanks(struct span text, size_t start, size_t n)
{
	size_t end = start + n;

	while (end < text.len && end < start + 64 &&
	       (text.data[end] == ' ' || !ends_name(text.data[end])))
		end++;
	return end < text.len && text.data[end] == '/' ? end - start : n;
}

static bool is_dots(const char *p, size_t n)
{
	return p[0] == '.' && (n == 1 || (n == 2 && p[1] == '.'));
}

static const struct name_place *name_at(struct span text, size_t at, size_t *ret_start,
					size_t *ret_len)
{
	for (size_t i = 0; i < sizeof(name_places) / sizeof(name_places[0]); i++) {
		const struct name_place *place = &name_places[i];
		size_t start = at + strlen(place->before);
		size_t n = 0;

		if (start >= text.len || memcmp(text.data + at, place->before, start - at) != 0 ||
		    (place->top && at > 0 && shape_is_word(text.data[at - 1])))
			continue;
		while (start + n < text.len && !ends_name(text.data[start + n]))
			n++;
		if (place->blanks)
			n = name_with_blanks(text, start, n);
		if (n == 0 || is_dots(text.data + start, n))
			continue;
		*ret_start = start;
		*ret_len = n;
		return place;
	}
	return NULL;
}

static void from_names(struct scrubber *s, struct span text)
{
	const struct name_place *place;
	const char *slash = text.data;
	size_t start;
	size_t n;

	while (slash && (slash = memchr(slash, '/', (size_t)(text.data + text.len - slash)))) {
		place = name_at(text, (size_t)(slash - text.data), &start, &n);
		if (place && place->kind == USER)
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

static void gather_record(struct scrubber *s, const struct record *r, struct span path)
{
	struct buf content BUF_SCOPED = { 0 };

	if (!record_content(r, &content))
		return;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (r->kind == places[i].kind && span_ends(path, places[i].ends))
			places[i].take(s, buf_get(&content));
	if (r->kind == RECORD_FILE && span_find(path, SPAN_LITERAL(".service")) != SIZE_MAX)
		from_unit(s, path, buf_get(&content));
	if (r->flags & RECORD_BASE64)
		from_names(s, buf_get(&content));
}

static void gather_files(struct scrubber *s, const struct record *group)
{
	struct span rest = group->body;
	struct record one;

	while (record_file_next(&rest, &one) > 0) {
		struct buf path BUF_SCOPED = { 0 };

		buf_span(&path, group->path);
		buf_char(&path, '/');
		buf_span(&path, one.path);
		gather_record(s, &one, buf_get(&path));
	}
}

static void gather(struct scrubber *s, struct span snapshot)
{
	struct span rest = snapshot;
	struct record r;

	while (record_next(&rest, &r) > 0)
		if (r.kind == RECORD_FILES)
			gather_files(s, &r);
		else
			gather_record(s, &r, r.path);
	from_names(s, snapshot);
}

/* ---- replacing ---- */

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
	s->used[UUID] = true;
}

/* With colons or dashes, and behind the hardware type that BOOTIF has: one card. */
static void put_mac(struct scrubber *s, struct span mac, struct buf *out)
{
	char digits[64];
	size_t n = 0;

	for (size_t i = 0; i < mac.len && n < sizeof(digits); i++)
		if (shape_is_word(mac.data[i]))
			digits[n++] = mac.data[i];
	if (n > 12 && n <= 14)
		put_pseudonym(s, HOST, (struct span){ digits + n - 12, 12 }, out);
	else
		put_pseudonym(s, HOST, (struct span){ digits, n }, out);
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
	s->used[HOST] = true;
	return 15;
}

/* Variables and mount options that name somebody or a machine of theirs. */
static const struct {
	const char *name;
	enum kind kind;
} named_values[] = {
	{ "SLURM_JOB_USER", USER },
	{ "SLURM_JOB_ACCOUNT", USER },
	{ "SLURM_JOB_NODELIST", HOST },
	{ "SLURM_NODELIST", HOST },
	{ "SLURM_STEP_NODELIST", HOST },
	{ "SLURM_TOPOLOGY_ADDR", HOST },
	{ "SLURM_SUBMIT_HOST", HOST },
	{ "SLURM_CLUSTER_NAME", HOST },
	{ "SLURM_LAUNCH_NODE_IPADDR", HOST },
	{ "SLURM_SRUN_COMM_HOST", HOST },
	{ "SLURMD_NODENAME", HOST },
	{ "username", USER },
	{ "domain", HOST },
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

	if (!s->starts[(unsigned char)text.data[at]])
		return NULL;
	for (size_t i = 0; i < s->count; i++) {
		const struct secret *one = &s->secrets[i];
		size_t end = at + one->text.len;

		if (end > text.len ||
		    strncasecmp(text.data + at, one->text.data, one->text.len) != 0 ||
		    (end < text.len && shape_is_word(text.data[end])))
			continue;
		if (!best || best->text.len < one->text.len)
			best = one;
	}
	return best;
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
		put_pseudonym(s, TOKEN, (struct span){ text.data + start, n }, out);
		return start - at + n;
	}
	if ((n = shape_token(text, at)) > 0) {
		put_pseudonym(s, TOKEN, (struct span){ text.data + at, n }, out);
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
	const struct name_place *place;
	size_t start;
	size_t n;

	place = name_at(text, at, &start, &n);
	if (place) {
		buf_add(out, text.data + at, start - at);
		put_pseudonym(s, place->kind, (struct span){ text.data + start, n }, out);
		return start - at + n;
	}
	n = shape_login(text, at + 1);
	if (n > 0) {
		buf_char(out, '/');
		put_pseudonym(s, TOKEN, (struct span){ text.data + at + 1, n }, out);
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
			put_pseudonym(s, USER, (struct span){ line.data + 6, line.len - 6 }, out);
		} else {
			scrub_text(s, line, out);
		}
		buf_char(out, '\n');
	}
}

/* Of a network file system, else empty. */
static struct span mount_source(struct span line)
{
	size_t dash = span_find(line, SPAN_LITERAL(" - "));
	struct span none = { line.data, 0 };
	struct span rest, type, source;

	if (dash == SIZE_MAX)
		return none;
	rest = (struct span){ line.data + dash + 3, line.len - dash - 3 };
	if (!span_word(&rest, &type) || !span_word(&rest, &source))
		return none;
	return span_starts(source, "//") || memchr(source.data, ':', source.len) ? source : none;
}

/* "... - nfs4 filer.example.org:/export/data rw": a server of somebody's. */
static void scrub_mounts(struct scrubber *s, struct span body, struct buf *out)
{
	struct span line;

	while (span_line(&body, &line)) {
		struct span source = mount_source(line);

		scrub_text(s, (struct span){ line.data, (size_t)(source.data - line.data) }, out);
		if (source.len > 0)
			put_pseudonym(s, HOST, source, out);
		source.data += source.len;
		scrub_text(
			s,
			(struct span){ source.data, (size_t)(line.data + line.len - source.data) },
			out);
		buf_char(out, '\n');
	}
}

static void scrub_body(struct scrubber *s, const struct record *r, struct buf *out)
{
	if (r->kind == RECORD_ASK && span_is(r->path, "identity"))
		scrub_identity(s, r->body, out);
	else if (r->kind == RECORD_FILE && span_ends(r->path, "/mountinfo"))
		scrub_mounts(s, r->body, out);
	else
		scrub_text(s, r->body, out);
}

static void scrub_record(struct scrubber *s, const struct record *r, struct buf *out)
{
	struct buf content BUF_SCOPED = { 0 };
	struct buf clean BUF_SCOPED = { 0 };
	struct buf path BUF_SCOPED = { 0 };

	if (!(r->flags & RECORD_BASE64) || !record_content(r, &content)) {
		scrub_text(s, (struct span){ r->raw.data, r->raw.len - r->body.len }, out);
		scrub_body(s, r, out);
		return;
	}
	scrub_text(s, buf_get(&content), &clean);
	scrub_text(s, r->path, &path);
	buf_clear(&content);
	if (!text_unword(&content, buf_get(&path)))
		buf_span(&content, buf_get(&path));
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

int scrub(struct span snapshot, struct span machine, const char *key, struct buf *ret)
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
		gather(s, machine);
		gather(s, snapshot);
		while (record_next(&rest, &r) > 0)
			if (r.kind != RECORD_UNKNOWN)
				scrub_record(s, &r, &body);
		buf_text(ret, RECORD_MAGIC "\n");
		write_note(s, ret);
		buf_span(ret, buf_get(&body));
	}
	map_done(&s->judged);
	map_done(&s->numbers[0]);
	map_done(&s->numbers[1]);
	arena_done(&s->arena);
	free(s);
	return error;
}
