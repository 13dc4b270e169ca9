#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prober/answers.h"
#include "prober/hip.h"
#include "prober/pattern.h"

#define USUAL ((size_t)4 << 20) /* more would cost this host more than the GPU */

/* There, across and back: two blocks, that together take no more than the question may. */
void answer_copy_check(const struct ask *ask)
{
	size_t size = ask_bytes_up_to(ask, USUAL) / 2;
	unsigned char *bytes = pattern_new(size);
	void *first, *second;

	hip_open(ask, VENDOR_HIP);
	first = hip_upload(bytes, size);
	second = hip_room(size);
	HIP(hipMemcpy, second, first, size, hipMemcpyDeviceToDevice);
	memset(bytes, 0, size);
	hip_download(bytes, second, size);
	pattern_check(bytes, size);
	HIP(hipFree, second);
	HIP(hipFree, first);
	wire_answered();
}
