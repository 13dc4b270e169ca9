#include "kb/keys.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "kb/files.h"

extern const char data_kb_keys[];

static void add(struct keys *keys, const struct key *key, struct buf *said)
{
	if (keys->count < KEYS_MAX) {
		keys->list[keys->count++] = *key;
		return;
	}
	keys->doubtful = true;
	buf_addf(said, "%s: more than %d keys\n", key->name, KEYS_MAX);
}

static void doubt(struct keys *keys, struct buf *said, const char *what, const char *why)
{
	keys->doubtful = true;
	buf_addf(said, "%s: %s\n", what, why);
}

/* ---- the list ---- */

static bool parse_line(struct span line, struct arena *arena, struct key *ret)
{
	struct span kind, name, until = { "", 0 }, key;

	if (!span_word(&line, &kind) || !span_word(&line, &name))
		return false;
	ret->revoked = span_is(kind, "revoked");
	if (!ret->revoked && (!span_is(kind, "trusted") || !span_word(&line, &until)))
		return false;
	if (!span_word(&line, &key) || span_trim(line).len > 0)
		return false;
	ret->name = arena_text(arena, name);
	ret->until = arena_text(arena, until);
	if (!ret->revoked && !text_is_date(ret->until))
		return false;
	return minisig_read_key(key, &ret->key);
}

void keys_parse(struct span text, struct arena *arena, struct keys *keys, struct buf *said)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct key key = { 0 };

		line = span_trim(line);
		if (line.len == 0 || line.data[0] == '#')
			continue;
		if (parse_line(line, arena, &key))
			add(keys, &key, said);
		else
			doubt(keys, said, arena_text(arena, line), "no key of data/kb-keys.txt");
	}
}

/* ---- a site's directory ---- */

static void take_file(const char *dir, const char *name, struct arena *arena, struct keys *keys,
		      struct buf *said)
{
	const char *path = arena_format(arena, "%s/%s", dir, name);
	struct buf text BUF_SCOPED = { 0 };
	struct key key = { .until = "", .revoked = span_ends(span_of(name), ".revoked") };
	int r;

	if (!key.revoked && !span_ends(span_of(name), ".pub"))
		return;
	r = files_read_own(path, MINISIG_TEXT, &text);
	key.name = arena_text(arena, (struct span){ name, strcspn(name, ".") });
	if (r < 0)
		doubt(keys, said, path, files_reason(r));
	else if (!minisig_read_key(buf_get(&text), &key.key))
		doubt(keys, said, path, "no public key of minisign");
	else
		add(keys, &key, said);
}

void keys_read(const char *dir, struct arena *arena, struct keys *ret, struct buf *said)
{
	const char **names = arena_alloc(arena, FILES_MAX * sizeof(*names));
	size_t count = 0;
	int r = files_names(dir, arena, names, &count);

	*ret = (struct keys){ 0 };
	if (r < 0 && r != -ENOENT)
		doubt(ret, said, dir, files_reason(r));
	keys_parse(span_of(data_kb_keys), arena, ret, said);
	for (size_t i = 0; i < count; i++)
		take_file(dir, names[i], arena, ret, said);
}

const struct key *keys_find(const struct keys *keys, const unsigned char id[static MINISIG_ID])
{
	const struct key *found = NULL;

	for (size_t i = 0; i < keys->count; i++)
		if (memcmp(keys->list[i].key.id, id, MINISIG_ID) == 0 &&
		    (!found || keys->list[i].revoked))
			found = &keys->list[i];
	return found;
}
