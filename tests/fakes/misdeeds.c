#include "misdeeds.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB          ((size_t)1 << 20)
#define EXHAUST_MOST (2048 * MIB) /* where nobody has set a limit, the host is spared */

static void rest_ms(long ms)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static void do_nothing(long number)
{
	(void)number;
}

static void do_abort(long number)
{
	(void)number;
	abort();
}

static void do_segv(long number)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = (int)number;
}

static void do_exit(long number)
{
	exit((int)number);
}

static void do_sleep(long number)
{
	(void)number;
	for (;;)
		pause();
}

static void do_deaf(long number)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	do_sleep(number);
}

/* A child that stays holds every descriptor of ours, also the parent's pipes. */
static void do_fork(long number)
{
	if (fork() == 0)
		do_sleep(number);
}

static void do_flood(long number)
{
	static char block[64 * 1024];

	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < (size_t)(number ? number : 1) * MIB / sizeof(block); i++) {
		block[i % sizeof(block)] = '\n';
		if (write(STDOUT_FILENO, block, sizeof(block)) < 0 ||
		    write(STDERR_FILENO, block, sizeof(block)) < 0)
			return;
	}
}

static void do_escapes(long number)
{
	static const char evil[] = "\033]0;owned\007\033[2J\033[31mred\r\xff\xfe\xc3 \x1b[6n\n";
	static const char said[] = "value evil \033[31m\xff\x07\n";

	(void)number;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (write(fd, evil, sizeof(evil) - 1) < 0)
			return;
	if (write(3, said, sizeof(said) - 1) < 0)
		return;
}

static void do_exhaust(long number)
{
	(void)number;
	for (size_t taken = 0; taken < EXHAUST_MOST; taken += MIB) {
		char *block = malloc(MIB);

		if (!block)
			break;
		memset(block, 1, MIB);
	}
	abort(); /* what a C++ library does where nobody catches bad_alloc */
}

static void do_corrupt(long number)
{
	volatile size_t *volatile first = malloc(24), *volatile second = malloc(24);

	(void)number;
	/* The size of the chunk behind lies before its bytes. */
	for (int i = 1; i <= 2; i++)
		second[-i] = 0x4141414141414141u;
	free((void *)second);
	free((void *)first);
	abort();
}

static void work(long ms)
{
	struct timespec now;
	time_t end_s;
	long end_ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end_s = now.tv_sec + (now.tv_nsec / 1000000 + ms) / 1000;
	end_ns = (now.tv_nsec / 1000000 + ms) % 1000 * 1000000;
	while (now.tv_sec < end_s || (now.tv_sec == end_s && now.tv_nsec < end_ns))
		clock_gettime(CLOCK_MONOTONIC, &now);
}

static void do_busy(long number)
{
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_NAME, "clang");
		work(number);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static const struct {
	const char *word;
	void (*act)(long number);
} misdeeds[] = {
	{ "ok", do_nothing },      { "refuse", do_nothing },  { "wrong", do_nothing },
	{ "abort", do_abort },     { "segv", do_segv },       { "exit", do_exit },
	{ "sleep", do_sleep },     { "deaf", do_deaf },       { "fork", do_fork },
	{ "flood", do_flood },     { "escapes", do_escapes }, { "exhaust", do_exhaust },
	{ "corrupt", do_corrupt }, { "pause", rest_ms },      { "busy", do_busy },
};

bool misdeed_is_known(const char *word)
{
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++)
		if (strcmp(misdeeds[i].word, word) == 0)
			return true;
	return false;
}

void misdeed_do(const char *word, long number)
{
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++)
		if (strcmp(misdeeds[i].word, word) == 0)
			misdeeds[i].act(number);
}
