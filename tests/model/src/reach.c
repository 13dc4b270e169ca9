#include "reach.h"

#include "log.h"

#include <pthread.h>
#include <stddef.h>

#define MOST_RANGES 65536

struct range {
	uint64_t address, size, gpus;
};

static struct range ranges[MOST_RANGES];
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void reach_add(uint64_t gpus, uint64_t address, uint64_t size)
{
	unsigned i = 0;

	pthread_mutex_lock(&lock);
	while (i < count && (ranges[i].address != address || ranges[i].size != size))
		i++;
	if (i < count)
		ranges[i].gpus |= gpus;
	else if (count < MOST_RANGES)
		ranges[count++] = (struct range){ address, size, gpus };
	else
		log_line("no room for another mapping");
	pthread_mutex_unlock(&lock);
}

/* All that lies in it, for what was mapped in pieces may be unmapped at once. */
void reach_remove(uint64_t gpus, uint64_t address, uint64_t size)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = count; i-- > 0;) {
		if (ranges[i].address < address ||
		    ranges[i].address + ranges[i].size > address + size)
			continue;
		ranges[i].gpus &= ~gpus;
		if (ranges[i].gpus == 0)
			ranges[i] = ranges[--count];
	}
	pthread_mutex_unlock(&lock);
}

static const struct range *range_at(uint64_t gpu, uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (ranges[i].gpus & gpu && address - ranges[i].address < ranges[i].size)
			return &ranges[i];
	return NULL;
}

bool reach_holds(const struct gpu *gpu, uint64_t address, uint64_t size)
{
	uint64_t end = address + size;
	const struct range *r = NULL;

	pthread_mutex_lock(&lock);
	do {
		r = range_at(gpu_bit(gpu), address);
		address = r ? r->address + r->size : address;
	} while (r && address < end);
	pthread_mutex_unlock(&lock);
	return r;
}

bool reach_bounds(uint64_t address, uint64_t *ret_start, uint64_t *ret_end)
{
	const struct range *r;

	pthread_mutex_lock(&lock);
	r = range_at(UINT64_MAX, address);
	if (r) {
		*ret_start = r->address;
		*ret_end = r->address + r->size;
	}
	pthread_mutex_unlock(&lock);
	return r;
}
