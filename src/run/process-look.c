#include "run/process-look.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/names.h"
#include "base/text.h"
#include "door/descendants.h"
#include "door/proc.h"
#include "gauges/threads.h"

extern const char data_compilers[];

#define LOOK_MS     2000
#define GIVEN_UP_MS 6000
#define PROCESSES   64
#define THREADS     256 /* of all of them */
#define ENVIRON_MAX ((size_t)1 << 20)
#define PAGE_KIB    4

struct seen {
	pid_t pid, parent;
	char state, name[16];
	bool is_compiler;
	int64_t read_kib, rss_kib; /* -1: not known */
	struct threads_one *threads;
	size_t count;
};

struct moment {
	struct arena arena;
	struct seen list[PROCESSES];
	size_t count;
	bool more;
};

/* ---- one moment ---- */

/* "rchar: 4711", of what it has read from anywhere. */
static int64_t read_kib(pid_t pid)
{
	char text[512];
	struct span rest = { text, proc_text(pid, "io", text, sizeof(text)) }, line;
	uint64_t bytes;

	while (span_line(&rest, &line))
		if (span_starts(line, "rchar: ") &&
		    span_u64((struct span){ line.data + 7, line.len - 7 }, &bytes))
			return (int64_t)(bytes >> 10);
	return -1;
}

static int64_t rss_kib(pid_t pid)
{
	char text[128];
	struct span rest = { text, proc_text(pid, "statm", text, sizeof(text)) }, word;
	uint64_t pages;

	for (int i = 0; i < 2; i++)
		if (!span_word(&rest, &word))
			return -1;
	return span_u64(word, &pages) ? (int64_t)pages * PAGE_KIB : -1;
}

static void take_process(struct moment *m, const struct process *p)
{
	struct seen *s = &m->list[m->count];

	if (m->count == PROCESSES) {
		m->more = true;
		return;
	}
	*s = (struct seen){ .pid = p->pid,
			    .parent = p->parent,
			    .state = p->state,
			    .is_compiler = names_has(data_compilers, p->name),
			    .read_kib = read_kib(p->pid),
			    .rss_kib = rss_kib(p->pid) };
	snprintf(s->name, sizeof(s->name), "%s", p->name);
	s->count = threads_list(p->pid, true, &m->arena, &s->threads);
	m->count++;
}

static bool is_it(void *ctx, const struct process *one)
{
	return one->pid == *(const pid_t *)ctx;
}

static void take_moment(pid_t pid, struct moment *m)
{
	struct processes all = { 0 };

	processes_read(0, &all);
	processes_mark(&all, getppid(), is_it, &pid); /* without ourselves */
	for (size_t i = 0; i < all.count; i++)
		if (all.all[i].marked)
			take_process(m, &all.all[i]);
	processes_done(&all);
}

/* ---- what has changed between two ---- */

static const struct seen *find_seen(const struct moment *m, pid_t pid)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->list[i].pid == pid)
			return &m->list[i];
	return NULL;
}

static const struct threads_one *find_thread(const struct seen *s, pid_t tid)
{
	for (size_t i = 0; s && i < s->count; i++)
		if (s->threads[i].tid == tid)
			return &s->threads[i];
	return NULL;
}

static int64_t cpu_of(const struct seen *was, const struct threads_one *now)
{
	const struct threads_one *then = find_thread(was, now->tid);

	return then && then->cpu_ms < now->cpu_ms ? now->cpu_ms - then->cpu_ms
	       : then                             ? 0
						  : now->cpu_ms;
}

/* It runs or waits for a processor, at both moments: on a busy machine that is all one sees. */
static bool runs(const struct seen *was, const struct seen *is)
{
	for (size_t i = 0; i < is->count; i++) {
		const struct threads_one *then = find_thread(was, is->threads[i].tid);

		if (then && then->state == 'R' && is->threads[i].state == 'R')
			return true;
	}
	return false;
}

static int64_t change(int64_t before, int64_t now)
{
	return before < 0 || now < before ? 0 : now - before;
}

static void add_name(struct buf *out, const char *name)
{
	text_clean(out, span_of(name), false);
	buf_char(out, '\n');
}

