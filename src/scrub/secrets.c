#include "scrub/secrets.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "door/paths.h"
#include "door/record.h"
#include "door/store.h"
#include "scrub/shapes.h"

#define NAME_LONGEST ((size_t)255) /* of a file, and so of a user */

extern const char data_common_names[];

static void add_id(struct secrets *s, uint64_t id)
{
	static const char *const spellings[] = { "%llu", "%llx" };
	uint64_t *kept;

	if (id < 1000000) /* too small to name one chip among many */
		return;
	kept = arena_alloc(&s->arena, sizeof(*kept));
	*kept = id;
	for (size_t i = 0; i < 2; i++)
		map_put(&s->numbers[i],
			span_of(arena_format(&s->arena, spellings[i], (unsigned long long)id)),
			kept);
}

/* Among the words of a text, such as "link" in "current_link_speed". */
static bool has_part(struct span s, struct span name)
{
	for (size_t at = 0; at < s.len; at++) {
		size_t n = shape_begins(s, at) ? shape_run(s, at, "") : 0;

		if (n > 0 && n == name.len && strncasecmp(name.data, s.data + at, n) == 0)
			return true;
	}
	return false;
}

static bool is_common(struct span name)
{
	size_t count;
	const struct path_rule *rules = paths_table(&count);
	struct span rest = span_of(data_common_names), line;

	if (name.len < 3)
		return true;
	while (span_line(&rest, &line))
		if (line.len > 0 && line.data[0] != '#' && has_part(line, name))
			return true;
	for (size_t i = 0; i < count; i++)
		if (has_part(span_of(rules[i].dir), name) ||
		    has_part(span_of(rules[i].names), name))
			return true;
	return paths_watched_part(name);
}

/* The length of a name's first word; a byte that is no letter is a word of its own. */
static size_t first_length(struct span lower)
{
	size_t n = shape_run(lower, 0, "");

	return n > 0 ? n : 1;
}

static struct span lower_of(struct span text, size_t at, size_t limit,
			    char ret[static NAME_LONGEST])
{
	size_t n = 0;

	for (; n < limit && n < NAME_LONGEST && at + n < text.len; n++)
		ret[n] = (char)tolower((unsigned char)text.data[at + n]);
	return (struct span){ ret, n };
}

static void index_secret(struct secrets *s, struct secret *one)
{
	char small[NAME_LONGEST];
	struct span name = arena_span(&s->arena, lower_of(one->text, 0, NAME_LONGEST, small));
	struct span first = { name.data, first_length(name) };
	size_t *longest = map_find(&s->firsts, first);

	if (!longest) {
		longest = arena_alloc(&s->arena, sizeof(*longest));
		map_put(&s->firsts, first, longest);
	}
	*longest = name.len > *longest ? name.len : *longest;
	if (!map_find(&s->names, name))
		map_put(&s->names, name, one);
	s->begins[(unsigned char)name.data[0]] = true;
}

static void add_secret(struct secrets *s, enum secret_kind kind, struct span text)
{
	struct secret *one;

	text = span_trim(text);
	if (text.len == 0 || text.len > NAME_LONGEST || ispunct((unsigned char)text.data[0]) ||
	    map_find(&s->judged, text))
		return;
	text = arena_span(&s->arena, text);
	map_put(&s->judged, text, s);
	if (is_common(text))
		return;
	one = arena_alloc(&s->arena, sizeof(*one));
	*one = (struct secret){ text, kind };
	index_secret(s, one);
}

const struct secret *secrets_at(const struct secrets *s, struct span text, size_t at)
{
	char small[NAME_LONGEST];
	const size_t *longest;
	const struct secret *one;
	struct span lower;

	if (!s->begins[tolower((unsigned char)text.data[at])])
		return NULL;
	lower = lower_of(text, at, NAME_LONGEST, small);
	longest = map_find(&s->firsts, (struct span){ lower.data, first_length(lower) });
	for (size_t n = longest ? *longest : 0; n > 0; n--) {
		if (n > lower.len || (at + n < text.len && shape_is_word(text.data[at + n])))
			continue;
		one = map_find(&s->names, (struct span){ lower.data, n });
		if (one)
			return one;
	}
	return NULL;
}

/* "gpu01.lab.example.org": the whole, "gpu01" and, where it has a dot, the domain. */
static void add_host(struct secrets *s, struct span name)
{
	struct span label;

	name = span_trim(name);
	add_secret(s, SECRET_HOST, name);
	if (!span_cut(&name, '.', &label))
		return;
	add_secret(s, SECRET_HOST, label);
	if (memchr(name.data, '.', name.len))
		add_secret(s, SECRET_HOST, name);
}

