#include "run/thread.h"

int thread_start(pthread_t *ret, size_t stack, void *(*work)(void *), void *arg)
{
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack);
	error = pthread_create(ret, &attributes, work, arg);
	pthread_attr_destroy(&attributes);
	return -error;
}
