#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plan.h"

#define SLOTS 4096

struct slot {
	pid_t pid; /* 0: unused */
	int device;
	size_t bytes;
};

struct block {
	struct block *next;
	void *memory;
	size_t size;
	struct slot *slot; /* NULL: not counted */
};

static struct slot *slots;
static int lock_fd = -1;
static struct block *blocks;

static void open_slots(void)
{
	const size_t size = SLOTS * sizeof(struct slot);
	char path[4200];

	if (slots)
		return;
	fake_beside("memory", path, sizeof(path));
	lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock_fd >= 0 && ftruncate(lock_fd, (off_t)size) == 0)
		slots = (struct slot *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, lock_fd,
					    0);
	else /* a directory that is not ours: no other process will know */
		slots = (struct slot *)mmap(NULL, size, PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (slots == MAP_FAILED)
		abort();
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM;
}

size_t memory_used(int device)
{
	size_t sum = 0;

	open_slots();
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].pid && slots[i].device == device && is_alive(slots[i].pid))
			sum += slots[i].bytes;
	return sum;
}

/* With the file locked, so that two processes do not take the same last byte. */
static struct slot *claim(int device, size_t size)
{
	const struct fake_device *devices;
	struct slot *found = NULL;
	int count;

	open_slots();
	devices = fake_devices(&count);
	flock(lock_fd, LOCK_EX);
	for (int i = 0; i < SLOTS && !found; i++)
		if (!slots[i].pid || !is_alive(slots[i].pid))
			found = &slots[i];
	if (found && devices[device].used + memory_used(device) + size <= devices[device].total)
		*found = (struct slot){ getpid(), device, size };
	else
		found = NULL;
	flock(lock_fd, LOCK_UN);
	return found;
}

/* Shared and untouched: it costs nothing, and no limit on data counts it. */
void *memory_take(int device, size_t size, enum memory_kind kind)
{
	struct slot *slot = kind == MEMORY_DEVICE ? claim(device, size) : NULL;
	struct block *block;
	void *memory;

	if (kind == MEMORY_DEVICE && !slot)
		return NULL;
	memory = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	block = (struct block *)malloc(sizeof(*block));
	if (memory == MAP_FAILED || !block)
		abort();
	*block = (struct block){ blocks, memory, size ? size : 1, slot };
	blocks = block;
	return memory;
}

int memory_give(void *memory)
{
	for (struct block **at = &blocks; *at; at = &(*at)->next) {
		struct block *block = *at;

		if (block->memory != memory)
			continue;
		if (block->slot)
			block->slot->pid = 0;
		munmap(block->memory, block->size);
		*at = block->next;
		free(block);
		return 0;
	}
	return -1;
}
