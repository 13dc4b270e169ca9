#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/fd.h"
#include "base/json-write.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "run/process-class.h"
#include "run/process-look.h"

#define LOOK_MAX ((size_t)4 << 20)

static const char *const kinds[] = { "works", "stuck", "unclear" };

/* Reads a file written by --raw. 0, or the exit status. */
static int read_look(const char *file, struct buf *ret)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int r = fd < 0 ? -errno : fd_file(fd, LOOK_MAX, ret);

	if (r >= 0)
		return 0;
	say("%s: %s", file, strerror(-r));
	return EXIT_NO_INPUT;
}

static int take_look(const struct options *o, struct buf *ret)
{
	uint64_t pid = 0;
	int r;

	if (o->word_count != 1 || !span_u64(span_of(o->words[0]), &pid) || pid == 0 ||
	    pid > INT32_MAX)
		return say_usage("watch", "watch takes the number of a running process, as ps "
					  "prints it; --from takes a file that --raw wrote");
	r = process_look((pid_t)pid, ret);
	if (r < 0)
		say("process %s: %s", o->words[0], strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}

/* A kept look is a stranger's, and so is the name that a process gives itself. */
static void add_foreign(struct buf *out, const char *before, struct span text)
{
	if (text.len == 0)
		return;
	buf_text(out, before);
	text_clean(out, text, false);
}

static void write_text(const struct process_class *c, struct buf *out)
{
	static const char *const marks[] = { "ok", "!!", "??" };

	buf_addf(out, "%s %.*s (process %lld", marks[c->kind], (int)c->says.len, c->says.data,
		 c->focus);
	add_foreign(out, ", ", c->focus_name);
	buf_addf(out, ")\n\n  Do this\n    %s\n\n  Seen in %.1f s\n", c->step,
		 (double)c->look_ms / 1000);
	if (c->focus != c->pid)
		buf_addf(out, "    process %lld waits for process %lld\n", c->pid, c->focus);
	add_foreign(out, "    its first thread sleeps in ", c->wait);
	buf_text(out, c->wait.len > 0 ? "\n" : "");
	buf_addf(out, "    %zu process%s: CPU %lld ms, %lld KiB read, memory %lld MiB (%+lld)\n",
		 c->processes, c->processes == 1 ? "" : "es", c->cpu_ms, c->read_kib,
		 c->rss_kib / 1024, c->grown_kib / 1024);
	if (!c->is_whole)
		buf_text(out, "    not all of it could be seen in time\n");
}

static void write_json(const struct process_class *c, struct buf *out)
{
	struct json j = json_on(out);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", 1);
	json_text(&j, "class", c->name);
	json_string(&j, "kind", kinds[c->kind]);
	json_text(&j, "says", c->says);
	json_string(&j, "step", c->step);
	json_int(&j, "pid", c->pid);
	json_int(&j, "waiting_pid", c->focus);
	json_text(&j, "waiting_name", c->focus_name);
	json_text(&j, "sleeps_in", c->wait);
	json_int(&j, "look_ms", c->look_ms);
	json_int(&j, "cpu_ms", c->cpu_ms);
	json_int(&j, "read_kib", c->read_kib);
	json_int(&j, "memory_kib", c->rss_kib);
	json_int(&j, "grown_kib", c->grown_kib);
	json_int(&j, "processes", (int64_t)c->processes);
	json_bool(&j, "whole", c->is_whole);
	json_close(&j, '}');
	buf_char(out, '\n');
}

static int answer(const struct options *o, struct span look, struct arena *a)
{
	static const int statuses[] = { EXIT_FINE, EXIT_PROBLEM, EXIT_UNDECIDED };
	struct buf text BUF_SCOPED = { 0 };
	struct process_class c;
	int r;

	if (!process_class_of(look, a, &c)) {
		say("that is no look at a process, as watch --raw writes it, or the process has gone");
		return EXIT_NO_INPUT;
	}
	if (o->json)
		write_json(&c, &text);
	else
		write_text(&c, &text);
	r = say_answer(o->output, buf_get(&text));
	return r ? r : statuses[c.kind];
}

int cmd_watch(const struct options *o)
{
	struct buf look BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	int r = o->context.from ? read_look(o->context.from, &look) : take_look(o, &look);

	if (r == 0)
		r = o->raw ? say_answer(o->output, buf_get(&look)) : answer(o, buf_get(&look), &a);
	arena_done(&a);
	return r;
}
