#include "cli/fleet-load.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli/pool.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "fleet/merged.h"

#define AT_A_TIME 128 /* snapshots of one process */
#define FILE_MAX  ((size_t)2 << 30)

struct load {
	const struct options *options;
	struct snapshots files;
	struct machine machine; /* its tables take one after the other */
	struct merger merger;
	sqlite3 *db;
	size_t parts_lost;
	struct progress_line progress;
};

/* ---- in a process of its own: the next hundred ---- */

static void load_one(struct load *l, const struct snapshots_file *file)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = snapshots_open(file, &l->options->context, &l->machine, &said);

	say_lines(&said);
	merger_add(&l->merger, file->node, file->path,
		   status == 0 ? NULL : snapshots_reason(&said));
}

static void load_part(void *ctx, size_t part, struct buf *ret)
{
	struct load *l = ctx;
	size_t end = (part + 1) * AT_A_TIME;

	for (size_t i = part * AT_A_TIME; i < end && i < l->files.count; i++)
		load_one(l, &l->files.list[i]);
	if (say_unread_tables() == 0)
		merger_bytes(&l->merger, ret);
}

/* ---- here ---- */

static void take_part(void *ctx, size_t part, struct span answer, bool whole)
{
	struct load *l = ctx;
	size_t done = (part + 1) * AT_A_TIME;
	char text[64];

	if (!whole || answer.len == 0 || !merged_take(l->db, answer))
		l->parts_lost++;
	snprintf(text, sizeof(text), "%zu of %zu snapshots",
		 done < l->files.count ? done : l->files.count, l->files.count);
	progress_line_say(&l->progress, text);
}

static int load_all(struct load *l)
{
	struct pool pool = { .count = (l->files.count + AT_A_TIME - 1) / AT_A_TIME,
			     .ctx = l,
			     .work = load_part,
			     .done = take_part,
			     .in_order = true };
	int r;

	l->machine.facts = facts_new();
	l->db = merged_new();
	if (!merger_begin(&l->merger, l->machine.facts)) {
		say("SQLite does not start");
		return EXIT_OWN_FAULT;
	}
	progress_line_start(&l->progress);
	r = pool_run(&pool);
	progress_line_end(&l->progress);
	if (r < 0)
		say("no process could be started: %s", strerror(-r));
	else if (l->parts_lost > 0)
		say("rocsteady died while it read the snapshots");
	return r < 0 || l->parts_lost > 0 ? EXIT_OWN_FAULT : say_unread_tables();
}

int fleet_list(const char *directory, struct snapshots *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = snapshots_list(directory, ret, &said);

	say_lines(&said);
	if (ret->count == 0)
		say("an unpacked tree is examined with --root %s", directory);
	return status;
}

/* ---- a file of them ---- */

bool fleet_is_database(const char *path)
{
	struct buf head BUF_SCOPED = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && fd_is_regular(fd);

	if (fd >= 0 && !is)
		close(fd);
	return is && fd_head(fd, 16, &head) == 0 && merged_is_database(buf_get(&head));
}

bool fleet_is_many(const char *path)
{
	return snapshots_is_directory(path) || fleet_is_database(path);
}

static int read_file(const char *path, struct fleet *ret)
{
	int r = fd_file(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), FILE_MAX, &ret->file);

	if (r < 0) {
		say("%s: %s", path, strerror(-r));
		return EXIT_NO_INPUT;
	}
	ret->db = merged_read(buf_get(&ret->file));
	if (ret->db)
		return 0;
	say("%s is not a file that this version of rocsteady query --from DIR -o FILE wrote", path);
	return EXIT_NO_INPUT;
}

/* ---- either ---- */

static int read_directory(const struct options *o, const char *directory, struct fleet *ret)
{
	struct load l = { .options = o };
	int status = fleet_list(directory, &l.files);

	if (status == 0)
		status = load_all(&l);
	ret->db = l.db;
	merger_done(&l.merger);
	machine_close(&l.machine);
	snapshots_done(&l.files);
	return status;
}

/* Unread snapshots are reported, and decide the status. */
static int count_unread(sqlite3 *db)
{
	size_t unread = merged_unread(db), nodes = merged_nodes(db);

	if (unread == nodes) {
		say("none of %zu snapshots could be read", nodes);
		return EXIT_NO_INPUT;
	}
	if (unread > 0)
		say("%zu of %zu snapshots could not be read; the answer is about the others",
		    unread, nodes);
	return unread > 0 ? EXIT_UNDECIDED : 0;
}

int fleet_load(const struct options *o, const char *path, struct fleet *ret)
{
	int status;

	*ret = (struct fleet){ 0 };
	status = snapshots_is_directory(path) ? read_directory(o, path, ret) : read_file(path, ret);
	return status == 0 ? count_unread(ret->db) : status;
}

void fleet_done(struct fleet *f)
{
	sqlite3_close(f->db);
	buf_done(&f->file);
}