static void add_threads(struct buf *out, const struct seen *was, const struct seen *is,
			size_t *room)
{
	for (size_t i = 0; i<is->count && * room> 0; i++, (*room)--) {
		const struct threads_one *t = &is->threads[i];

		buf_addf(out, "thread %d %d %c %lld ", (int)is->pid, (int)t->tid, t->state,
			 (long long)cpu_of(was, t));
		text_clean(out, span_of(t->wchan[0] ? t->wchan : "-"), false);
		buf_char(out, ' ');
		add_name(out, t->name);
	}
}

static void add_process(struct buf *out, const struct seen *was, const struct seen *is)
{
	int64_t cpu = 0;

	for (size_t i = 0; i < is->count; i++)
		cpu += cpu_of(was, &is->threads[i]);
	buf_addf(out, "process %d %d %c %lld %lld %lld %lld ", (int)is->pid, (int)is->parent,
		 is->state, (long long)cpu,
		 (long long)change(was ? was->read_kib : -1, is->read_kib), (long long)is->rss_kib,
		 (long long)change(was ? was->rss_kib : -1, is->rss_kib));
	add_name(out, is->name);
	if (runs(was, is))
		buf_addf(out, "runs %d\n", (int)is->pid);
	if (is->is_compiler)
		buf_addf(out, "compiler %d\n", (int)is->pid);
}

/* The number of ranks is in WORLD_SIZE: torchrun, accelerate and wrappers of mpirun set it. */
static void add_ranks(struct buf *out, pid_t pid)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, one;
	uint64_t count;

	if (threads_file(pid, 0, "environ", ENVIRON_MAX, &text) < 0)
		return;
	rest = buf_get(&text);
	while (span_cut(&rest, '\0', &one))
		if (span_starts(one, "WORLD_SIZE=") &&
		    span_u64((struct span){ one.data + 11, one.len - 11 }, &count))
			buf_addf(out, "ranks %d %llu\n", (int)pid, (unsigned long long)count);
}

/* Reads that can block come last: the results before them are already written. */
static void look(pid_t pid, int fd)
{
	static struct moment before, now;
	struct buf out BUF_SCOPED = { 0 };
	uint64_t began = clock_ms();
	size_t room = THREADS;

	take_moment(pid, &before);
	(void)poll(NULL, 0, LOOK_MS);
	take_moment(pid, &now);
	buf_addf(&out, "look %d %llu\n", (int)pid, (unsigned long long)(clock_ms() - began));
	for (size_t i = 0; i < now.count; i++) {
		add_process(&out, find_seen(&before, now.list[i].pid), &now.list[i]);
		add_threads(&out, find_seen(&before, now.list[i].pid), &now.list[i], &room);
	}
	if (now.more || room == 0)
		buf_text(&out, "more\n");
	(void)fd_write(fd, buf_get(&out));
	buf_clear(&out);
	for (size_t i = 0; i < now.count; i++) {
		if (threads_hold_gpu(now.list[i].pid))
			buf_addf(&out, "gpu %d\n", (int)now.list[i].pid);
		if (threads_asks(now.list[i].pid))
			buf_addf(&out, "asks %d\n", (int)now.list[i].pid);
		add_ranks(&out, now.list[i].pid);
	}
	buf_text(&out, "end\n");
	(void)fd_write(fd, buf_get(&out));
}

/* ---- the child ---- */

static void collect(int fd, uint64_t until, struct buf *ret)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	char bytes[4096];
	ssize_t n = 1;

	while (n > 0 && clock_ms() < until) {
		if (poll(&one, 1, (int)(until - clock_ms())) <= 0)
			break;
		n = read(fd, bytes, sizeof(bytes));
		if (n > 0)
			buf_add(ret, bytes, (size_t)n);
	}
}

int process_look(pid_t pid, struct buf *ret)
{
	int ends[2];
	char text[64];
	pid_t child;

	if (proc_text(pid, "stat", text, sizeof(text)) == 0)
		return -ESRCH;
	if (pipe(ends) < 0)
		return -errno;
	child = fork();
	if (child == 0) {
		(void)close(ends[0]);
		look(pid, ends[1]);
		_exit(0);
	}
	(void)close(ends[1]);
	if (child > 0) {
		collect(ends[0], clock_ms() + GIVEN_UP_MS, ret);
		(void)kill(child, SIGKILL);
		(void)waitpid(child, NULL, WNOHANG); /* one that is stuck is left to init */
	}
	(void)close(ends[0]);
	return child < 0 ? -EAGAIN : 0;
}
