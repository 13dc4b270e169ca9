#include "memory.h"

#include "device.h"
#include "log.h"
#include "reach.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MOST_BLOCKS 65536
#define DMABUF      "kfdmodel-dmabuf " /* and, in the memfd's name, gpu_id and flags */
#define WINDOW      65536              /* bytes of doorbells or registers of one GPU in /dev/kfd */

struct block {
	struct device *device; /* NULL: free */
	uint64_t address, size, offset;
	uint32_t flags;
	int fd; /* of its own since it was exported or imported; else -1 */
	ino_t inode;
};

static struct block blocks[MOST_BLOCKS]; /* the handle is the index; 0 is none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool any_exported;

static struct block *block_of(uint64_t handle)
{
	return handle < MOST_BLOCKS && blocks[handle].device ? &blocks[handle] : NULL;
}

static uint64_t unused_handle(void)
{
	static uint64_t last;

	for (unsigned i = 1; i < MOST_BLOCKS; i++) {
		last = last % (MOST_BLOCKS - 1) + 1;
		if (!blocks[last].device)
			return last;
	}
	return 0;
}

/* Doorbells and registers are windows of /dev/kfd, memory of the host is there already. */
static int place(struct block *b, struct gpu *g)
{
	uint64_t window = (uint64_t)(g - gpu_at(0)) * 2 * WINDOW;

	if (b->flags & MEMORY_USERPTR)
		return 0;
	if (b->flags & (MEMORY_DOORBELL | MEMORY_MMIO)) {
		b->offset = window + (b->flags & MEMORY_MMIO ? WINDOW : 0);
		return 0;
	}
	return device_grow(b->device, b->size, &b->offset) ? 0 : ENOMEM;
}

static int alloc(struct kfd_alloc_memory *a, struct gpu *g)
{
	bool local = a->flags & MEMORY_VRAM;
	uint64_t handle = unused_handle();
	struct block b = { .device = device_of_gpu(g),
			   .address = a->address,
			   .size = a->size,
			   .flags = a->flags,
			   .fd = -1 };
	int error;

	if (!handle || !b.device || (local && a->size > g->vram - g->used))
		return ENOMEM;
	if (a->flags & MEMORY_USERPTR && a->mmap_offset != a->address)
		log_line("memory of the host at another address is not modelled");
	error = place(&b, g);
	if (error)
		return error;
	if (local)
		g->used += a->size;
	blocks[handle] = b;
	a->handle = handle;
	if (!(a->flags & MEMORY_USERPTR))
		a->mmap_offset = b.offset;
	log_line("block %" PRIu64 ": %#" PRIx64 " + %#" PRIx64 ", flags %#x", handle, a->address,
		 a->size, a->flags);
	return 0;
}

int memory_alloc(struct kfd_alloc_memory *a)
{
	struct gpu *g = gpu_of_id(a->gpu_id);
	int error;

	if (!g || !a->size)
		return EINVAL;
	pthread_mutex_lock(&lock);
	error = alloc(a, g);
	pthread_mutex_unlock(&lock);
	return error;
}

static bool has_pages(const struct block *b)
{
	return !(b->flags & (MEMORY_USERPTR | MEMORY_DOORBELL | MEMORY_MMIO));
}

/* The pages go back to the system; the offsets are not used again. */
int memory_free(uint64_t handle)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = block_of(handle);
	if (b) {
		reach_remove(UINT64_MAX, b->address, b->size);
		if (b->flags & MEMORY_VRAM)
			b->device->gpu->used -= b->size;
		if (b->fd >= 0)
			close(b->fd);
		else if (has_pages(b))
			fallocate(b->device->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				  (off_t)b->offset, (off_t)b->size);
		b->device = NULL;
	}
	pthread_mutex_unlock(&lock);
	return b ? 0 : EINVAL;
}

static int put_at(const struct block *b, uint64_t address, uint64_t offset, uint64_t size)
{
	int fd = b->fd >= 0 ? b->fd : b->device->fd;
	uint64_t from = b->fd >= 0 ? offset : b->offset + offset;
	long at = syscall(SYS_mmap, address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			  fd, from);

	return at == -1 ? errno : 0;
}

int memory_map(uint64_t handle, uint64_t gpus)
{
	const struct block *b;
	int error = 0;

	pthread_mutex_lock(&lock);
	b = block_of(handle);
	if (!b)
		error = EINVAL;
	else if (has_pages(b) && b->address)
		error = put_at(b, b->address, 0, b->size);
	if (!error)
		reach_add(gpus, b->address, b->size);
	pthread_mutex_unlock(&lock);
	return error;
}