/* "alice", and of a directory service "alice@corp.example.org" or "CORP\alice". */
static void add_user(struct secrets *s, struct span name)
{
	const char *part;

	add_secret(s, SECRET_USER, name);
	part = memchr(name.data, '@', name.len);
	if (part) {
		size_t n = (size_t)(part - name.data);

		add_secret(s, SECRET_USER, (struct span){ name.data, n });
		add_host(s, (struct span){ part + 1, name.len - n - 1 });
	}
	part = memchr(name.data, '\\', name.len);
	if (part)
		add_secret(s, SECRET_USER,
			   (struct span){ part + 1, (size_t)(name.data + name.len - part - 1) });
}

/* "Ada King" and, as a word of a snapshot, "Ada\x20King". */
static void add_account(struct secrets *s, struct span name)
{
	struct buf word BUF_SCOPED = { 0 };

	add_user(s, name);
	text_word(&word, name);
	if (word.len > name.len)
		add_user(s, buf_get(&word));
}

/* A home need not be below /home: /scratch/alice is named for its owner too. */
static void from_identity(struct secrets *s, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		if (span_starts(line, "user "))
			add_account(s, (struct span){ line.data + 5, line.len - 5 });
		if (span_starts(line, "home "))
			add_account(s, path_name(line));
	}
}

/*
 * The account of a service is often a person's. One that is called like its
 * unit (vllm of vllm.service) is not, and its name is worth reading.
 */
static void from_unit(struct secrets *s, struct span unit, struct span text)
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

static void from_properties(struct secrets *s, struct span text)
{
	struct span line, key, value;
	uint64_t id;

	while (span_line(&text, &line))
		if (span_word(&line, &key) && span_word(&line, &value) && span_u64(value, &id) &&
		    (span_is(key, "unique_id") || span_is(key, "hive_id")))
			add_id(s, id);
}

static void from_hex_file(struct secrets *s, struct span text)
{
	uint64_t id;

	if (span_hex(span_trim(text), &id))
		add_id(s, id);
}

/* Whether it is decimal is the driver's choice by version: both may be meant. */
static void from_hive_file(struct secrets *s, struct span text)
{
	uint64_t id;

	from_hex_file(s, text);
	if (span_u64(span_trim(text), &id))
		add_id(s, id);
}

/* A board without one says so in zeros. */
static void from_serial(struct secrets *s, struct span text)
{
	uint64_t number;

	if (!span_hex(span_trim(text), &number) || number > 0)
		add_secret(s, SECRET_SERIAL, text);
}

static bool ends_name(char c)
{
	return c == '\0' || strchr("/ :\t\n'\",;=)\\", c) != NULL;
}

/* A blank as a word of a snapshot has it, which ends no name; 0 at any other byte. */
static size_t escaped_blank(struct span text, size_t at)
{
	static const char escaped[] = "\\x20";
	size_t n = sizeof(escaped) - 1;

	return at + n <= text.len && memcmp(text.data + at, escaped, n) == 0 ? n : 0;
}

static size_t name_length(struct span text, size_t start)
{
	size_t end = start, blank;

	while (end < text.len &&
	       ((blank = escaped_blank(text, end)) > 0 || !ends_name(text.data[end])))
		end += blank > 0 ? blank : 1;
	return end - start;
}

/* Up to the next slash, if there is one in the same path. */
static size_t name_with_blanks(struct span text, size_t start, size_t n)
{
	size_t end = start + n;

	while (end < text.len && end < start + 64 &&
	       (text.data[end] == ' ' || !ends_name(text.data[end])))
		end++;
	return end < text.len && strchr("/\\", text.data[end]) ? end - start : n;
}

static bool is_dots(const char *p, size_t n)
{
	return p[0] == '.' && (n == 1 || (n == 2 && p[1] == '.'));
}

const struct secret_rule *secrets_place(const struct secret_rules *rules, struct span text,
					size_t at, size_t *ret_start, size_t *ret_len)
{
	const struct secret_rule *r = rules->by_first[tolower((unsigned char)text.data[at])];

	for (; r; r = r->next) {
		size_t start = at + r->text.len;
		size_t n;

		if (r->form != RULE_PLACE || !secret_rule_is_at(r, text, at) ||
		    (r->top && at > 0 && shape_is_word(text.data[at - 1])))
			continue;
		n = name_length(text, start);
		if (r->blanks)
			n = name_with_blanks(text, start, n);
		if (n == 0 || is_dots(text.data + start, n))
			continue;
		*ret_start = start;
		*ret_len = n;
		return r;
	}
	return NULL;
}

