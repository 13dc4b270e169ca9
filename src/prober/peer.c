#include <stdlib.h>
#include <string.h>

#include "prober/answers.h"
#include "prober/hip.h"
#include "prober/pattern.h"

#define USUAL ((size_t)4 << 20)

/* Without peer access HIP goes through the host, and the data must be right all the same. */
static void enable_access(int from, int to)
{
	hipError_t status;
	int can = 0;

	HIP(hipDeviceCanAccessPeer, &can, from, to);
	wire_value("access", "%d", can);
	if (!can)
		return;
	status = VENDOR_CALL(hip, hipDeviceEnablePeerAccess, to, 0);
	if (status != hipErrorPeerAccessAlreadyEnabled)
		wire_accept((long)status);
}

void answer_peer_copy(const struct ask *ask)
{
	size_t size = ask_bytes_up_to(ask, USUAL);
	unsigned char *bytes = pattern_new(size);
	void *here, *there;

	hip_open(ask, VENDOR_HIP);
	enable_access(ask->device, ask->peer);
	here = hip_upload(bytes, size);
	HIP(hipSetDevice, ask->peer);
	there = hip_room(size);
	HIP(hipMemcpyPeer, there, ask->peer, here, ask->device, size);
	memset(bytes, 0, size);
	hip_download(bytes, there, size);
	pattern_check(bytes, size);
	wire_answered();
}
