#include "cli/open.h"

#include "cli/progress-line.h"
#include "cli/say.h"

static void tell_waiting(void *progress, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_addf(&text, "asking this machine: %.60s", path);
	progress_line_say(progress, text.data);
}

struct context_options open_options(const struct options *o, struct progress_line *p)
{
	struct context_options options = o->context;

	progress_line_start(p);
	options.waiting = tell_waiting;
	options.waiting_ctx = p;
	return options;
}

int open_root(const struct options *o, struct root **ret)
{
	struct buf said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct context_options options = open_options(o, &progress);
	int status = machine_open_root(&options, ret, &said);

	progress_line_end(&progress);
	say_lines(&said);
	return status;
}

int open_machine(const struct options *o, struct machine *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct context_options options = open_options(o, &progress);
	int status = machine_open(&options, ret, &said);

	progress_line_end(&progress);
	say_lines(&said);
	return status;
}

int open_context(const struct options *o, struct context *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	struct progress_line progress;
	struct context_options options = open_options(o, &progress);
	int status = context_open(&options, ret, &said);

	progress_line_end(&progress);
	say_lines(&said);
	return status;
}

int open_bare(const struct options *o, struct context *ret)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = context_open_bare(&o->context, ret, &said);

	say_lines(&said);
	return status;
}

int open_machine_again(struct machine *m)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = machine_again(m, &said);

	say_lines(&said);
	return status;
}

int open_scrubbed(struct machine *m, struct acks *acks, const char *key)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = machine_scrub(m, acks, key, &said);

	say_lines(&said);
	return status;
}

void open_acks(const struct options *o, struct acks *ret)
{
	struct buf said BUF_SCOPED = { 0 };

	ack_files_take(&o->context, ret, &said);
	say_lines(&said);
}

void open_acks_put(struct acks *acks, sqlite3 *db, struct diagnosis *d)
{
	struct buf said BUF_SCOPED = { 0 };

	ack_files_put(acks, db, d, &said);
	say_lines(&said);
}

int open_bad_kb(const char *path, int error)
{
	struct buf said BUF_SCOPED = { 0 };
	int status = knowledge_bad(path, error, &said);

	say_lines(&said);
	return status;
}
