#pragma once

/* The time of a CPU that this process may take: Windows bounds it by a job object. */

#include <stdint.h>
#include <sys/time.h>

#define RUSAGE_SELF   0
#define RLIMIT_CPU    0
#define RLIM_INFINITY UINT64_MAX
#define SIGXCPU       24 /* never raised: Windows ends the process */

typedef uint64_t rlim_t;

struct rlimit {
	rlim_t rlim_cur, rlim_max;
};

struct rusage {
	struct timeval ru_utime, ru_stime;
};

int getrusage(int who, struct rusage *ret);
int getrlimit(int what, struct rlimit *ret);
int setrlimit(int what, const struct rlimit *limit);
