#include "kb/update.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"
#include "base/fd.h"
#include "door/below.h"
#include "facts/facts.h"
#include "facts/functions.h"
#include "facts/select.h"
#include "kb/examined.h"
#include "kb/files.h"
#include "kb/install-file.h"
#include "kb/keys.h"
#include "kb/layers.h"
#include "kb/signature.h"

#define PAGE 4096

/* ---- what the user named ---- */

/* The file may be a pipe; beside it others may have put anything, which must not stop us. */
int update_read(const char *path, struct buf *bytes, struct buf *signature)
{
	size_t most = KB_SIZE_MAX + MINISIG_TEXT;
	struct buf beside BUF_SCOPED = { 0 };
	struct stat st;
	int fd, r;

	if (strcmp(path, "-") == 0)
		return fd_all(dup(STDIN_FILENO), most, bytes);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	r = fd < 0 ? -errno : fd_all(fd, most, bytes);
	if (r < 0)
		return r;
	buf_addf(&beside, "%s" UPDATE_SIGNATURE, path);
	fd = below_file(&BELOW_HERE, beside.data, BELOW_ANY, &st);
	r = fd < 0 ? fd : fd_all(fd, MINISIG_TEXT, signature);
	return r == -ENOENT ? 0 : r;
}

/* ---- whether it is good ---- */

static int refuse(struct buf *said, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct buf *said, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_addv(said, format, args);
	va_end(args);
	buf_char(said, '\n');
	return -EBADMSG;
}

/* SQLite's header has the number of pages; kb_attach refuses a length that does not fit. */
static struct span split(struct span *bytes)
{
	struct span db = *bytes;

	if (bytes->len >= PAGE) {
		uint64_t size = endian_big(bytes->data + 28, 4) * PAGE;

		if (size < db.len)
			db.len = (size_t)size;
	}
	*bytes = (struct span){ bytes->data + db.len, bytes->len - db.len };
	return db;
}

/* ---- who signed ---- */

static void name_signer(const struct key *key, const struct minisig *sig, struct update_signer *ret)
{
	snprintf(ret->name, sizeof(ret->name), "%s", key ? key->name : "");
	snprintf(ret->comment, sizeof(ret->comment), "%.*s", (int)sig->comment.len,
		 sig->comment.data);
	minisig_id_text(key->key.id, ret->id);
}

static int refuse_unknown(const struct keys *keys, const char *id, struct buf *said)
{
	bool trusts_any = false;

	for (size_t i = 0; i < keys->count; i++)
		trusts_any = trusts_any || !keys->list[i].revoked;
	if (trusts_any)
		return refuse(said,
			      "signed by key %s, which is not trusted here; whoever trusts it puts "
			      "its .pub file into " KEYS_SITE,
			      id);
	return refuse(said,
		      "signed by key %s, and no key is trusted here: this rocsteady carries none, "
		      "for there was no release yet\n"
		      "whoever trusts the key puts its .pub file into " KEYS_SITE
		      "; knowledge of one's own needs no key in " FILES_SITE,
		      id);
}

static int judge_key(const struct keys *keys, const struct minisig *sig, struct buf *said,
		     const struct key **ret)
{
	const struct key *key = keys_find(keys, sig->id);
	char id[17];

	minisig_id_text(sig->id, id);
	if (keys->doubtful)
		return refuse(said, "not every key could be read, and one of those may be revoked");
	if (!key)
		return refuse_unknown(keys, id, said);
	if (key->revoked)
		return refuse(said, "signed by key %s (%s), which is revoked", id, key->name);
	*ret = key;
	return 0;
}

static int judge_signature(struct span db, struct span text, const char *dir, struct arena *arena,
			   struct buf *said, struct minisig *ret, const struct key **ret_key)
{
	struct keys *keys = arena_alloc(arena, sizeof(*keys));
	int r = minisig_read(text, ret);

	if (!signature_library())
		return refuse(said, "this build takes no updates: it is without libsodium");
	if (text.len == 0)
		return refuse(said, "no signature: put FILE.minisig beside it");
	if (r == -ENOTSUP)
		return refuse(
			said,
			"a signature of the old kind: sign it without -l (minisign before 0.10: with -H)");
	if (r < 0)
		return refuse(said, "the signature is not a minisign signature");
	keys_read(dir, arena, keys, said);
	r = judge_key(keys, ret, said, ret_key);
	if (r == 0 && !signature_fits(db, ret, &(*ret_key)->key))
		return refuse(said, "the signature does not match: the file or its signature was "
				    "changed or cut short");
	return r;
}

