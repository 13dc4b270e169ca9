#include "run/heirs.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "parse/proc-stat.h"

#define LOOK_MS 50
#define TERM_MS 1000
#define GIVE_UP 3000

#define REST_TIMES 400 /* as long as a look at all threads takes, before the next */

struct process {
	pid_t pid, parent, session;
	unsigned long long start;
	bool ours;
};

/* Now, as the kernel dates the start of a process. */
static unsigned long long now_ticks(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (unsigned long long)t.tv_sec * (unsigned long long)sysconf(_SC_CLK_TCK) +
	       (unsigned long long)t.tv_nsec * (unsigned long long)sysconf(_SC_CLK_TCK) /
		       1000000000ull;
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool read_process(const char *name, struct process *ret)
{
	char path[300], text[1024];
	struct proc_stat stat;
	pid_t pid = (pid_t)strtol(name, NULL, 10);
	size_t n;

	snprintf(path, sizeof(path), "/proc/%s/stat", name);
	n = pid > 0 ? fd_text(open(path, O_RDONLY | O_CLOEXEC), text, sizeof(text)) : 0;
	if (n == 0 || !proc_stat_parse((struct span){ text, n }, &stat))
		return false;
	*ret = (struct process){ .pid = pid,
				 .parent = (pid_t)stat.parent,
				 .session = (pid_t)stat.session,
				 .start = stat.start };
	return stat.state != 'Z' && stat.state != 'X';
}

static size_t add_children(pid_t of, pid_t thread, pid_t except, pid_t *to, size_t room)
{
	char path[64], text[4096];
	size_t count = 0, kept = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)of, (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
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

/* ---- children of other threads ---- */

/* The number that was given last: while it stays, nobody is new. 0: not known. */
static uint64_t last_number(void)
{
	char text[128];
	size_t n = fd_text(open("/proc/loadavg", O_RDONLY | O_CLOEXEC), text, sizeof(text));
	struct span rest = span_trim((struct span){ text, n }), word;
	uint64_t number = 0;

	while (span_cut(&rest, ' ', &word))
		if (!span_u64(word, &number))
			number = 0;
	return number;
}

/* A number is given before its process stands in a list: so a second time, too. */
static bool is_time_for_threads(struct heirs_born *b)
{
	uint64_t last = last_number();

	if (last == 0 || last != b->last_number)
		b->looks = 2;
	b->last_number = last;
	return b->looks > 0 && nanoseconds(CLOCK_MONOTONIC) >= b->next_ns;
}

/* opendir() would allocate. */
static void find_born(struct heirs_born *b, pid_t of, pid_t except)
{
	_Alignas(struct dirent64) char names[4096];
	char path[32];
	ssize_t n;
	int dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)of);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (dir >= 0 && (n = getdents64(dir, names, sizeof(names))) > 0) {
		const struct dirent64 *entry;

		for (ssize_t at = 0; at < n; at += entry->d_reclen) {
			pid_t thread;
			size_t more;

			entry = (const struct dirent64 *)(const void *)(names + at);
			thread = (pid_t)strtol(entry->d_name, NULL, 10);
			if (thread <= 0 || thread == of)
				continue;
			more = add_children(of, thread, except, b->pids + b->count,
					    HEIRS_BORN - b->count);
			for (; more > 0; more--)
				b->parents[b->count++] = of;
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
	char name[16];

	snprintf(name, sizeof(name), "%d", (int)pid);
	return read_process(name, &p) && p.parent == of;
}

/* When a thread ends, another of the process has its children, perhaps the first. */
static size_t add_born(const struct heirs_born *b, pid_t of, pid_t except, pid_t *to, size_t listed,
		       size_t room)
{
	size_t count = listed;

	for (size_t i = 0; i < b->count && count < room; i++)
		if (b->parents[i] == of && b->pids[i] != except && !has(to, count, b->pids[i]) &&
		    is_still_child(b->pids[i], of))
			to[count++] = b->pids[i];
	return count;
}

static size_t add_all_children(struct heirs *h, pid_t of, pid_t except, bool threads)
{
	pid_t *to = h->pids + h->count;
	size_t room = HEIRS_MAX - h->count, count = add_children(of, of, except, to, room);

	if (threads)
		find_born(&h->born, of, except);
	return add_born(&h->born, of, except, to, count, room);
}

void heirs_below(pid_t top, pid_t except, struct heirs *h)
{
	uint64_t begun = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	bool threads = is_time_for_threads(&h->born);

	if (threads)
		h->born.count = 0;
	h->count = 0;
	h->count = add_all_children(h, top, except, threads);
	for (size_t i = 0; i < h->count; i++)
		h->count += add_all_children(h, h->pids[i], except, threads);
	h->ticks = now_ticks();
	if (threads) {
		h->born.looks--;
		h->born.next_ns = nanoseconds(CLOCK_MONOTONIC) +
				  (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begun) * REST_TIMES;
	}
}

/* ---- after the keeper's death ---- */

struct flock_of {
	struct process *all;
	size_t count, room;
	pid_t job;
	pid_t *known; /* a parent may be gone when its children are looked for again */
	size_t known_count;
	unsigned long long known_ticks;
	const unsigned long long *pipes;
};

static bool writes_to(pid_t pid, const unsigned long long pipes[2])
{
	char path[64], target[64];
	unsigned long long inode;
	ssize_t n;

	for (int fd = 1; fd < 3; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		if (sscanf(target, "pipe:[%llu]", &inode) == 1 &&
		    (inode == pipes[0] || inode == pipes[1]))
			return true;
	}
	return false;
}

static bool is_ours(const struct flock_of *f, const struct process *p)
{
	if (p->ours || p->pid == f->job || p->session == f->job)
		return true;
	for (size_t i = 0; i < f->known_count; i++)
		if (f->known[i] == p->pid && p->start <= f->known_ticks)
			return true;
	for (size_t i = 0; i < f->count; i++)
		if (f->all[i].ours && f->all[i].pid == p->parent)
			return true;
	return writes_to(p->pid, f->pipes);
}

static void read_all(struct flock_of *f)
{
	DIR *d = opendir("/proc");
	struct dirent *entry;
	struct process p;

	f->count = 0;
	while (d && (entry = readdir(d))) {
		if (!read_process(entry->d_name, &p))
			continue;
		if (f->count == f->room) {
			size_t room = f->room ? 2 * f->room : 512;
			struct process *all = reallocarray(f->all, room, sizeof(*all));

			if (!all)
				break;
			f->all = all;
			f->room = room;
		}
		f->all[f->count++] = p;
	}
	if (d)
		closedir(d);
}

static size_t mark(struct flock_of *f)
{
	size_t marked = 0;
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < f->count; i++) {
			if (f->all[i].ours || !is_ours(f, &f->all[i]) || f->all[i].pid == getpid())
				continue;
			f->all[i].ours = more = true;
			marked++;
		}
	}
	return marked;
}

static void remember(struct flock_of *f)
{
	for (size_t i = 0; i < f->count && f->known_count < HEIRS_MAX; i++)
		if (f->all[i].ours)
			f->known[f->known_count++] = f->all[i].pid;
	f->known_ticks = now_ticks();
}

size_t heirs_end(pid_t job, struct heirs *known)
{
	struct flock_of f = { .job = job,
			      .known = known->pids,
			      .known_count = known->count,
			      .known_ticks = known->ticks,
			      .pipes = known->pipes };
	size_t first = 0, left = 1;

	for (int ms = 0; left > 0 && ms < GIVE_UP; ms += LOOK_MS) {
		read_all(&f);
		left = mark(&f);
		first = first > left ? first : left;
		for (size_t i = 0; i < f.count; i++)
			if (f.all[i].ours && (ms == 0 || ms >= TERM_MS))
				kill(f.all[i].pid, ms == 0 ? SIGTERM : SIGKILL);
		for (size_t i = 0; ms == 0 && i < f.count; i++)
			if (f.all[i].ours)
				kill(f.all[i].pid, SIGCONT);
		if (ms == 0)
			remember(&f);
		if (left > 0)
			poll(NULL, 0, LOOK_MS);
	}
	free(f.all);
	return first;
}
