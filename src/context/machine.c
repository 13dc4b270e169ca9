#include "context/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/fd.h"
#include "base/text.h"
#include "door/standing.h"
#include "facts/collect.h"
#include "facts/column.h"
#include "facts/select.h"
#include "root/root.h"
#include "root/snapshot.h"

#define EXPECT_FILE_MAX 65536 /* 256 lines, and room for comments */

bool machine_here(void)
{
	return root_can_record();
}

static int open_snapshot(const char *path, struct root **ret, struct buf *said)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = snapshot_read(path, &text);

	if (r == -EBADMSG)
		text_line(said, "%s: the gzip data is damaged or cut short", path);
	else if (r == -EFBIG)
		text_line(said, "%s: more than %zu MiB, too large for a snapshot", path,
			  SNAPSHOT_MAX >> 20);
	else if (r == -EISDIR)
		text_line(said, "%s: Is a directory; examine an unpacked tree with --root", path);
	else if (r < 0)
		text_line(said, "%s: %s", path, strerror(-r));
	if (r < 0)
		return EXIT_NO_INPUT;
	if (root_new_text(&text, ret) < 0) {
		text_line(said,
			  "%s is not a snapshot; make one with: rocsteady snapshot -o FILE; "
			  "for a log: rocsteady explain FILE",
			  path);
		return EXIT_NO_INPUT;
	}
	if (root_is_cut_off(*ret)) {
		text_line(said,
			  "%s is cut off: its last line, `note end`, is missing; copy or "
			  "record it again",
			  path);
		*ret = root_free(*ret);
		return EXIT_NO_INPUT;
	}
	return 0;
}

static int open_dir(enum door_kind kind, const char *dir, const struct context_options *o,
		    struct root **ret, struct buf *said)
{
	int r = root_new_dir(kind, dir, &o->door, ret);

	if (r == 0)
		return 0;
	text_line(said, "%s: %s", dir, strerror(-r));
	return kind == DOOR_LIVE ? EXIT_OWN_FAULT : EXIT_NO_INPUT;
}

/* Somebody was named: then they must exist, or the report would be about nobody. */
static int check_subject(struct root *root, const struct context_options *o, struct buf *said)
{
	const struct {
		const char *kind;
		const char *name;
		const char *list;
	} named[] = { { "user", o->door.user, "getent passwd" },
		      { "process", o->door.pid, "ps -e" },
		      { "running unit", o->door.unit, "systemctl list-units" },
		      { "running container", o->door.container, "docker ps" } };
	struct span identity;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		int r = named[i].name ? root_ask(root, "identity", &identity) : 0;

		if (r < 0) {
			text_line(said, "no %s %s on this host (%s); list them: %s", named[i].kind,
				  named[i].name, standing_error_name(r), named[i].list);
			return EXIT_USAGE;
		}
	}
	return 0;
}

static int open_place(const struct context_options *o, struct root **ret, struct buf *said)
{
	if (o->from)
		return open_snapshot(o->from, ret, said);
	if (o->root)
		return open_dir(DOOR_TREE, o->root, o, ret, said);
	if (o->host_root)
		return open_dir(DOOR_MOUNTED, o->host_root, o, ret, said);
	if (!machine_here()) {
		text_line(said, "this build asks no machine; name a snapshot: --from FILE");
		return EXIT_USAGE;
	}
	return open_dir(DOOR_LIVE, "/", o, ret, said);
}

/* "gpus=8,nics=8" as lines, or the lines of a file; 0, or an exit status. */
static int read_expected(const char *words, struct buf *ret, struct buf *said)
{
	int r;

	if (!strchr(words, '=')) {
		r = fd_file(open(words, O_RDONLY | O_CLOEXEC | O_NONBLOCK), EXPECT_FILE_MAX, ret);
		if (r < 0)
			text_line(said, "--expect %s: %s", words, strerror(-r));
		return r < 0 ? EXIT_NO_INPUT : 0;
	}
	for (; *words; words++)
		buf_char(ret, *words == ',' ? '\n' : *words);
	return 0;
}

/* Before anything is asked: a node class may call for more. */
static int add_expected(const struct context_options *o, struct root *root, struct buf *said)
{
	struct buf text BUF_SCOPED = { 0 };
	int status = o->expect ? read_expected(o->expect, &text, said) : 0;

	if (status == 0 && o->expect)
		root_add(root, "expected", buf_get(&text));
	return status;
}

/* Opened and recorded, with something for us to do meanwhile, or NULL. */
static int open_root(const struct context_options *o, void (*meanwhile)(void *ctx), void *ctx,
		     struct root **ret, struct buf *said)
{
	int status = open_place(o, ret, said);
	int r;

