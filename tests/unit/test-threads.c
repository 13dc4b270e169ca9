#include "gauges/threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "run/stacks.h"

static uint64_t known[4] = { 11, 22, 33, 44 };

static void *wait_for_ever(void *ctx)
{
	prctl(PR_SET_NAME, "a b) R 1");
	for (;;)
		pause();
	return ctx;
}

/* A process with two threads, the first of which reads from `fd`. */
static pid_t start(int fd)
{
	pid_t pid = fork();
	pthread_t thread;
	char byte;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0)
			_exit(1);
		(void)!read(fd, &byte, 1);
		_exit(0);
	}
	return pid;
}

static struct arena arena;

static bool both_sleep(pid_t pid, struct threads_one **ret)
{
	for (int i = 0; i < 500; i++) {
		if (threads_list(pid, true, &arena, ret) == 2 && (*ret)[0].state == 'S' &&
		    (*ret)[1].state == 'S' && strcmp((*ret)[1].name, "a b) R 1") == 0)
			return true;
		usleep(10000);
	}
	return false;
}

static void check_list(void)
{
	struct threads_one *threads;
	struct buf text BUF_SCOPED = { 0 };
	uint64_t words[4] = { 0 };
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		exit(1);
	pid = start(ends[0]);
	CHECK(both_sleep(pid, &threads));
	CHECK(threads[0].tid == pid && threads[1].tid != pid && threads[0].cpu_ms >= 0);
	CHECK_INT(threads_list(pid, false, &arena, &threads), 2);
	CHECK_INT(threads_file(pid, 0, "maps", 100, &text), 0);
	CHECK_INT(text.len, 100); /* no more than was asked for */
	CHECK_INT(threads_words(pid, (uint64_t)(uintptr_t)known, words, 4), 4);
	CHECK(words[0] == 11 && words[3] == 44);
	CHECK_INT(threads_words(pid, 8, words, 4), 0);
	CHECK(!threads_asks(pid)); /* a pipe is no keyboard */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK_INT(threads_list(pid, true, &arena, &threads), 0);
	CHECK(threads_file(pid, 0, "maps", 100, &text) < 0);
	CHECK(threads_storage_kib() > 0);
}

static void check_keyboard(void)
{
	struct threads_one *threads;
	int master, slave;
	pid_t pid;

	if (openpty(&master, &slave, NULL, NULL, NULL) < 0)
		exit(1);
	pid = start(slave);
	CHECK(both_sleep(pid, &threads));
	CHECK(threads_asks(pid));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* What is written can be read back, and is bounded. */
static void check_stacks(void)
{
	struct buf text BUF_SCOPED = { 0 }, lines BUF_SCOPED = { 0 };
	struct threads_one *threads;
	char path[] = "/tmp/stacks-XXXXXX";
	int ends[2], fd = mkstemp(path);
	ssize_t n;
	pid_t pid, writer;

	if (fd < 0 || pipe(ends) < 0)
		exit(1);
	unlink(path);
	pid = start(ends[0]);
	CHECK(both_sleep(pid, &threads));
	writer = fork();
	if (writer == 0) { /* it limits itself */
		stacks_write(fd, &(struct stacks_order){ .pids = &pid,
							 .count = 1,
							 .head = SPAN_LITERAL("head\n"),
							 .kernel = SPAN_LITERAL("a \x1b line\n") });
		_exit(0);
	}
	waitpid(writer, NULL, 0);
	buf_room(&text, STACKS_BYTES);
	n = pread(fd, text.data, STACKS_BYTES, 0);
	text.len = n > 0 ? (size_t)n : 0;
	CHECK(span_starts(buf_get(&text), "head\n"));
	CHECK(span_find(buf_get(&text), SPAN_LITERAL("\\x1b line")) != SIZE_MAX);
	CHECK(span_find(buf_get(&text), SPAN_LITERAL("  (here)\n")) != SIZE_MAX);
	stacks_threads(buf_get(&text), 4096, &lines);
	CHECK(span_starts(buf_get(&lines), "thread "));
	CHECK_INT(memchr(lines.data, '\n', lines.len) != NULL, 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	buf_clear(&lines);
	stacks_threads(span_of("thread 1 2 S x name\n  thread\nthread 3 4 R - b\n"), 4096, &lines);
	CHECK_TEXT(lines.data, "thread 1 2 S x\nthread 3 4 R -\n");
	buf_clear(&lines);
	stacks_threads(span_of("thread 1 2 S x name\nthread 3 4 R - b\n"), 25, &lines);
	CHECK_TEXT(lines.data, "thread 1 2 S x\n");
}

int main(void)
{
	check_list();
	check_keyboard();
	check_stacks();
	arena_done(&arena);
	return check_end();
}