/* The pages stay where they are, for the process may have mapped them, too. */
int memory_unmap(uint64_t handle, uint64_t gpus)
{
	const struct block *b;

	pthread_mutex_lock(&lock);
	b = block_of(handle);
	if (b)
		reach_remove(gpus, b->address, b->size);
	pthread_mutex_unlock(&lock);
	return b ? 0 : EINVAL;
}

/* ---- any memory of the process, by its attributes ---- */

int memory_svm_set(const struct kfd_svm *a)
{
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t type = a->attributes[i].type;
		const struct gpu *g = gpu_of_id(a->attributes[i].value);

		if (type < SVM_ACCESS || type > SVM_NO_ACCESS)
			continue;
		if (!g)
			return EINVAL;
		if (type == SVM_NO_ACCESS)
			reach_remove(gpu_bit(g), a->address, a->size);
		else
			reach_add(gpu_bit(g), a->address, a->size);
	}
	return 0;
}

/* Nothing migrates, so memory is preferred nowhere; flags and granularity are those of a new range. */
int memory_svm_get(struct kfd_svm *a)
{
	enum { COHERENT = 2, PAGES_OF_2_MIB = 9 };

	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t *type = &a->attributes[i].type, *value = &a->attributes[i].value;
		const struct gpu *g = *type == SVM_ACCESS ? gpu_of_id(*value) : NULL;

		if (*type == SVM_ACCESS && !g)
			return EINVAL;
		if (*type == SVM_ACCESS)
			*type = reach_holds(g, a->address, a->size) ? SVM_ACCESS : SVM_NO_ACCESS;
		else
			*value = *type <= SVM_PREFETCH      ? SVM_NOWHERE
				 : *type == SVM_SET_FLAGS   ? COHERENT
				 : *type == SVM_GRANULARITY ? PAGES_OF_2_MIB
							    : 0;
	}
	return 0;
}

/* ---- dma-bufs ---- */

/* The bytes move to a file of their own, for a dma-buf begins at 0 and has the size of its block. */
static int move_to_own_file(struct block *b)
{
	off_t from = (off_t)b->offset, to = 0;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), DMABUF "%u %u", b->device->gpu->id, b->flags);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)b->size) != 0)
		return ENOMEM;
	while (to < (off_t)b->size &&
	       copy_file_range(b->device->fd, &from, fd, &to, b->size - (uint64_t)to, 0) > 0)
		;
	b->fd = fd;
	b->inode = device_inode(fd);
	any_exported = true;
	return b->address ? put_at(b, b->address, 0, b->size) : 0;
}

int memory_export(struct kfd_export_dmabuf *a)
{
	struct block *b;
	int error = EINVAL;

	pthread_mutex_lock(&lock);
	b = block_of(a->handle);
	if (b && has_pages(b))
		error = b->fd < 0 ? move_to_own_file(b) : 0;
	if (!error)
		a->fd = (uint32_t)fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
	pthread_mutex_unlock(&lock);
	return error;
}

/* Of another process: its name tells the GPU. NULL if it is no dma-buf of the model. */
static struct block *adopt(int fd)
{
	char link[64], name[128] = "";
	uint64_t handle = unused_handle();
	struct block b = { .address = 0 };
	uint32_t id = 0;
	const struct gpu *g;
	off_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, name, sizeof(name) - 1) < 0 ||
	    sscanf(name, "/memfd:" DMABUF "%u %u", &id, &b.flags) != 2)
		return NULL;
	g = gpu_of_id(id);
	size = lseek(fd, 0, SEEK_END);
	if (!g || !handle || size <= 0)
		return NULL;
	b.device = device_of_gpu(gpu_of_id(id));
	b.size = (uint64_t)size;
	b.flags &= ~(uint32_t)MEMORY_VRAM; /* counted by the process that has made it */
	b.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	b.inode = device_inode(fd);
	blocks[handle] = b;
	return &blocks[handle];
}

static struct block *block_of_fd(int fd)
{
	ino_t inode = device_inode(fd);

	for (unsigned i = 1; inode && i < MOST_BLOCKS; i++)
		if (blocks[i].device && blocks[i].fd >= 0 && blocks[i].inode == inode)
			return &blocks[i];
	return inode ? adopt(fd) : NULL;
}

int memory_import(struct kfd_import_dmabuf *a)
{
	struct block *b;
	uint64_t handle = 0;

	pthread_mutex_lock(&lock);
	b = block_of_fd((int)a->fd);
	if (b)
		handle = unused_handle();
	if (handle) {
		blocks[handle] = *b;
		blocks[handle].address = a->address;
		blocks[handle].flags &= ~(uint32_t)MEMORY_VRAM; /* counted once */
		blocks[handle].fd = fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
		a->handle = handle;
	}
	pthread_mutex_unlock(&lock);
	return handle ? 0 : EINVAL;
}

