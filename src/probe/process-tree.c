#include "probe/process-tree.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/names.h"
#include "door/descendants.h"
#include "door/proc.h"

extern const char data_compilers[];

/* A worker in a session of its own is told by its parents. */
static bool is_of_prober(void *ctx, const struct process *p)
{
	const pid_t *prober = ctx;

	return p->pid == *prober || p->session == *prober;
}

void tree_work(pid_t prober, struct tree_work *ret)
{
	struct processes list = { 0 };

	*ret = (struct tree_work){ 0 };
	processes_read(0, &list);
	processes_mark(&list, 0, is_of_prober, &prober);
	for (size_t i = 0; i < list.count; i++) {
		const struct process *p = &list.all[i];

		if (!p->marked)
			continue;
		ret->ticks += p->ticks;
		ret->compiles = ret->compiles || (p->pid != prober && !process_is_dead(p) &&
						  names_has(data_compilers, p->name));
	}
	processes_done(&list);
}

bool tree_waits(pid_t pid, struct buf *ret_words)
{
	struct processes threads = { 0 };
	char name[40], text[256];
	bool found = false;

	processes_read(pid, &threads);
	for (size_t i = 0; i < threads.count && !found; i++) {
		found = threads.all[i].state == 'D';
		if (!found)
			continue;
		buf_text(ret_words, "state D");
		snprintf(name, sizeof(name), "task/%d/wchan", (int)threads.all[i].pid);
		if (proc_text(pid, name, text, sizeof(text)) > 0 && strcmp(text, "0") != 0)
			buf_addf(ret_words, ", waits in %s", text);
		snprintf(name, sizeof(name), "task/%d/syscall", (int)threads.all[i].pid);
		if (proc_text(pid, name, text, sizeof(text)) > 0 && text[0] >= '0' &&
		    text[0] <= '9')
			buf_addf(ret_words, ", system call %ld", strtol(text, NULL, 10));
	}
	processes_done(&threads);
	return found;
}

/* "RUNNING_NS WAITING_NS SLICES" */
static uint64_t read_waited_ns(pid_t pid, pid_t thread)
{
	char name[40], text[128];
	struct span rest, word;
	uint64_t ns = 0;

	snprintf(name, sizeof(name), "task/%d/schedstat", (int)thread);
	if (proc_text(pid, name, text, sizeof(text)) <= 0)
		return 0;
	rest = span_of(text);
	return span_word(&rest, &word) && span_word(&rest, &word) && span_u64(word, &ns) ? ns : 0;
}

uint64_t tree_starved_ms(pid_t pid)
{
	struct processes threads = { 0 };
	uint64_t most = 0;

	processes_read(pid, &threads);
	for (size_t i = 0; i < threads.count; i++) {
		uint64_t ns = read_waited_ns(pid, threads.all[i].pid);

		most = ns > most ? ns : most;
	}
	processes_done(&threads);
	return most / 1000000;
}

size_t tree_sweep(bool (*is_spared)(void *ctx, pid_t pid, pid_t session), void *ctx)
{
	struct processes list = { 0 };
	pid_t self = getpid();
	size_t found = 0;

	processes_read(0, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct process *p = &list.all[i];

		if (p->parent != self || is_spared(ctx, p->pid, p->session))
			continue;
		kill(p->pid, SIGKILL);
		(void)waitpid(p->pid, NULL, WNOHANG);
		found++;
	}
	processes_done(&list);
	return found;
}

size_t tree_children(struct arena *a, pid_t **ret_pids)
{
	struct processes list = { 0 };
	pid_t self = getpid();
	pid_t *pids = NULL;
	size_t count = 0;

	processes_read(0, &list);
	for (size_t i = 0; i < list.count; i++)
		if (list.all[i].parent == self) {
			pids = arena_grow(a, pids, count, sizeof(*pids));
			pids[count++] = list.all[i].pid;
		}
	processes_done(&list);
	*ret_pids = pids;
	return count;
}
