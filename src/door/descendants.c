#include "door/descendants.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "door/proc.h"
#include "parse/proc-stat.h"

#define REST_TIMES 400         /* as long as a look at all threads takes, before the next */
#define SETTLE_NS  10000000000 /* after a number was given */
#define THREAD_NS  50000       /* for one thread, at most: a slow machine needs less */

uint64_t processes_ticks(void)
{
	const uint64_t second = 1000000000, now = clock_ns(CLOCK_BOOTTIME);
	uint64_t rate = (uint64_t)sysconf(_SC_CLK_TCK);

	return now / second * rate + now % second * rate / second;
}

bool process_is_dead(const struct process *p)
{
	return p->state == 'Z' || p->state == 'X';
}

/* A process, or the thread `pid` of the process `of`. */
static bool read_one(pid_t of, pid_t pid, struct process *ret)
{
	char name[32] = "stat", text[1024];
	struct proc_stat stat;
	size_t n;

	if (of)
		snprintf(name, sizeof(name), "task/%d/stat", (int)pid);
	n = proc_text(of ? of : pid, name, text, sizeof(text));
	if (!proc_stat_parse((struct span){ text, n }, &stat))
		return false;
	*ret = (struct process){ .pid = pid,
				 .parent = (pid_t)stat.parent,
				 .session = (pid_t)stat.session,
				 .state = stat.state,
				 .ticks = stat.ticks + stat.child_ticks,
				 .start = stat.start };
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)stat.name.len, stat.name.data);
	return true;
}

/* ---- from the lists of children ---- */

static size_t add_children(pid_t of, pid_t thread, pid_t except, pid_t *to, size_t room)
{
	char name[40], text[4096];
	size_t count = 0, kept = 0;
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "task/%d/children", (int)thread);
	fd = proc_open(of, name);
	while (fd >= 0 && (n = read(fd, text + kept, sizeof(text) - kept)) > 0) {
		struct span rest = { text, kept + (size_t)n }, word;
		uint64_t pid;

		/* A number may be cut in two; each is followed by a blank. */
		for (kept = 0; span_cut(&rest, ' ', &word);) {
			if (rest.data == word.data + word.len) {
				kept = word.len;
				memmove(text, word.data, kept);
			} else if (count < room && span_u64(word, &pid) && (pid_t)pid != except) {
				to[count++] = (pid_t)pid;
			}
		}
	}
	if (fd >= 0)
		close(fd);
	return count;
}

/* The number that was given last: while it stays, nobody is new. 0: not known. */
static uint64_t last_number(void)
{
	char text[128];
	size_t n = proc_text(0, "loadavg", text, sizeof(text));
	struct span rest = span_trim((struct span){ text, n }), word;
	uint64_t number = 0;

	while (span_cut(&rest, ' ', &word))
		if (!span_u64(word, &number))
			number = 0;
	return number;
}

/*
 * A number is given before its process stands in a list, and on a machine that stalls
 * much later: so all threads are looked at for a while after it was given.
 */
bool descendants_wants_threads(struct descendants_threads *t, uint64_t number, uint64_t now_ns)
{
	if (number == 0 || number != t->last_number)
		t->wanted_ns = now_ns + SETTLE_NS;
	t->last_number = number;
	return now_ns < t->wanted_ns && now_ns >= t->next_ns;
}

/* opendir() would allocate. */
static void find_in_threads(struct descendants_threads *t, pid_t of, pid_t except)
{
	_Alignas(struct dirent64) char names[4096];
	int dir = proc_open(of, "task");
	ssize_t n;

	while (dir >= 0 && (n = getdents64(dir, names, sizeof(names))) > 0) {
		const struct dirent64 *entry;

		for (ssize_t at = 0; at < n; at += entry->d_reclen) {
			pid_t thread;
			size_t more;

			entry = (const struct dirent64 *)(const void *)(names + at);
			thread = (pid_t)strtol(entry->d_name, NULL, 10);
			t->read += thread > 0;
			if (thread <= 0 || thread == of)
				continue;
			more = add_children(of, thread, except, t->pids + t->count,
					    DESCENDANTS_THREADS - t->count);
			for (; more > 0; more--)
				t->parents[t->count++] = of;
		}
	}
	if (dir >= 0)
		close(dir);
}

