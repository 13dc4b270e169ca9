#pragma once

/*
 * commands - one function for each word after `rocsteady`
 *
 * Each returns the exit status of the program.
 */

#include "cli/options.h"

/* Parts of the help that both builds have (cli/program.h). */
#define HELP_OF_SET                                                                         \
	"Names for --set: gpu gfx gpu_count integrated vram rocm hip torch torch_rocm\n"    \
	"torch_build torchvision torchaudio framework version triton tensorflow jax\n"      \
	"onnxruntime bitsandbytes ollama llama_cpp comfyui vllm rocblas hipblaslt miopen\n" \
	"rccl python os system kernel driver container image env:NAME\n\n"
#define HELP_OF_ADVISE                                                                 \
	"Programs for --for: torch bitsandbytes comfyui cupy invokeai jax llama.cpp\n" \
	"ollama sglang stable-diffusion.cpp tensorflow vllm\n"                         \
	"A program that is not listed: if it uses torch, take --for torch.\n\n"

int cmd_advise(const struct options *o);
int cmd_check(const struct options *o);
int cmd_completion(const struct options *o);
int cmd_diff(const struct options *o);
int cmd_expect(const struct options *o);
int cmd_explain(const struct options *o);
int cmd_facts(const struct options *o);
int cmd_fix(const struct options *o);
int cmd_gate(const struct options *o);
int cmd_kb(const struct options *o);
int cmd_mcp(const struct options *o);
int cmd_outliers(const struct options *o);
int cmd_watch(const struct options *o);
int cmd_probe(const struct options *o);
int cmd_query(const struct options *o);
int cmd_run(const struct options *o);
int cmd_snapshot(const struct options *o);
int cmd_targets(const struct options *o);

/*
 * From here on `explain` leaves what does not depend on the text open for the next time
 * (explain/engine.h): for a program that answers more than once. `--batch` keeps its own.
 */
void explain_keep(void);