/* Behind every slash, backslash and %: what begins a place. */
static void from_names(struct secrets *s, const struct secret_rules *rules, struct span text)
{
	const struct secret_rule *place;
	size_t start;
	size_t n;

	for (size_t at = 0; at < text.len; at++) {
		if (text.data[at] != '/' && text.data[at] != '\\' && text.data[at] != '%')
			continue;
		place = secrets_place(rules, text, at, &start, &n);
		if (place && place->kind == SECRET_USER)
			add_secret(s, SECRET_USER, (struct span){ text.data + start, n });
	}
}

static const struct {
	enum record_kind kind;
	const char *ends;
	void (*take)(struct secrets *s, struct span content);
} places[] = {
	{ RECORD_ASK, "identity", from_identity },
	{ RECORD_FILE, "/proc/sys/kernel/hostname", add_host },
	{ RECORD_FILE, "/ActiveComputerName/ComputerName", add_host },
	{ RECORD_FILE, "/serial_number", from_serial },
	{ RECORD_FILE, "/unique_id", from_hex_file },
	{ RECORD_FILE, "/xgmi_device_id", from_hive_file },
	{ RECORD_FILE, "/xgmi_hive_id", from_hive_file },
	{ RECORD_FILE, "/properties", from_properties },
};

/*
 * "VEN_1002&DEV_744C&.../6&2c6b35a1&0&00000019": what has no & is the serial number of the function,
 * which a network card makes of its address.
 */
static void from_instance(struct secrets *s, struct span path)
{
	static const char bus[] = "/reg/HKLM/SYSTEM/CurrentControlSet/Enum/PCI/";
	struct span device, instance;

	if (!span_starts(path, bus))
		return;
	path = (struct span){ path.data + strlen(bus), path.len - strlen(bus) };
	if (!span_cut(&path, '/', &device))
		return;
	if (!span_cut(&path, '/', &instance))
		instance = path;
	if (instance.len >= 8 && !memchr(instance.data, '&', instance.len))
		add_secret(s, SECRET_SERIAL, instance);
}

/* A variable in the registry whose name says secret; the door withholds it since it knows them. */
static void from_setting(struct secrets *s, struct span path, struct span content)
{
	static const char key[] = "/Environment/";
	size_t at = span_find(path, span_of(key));

	if (!span_starts(path, "/reg/") || at == SIZE_MAX)
		return;
	at += strlen(key);
	if (paths_secret_variable((struct span){ path.data + at, path.len - at }) &&
	    !span_is(span_trim(content), PATHS_WITHHELD))
		add_secret(s, SECRET_TOKEN, content);
}

static void gather_record(struct secrets *s, const struct secret_rules *rules,
			  const struct record *r, struct span path)
{
	struct buf content BUF_SCOPED = { 0 };

	from_instance(s, path);
	if (!record_content(r, &content))
		return;
	if (r->kind == RECORD_FILE)
		from_setting(s, path, buf_get(&content));
	for (size_t i = 0; i < COUNT(places); i++)
		if (r->kind == places[i].kind && span_ends(path, places[i].ends))
			places[i].take(s, buf_get(&content));
	if (r->kind == RECORD_FILE && span_find(path, SPAN_LITERAL(".service")) != SIZE_MAX)
		from_unit(s, path, buf_get(&content));
	if (r->flags & RECORD_BASE64)
		from_names(s, rules, buf_get(&content));
}

void secrets_gather(struct secrets *s, const struct secret_rules *rules, struct span snapshot)
{
	struct span rest = snapshot;
	struct record r;

	while (record_next(&rest, &r) > 0) {
		struct span files = r.body;
		struct record one;

		if (r.kind != RECORD_FILES)
			gather_record(s, rules, &r, r.path);
		while (r.kind == RECORD_FILES && record_file_next(&files, &one) > 0) {
			struct buf path BUF_SCOPED = { 0 };

			buf_span(&path, r.path);
			buf_char(&path, '/');
			buf_span(&path, one.path);
			gather_record(s, rules, &one, buf_get(&path));
		}
	}
	from_names(s, rules, snapshot);
}

void secrets_done(struct secrets *s)
{
	map_done(&s->names);
	map_done(&s->firsts);
	map_done(&s->judged);
	map_done(&s->numbers[0]);
	map_done(&s->numbers[1]);
	arena_done(&s->arena);
}
