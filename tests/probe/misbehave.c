/*
 * misbehave - a prober that loads nothing and does what it is told
 *
 * Speaks the protocol of docs/design/0009-probe.md, and breaks it in every way
 * that the parent must survive. MISBEHAVE tells how, in its environment:
 *
 *	QUESTION[@DEVICE|@alone|@rN]=ACT[ ARGUMENT];...
 *
 * The first that fits counts; a question that is not named is answered. DEVICES
 * is the number of devices (2).
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *question = "", *device = "0", *rank = "", *dir = NULL;
static bool alone;

static void say(const char *line)
{
	(void)!write(3, line, strlen(line));
}

static void answer(void)
{
	int count = getenv("DEVICES") ? atoi(getenv("DEVICES")) : 2;
	char line[128];

	say("file /opt/a library/libfake.so.1\n");
	for (int i = 0; strcmp(question, "hip.devices") == 0 && i < count; i++) {
		snprintf(line, sizeof(line), "value %d %04x:%02x:00.0\n", i, i / 256, i % 256);
		say(line);
	}
	if (strcmp(question, "memory.info") == 0)
		say("value free 17163091968\nvalue total 17163091968\n");
	say("call fakeCall\nanswered\n");
}

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void act_answer(const char *arg)
{
	(void)arg;
	answer();
}

static void act_refuse(const char *arg)
{
	say("call fakeCall\nrefused ");
	say(arg);
	say("\n");
	fputs("it says no\n", stderr);
}

static void act_say(const char *arg)
{
	for (; *arg; arg++)
		(void)!write(3, *arg == '|' ? "\n" : arg, 1);
	say("\n");
}

static void act_signal(const char *arg)
{
	say("call fakeCall\ncrashed 11 /opt/lib/libfake.so+0x1f\n");
	kill(getpid(), atoi(arg));
	sleep_for_ever();
}

static void act_answer_then_signal(const char *arg)
{
	answer();
	kill(getpid(), atoi(arg));
	sleep_for_ever();
}

static void act_answer_then_sleep(const char *arg)
{
	(void)arg;
	answer();
	sleep_for_ever();
}

static void act_exit(const char *arg)
{
	say("call fakeInit\n");
	exit(atoi(arg));
}

static void act_sleep(const char *arg)
{
	if (*arg)
		usleep((useconds_t)atoi(arg) * 1000);
	else
		sleep_for_ever();
	answer();
}

static void act_deaf(const char *arg)
{
	(void)arg;
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	sleep_for_ever();
}

static void act_spin(const char *arg)
{
	(void)arg;
	for (volatile uint64_t i = 0;; i++)
		;
}

/* flood 2 100: so many MiB to descriptor 2; without a number for ever. */
static void act_flood(const char *arg)
{
	static char block[1 << 16];
	char *end;
	int fd = (int)strtol(arg, &end, 10);
	long left = strtol(end, NULL, 10) * 16;
	bool forever = left == 0;

	memset(block, 'x', sizeof(block));
	for (size_t i = 80; i < sizeof(block); i += 81)
		block[i] = '\n';
	while (forever || left-- > 0)
		(void)!write(fd, block, sizeof(block));
	fputs("\nthe last line\n", stderr);
	answer();
}

/* Children that outlive it, in its group. */
static void act_fork(const char *arg)
{
	for (int i = atoi(arg); i > 0; i--)
		if (fork() == 0)
			sleep_for_ever();
	answer();
}

/* One that leaves the group and the family, with its pipes; `quiet`: without them. */
static void act_daemon(const char *arg)
{
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		if (strcmp(arg, "quiet") == 0)
			closefrom(0);
		signal(SIGTERM, SIG_IGN);
		sleep_for_ever();
	}
	usleep(20000);
	answer();
}

static void act_close(const char *arg)
{
	close(atoi(arg));
	usleep(10000);
}

static void act_compile(const char *arg)
{
	if (fork() == 0) {
		prctl(PR_SET_NAME, arg);
		sleep_for_ever();
	}
	sleep_for_ever();
}

static void act_escape(const char *arg)
{
	(void)arg;
	fputs("\033[31mred\033[0m\r\007 \302\233 bell\n\377\376\n", stderr);
	say("file /opt/\033[2Jlib\tx.so\nvalue na\033me \033]0;title\007\n"
	    "call \033[1mhip\nanswered now\nfancy line\nrefused twelve\nrefused 7\n");
}

static void act_bytes(const char *arg)
{
	char junk[8192];
	uint64_t state = (uint64_t)atoll(arg) * 2654435761U + 1;

	for (size_t i = 0; i < sizeof(junk); i++) {
		state = state * 6364136223846793005U + 1442695040888963407U;
		junk[i] = (char)(state >> 56);
	}
	(void)!write(3, junk, sizeof(junk));
	(void)!write(2, junk, sizeof(junk));
	say("\nanswered\n");
}

