#include "decode.h"

#include "../decoder/decoder.h"
#include "log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_KEPT 65536 /* a power of two */

struct kept {
	struct instruction instruction;
	uint8_t bytes[DECODER_BYTES];
	unsigned lanes, generation;
	bool is_understood;
};

static struct kept
	*kept[MOST_KEPT]; /* by address; another that falls to the same place replaces it */

/* ---- asking ---- */

/* A child that was forked has to ask on a socket of its own. */
static int connected(void)
{
	static int fd = -1;
	static pid_t owner;
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = MODEL_DIRECTORY "/decoder" };

	if (fd >= 0 && owner == getpid())
		return fd;
	owner = getpid();
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool ask(const struct code *code, const uint8_t *bytes, unsigned count,
		struct decoder_answer *ret)
{
	struct decoder_request r = { .lanes = (uint8_t)code->lanes, .count = (uint8_t)count };
	int fd = connected();

	snprintf(r.target, sizeof(r.target), "%s", code->target);
	memcpy(r.bytes, bytes, count);
	return fd >= 0 && send(fd, &r, sizeof(r), MSG_NOSIGNAL) == (ssize_t)sizeof(r) &&
	       recv(fd, ret, sizeof(*ret), 0) == (ssize_t)sizeof(*ret);
}

/* ---- keeping ---- */

static void forget(struct kept *k)
{
	free(k->instruction.second);
	memset(k, 0, sizeof(*k));
}

static bool is_still(const struct kept *k, const struct code *code, uint64_t address,
		     const uint8_t *bytes, unsigned count)
{
	return k->instruction.size && k->instruction.address == address &&
	       k->lanes == code->lanes && k->instruction.size <= count &&
	       !memcmp(k->bytes, bytes, k->instruction.size);
}

static const char *learn(struct kept *k, const struct code *code, uint64_t address,
			 const uint8_t *bytes, unsigned count)
{
	struct decoder_answer a;

	forget(k);
	if (!ask(code, bytes, count, &a))
		return "the model has no decoder";
	if (a.size == 0)
		return "no instruction of this GPU";
	k->is_understood = isa_read(a.text, &k->instruction);
	k->instruction.address = address;
	k->instruction.size = a.size;
	k->lanes = code->lanes;
	memcpy(k->bytes, bytes, count);
	return NULL;
}

const struct instruction *decode_at(const struct code *code, uint64_t address, uint64_t end,
				    const char **ret_reason)
{
	struct kept **place = &kept[address / 4 % MOST_KEPT];
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)address; /* NOLINT: by the ABI */
	unsigned count = end - address < DECODER_BYTES ? (unsigned)(end - address) : DECODER_BYTES;
	struct kept *k = *place;

	if (!k)
		k = *place = calloc(1, sizeof(*k));
	*ret_reason = k ? NULL : "no memory";
	if (!k)
		return NULL;
	if (k->generation != code->generation || k->instruction.address != address) {
		if (!is_still(k, code, address, bytes, count))
			*ret_reason = learn(k, code, address, bytes, count);
		k->generation = *ret_reason ? 0 : code->generation;
	}
	if (!*ret_reason && !k->is_understood)
		*ret_reason = k->instruction.text;
	return *ret_reason ? NULL : &k->instruction;
}
