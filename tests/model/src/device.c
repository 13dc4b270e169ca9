#include "device.h"

#include "log.h"
#include "plan.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096

/* Doorbells and registers of each GPU lie at the beginning of /dev/kfd (kfd.c). */
#define KFD_PAGES (2 * MOST_GPUS * 65536ull)

static struct device devices[1 + MOST_GPUS]; /* /dev/kfd is the first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void device_begin(void)
{
	log_open();
	plan_read();
	gpu_read_all();
	for (unsigned i = 0; i <= MOST_GPUS; i++)
		devices[i].fd = -1;
}

ino_t device_inode(int fd)
{
	struct stat s;

	return syscall(SYS_fstat, fd, &s) == 0 ? s.st_ino : 0;
}

static bool make(struct device *d, struct gpu *gpu)
{
	d->gpu = gpu;
	d->end = gpu ? PAGE : KFD_PAGES; /* 0 is no offset: the runtime takes it for none */
	d->fd = memfd_create(gpu ? "kfdmodel-render" : "kfdmodel-kfd", MFD_CLOEXEC);
	if (d->fd < 0 || ftruncate(d->fd, (off_t)d->end) != 0)
		return false;
	d->inode = device_inode(d->fd);
	return true;
}

struct device *device_of_gpu(struct gpu *gpu)
{
	struct device *d = gpu ? &devices[1 + (gpu - gpu_at(0))] : devices;

	pthread_mutex_lock(&lock);
	if (d->fd < 0 && !make(d, gpu))
		d = NULL;
	pthread_mutex_unlock(&lock);
	return d;
}

struct device *device_of_fd(int fd)
{
	ino_t inode = device_inode(fd);

	for (unsigned i = 0; inode && i <= gpu_count(); i++)
		if (devices[i].inode == inode)
			return &devices[i];
	return NULL;
}

bool device_grow(struct device *d, uint64_t size, uint64_t *ret_offset)
{
	uint64_t end = d->end + (size + PAGE - 1) / PAGE * PAGE;

	if (ftruncate(d->fd, (off_t)end) != 0)
		return false;
	*ret_offset = d->end;
	d->end = end;
	return true;
}