int update_signer(const char *path, struct span bytes, const char *keys, struct update_signer *ret)
{
	static const char *const ends[] = { UPDATE_SIGNATURE, UPDATE_SIGNATURE INSTALL_FILE_NEW };
	struct arena arena = { 0 };
	struct buf said BUF_SCOPED = { 0 };
	const struct key *key;
	struct minisig sig;
	int found = -ENOENT;

	for (size_t i = 0; i < 2 && found != 0; i++) {
		struct buf text BUF_SCOPED = { 0 };

		if (files_read_own(arena_format(&arena, "%s%s", path, ends[i]), MINISIG_TEXT,
				   &text) < 0)
			continue;
		found = judge_signature(bytes, buf_get(&text), keys, &arena, &said, &sig, &key);
		if (found == 0)
			name_signer(key, &sig, ret);
	}
	arena_done(&arena);
	return found;
}

/* ---- whether it is knowledge for us ---- */

/* Attached beside empty facts: what does this program not understand? */
static int try_on(struct span db, struct kb_info *ret)
{
	sqlite3 *facts = functions_open();
	int r;

	select_exec(facts, facts_schema);
	r = layers_try(facts, db, ret);
	sqlite3_close(facts);
	return r;
}

static int judge_knowledge(struct span db, const struct key *key, struct buf *said,
			   struct kb_info *ret)
{
	int r = try_on(db, ret);

	if (r == -ENOTSUP)
		return refuse(said, "its format needs a newer rocsteady: install that first");
	if (r < 0)
		return refuse(said, "signed, but not a kb.db that this rocsteady can read");
	if (ret->later > 0 && !ret->newer)
		return refuse(said,
			      "it says that rocsteady %s understands it, but this one does not: "
			      "%u causes",
			      ret->needs, ret->later);
	if (key && key->until[0] && strcmp(ret->version, key->until) > 0)
		return refuse(said, "knowledge base %s, but key %s may sign only up to %s",
			      ret->version, key->name, key->until);
	return 0;
}

/* ---- newer than what is here ---- */

/* The newer of the carried one and the file; what is damaged does not count. */
static void look_before(const char *path, struct kb_info *ret)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct kb_info file;
	struct span own;

	kb_read(NULL, NULL, &own);
	if (files_look(own, ret) < 0)
		*ret = (struct kb_info){ 0 };
	if (files_read_own(path, KB_SIZE_MAX, &bytes) == 0 &&
	    files_look(buf_get(&bytes), &file) == 0 && strcmp(file.version, ret->version) > 0)
		*ret = file;
}

static int judge_age(const char *path, struct update_done *done, struct buf *said)
{
	int r;

	look_before(path, &done->before);
	r = strcmp(done->info.version, done->before.version);
	done->already = r == 0 && strcmp(done->info.digest, done->before.digest) == 0;
	if (r > 0 || done->already)
		return 0;
	if (r == 0)
		return refuse(said, "another knowledge base of the same day, %s, is in use",
			      done->info.version);
	return refuse(said, "knowledge base %s is older than the one in use, %s",
		      done->info.version, done->before.version);
}

/* That judge_knowledge() has examined it; without this line every program does so again. */
static void note_examined(const struct install_file *place, struct span db)
{
	struct buf text BUF_SCOPED = { 0 };

	examined_text(db, &text);
	(void)install_file_add(place, EXAMINED_END, buf_get(&text));
}

/* Two at once: the second one waits for nothing and says so. */
static int put(const struct update *u, struct span db, struct span signature,
	       struct update_done *done, struct buf *said)
{
	struct install_file place;
	int r = install_file_open(u->path, &place);

	if (r == 0) {
		r = judge_age(u->path, done, said);
		if (r == 0 && !done->already)
			r = install_file_put(&place, UPDATE_SIGNATURE, signature, db);
		if (r == 0 && !done->info.near)
			note_examined(&place, db);
		install_file_close(&place);
	}
	if (r == -EWOULDBLOCK)
		buf_addf(said,
			 "another update is running; to see its process: "
			 "fuser -v %s" INSTALL_FILE_LOCK "\n",
			 u->path);
	else if (r < 0 && r != -EBADMSG)
		buf_addf(said, "%s: %s\n", u->path, files_reason(r));
	return r;
}

int update(const struct update *u, struct update_done *ret, struct buf *said)
{
	struct span signature = u->bytes;
	struct span db = split(&signature);
	struct update_done done = { 0 };
	struct arena arena = { 0 };
	const struct key *key = NULL;
	struct minisig sig;
	int r;

	if (signature.len == 0)
		signature = u->signature;
	r = judge_signature(db, signature, u->keys, &arena, said, &sig, &key);
	if (r == 0)
		r = judge_knowledge(db, key, said, &done.info);
	if (r == 0)
		name_signer(key, &sig, &done.signer);
	if (r == 0)
		r = put(u, db, signature, &done, said);
	arena_done(&arena);
	if (r == 0)
		*ret = done;
	return r;
}
