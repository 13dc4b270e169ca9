/* rocsteady-probe: one question to the GPU stack, answered on descriptor 3. docs/design/0009-probe.md */

#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "prober/answers.h"
#include "prober/ask.h"
#include "prober/crash.h"
#include "prober/vendor.h"
#include "prober/wire.h"

static const struct {
	const char *name;
	void (*answer)(const struct ask *ask);
} questions[] = {
	{ "nodes.open", answer_nodes_open },
	{ "hsa.init", answer_hsa_init },
	{ "hip.init", answer_hip_init },
	{ "hip.devices", answer_hip_devices },
	{ "memory.info", answer_memory_info },
	{ "memory.malloc", answer_memory_malloc },
	{ "memory.async", answer_memory_async },
	{ "memory.pinned", answer_memory_pinned },
	{ "memory.managed", answer_memory_managed },
	{ "memory.largest", answer_memory_largest },
	{ "copy.check", answer_copy_check },
	{ "kernel.compile", answer_kernel_compile },
	{ "kernel.run", answer_kernel_run },
	{ "rocblas.handle", answer_rocblas_handle },
	{ "rocblas.sgemm", answer_rocblas_sgemm },
	{ "rocblas.hgemm", answer_rocblas_hgemm },
	{ "hipblas.handle", answer_hipblas_handle },
	{ "hipblas.sgemm", answer_hipblas_sgemm },
	{ "hipblaslt.handle", answer_hipblaslt_handle },
	{ "hipblaslt.matmul", answer_hipblaslt_matmul },
	{ "miopen.handle", answer_miopen_handle },
	{ "miopen.convolution", answer_miopen_convolution },
	{ "miopen.batchnorm", answer_miopen_batchnorm },
	{ "rccl.allreduce", answer_rccl_allreduce },
	{ "peer.copy", answer_peer_copy },
	{ "torch.import", answer_torch },
	{ "torch.matmul", answer_torch },
	{ "torch.conv2d", answer_torch },
	{ "torch.batchnorm", answer_torch },
	{ "torch.autocast", answer_torch },
	{ "torch.backward", answer_torch },
	{ "torch.compile", answer_torch },
	{ "torch.dataparallel", answer_torch },
	{ "torch.ddp", answer_torch },
};

static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "peer", required_argument, NULL, 'p' },
	{ "rank", required_argument, NULL, 'r' },
	{ "ranks", required_argument, NULL, 'n' },
	{ "bytes", required_argument, NULL, 'b' },
	{ "dir", required_argument, NULL, 't' },
	{ "lib", required_argument, NULL, 'l' },
	{ "python", required_argument, NULL, 'y' },
	{ NULL, 0, NULL, 0 },
};

static unsigned long long take_number(const char *text, unsigned long long most)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || number > most)
		wire_usage("%s: not a number from 0 to %llu", text, most);
	return number;
}

static void take_option(int option, struct ask *ask)
{
	const unsigned long long devices = 4095;

	switch (option) {
	case 'd':
		ask->device = (int)take_number(optarg, devices);
		break;
	case 'p':
		ask->peer = (int)take_number(optarg, devices);
		break;
	case 'r':
		ask->rank = (int)take_number(optarg, devices);
		break;
	case 'n':
		ask->ranks = (int)take_number(optarg, devices);
		break;
	case 'b':
		ask->bytes = (size_t)take_number(optarg, (unsigned long long)1 << 48);
		break;
	case 't':
		ask->dir = optarg;
		break;
	case 'y':
		ask->python = optarg;
		break;
	case 'l':
		if (!vendor_give(optarg))
			wire_usage("%s: no library of that name", optarg);
		break;
	default:
		wire_usage("see docs/design/0009-probe.md");
	}
}

static void answer(const struct ask *ask)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (strcmp(questions[i].name, ask->question) == 0)
			questions[i].answer(ask);
	wire_usage("%s: no such question", ask->question);
}

int main(int argc, char **argv)
{
	struct ask ask = { .ranks = 1, .dir = "." };
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		take_option(option, &ask);
	if (optind + 1 != argc)
		wire_usage("one question, please");
	ask.question = argv[optind];
	if (ask.rank >= ask.ranks)
		wire_usage("rank %d of %d", ask.rank, ask.ranks);
	/* Children of vendor code (compilers) must not hold the pipe of our lines open. */
	if (fcntl(WIRE_DESCRIPTOR, F_SETFD, FD_CLOEXEC) < 0)
		wire_usage("answers go to descriptor %d, which is not open", WIRE_DESCRIPTOR);
	crash_catch_signals();
	answer(&ask);
}
