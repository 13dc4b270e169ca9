/*
 * walk - one walk from the command line, and what it left behind
 *
 * usage: walk [OPTION VALUE]... PROGRAM
 *
 * Prints the walk's text; then, to standard error, what a leak would change:
 * `left FDS CHILDREN`, with the descriptors that are open now more than before
 * and 1 if a child lives on, and `cost MS PEAK_KB CPU_MS`, the last with its children's. Options are named as in
 * probe.h; `cancel` is in milliseconds, `repeat` walks so many times.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/probe.h"

#define MOST 32

static volatile bool cancelled;
static const char *variables[MOST + 1];
static struct probe_library libraries[MOST];
static struct probe_gpu gpus[MOST];

static void on_alarm(int number)
{
	(void)number;
	cancelled = true;
}

static void cancel_after(int ms)
{
	struct itimerval t = { .it_value = { ms / 1000, ms % 1000 * 1000 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &t, NULL);
}

static int count_fds(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/*
 * On a busy machine those who were killed when the walk was cancelled need a moment to
 * die; a child that lives on was forgotten.
 */
static bool has_child(void)
{
	pid_t r;

	for (int looks = cancelled ? 0 : 499; looks < 500; looks++) {
		while ((r = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (r < 0 && errno == ECHILD)
			return false;
		usleep(10000);
	}
	return true;
}

static double cpu_ms(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void add_variable(const char *value)
{
	size_t i = 0;

	while (i < MOST - 1 && variables[i])
		i++;
	variables[i] = value;
}

static void add_library(struct probe_options *o, char *value)
{
	char *path = strchr(value, '=');

	if (!path || o->library_count == MOST)
		exit(64);
	*path++ = '\0';
	libraries[o->library_count++] = (struct probe_library){ value, path };
}

static void add_gpu(struct probe_options *o, char *value)
{
	char *how = strchr(value, ',');

	if (how)
		*how++ = '\0';
	gpus[o->gpu_count++ % MOST] = (struct probe_gpu){ value, how && strstr(how, "in_use"),
							  how && strstr(how, "display") };
}

static void take(struct probe_options *o, const char *name, char *value, int *repeat)
{
	if (strcmp(name, "level") == 0)
		o->level = atoi(value);
	else if (strcmp(name, "layers") == 0)
		o->layers = value;
	else if (strcmp(name, "device") == 0)
		o->device = value;
	else if (strcmp(name, "keep_going") == 0)
		o->keep_going = atoi(value);
	else if (strcmp(name, "force") == 0)
		o->force = atoi(value);
	else if (strcmp(name, "python") == 0)
		o->python = value;
	else if (strcmp(name, "like") == 0)
		o->like = value;
	else if (strcmp(name, "patience") == 0)
		o->patience = atoi(value);
	else if (strcmp(name, "variable") == 0)
		add_variable(value);
	else if (strcmp(name, "library") == 0)
		add_library(o, value);
	else if (strcmp(name, "gpu") == 0)
		add_gpu(o, value);
	else if (strcmp(name, "cancel") == 0)
		cancel_after(atoi(value));
	else if (strcmp(name, "repeat") == 0)
		*repeat = atoi(value);
	else
		exit(64);
}

int main(int argc, char **argv)
{
	struct probe_options options = { .level = 1,
					 .variables = variables,
					 .libraries = libraries,
					 .gpus = gpus,
					 .now = 1763190000,
					 .cancelled = &cancelled };
	int repeat = 1, before = count_fds(), r = 0;
	struct buf text = { 0 };
	struct rusage usage;
	double start = now_ms(), took;

	if (argc < 2)
		return 64;
	for (int i = 1; i + 1 < argc; i += 2)
		take(&options, argv[i], argv[i + 1], &repeat);
	options.program = argv[argc - 1];
	while (repeat-- > 0 && r == 0) {
		buf_clear(&text);
		r = probe_walk(&options, &text);
	}
	fwrite(text.data, 1, text.len, stdout);
	getrusage(RUSAGE_SELF, &usage);
	took = now_ms() - start;
	fprintf(stderr, "left %d %d\ncost %.1f %ld %.1f\n", count_fds() - before, has_child(), took,
		usage.ru_maxrss, cpu_ms(RUSAGE_SELF) + cpu_ms(RUSAGE_CHILDREN));
	buf_done(&text);
	if (r < 0)
		fprintf(stderr, "%s\n", strerror(-r));
	return r < 0;
}
