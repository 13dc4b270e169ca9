#include "probe/questions.h"

#include <string.h>

#define LAYER_LEVEL 2 /* a layer that is named is meant */
#define MINUTE      (60 * 1000)

/*
 * Deadlines are for a cold start on a slow disk: a HIP runtime that has to open
 * every GPU of a large machine takes seconds. Compilers get minutes, while they
 * work. What takes a handle is of level 2: rocBLAS takes 128 MiB for one on
 * gfx94x. A handle does not rest on memory.malloc: that the allocator refuses
 * and what the library makes of it are two answers, and both are wanted. 4 MiB is
 * beyond the 1 MiB up to which HIP copies through a buffer of its own (clr,
 * rocsettings.cpp).
 */
const struct question questions[] = {
	{ "nodes.open", "nodes", QUESTION_ONCE, 1, 5000 },
	{ "hsa.init", "hsa", QUESTION_ONCE, 1, 15000, .needs = { "nodes.open" } },
	{ "hip.init", "hip", QUESTION_ONCE, 1, 20000, .needs = { "hsa.init" } },
	{ "hip.devices", "hip", QUESTION_ONCE, 1, 20000, .needs = { "hip.init" } },
	{ "memory.info", "memory", QUESTION_EACH, 1, 20000, .needs = { "hip.devices" } },
	{ "memory.malloc", "memory", QUESTION_EACH, 1, 20000, .mib = 32, .alone = true,
	  .needs = { "memory.info" } },
	{ "memory.async", "memory", QUESTION_EACH, 1, 20000, .mib = 32, .alone = true,
	  .needs = { "memory.info" } },
	{ "memory.pinned", "memory", QUESTION_EACH, 1, 20000, .mib = 4,
	  .needs = { "memory.info" } },
	{ "memory.managed", "memory", QUESTION_EACH, 2, 20000, .mib = 32,
	  .needs = { "memory.info" } },
	{ "memory.largest", "memory", QUESTION_EACH, 3, 60000, .needs = { "memory.malloc" } },
	{ "copy.check", "copy", QUESTION_EACH, 1, 20000, .mib = 4, .needs = { "memory.malloc" } },
	{ "kernel.compile", "kernel", QUESTION_EACH, 1, 20000, 2 * MINUTE,
	  .needs = { "memory.info" } },
	{ "kernel.run", "kernel", QUESTION_EACH, 1, 20000, 2 * MINUTE, "hiprtcCompileProgram",
	  .mib = 4, .needs = { "kernel.compile", "memory.malloc" } },
	{ "rocblas.handle", "rocblas", QUESTION_EACH, 2, 30000, .alone = true,
	  .needs = { "memory.info" } },
	{ "rocblas.sgemm", "rocblas", QUESTION_EACH, 2, 60000, 3 * MINUTE,
	  .needs = { "rocblas.handle", "memory.malloc" } },
	{ "rocblas.hgemm", "rocblas", QUESTION_EACH, 2, 60000, 3 * MINUTE,
	  .needs = { "rocblas.handle", "memory.malloc" } },
	{ "hipblas.handle", "hipblas", QUESTION_EACH, 2, 30000, .alone = true,
	  .needs = { "memory.info" } },
	{ "hipblas.sgemm", "hipblas", QUESTION_EACH, 2, 60000, 3 * MINUTE,
	  .needs = { "hipblas.handle", "memory.malloc" } },
	{ "hipblaslt.handle", "hipblaslt", QUESTION_EACH, 2, 30000, .alone = true,
	  .needs = { "memory.info" } },
	{ "hipblaslt.matmul", "hipblaslt", QUESTION_EACH, 2, 60000, 3 * MINUTE,
	  .needs = { "hipblaslt.handle", "memory.malloc" } },
	{ "miopen.handle", "miopen", QUESTION_EACH, 2, 30000, 2 * MINUTE, .alone = true,
	  .needs = { "memory.info" } },
	{ "miopen.convolution", "miopen", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "miopen.handle", "memory.malloc" } },
	{ "miopen.batchnorm", "miopen", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "miopen.handle", "memory.malloc" } },
	{ "rccl.allreduce", "rccl", QUESTION_GROUP, 2, MINUTE, .needs = { "memory.malloc" } },
	{ "peer.copy", "peer", QUESTION_PAIR, 2, 30000, .mib = 16, .needs = { "copy.check" } },
	{ "torch.import", "torch", QUESTION_ONCE, 2, MINUTE, 3 * MINUTE },
	{ "torch.matmul", "torch", QUESTION_EACH, 2, MINUTE, 3 * MINUTE,
	  .needs = { "torch.import", "memory.malloc" } },
	{ "torch.conv2d", "torch", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "torch.import", "memory.malloc" } },
	{ "torch.batchnorm", "torch", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "torch.import", "memory.malloc" } },
	{ "torch.autocast", "torch", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "torch.matmul" } },
	{ "torch.backward", "torch", QUESTION_EACH, 2, MINUTE, 5 * MINUTE,
	  .needs = { "torch.matmul" } },
	{ "torch.compile", "torch", QUESTION_EACH, 2, 2 * MINUTE, 10 * MINUTE,
	  .needs = { "torch.matmul" } },
	{ "torch.dataparallel", "torch", QUESTION_TOGETHER, 2, 2 * MINUTE,
	  .needs = { "torch.matmul" } },
	{ "torch.ddp", "torch", QUESTION_GROUP, 2, 2 * MINUTE, .ranks = 2,
	  .needs = { "torch.matmul" } },
	{ NULL },
};

_Static_assert(sizeof(questions) / sizeof(questions[0]) <= QUESTIONS_MAX,
	       "the table is longer than those who index it");

const struct question *question_find(struct span name)
{
	for (const struct question *q = questions; q->name; q++)
		if (span_is(name, q->name))
			return q;
	return NULL;
}

static bool choose_layer(struct span layer, int level, bool ret[static QUESTIONS_MAX])
{
	bool known = false;

	for (size_t i = 0; questions[i].name; i++) {
		if (!span_is(layer, questions[i].layer))
			continue;
		known = true;
		ret[i] = ret[i] || questions[i].level <= level;
	}
	return known;
}

bool questions_choose(int level, const char *layers, bool ret[static QUESTIONS_MAX])
{
	bool chosen[QUESTIONS_MAX] = { 0 };
	struct span rest = span_of(layers), layer;
	size_t count = 0;

	if (!layers)
		for (size_t i = 0; questions[i].name; i++)
			chosen[i] = questions[i].level <= level;
	while (span_cut(&rest, ',', &layer))
		if (!choose_layer(layer, level > LAYER_LEVEL ? level : LAYER_LEVEL, chosen))
			return false;
	while (questions[count].name)
		count++;
	/* From the last row up: what a row needs stands above it in the table. */
	for (size_t i = count; i-- > 0;)
		for (const char *const *need = questions[i].needs; chosen[i] && *need; need++)
			chosen[question_find(span_of(*need)) - questions] = true;
	memcpy(ret, chosen, sizeof(chosen));
	return true;
}