/* ---- memory of another process, by AMD's DKMS driver: the name is process and descriptor ---- */

int memory_ipc_export(struct kfd_ipc_export *a)
{
	struct kfd_export_dmabuf b = { .handle = a->handle };
	int error = memory_export(&b);

	a->share[0] = (uint32_t)getpid();
	a->share[1] = b.fd;
	return error;
}

int memory_ipc_import(struct kfd_ipc_import *a)
{
	struct kfd_import_dmabuf b = { .address = a->address, .gpu_id = a->gpu_id };
	char path[64];
	int fd, error;

	snprintf(path, sizeof(path), "/proc/%u/fd/%u", a->share[0], a->share[1]);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno;
	b.fd = (uint32_t)fd;
	error = memory_import(&b);
	a->handle = b.handle;
	a->mmap_offset = 0;
	close(fd);
	return error;
}

int memory_describe(struct kfd_get_dmabuf *a)
{
	const struct block *b;

	pthread_mutex_lock(&lock);
	b = block_of_fd((int)a->fd);
	if (b) {
		a->size = b->size;
		a->gpu_id = b->device->gpu->id;
		a->flags = b->flags;
		a->metadata_size = 0;
	}
	pthread_mutex_unlock(&lock);
	return b ? 0 : EINVAL;
}

int memory_gem_of_fd(int fd, uint32_t *ret_handle)
{
	const struct block *b;

	pthread_mutex_lock(&lock);
	b = block_of_fd(fd);
	if (b)
		*ret_handle = (uint32_t)(b - blocks);
	pthread_mutex_unlock(&lock);
	return b ? 0 : EINVAL;
}

int memory_gem_offset(uint64_t handle, uint64_t *ret_offset)
{
	const struct block *b = block_of(handle);

	if (!b)
		return ENOENT;
	*ret_offset = b->offset;
	return 0;
}

int memory_gem_size(uint64_t handle, uint64_t *ret_size)
{
	const struct block *b = block_of(handle);

	if (!b)
		return ENOENT;
	*ret_size = b->size;
	return 0;
}

/* Whoever opens the dma-buf reads it, too, so it stands beside the bytes; ROCr 7 knows its memory again by it. */
int memory_gem_metadata(struct drm_gem_metadata *a)
{
	static const char name[] = "user.kfdmodel";
	const struct block *b = block_of(a->handle);

	if (!b)
		return ENOENT;
	if (a->operation == METADATA_SET)
		return fsetxattr(b->fd, name, &a->data, sizeof(a->data), 0) == 0 ? 0 : errno;
	if (fgetxattr(b->fd, name, &a->data, sizeof(a->data)) != sizeof(a->data))
		memset(&a->data, 0, sizeof(a->data));
	return 0;
}

/* What is unmapped stays reserved: the address belongs to the runtime's own reservation. */
static int take_away(uint64_t address, uint64_t size)
{
	long at = syscall(SYS_mmap, address, size, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	return at == -1 ? errno : 0;
}

/* Each GPU has its own; the process keeps the pages until the last of them is taken away. */
static int gem_unmap(const struct gpu *gpu, const struct drm_gem_va *a)
{
	reach_remove(gpu_bit(gpu), a->address, a->size);
	for (unsigned i = 0; i < gpu_count(); i++)
		if (reach_holds(gpu_at(i), a->address, a->size))
			return 0;
	return take_away(a->address, a->size);
}

int memory_gem_map(const struct gpu *gpu, const struct drm_gem_va *a)
{
	const struct block *b;
	int error = ENOENT;

	if (a->operation == VA_UNMAP || a->operation == VA_CLEAR)
		return gem_unmap(gpu, a);
	pthread_mutex_lock(&lock);
	b = block_of(a->handle);
	if (b)
		error = put_at(b, a->address, a->offset, a->size);
	if (!error)
		reach_add(gpu_bit(gpu), a->address, a->size);
	pthread_mutex_unlock(&lock);
	return error;
}

void memory_redirect(int *fd, off_t *offset)
{
	const struct device *d = any_exported ? device_of_fd(*fd) : NULL;

	for (unsigned i = 1; d && i < MOST_BLOCKS; i++) {
		const struct block *b = &blocks[i];

		if (b->device != d || b->fd < 0 || (uint64_t)*offset < b->offset ||
		    (uint64_t)*offset >= b->offset + b->size)
			continue;
		*fd = b->fd;
		*offset -= (off_t)b->offset;
		return;
	}
}