static bool has(const pid_t *list, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == pid)
			return true;
	return false;
}

static bool is_still_child(pid_t pid, pid_t of)
{
	struct process p;

	return read_one(0, pid, &p) && !process_is_dead(&p) && p.parent == of;
}

static size_t add_all_children(struct descendants *d, pid_t of, pid_t except, bool threads)
{
	const struct descendants_threads *t = &d->threads;
	pid_t *to = d->pids + d->count;
	size_t room = DESCENDANTS_MAX - d->count, count = add_children(of, of, except, to, room);

	if (threads)
		find_in_threads(&d->threads, of, except);
	/* When a thread ends, another of the process has its children, perhaps the first. */
	for (size_t i = 0; i < t->count && count < room; i++)
		if (t->parents[i] == of && t->pids[i] != except && !has(to, count, t->pids[i]) &&
		    is_still_child(t->pids[i], of))
			to[count++] = t->pids[i];
	return count;
}

/*
 * A host that takes the CPU away from a virtual machine lets that time count as used.
 * Half a second of it would be minutes of rest, in which a compiler that a thread has
 * started is not seen: so a look is taken to be no dearer than its threads can make it.
 */
uint64_t descendants_rest_ns(uint64_t used_ns, size_t threads)
{
	uint64_t most = threads * THREAD_NS;

	return (used_ns < most ? used_ns : most) * REST_TIMES;
}

void descendants_below(pid_t top, pid_t except, struct descendants *d)
{
	uint64_t begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	bool threads =
		descendants_wants_threads(&d->threads, last_number(), clock_ns(CLOCK_MONOTONIC));

	assert(top > 0);
	if (threads)
		d->threads.count = d->threads.read = 0;
	d->count = 0;
	d->count = add_all_children(d, top, except, threads);
	for (size_t i = 0; i < d->count; i++)
		d->count += add_all_children(d, d->pids[i], except, threads);
	d->ticks = processes_ticks();
	if (threads)
		d->threads.next_ns = clock_ns(CLOCK_MONOTONIC) +
				     descendants_rest_ns(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun,
							 d->threads.read);
}

/* ---- from a look at every process ---- */

void processes_read(pid_t of, struct processes *p)
{
	DIR *dir = proc_dir(of, of ? "task" : "");
	struct dirent *entry;
	struct process one;
	uint64_t pid;

	p->count = 0;
	while (dir && (entry = readdir(dir))) {
		if (!span_u64(span_of(entry->d_name), &pid) || !read_one(of, (pid_t)pid, &one))
			continue;
		if (p->count == p->room) {
			size_t room = p->room ? 2 * p->room : 512;
			struct process *all = reallocarray(p->all, room, sizeof(*all));

			if (!all)
				break;
			p->all = all;
			p->room = room;
		}
		p->all[p->count++] = one;
	}
	if (dir)
		closedir(dir);
}

void processes_done(struct processes *p)
{
	free(p->all);
	*p = (struct processes){ 0 };
}

static bool has_marked_parent(const struct processes *p, pid_t parent)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->all[i].marked && p->all[i].pid == parent)
			return true;
	return false;
}

void processes_mark(struct processes *p, pid_t except,
		    bool (*belongs)(void *ctx, const struct process *one), void *ctx)
{
	bool more = true;

	for (size_t i = 0; i < p->count; i++)
		p->all[i].marked = p->all[i].pid != except && belongs(ctx, &p->all[i]);
	while (more) {
		more = false;
		for (size_t i = 0; i < p->count; i++) {
			struct process *one = &p->all[i];

			if (one->marked || one->pid == except || !has_marked_parent(p, one->parent))
				continue;
			one->marked = more = true;
		}
	}
}
