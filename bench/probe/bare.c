/*
 * bare - the least that a prober can cost
 *
 *	bare QUESTION ...     load $LIBRARY, answer
 *	bare --loop N         that N times, by fork, exec and wait, with nothing around it;
 *	                      prints milliseconds for each,
 *	                      and of the processor
 *
 * The same program is the prober of the walk that it is compared with.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double cpu_ms(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

static int loop(char *self, int n)
{
	char *const arguments[] = { self, "memory.malloc", NULL };
	double start = now_ms();

	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			execv(self, arguments);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	printf("%.3f %.3f\n", (now_ms() - start) / n,
	       (cpu_ms(RUSAGE_SELF) + cpu_ms(RUSAGE_CHILDREN)) / n);
	return 0;
}

int main(int argc, char **argv)
{
	const char *library = getenv("LIBRARY");
	const char *question = argc > 1 ? argv[1] : "";
	int devices = getenv("DEVICES") ? atoi(getenv("DEVICES")) : 2;

	if (argc == 3 && strcmp(question, "--loop") == 0)
		return loop(argv[0], atoi(argv[2]));
	if (library && *library && !dlopen(library, RTLD_NOW | RTLD_GLOBAL))
		return 1;
	for (int i = 0; strcmp(question, "hip.devices") == 0 && i < devices; i++)
		dprintf(3, "value %d 0000:%02x:00.0\n", i, i);
	dprintf(3, "answered\n");
	_exit(0);
}
