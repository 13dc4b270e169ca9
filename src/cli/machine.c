#include "cli/machine.h"

#include <errno.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/say.h"
#include "door/standing.h"
#include "facts/collect.h"
#include "root/snapshot.h"

bool machine_here(void)
{
	return true;
}

static int open_snapshot(const char *path, struct root **ret)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = snapshot_read(path, &text);

	if (r == -EBADMSG)
		say("%s: the gzip data is damaged or cut short", path);
	else if (r == -EFBIG)
		say("%s: more than %zu MiB, which no snapshot has", path, SNAPSHOT_MAX >> 20);
	else if (r == -EISDIR)
		say("%s: Is a directory; an unpacked tree is examined with --root", path);
	else if (r < 0)
		say("%s: %s", path, strerror(-r));
	if (r < 0)
		return EXIT_OWN_FAULT;
	if (root_new_text(&text, ret) < 0) {
		say("%s is no snapshot; make one with: rocsteady snapshot -o FILE; "
		    "a log is for: rocsteady explain FILE",
		    path);
		return EXIT_OWN_FAULT;
	}
	return 0;
}

static int open_dir(enum root_kind kind, const char *dir, const struct options *o,
		    struct root **ret)
{
	int r = root_new_dir(kind, dir, &o->door, ret);

	if (r < 0)
		say("%s: %s", dir, strerror(-r));
	return r < 0 ? EXIT_OWN_FAULT : 0;
}

/* Somebody was named: then they must exist, or the report would be about nobody. */
static int check_subject(struct root *root, const struct options *o)
{
	const struct {
		const char *kind;
		const char *name;
	} named[] = { { "user", o->door.user },
		      { "process", o->door.pid },
		      { "unit that runs", o->door.unit },
		      { "container that runs", o->door.container } };
	struct span identity;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		int r = named[i].name ? root_ask(root, "identity", &identity) : 0;

		if (r < 0) {
			say("no %s %s here (%s)", named[i].kind, named[i].name,
			    standing_error_name(r));
			return EXIT_USAGE;
		}
	}
	return 0;
}

static void tell(void *ctx, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "asking this machine: %.60s", path);
	progress_say(ctx, text.data);
}

static int record(struct root *root)
{
	struct progress progress;
	int r;

	progress_start(&progress);
	root_waiting(root, tell, &progress);
	r = root_record(root, collect_questions);
	root_waiting(root, NULL, NULL);
	progress_end(&progress);
	return r;
}

static int open_place(const struct options *o, struct root **ret)
{
	if (o->from)
		return open_snapshot(o->from, ret);
	if (o->root)
		return open_dir(ROOT_TREE, o->root, o, ret);
	if (o->host_root)
		return open_dir(ROOT_MOUNTED, o->host_root, o, ret);
	return open_dir(ROOT_LIVE, "/", o, ret);
}

/* Opened and recorded, with something for us to do meanwhile, or NULL. */
static int open_root(const struct options *o, void (*meanwhile)(void *ctx), void *ctx,
		     struct root **ret)
{
	int status = open_place(o, ret);
	int r;

	if (status != 0)
		return status;
	if (o->brief)
		root_brief(*ret); /* a host is asked for less, too */
	root_meanwhile(*ret, meanwhile, ctx);
	r = record(*ret);
	if (r < 0) {
		say("cannot start the collecting process: %s", strerror(-r));
		*ret = root_free(*ret);
		return EXIT_OWN_FAULT;
	}
	status = check_subject(*ret, o);
	if (status != 0) {
		*ret = root_free(*ret);
		return status;
	}
	if (o->brief) {
		root_brief(*ret);
		collect_questions(*ret); /* marks what a brief snapshot needs */
	}
	return 0;
}

int machine_open_root(const struct options *o, struct root **ret)
{
	return open_root(o, NULL, NULL, ret);
}

static void make_tables(void *ctx)
{
	struct machine *m = ctx;

	m->facts = facts_new();
	m->made_status = m->facts && m->made ? m->made(m) : 0;
}

static int fill_tables(struct machine *m)
{
	if (!m->facts)
		make_tables(m); /* a snapshot has no child to wait for */
	if (!m->facts) {
		say("SQLite does not start");
		return EXIT_OWN_FAULT;
	}
	if (m->made_status == 0)
		collect_all(m->root, m->facts);
	return m->made_status;
}

int machine_open(const struct options *o, struct machine *ret)
{
	int status = open_root(o, make_tables, ret, &ret->root);

	if (status == 0)
		status = fill_tables(ret);
	if (status != 0)
		machine_close(ret);
	return status;
}

int machine_again(struct machine *m)
{
	m->facts = facts_free(m->facts);
	return fill_tables(m);
}

bool machine_look_again(const struct options *o, int total_ms, struct facts *facts)
{
	struct options words = *o;
	struct root *root = NULL;
	bool whole;

	words.door.total_ms = total_ms;
	words.door.patience_ms = total_ms / 3;
	if (o->from || open_place(&words, &root) != 0)
		return false;
	whole = root_record(root, collect_again_questions) == 0 && collect_again(root, facts);
	root_free(root);
	return whole;
}

int machine_scrub(struct machine *m, const char *key)
{
	struct snapshot_options options = { .key = key };
	struct buf text BUF_SCOPED = { 0 };
	struct root *copy = NULL;
	int r = snapshot_of(m->root, &options, &text);

	if (r == 0)
		r = root_new_text(&text, &copy);
	if (r < 0) {
		say("names could not be replaced: %s", strerror(-r));
		return EXIT_OWN_FAULT;
	}
	root_free(m->root);
	m->root = copy;
	return machine_again(m);
}

void machine_close(struct machine *m)
{
	m->facts = facts_free(m->facts);
	m->root = root_free(m->root);
}
