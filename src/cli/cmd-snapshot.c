#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/probe-front.h"
#include "cli/say.h"
#include "cli/snapshot-proof.h"
#include "root/snapshot.h"

/* By way of the text, so that a tree is scrubbed like a file. */
static int unpack(struct buf *text, const char *dir)
{
	struct root *copy = NULL;
	int r = root_new_text(text, &copy);

	if (r == 0)
		r = snapshot_unpack(copy, dir);
	root_free(copy);
	if (r == -ENOTEMPTY)
		say("%s is not empty; name a new directory", dir);
	else if (r < 0)
		say("%s: %s", dir, strerror(-r));
	return r < 0 ? EXIT_OWN_FAULT : 0;
}

static int write_out(const struct options *o, struct span text)
{
	struct buf why BUF_SCOPED = { 0 };
	int r = say_unread_tables();

	if (r != 0) /* the walk was planned with less than there is */
		return r;
	r = snapshot_write(o->output ? o->output : "-", text, &why);
	if (r == -EPIPE)
		return 0; /* a pager that was closed is no fault */
	if (r < 0)
		return say_unwritten(o->output ? o->output : "the snapshot", r, &why);
	if (o->output && isatty(STDERR_FILENO))
		say("%s written, %zu bytes of text%s", o->output, text.len,
		    o->no_scrub ? "; it still holds names and secrets" : "");
	return 0;
}

/* With tables only if there is a walk to plan. */
static int open_with_walk(const struct options *o, struct machine *ret)
{
	struct options words;
	int status;

	if (!o->probe)
		return open_root(o, &ret->root);
	words = probe_front_options(o);
	status = open_machine(&words, ret);
	return status == 0 ? probe_front_walk(&words, ret) : status;
}

int cmd_snapshot(const struct options *o)
{
	struct snapshot_options options = { .no_scrub = o->no_scrub, .key = o->scrub_key };
	struct buf text BUF_SCOPED = { 0 };
	struct machine m = { 0 };
	int status, r;

	if (o->word_count > 0)
		return say_usage("snapshot", "snapshot takes no arguments; to write a file: -o %s",
				 o->words[0]);
	if (o->proof)
		return snapshot_proof(o);
	if (o->yes)
		return say_usage("snapshot", "--yes answers the question of --proof");
	if (o->unpack && o->output)
		return say_usage("snapshot", "use only one of --unpack (a tree) and -o (a file)");
	if (o->probe && (o->context.from || o->context.root || o->context.host_root))
		return say_usage(
			"snapshot",
			"--probe tests the GPUs of this host: leave out --from, --root and --host-root");
	status = open_with_walk(o, &m);
	if (status == 0) {
		r = snapshot_of(m.root, &options, &text);
		if (r < 0)
			say("could not make the snapshot: %s", strerror(-r));
		status = r < 0 ? EXIT_OWN_FAULT : 0;
	}
	if (status == 0)
		status = o->unpack ? unpack(&text, o->unpack) : write_out(o, buf_get(&text));
	machine_close(&m);
	return status;
}