	if (status != 0)
		return status;
	status = add_expected(o, *ret, said);
	if (status != 0) {
		*ret = root_free(*ret);
		return status;
	}
	if (o->brief)
		root_brief(*ret); /* a host is asked for less, too */
	root_meanwhile(*ret, meanwhile, ctx);
	root_waiting(*ret, o->waiting, o->waiting_ctx);
	r = root_record(*ret, o->hardware ? collect_hardware_questions : collect_questions);
	root_waiting(*ret, NULL, NULL);
	if (r < 0) {
		text_line(said, "cannot start the collecting process: %s", strerror(-r));
		*ret = root_free(*ret);
		return EXIT_OWN_FAULT;
	}
	status = check_subject(*ret, o, said);
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

int machine_open_root(const struct context_options *o, struct root **ret, struct buf *said)
{
	return open_root(o, NULL, NULL, ret, said);
}

static void make_tables(void *ctx)
{
	struct machine *m = ctx;

	m->facts = facts_new();
	m->made_status = m->made ? m->made(m, m->said) : 0;
}

/* Half of a node class would be another one, so it is left out whole; that must be heard. */
static void say_ignored(sqlite3 *db, struct buf *said)
{
	sqlite3_stmt *stmt = select_from(
		db, "SELECT source, subject, detail FROM main.gap WHERE topic = 'expected'");

	while (select_next(stmt))
		text_line(said, "%s is ignored: %s%s%s", column_text(stmt, 0), column_text(stmt, 1),
			  column_text(stmt, 1)[0] ? ": " : "", column_text(stmt, 2));
	sqlite3_finalize(stmt);
}

static void collect_into(struct machine *m)
{
	if (m->hardware)
		collect_hardware(m->root, m->facts);
	else
		collect_all(m->root, m->facts);
}

static int fill_tables(struct machine *m, struct buf *said)
{
	m->said = said;
	if (!m->facts)
		make_tables(m); /* a snapshot has no child to wait for */
	if (!m->facts) {
		text_line(said, "SQLite does not start");
		return EXIT_OWN_FAULT;
	}
	if (m->made_status == 0)
		collect_into(m);
	say_ignored(facts_db(m->facts), said);
	return m->made_status;
}

int machine_open(const struct context_options *o, struct machine *ret, struct buf *said)
{
	int status;

	ret->said = said;
	ret->hardware = o->hardware;
	status = open_root(o, make_tables, ret, &ret->root, said);
	if (status == 0)
		status = fill_tables(ret, said);
	if (status != 0)
		machine_close(ret);
	return status;
}

int machine_next(const struct context_options *o, struct machine *m, struct buf *said)
{
	int status;

	machine_close_root(m);
	facts_next(m->facts);
	m->hardware = o->hardware;
	status = machine_open_root(o, &m->root, said);
	if (status == 0)
		collect_into(m);
	return status;
}

int machine_again(struct machine *m, struct buf *said)
{
	m->facts = facts_free(m->facts);
	return fill_tables(m, said);
}

bool machine_look_again(const struct context_options *o, int total_ms, struct facts *facts)
{
	struct buf said BUF_SCOPED = { 0 }; /* told when the machine was opened first */
	struct context_options words = *o;
	struct root *root = NULL;
	bool whole;

	words.door.total_ms = total_ms;
	words.door.patience_ms = total_ms / 3;
	if (o->from || open_place(&words, &root, &said) != 0)
		return false;
	whole = root_record(root, collect_again_questions) == 0 && collect_again(root, facts);
	root_free(root);
	return whole;
}

static int replace_names(struct machine *m, const char *key, struct buf *said)
{
	struct snapshot_options options = { .key = key };
	struct buf text BUF_SCOPED = { 0 };
	struct root *copy = NULL;
	int r = snapshot_of(m->root, &options, &text);

	if (r == 0)
		r = root_new_text(&text, &copy);
	if (r < 0) {
		text_line(said, "names could not be replaced: %s", strerror(-r));
		return EXIT_OWN_FAULT;
	}
	root_free(m->root);
	m->root = copy;
	return machine_again(m, said);
}

int machine_scrub(struct machine *m, struct acks *acks, const char *key, struct buf *said)
{
	static const char question[] = "acknowledged";
	struct buf subjects BUF_SCOPED = { 0 }, plain BUF_SCOPED = { 0 };
	struct span rest, line;
	int status;

	for (size_t i = 0; i < acks->count; i++) {
		text_word(&subjects, span_of(acks->list[i].subject));
		buf_char(&subjects, '\n');
	}
	root_add(m->root, question, buf_get(&subjects));
	status = replace_names(m, key, said);
	if (status != 0 || root_ask(m->root, question, &rest) < 0)
		return status;
	for (size_t i = 0; i < acks->count && span_line(&rest, &line); i++) {
		buf_clear(&plain);
		if (text_unword(&plain, line))
			acks->list[i].subject = arena_text(&acks->arena, buf_get(&plain));
	}
	return 0;
}

void machine_end_recording(void)
{
	root_end_recording();
}

void machine_close_root(struct machine *m)
{
	m->root = root_free(m->root);
}

void machine_close(struct machine *m)
{
	m->facts = facts_free(m->facts);
	machine_close_root(m);
}
