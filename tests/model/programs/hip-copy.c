/*
 * hip-copy - what most programs do with a GPU first
 *
 * Counts the devices, allocates on the first, copies there and back, compares.
 */
#define SIZE (1 << 20)

#include "hip.h"

static void copy_there_and_back(void)
{
	unsigned char *from = malloc(SIZE), *to = calloc(1, SIZE);
	void *device = NULL;

	hip_fill(from, 0);
	HIP(hipMalloc, (void **, size_t), &device, SIZE);
	hip_copy(device, from, TO_DEVICE);
	hip_copy(to, device, TO_HOST);
	HIP(hipFree, (void *), device);
	hip_compare(from, to, "there and back");
	free(from);
	free(to);
}

int main(void)
{
	printf("%d devices\n", hip_begin());
	copy_there_and_back();
	puts("PASSED!");
	return 0;
}
