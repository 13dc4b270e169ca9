#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/say.h"
#include "root/snapshot.h"

static int unpack(struct root *root, const char *dir)
{
	int r = snapshot_unpack(root, dir);

	if (r == -ENOTEMPTY)
		say("%s is not empty; name a new directory", dir);
	else if (r < 0)
		say("%s: %s", dir, strerror(-r));
	return r < 0 ? EXIT_OWN_FAULT : 0;
}

static int write_out(struct root *root, const struct options *o)
{
	struct snapshot_options options = { .no_scrub = o->no_scrub, .key = o->scrub_key };
	struct buf text BUF_SCOPED = { 0 };
	int r = snapshot_of(root, &options, &text);

	if (r == 0)
		r = snapshot_write(o->output ? o->output : "-", buf_get(&text));
	if (r < 0)
		say("could not write %s: %s", o->output ? o->output : "the snapshot", strerror(-r));
	else if (o->output && isatty(STDERR_FILENO))
		say("%s written, %zu bytes of text%s", o->output, text.len,
		    o->no_scrub ? "; names and secrets are still in it" : "");
	return r < 0 ? EXIT_OWN_FAULT : 0;
}

int cmd_snapshot(const struct options *o)
{
	struct root *root;
	int status;

	if (o->word_count > 0)
		return say_usage("snapshot", "%s: name the file with -o", o->words[0]);
	status = machine_open_root(o, &root);
	if (status != 0)
		return status;
	status = o->unpack ? unpack(root, o->unpack) : write_out(root, o);
	root_free(root);
	return status;
}
