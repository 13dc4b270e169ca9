/*
 * hip-share - memory that is more than one allocation of one process
 *
 * usage: hip-share [ipc] [virtual] [managed] [pinned]     all without an argument
 *
 * ipc: another process opens the memory, reads it and writes it. virtual: an address is reserved, memory
 * is made apart from it and mapped there. managed and pinned: memory that host and GPU both reach.
 */
#define SIZE (1 << 20)

#include "hip.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char *wanted, *found;

static void there_and_back(void *device, unsigned seed, const char *what)
{
	hip_fill(wanted, seed);
	hip_copy(device, wanted, TO_DEVICE);
	memset(found, 0, SIZE);
	hip_copy(found, device, TO_HOST);
	hip_compare(wanted, found, what);
}

/* ---- another process ---- */

struct ipc_handle {
	char bytes[64];
};

/* The child: a program of its own, for HIP does not outlive a fork. */
static int open_of_parent(const char *hexadecimal)
{
	struct ipc_handle handle;
	void *memory = NULL;

	for (unsigned i = 0; i < sizeof(handle); i++)
		if (sscanf(hexadecimal + (size_t)2 * i, "%2hhx",
			   (unsigned char *)&handle.bytes[i]) != 1)
			return 1;
	hip_begin();
	HIP(hipIpcOpenMemHandle, (void **, struct ipc_handle, unsigned), &memory, handle, 1);
	hip_fill(wanted, 1);
	hip_copy(found, memory, TO_HOST);
	hip_compare(wanted, found, "read by another process");
	hip_fill(wanted, 2);
	hip_copy(memory, wanted, TO_DEVICE);
	HIP(hipIpcCloseMemHandle, (void *), memory);
	return 0;
}

static void share_with_process(void)
{
	struct ipc_handle handle;
	char text[2 * sizeof(handle) + 1];
	void *memory = NULL;
	int status = 0;
	pid_t child;

	HIP(hipMalloc, (void **, size_t), &memory, SIZE);
	hip_fill(wanted, 1);
	hip_copy(memory, wanted, TO_DEVICE);
	HIP(hipIpcGetMemHandle, (struct ipc_handle *, void *), &handle, memory);
	for (unsigned i = 0; i < sizeof(handle); i++)
		snprintf(text + (size_t)2 * i, 3, "%02x", (unsigned char)handle.bytes[i]);
	child = vfork();
	if (child == 0) {
		execl("/proc/self/exe", "hip-share", "open", text, (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	if (status != 0) {
		printf("FAILED: the other process ended with %#x\n", status);
		exit(1);
	}
	hip_fill(wanted, 2);
	hip_copy(found, memory, TO_HOST);
	hip_compare(wanted, found, "written by another process");
	HIP(hipFree, (void *), memory);
}

/* ---- addresses apart from memory ---- */

struct place {
	int type, device; /* 1: a device */
};

struct properties {
	int type, handle_type; /* 1: pinned; 1: a file descriptor */
	struct place place;
	uint64_t rest[6];
};

struct access {
	struct place place;
	int flags; /* 3: to read and to write */
};

static void map(char *address, size_t size, void *handle)
{
	struct access access = { { 1, 0 }, 3 };

	HIP(hipMemMap, (void *, size_t, size_t, void *, unsigned long long), address, size, 0,
	    handle, 0);
	HIP(hipMemSetAccess, (void *, size_t, const struct access *, size_t), address, size,
	    &access, 1);
}

static void unmap(char *address, size_t size, void *handle)
{
	HIP(hipMemUnmap, (void *, size_t), address, size);
	HIP(hipMemRelease, (void *), handle);
}

/* Two pieces of memory side by side, then the second in the place of the first. */
static void map_by_hand(void)
{
	struct properties properties = { .type = 1, .handle_type = 1, .place = { 1, 0 } };
	void *handles[2] = { NULL, NULL }, *reserved = NULL;
	size_t size = SIZE, grain = 0;
	char *address;

	HIP(hipMemGetAllocationGranularity, (size_t *, const struct properties *, int), &grain,
	    &properties, 0);
	if (grain > size)
		size = grain;
	HIP(hipMemAddressReserve, (void **, size_t, size_t, void *, unsigned long long), &reserved,
	    2 * size, 0, NULL, 0);
	address = reserved;
	for (unsigned i = 0; i < 2; i++) {
		HIP(hipMemCreate, (void **, size_t, const struct properties *, unsigned long long),
		    &handles[i], size, &properties, 0);
		map(address + i * size, size, handles[i]);
		there_and_back(address + i * size, 3 + i, "mapped by hand");
	}
	unmap(address, size, handles[0]);
	HIP(hipMemUnmap, (void *, size_t), address + size, size);
	map(address, size, handles[1]);
	hip_fill(wanted, 4);
	hip_copy(found, address, TO_HOST);
	hip_compare(wanted, found, "mapped to another address");
	unmap(address, size, handles[1]);
	HIP(hipMemAddressFree, (void *, size_t), reserved, 2 * size);
}

/* ---- memory that both reach ---- */

static void use_managed(void)
{
	void *memory = NULL;

	HIP(hipMallocManaged, (void **, size_t, unsigned), &memory, SIZE, 1);
	hip_fill(memory, 5);
	hip_fill(wanted, 5);
	hip_copy(found, memory, TO_HOST);
	hip_compare(wanted, found, "managed");
	HIP(hipFree, (void *), memory);
}

static void use_pinned(void)
{
	void *memory = NULL, *own = aligned_alloc(4096, SIZE);

	HIP(hipHostMalloc, (void **, size_t, unsigned), &memory, SIZE, 0);
	there_and_back(memory, 6, "pinned by HIP");
	HIP(hipHostFree, (void *), memory);
	HIP(hipHostRegister, (void *, size_t, unsigned), own, SIZE, 0);
	there_and_back(own, 7, "pinned afterwards");
	HIP(hipHostUnregister, (void *), own);
	free(own);
}

static bool is_asked(int count, char **words, const char *name)
{
	for (int i = 1; i < count; i++)
		if (!strcmp(words[i], name))
			return true;
	return count == 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*use)(void);
	} kinds[] = {
		{ "pinned", use_pinned },
		{ "managed", use_managed },
		{ "virtual", map_by_hand },
		{ "ipc", share_with_process },
	};

	wanted = malloc(SIZE);
	found = calloc(1, SIZE);
	if (!wanted || !found)
		return 1;
	if (argc == 3 && !strcmp(argv[1], "open"))
		return open_of_parent(argv[2]);
	printf("%d devices\n", hip_begin());
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_asked(argc, argv, kinds[i].name)) {
			kinds[i].use();
			printf("%s: ok\n", kinds[i].name);
			fflush(stdout);
		}
	puts("PASSED!");
	return 0;
}
