#include "probe/library-names.h"

const struct library_name library_names[LIBRARY_NAMES] = {
	{ "hsa", "hsa-runtime64" }, { "hip", "amdhip64" },    { "hiprtc", "hiprtc" },
	{ "rocblas", "rocblas" },   { "hipblas", "hipblas" }, { "hipblaslt", "hipblaslt" },
	{ "miopen", "MIOpen" },     { "rccl", "rccl" },
};
