#include "cli/kb-update.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "kb/keys.h"
#include "kb/update.h"

/* ---- putting it in place ---- */

static int say_refused(const char *path, int error, const struct buf *said)
{
	struct span rest = buf_get(said), line;

	while (span_line(&rest, &line))
		say("%s: %.*s", path, (int)line.len, line.data);
	if (error == -EACCES || error == -EROFS)
		say("the knowledge base is unchanged; try: sudo rocsteady kb update %s", path);
	else
		say("refused: the knowledge base is unchanged");
	return error == -EBADMSG       ? EXIT_NO_INPUT
	       : error == -EWOULDBLOCK ? EXIT_BUSY
				       : EXIT_OWN_FAULT;
}

static int say_done(const struct update_done *d)
{
	struct buf text BUF_SCOPED = { 0 };

	if (d->already)
		buf_addf(&text, "knowledge base %s is already in use\n", d->info.version);
	else
		buf_addf(&text, "knowledge base %s replaces %s\nsigned by %s (%s): %s\n",
			 d->info.version, d->before.version, d->signer.name, d->signer.id,
			 d->signer.comment);
	if (d->info.later > 0)
		buf_addf(&text, "made for rocsteady %s; causes that need that version: %u\n",
			 d->info.needs, d->info.later);
	return say_answer(NULL, buf_get(&text));
}

int kb_update(const struct options *o)
{
	struct buf bytes BUF_SCOPED = { 0 }, signature BUF_SCOPED = { 0 }, said BUF_SCOPED = { 0 };
	struct update u = { .path = FILES_UPDATED, .keys = KEYS_SITE };
	struct update_done done;
	int r;

	if (o->word_count != 2)
		return say_usage("kb", "kb update needs a signed kb.db, or - for standard input");
	if (strcmp(o->words[1], "-") == 0 && isatty(STDIN_FILENO))
		return say_usage(
			"kb",
			"standard input is a terminal; try: cat kb.db kb.db.minisig | rocsteady kb update -");
	r = update_read(o->words[1], &bytes, &signature);
	if (r < 0) {
		say("%s: %s", o->words[1], r == -EFBIG ? "too large for a kb.db" : strerror(-r));
		return EXIT_NO_INPUT;
	}
	u.bytes = buf_get(&bytes);
	u.signature = buf_get(&signature);
	r = update(&u, &done, &said);
	if (r < 0)
		return say_refused(o->words[1], r, &said);
	return say_done(&done);
}

/* ---- where it comes from ---- */

static void add_signer(const struct files_layers *host, struct buf *ret)
{
	struct update_signer signer;
	int r = update_signer(host->updated, host->base, KEYS_SITE, &signer);

	if (r == 0)
		buf_addf(ret, "signed  by %s (%s): %s\n", signer.name, signer.id, signer.comment);
	else if (r == -ENOENT)
		buf_text(ret, "signed  no: no .minisig file beside it\n");
	else
		buf_text(
			ret,
			"signed  no: the .minisig file does not match, or its key is not trusted\n");
}

void kb_update_origin(const struct options *o, const struct knowledge *k, struct buf *ret)
{
	const struct files_layers *host = k->host;

	if (!host) {
		buf_addf(ret, "from    %s\n", o->context.kb);
		return;
	}
	buf_addf(ret, "from    %s\n", host->updated ? host->updated : "rocsteady itself");
	if (host->updated)
		add_signer(host, ret);
	for (size_t i = 0; i < host->site_count; i++)
		buf_addf(ret, "and     %s\n", host->site_paths[i]);
}