/* More memory than there may be; tells the way in which it is refused. */
static void act_memory(const char *arg)
{
	size_t block = (size_t)64 << 20;

	(void)arg;
	for (;;) {
		void *p = malloc(block);

		if (!p) {
			say("refused 12\n");
			exit(0);
		}
		madvise(p, block, MADV_DONTNEED);
	}
}

/* Does not come back while the file system is deaf or frozen. */
static void act_read(const char *arg)
{
	char byte;
	int fd = open(arg, O_RDONLY);

	(void)!read(fd, &byte, 1);
	answer();
}

static void act_write(const char *arg)
{
	int fd = open(arg, O_WRONLY | O_CREAT | O_APPEND, 0600);

	(void)!write(fd, "x", 1);
	answer();
}

/* What it was given, as values. */
static void act_tell(const char *arg)
{
	extern char **environ;
	struct rlimit core, data;
	char text[2048], cwd[512], name[64], link[512];
	int fds = 0;

	(void)arg;
	for (char **e = environ; *e; e++) {
		snprintf(text, sizeof(text), "value env %s\n", *e);
		say(text);
	}
	for (int fd = 0; fd < 256; fd++)
		fds += fcntl(fd, F_GETFD) >= 0;
	getrlimit(RLIMIT_CORE, &core);
	getrlimit(RLIMIT_DATA, &data);
	snprintf(name, sizeof(name), "/proc/self/fd/0");
	memset(link, 0, sizeof(link));
	(void)!readlink(name, link, sizeof(link) - 1);
	snprintf(text, sizeof(text),
		 "value stdin %s\nvalue fds %d\nvalue core %lu\nvalue data %d\nvalue leader %d\n"
		 "value uid %d\nvalue groups %d\nvalue cwd %s\nvalue dir %s\nvalue nnp %d\n",
		 link, fds, (unsigned long)core.rlim_cur, data.rlim_cur != RLIM_INFINITY,
		 getsid(0) == getpid() && getpgrp() == getpid(), (int)geteuid(), getgroups(0, NULL),
		 getcwd(cwd, sizeof(cwd)) ? cwd : "?", dir ? dir : "-",
		 prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	say(text);
	answer();
}

/* Leaves things where they would be found. */
static void act_litter(const char *arg)
{
	(void)arg;
	(void)!system("mkdir -p $HOME/a/b/c $TMPDIR/locked && touch $HOME/a/b/c/file "
		      "$TMPDIR/locked/file && ln -s / $HOME/root && chmod 0 $TMPDIR/locked");
	answer();
}

static const struct {
	const char *name;
	void (*act)(const char *arg);
} acts[] = {
	{ "answer", act_answer },
	{ "answer-bytes", act_bytes },
	{ "answer-signal", act_answer_then_signal },
	{ "answer-sleep", act_answer_then_sleep },
	{ "close", act_close },
	{ "compile", act_compile },
	{ "daemon", act_daemon },
	{ "deaf", act_deaf },
	{ "escape", act_escape },
	{ "exit", act_exit },
	{ "flood", act_flood },
	{ "fork", act_fork },
	{ "litter", act_litter },
	{ "memory", act_memory },
	{ "read", act_read },
	{ "refuse", act_refuse },
	{ "say", act_say },
	{ "signal", act_signal },
	{ "sleep", act_sleep },
	{ "spin", act_spin },
	{ "tell", act_tell },
	{ "write", act_write },
};

static bool fits(char *who)
{
	char *at = strchr(who, '@');

	if (at)
		*at++ = '\0';
	if (strcmp(who, question) != 0 && strcmp(who, "*") != 0)
		return false;
	if (!at)
		return true;
	if (at[0] == 'r')
		return strcmp(at + 1, rank) == 0;
	return alone ? strcmp(at, "alone") == 0 : strcmp(at, device) == 0;
}

static void do_act(char *what)
{
	char *arg = strchr(what, ' ');

	if (arg)
		*arg++ = '\0';
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (strcmp(acts[i].name, what) == 0) {
			acts[i].act(arg ? arg : "");
			exit(0);
		}
	fprintf(stderr, "no act is called %s\n", what);
	exit(64);
}

int main(int argc, char **argv)
{
	char *told = getenv("MISBEHAVE");

	question = argc > 1 ? argv[1] : "";
	for (int i = 2; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--device") == 0)
			device = argv[i + 1];
		if (strcmp(argv[i], "--rank") == 0)
			rank = argv[i + 1];
		if (strcmp(argv[i], "--dir") == 0)
			dir = argv[i + 1];
	}
	alone = getenv("ROCR_VISIBLE_DEVICES") != NULL;
	for (char *one = told ? strtok(told, ";") : NULL; one; one = strtok(NULL, ";")) {
		char *what = strchr(one, '=');

		if (!what)
			continue;
		*what++ = '\0';
		if (fits(one))
			do_act(what);
	}
	answer();
	return 0;
}
