#include "probe/kin.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/names.h"
#include "parse/proc-stat.h"

extern const char data_compilers[];

struct kin {
	pid_t pid, parent, session;
	char state;
	char name[16];
	uint64_t ticks;
	bool below; /* belongs to the prober in question */
};

struct kin_list {
	struct kin *all;
	size_t count, room;
};

static size_t read_small(const char *path, char *ret, size_t size)
{
	return fd_text(open(path, O_RDONLY | O_CLOEXEC), ret, size);
}

static bool read_kin(const char *dir, pid_t pid, struct kin *ret)
{
	char path[64], text[1024];
	struct proc_stat stat;
	size_t n;

	snprintf(path, sizeof(path), "%s/%d/stat", dir, (int)pid);
	n = read_small(path, text, sizeof(text));
	if (!proc_stat_parse((struct span){ text, n }, &stat))
		return false;
	*ret = (struct kin){ .pid = pid,
			     .parent = (pid_t)stat.parent,
			     .session = (pid_t)stat.session,
			     .state = stat.state,
			     .ticks = stat.ticks + stat.child_ticks };
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)stat.name.len, stat.name.data);
	return true;
}

static void add_kin(struct kin_list *list, const struct kin *k)
{
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 256;
		struct kin *all = reallocarray(list->all, room, sizeof(*all));

		if (!all)
			return; /* whoever is missing is found at the next look */
		list->all = all;
		list->room = room;
	}
	list->all[list->count++] = *k;
}

/* Processes below /proc, or threads below /proc/N/task. */
static void read_all(const char *dir, struct kin_list *ret)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	struct kin k;
	uint64_t pid;

	while (d && (entry = readdir(d)))
		if (span_u64(span_of(entry->d_name), &pid) && read_kin(dir, (pid_t)pid, &k))
			add_kin(ret, &k);
	if (d)
		closedir(d);
}

static bool is_below(const struct kin_list *list, const struct kin *k, pid_t prober)
{
	if (k->pid == prober || k->session == prober)
		return true;
	for (size_t i = 0; i < list->count; i++)
		if (list->all[i].pid == k->parent && list->all[i].below)
			return true;
	return false;
}

/* A worker in a session of its own is told by its parents. */
static void mark_below(struct kin_list *list, pid_t prober)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < list->count; i++) {
			struct kin *k = &list->all[i];

			if (!k->below && is_below(list, k, prober))
				k->below = more = true;
		}
	}
}

static bool is_compiler(const struct kin *k)
{
	return k->state != 'Z' && k->state != 'X' && names_has(data_compilers, k->name);
}

void kin_work(pid_t prober, struct kin_work *ret)
{
	struct kin_list list = { 0 };

	*ret = (struct kin_work){ 0 };
	read_all("/proc", &list);
	mark_below(&list, prober);
	for (size_t i = 0; i < list.count; i++) {
		if (!list.all[i].below)
			continue;
		ret->ticks += list.all[i].ticks;
		ret->compiles =
			ret->compiles || (list.all[i].pid != prober && is_compiler(&list.all[i]));
	}
	free(list.all);
}

static void tell_wait(const char *dir, const struct kin *k, struct buf *ret_words)
{
	char path[96], text[256];

	buf_addf(ret_words, "state %c", k->state);
	snprintf(path, sizeof(path), "%s/%d/wchan", dir, (int)k->pid);
	if (read_small(path, text, sizeof(text)) > 0 && strcmp(text, "0") != 0)
		buf_addf(ret_words, ", waits in %s", text);
	snprintf(path, sizeof(path), "%s/%d/syscall", dir, (int)k->pid);
	if (read_small(path, text, sizeof(text)) > 0 && text[0] >= '0' && text[0] <= '9')
		buf_addf(ret_words, ", system call %ld", strtol(text, NULL, 10));
}

bool kin_waits(pid_t pid, struct buf *ret_words)
{
	struct kin_list threads = { 0 };
	bool found = false;
	char dir[64];

	snprintf(dir, sizeof(dir), "/proc/%d/task", (int)pid);
	read_all(dir, &threads);
	for (size_t i = 0; i < threads.count && !found; i++) {
		found = threads.all[i].state == 'D';
		if (found)
			tell_wait(dir, &threads.all[i], ret_words);
	}
	free(threads.all);
	return found;
}

size_t kin_sweep(bool (*is_ours)(void *ctx, pid_t pid, pid_t session), void *ctx)
{
	struct kin_list list = { 0 };
	pid_t self = getpid();
	size_t found = 0;

	read_all("/proc", &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct kin *k = &list.all[i];

		if (k->parent != self || is_ours(ctx, k->pid, k->session))
			continue;
		kill(k->pid, SIGKILL);
		(void)waitpid(k->pid, NULL, WNOHANG);
		found++;
	}
	free(list.all);
	return found;
}

size_t kin_children(pid_t *ret_pids, size_t most)
{
	struct kin_list list = { 0 };
	pid_t self = getpid();
	size_t count = 0;

	read_all("/proc", &list);
	for (size_t i = 0; i < list.count && count < most; i++)
		if (list.all[i].parent == self)
			ret_pids[count++] = list.all[i].pid;
	free(list.all);
	return count;
}
