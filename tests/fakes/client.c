/*
 * client - a job on the first fake GPU that notices when somebody takes its memory
 *
 * usage: client LIBAMDHIP64 HOLD PEAK
 *
 * Holds HOLD bytes, and takes and gives back PEAK more, over and over, as a
 * training step does. Prints `ready` when it has begun; at SIGTERM `steps N
 * refused M` and exits 1 if M is not 0.
 */

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "prober/abi-hip.h"

static volatile sig_atomic_t over;

static void end(int number)
{
	(void)number;
	over = 1;
}

int main(int argc, char **argv)
{
	void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW) : NULL, *held, *more;
	hipError_t (*take)(void **memory, size_t size) = NULL;
	hipError_t (*give)(void *memory) = NULL;
	unsigned long steps = 0, refused = 0;

	signal(SIGTERM, end);
	if (library) {
		*(void **)&take = dlsym(library, "hipMalloc");
		*(void **)&give = dlsym(library, "hipFree");
	}
	if (!take || !give || take(&held, strtoull(argv[2], NULL, 0)) != hipSuccess)
		return 64;
	puts("ready");
	fflush(stdout);
	while (!over) {
		steps++;
		if (take(&more, strtoull(argv[3], NULL, 0)) != hipSuccess) {
			refused++;
			continue;
		}
		usleep(200);
		give(more);
	}
	printf("steps %lu refused %lu\n", steps, refused);
	return refused != 0;
}
