#include "check-facts.h"

#define ENVS "ask environments\n"
#define SITE "/v/lib/python3.11/site-packages"
#define VENV ENVS "\tenv venv /v 3.11\n\tsite " SITE "\n"
#define ASK  "ask packages " SITE "\n"

#define ROCM_TORCH                                                                  \
	"\tpackage torch 2.4.1+rocm6.1 torch-2.4.1+rocm6.1.dist-info\n"             \
	"\tbuild torch __version__ 2.4.1+rocm6.1\n\tbuild torch hip 6.1.40091-a8\n" \
	"\tbuild torch cuda None\n\tlibrary torch torch/lib/libtorch_hip.so\n"      \
	"\tlibrary torch torch/lib/librocblas.so\n\tkernels torch torch/lib/rocblas/library\n"
#define CUDA_TORCH                                      \
	"\tpackage torch 2.4.1 torch-2.4.1.dist-info\n" \
	"\tbuild torch __version__ 2.4.1+cu121\n\tbuild torch cuda 12.1\n\tbuild torch hip None\n"

#define FRAMEWORKS \
	"SELECT environment, name, version, build, hip, main FROM framework ORDER BY environment, name"
#define PACKAGES "SELECT name, version, requires, fits, misfit FROM package ORDER BY name"
#define ACTIVE   "SELECT prefix FROM environment WHERE active ORDER BY prefix"

/* ~/.local, /usr/local and /usr of one Python, each with what is written behind it. */
#define SYSTEM(user, local, usr)                                                              \
	ENVS "\tenv system /usr 3.11\n\tsite /usr/lib/python3/dist-packages\n"                \
	     "\tenv system /usr/local 3.11\n\tsite /usr/local/lib/python3.11/dist-packages\n" \
	     "\tenv user /home/ann/.local 3.12\n"                                             \
	     "\tsite /home/ann/.local/lib/python3.11/site-packages\n"                         \
	     "\tsite /home/ann/.local/lib/python3.12/site-packages\n"                         \
	     "ask packages /home/ann/.local/lib/python3.11/site-packages\n" user              \
	     "ask packages /usr/local/lib/python3.11/dist-packages\n" local                   \
	     "ask packages /usr/lib/python3/dist-packages\n" usr
#define TORCH(version) "\tpackage torch " version " torch.dist-info\n"

static const struct facts_case cases[] = {
	{ "nobody asked", "",
	  "SELECT topic, standing FROM gap WHERE topic IN ('environment', 'framework', 'package')",
	  "environment|unasked\nframework|unasked\npackage|unasked" },
	{ "a wheel of pytorch.org", VENV ASK ROCM_TORCH, FRAMEWORKS,
	  "/v|torch|2.4.1+rocm6.1|rocm|6.1.40091-a8|" SITE "/torch/lib/libtorch_hip.so" },
	{ "its tag, directory and source", VENV ASK ROCM_TORCH,
	  "SELECT tag, path, source FROM framework",
	  "rocm6.1|" SITE "/torch|" SITE "/torch/version.py" },
	{ "the registry's CUDA build", VENV ASK CUDA_TORCH,
	  "SELECT version, build, cuda, hip FROM framework", "2.4.1+cu121|cuda|12.1|-" },
	{ "Debian's library is a link",
	  VENV ASK
	  "\tpackage torch 2.6.0 x\n\tbuild torch hip None\n\tbuild torch cuda None\n"
	  "\tlibrary torch torch/lib/libtorch_cpu.so\n"
	  "\treal torch torch/lib/libtorch_cpu.so /usr/lib/x86_64-linux-gnu/libtorch_cpu.so.2.6\n",
	  "SELECT build, main FROM framework",
	  "cpu|/usr/lib/x86_64-linux-gnu/libtorch_cpu.so.2.6" },
	{ "RECORD names a library that is gone",
	  VENV ASK ROCM_TORCH "\tmissing torch torch/lib/libtorch_hip.so\n",
	  "SELECT build, main FROM framework", "rocm|-" },
	{ "an editable install has no files here",
	  VENV ASK
	  "\tpackage vllm 0.6.3 vllm-0.6.3.dist-info\n\teditable vllm file:///home/ann/src/vllm\n",
	  "SELECT version, build, path, editable FROM framework",
	  "0.6.3|-|-|file:///home/ann/src/vllm" },
	{ "bitsandbytes has a library for each HIP: that of the torch beside it",
	  VENV ASK ROCM_TORCH "\tpackage bitsandbytes 0.45 x\n"
			      "\tlibrary bitsandbytes bitsandbytes/libbitsandbytes_rocm60.so\n"
			      "\tlibrary bitsandbytes bitsandbytes/libbitsandbytes_rocm61.so\n",
	  "SELECT build, main FROM framework WHERE name = 'bitsandbytes'",
	  "rocm|" SITE "/bitsandbytes/libbitsandbytes_rocm61.so" },
	{ "... and if there is none for it, none",
	  VENV ASK ROCM_TORCH "\tpackage bitsandbytes 0.45 x\n"
			      "\tlibrary bitsandbytes bitsandbytes/libbitsandbytes_rocm64.so\n",
	  "SELECT build, main FROM framework WHERE name = 'bitsandbytes'", "rocm|-" },
	{ "jax computes through its plugin",
	  VENV ASK
	  "\tpackage jax 0.9.2 x\n\tbuild jax _release_version 0.9.2\n\tpackage jaxlib 0.9.2 x\n"
	  "\tlibrary jaxlib jaxlib/libjax_common.so\n\tpackage jax-rocm7-pjrt 0.9.2b1 x\n"
	  "\tlibrary jax-rocm7-pjrt jax_plugins/xla_rocm7/xla_rocm_plugin.so\n",
	  FRAMEWORKS, "/v|jax|0.9.2|rocm|-|" SITE "/jax_plugins/xla_rocm7/xla_rocm_plugin.so" },
	{ "jax without one is for processors",
	  VENV ASK
	  "\tpackage jax 0.9.2 x\n\tpackage jaxlib 0.9.2 x\n\tlibrary jaxlib jaxlib/libjax_common.so\n",
	  "SELECT build FROM framework", "cpu" },
	{ "of two packages in one directory the one that is there",
	  VENV ASK
	  "\tpackage onnxruntime 1.25.0 x\n\tbuild onnxruntime package_name onnxruntime-rocm\n"
	  "\tbuild onnxruntime __version__ 1.22.2\n\tpackage onnxruntime-rocm 1.22.2.post3 x\n"
	  "\tbuild onnxruntime-rocm package_name onnxruntime-rocm\n"
	  "\tbuild onnxruntime-rocm __version__ 1.22.2\n",
	  "SELECT name, version, build FROM framework", "onnxruntime|1.22.2|rocm" },
	{ "conda's build where nothing else says it",
	  ENVS "\tenv conda /c 3.11\n\tsite /c/lib/python3.11/site-packages\n"
	       "ask packages /c/lib/python3.11/site-packages\n"
	       "\tconda pytorch 2.4.1 py311_rocm6.1 forge\n\tpackage torch 2.4.1 x\n",
	  "SELECT build FROM framework", "rocm" },
	{ "numpy alone makes no environment", VENV ASK "\tpackage numpy 2.1.0 x\n",
	  "SELECT count(*) FROM environment", "0" },
	{ "a venv that is in use counts, empty as it is",
	  VENV "\tactive /v\n" ASK "\tvenv home /usr/bin\n",
	  "SELECT prefix, active FROM environment", "/v|1" },

	{ "a companion that fits, and one that does not",
	  VENV ASK ROCM_TORCH
	  "\tpackage torchaudio 2.4.1+rocm6.1 x\n\trequires torchaudio torch==2.4.1\n"
	  "\tpackage torchvision 0.20.0 x\n\trequires torchvision numpy\n"
	  "\trequires torchvision torch==2.5.0\n",
	  PACKAGES,
	  "torch|2.4.1+rocm6.1|-|-|-\ntorchaudio|2.4.1+rocm6.1|torch==2.4.1|1|-\n"
	  "torchvision|0.20.0|torch==2.5.0|0|torch==2.5.0, not 2.4.1+rocm6.1" },
	{ "the tag of a companion stands in its version file",
	  VENV ASK "\tpackage torchaudio 2.4.1 x\n\tbuild torchaudio __version__ 2.4.1+cu121\n",
	  "SELECT version, tag FROM package", "2.4.1|cu121" },
	{ "what another Python demands is no demand",
	  "ask machine\n\tx86_64\n" VENV ASK ROCM_TORCH
	  "\trequires torch triton==3.0.0; platform_machine == \"x86_64\" and python_version < \"3.13\"\n"
	  "\trequires torch triton==9.0; python_version >= \"3.13\"\n\tpackage triton 3.1.0 x\n",
	  "SELECT requires, fits, misfit FROM package WHERE name = 'torch'",
	  "-|0|triton==3.0.0, not 3.1.0" },
	{ "a condition that cannot be decided is not judged",
	  VENV ASK ROCM_TORCH
	  "\trequires torch triton==3.0.0; platform_machine == \"x86_64\"\n\tpackage triton 3.1.0 x\n",
	  "SELECT requires, fits FROM package WHERE name = 'torch'", "-|-" },
	{ "xformers was compiled for one torch",
	  VENV ASK ROCM_TORCH
	  "\tpackage xformers 0.0.28 x\n\tbuild xformers version.torch 2.4.1+cu121\n",
	  "SELECT misfit FROM package WHERE name = 'xformers'",
	  "torch==2.4.1+cu121, not 2.4.1+rocm6.1" },
	{ "a version that is none is not judged",
	  VENV ASK
	  "\tpackage torch unknown x\n\tpackage torchaudio 2.4.1 x\n\trequires torchaudio torch==2.4.1\n",
	  "SELECT fits FROM package WHERE name = 'torchaudio'", "-" },

	{ "~/.local comes before /usr/local, and that before /usr",
	  SYSTEM(TORCH("1"), TORCH("2"), TORCH("3")),
	  "SELECT environment, version, shadowed FROM framework ORDER BY environment",
	  "/home/ann/.local|1|-\n/usr|3|/home/ann/.local\n/usr/local|2|/home/ann/.local" },
	{ "without one in the home", SYSTEM("", TORCH("2"), TORCH("3")),
	  "SELECT environment, shadowed FROM framework ORDER BY environment",
	  "/usr|/usr/local\n/usr/local|-" },
	{ "the system's packages meet a demand of one in the home",
	  SYSTEM("\tpackage torchaudio 2.4.1 x\n\trequires torchaudio torch==2.4.1\n", "",
		 TORCH("2.4.1")),
	  "SELECT environment, fits FROM package WHERE name = 'torchaudio'", "/home/ann/.local|1" },
	{ "... and the one in the home counts where both are",
	  SYSTEM(TORCH("2.5.0"), "",
		 TORCH("2.4.1") "\tpackage torchaudio 2.4.1 x\n\trequires torchaudio torch==2.4.1\n"),
	  "SELECT misfit FROM package WHERE name = 'torchaudio'", "torch==2.4.1, not 2.5.0" },
	{ "a venv does not see them",
	  VENV
	  "\tenv system /usr 3.11\n\tsite /usr/lib/python3/dist-packages\n" ASK
	  "\tvenv home /usr/bin\n\tvenv system-site no\n\tpackage torchaudio 2.4.1 x\n\trequires torchaudio torch==2.4.1\n"
	  "ask packages /usr/lib/python3/dist-packages\n" TORCH("2.4.1"),
	  "SELECT environment, name FROM framework UNION ALL SELECT name, fits FROM package WHERE name = 'torchaudio'",
	  "/usr|torch\ntorchaudio|-" },
	{ "a venv with system packages does",
	  VENV
	  "\tenv system /usr 3.11\n\tsite /usr/lib/python3/dist-packages\n" ASK
	  "\tvenv home /usr/bin\n\tvenv system-site yes\n\tpackage torchaudio 2.4.1 x\n\trequires torchaudio torch==2.4.1\n"
	  "ask packages /usr/lib/python3/dist-packages\n" TORCH("2.4.1"),
	  "SELECT environment, name FROM framework UNION ALL SELECT name, fits FROM package WHERE name = 'torchaudio'",
	  "/v|torch\n/usr|torch\ntorchaudio|1" },

	{ "without a process none is in use, not even the only one", VENV ASK ROCM_TORCH,
	  "SELECT prefix, active, (SELECT group_concat(standing) FROM gap WHERE topic = 'environment.active') FROM environment",
	  "/v|-|unasked" },
	{ "unless the search named it", VENV "\tactive /v\n" ASK ROCM_TORCH, ACTIVE, "/v" },
	{ "a process that uses none is known to",
	  VENV ASK ROCM_TORCH "ask environment\n\tHOME=/root\n",
	  "SELECT prefix, active FROM environment", "/v|0" },
	{ "of two nobody knows",
	  VENV "\tenv venv /w 3.11\n\tsite /w/lib/python3.11/site-packages\n" ASK ROCM_TORCH
	       "ask packages /w/lib/python3.11/site-packages\n" ROCM_TORCH,
	  ACTIVE, "" },
	{ "the first in PATH",
	  VENV "\tenv venv /w 3.11\n\tsite /w/lib/python3.11/site-packages\n" ASK ROCM_TORCH
	       "ask packages /w/lib/python3.11/site-packages\n" ROCM_TORCH
	       "ask environment\n\tPATH=/usr/sbin:/w/bin/:/v/bin\n",
	  ACTIVE, "/w" },
	{ "conda's base is active too when a venv is",
	  VENV
	  "\tactive /v\n\tenv conda /c 3.11\n\tsite /c/lib/python3.11/site-packages\n\tactive /c\n" ASK
		  ROCM_TORCH "ask packages /c/lib/python3.11/site-packages\n" ROCM_TORCH
	  "ask environment\n\tPATH=/v/bin:/c/bin\n\tVIRTUAL_ENV=/v\n\tCONDA_PREFIX=/c\n",
	  ACTIVE, "/v" },
	{ "the system's Python uses the home's packages",
	  SYSTEM(TORCH("1"), "", TORCH("3")) "ask environment\n\tPATH=/usr/bin:/bin\n", ACTIVE,
	  "/home/ann/.local\n/usr" },
	{ "... unless it is told not to",
	  SYSTEM(TORCH("1"), "",
		 TORCH("3")) "ask environment\n\tPATH=/usr/bin:/bin\n\tPYTHONNOUSERSITE=1\n",
	  ACTIVE, "/usr" },

	{ "ollama with its ROCm library",
	  ENVS
	  "\tapp ollama /usr/local/bin/ollama\n\tlibrary /usr/local/lib/ollama/cuda_v12/libggml-cuda.so\n"
	  "\tlibrary /usr/local/lib/ollama/rocm/libggml-hip.so\n",
	  FRAMEWORKS,
	  "/usr/local/bin/ollama|ollama|-|rocm|-|/usr/local/lib/ollama/rocm/libggml-hip.so" },
	{ "a program that may hold its kernels itself",
	  ENVS "\tapp llama.cpp /usr/bin/llama-server\n", FRAMEWORKS,
	  "/usr/bin/llama-server|llama.cpp|-|-|-|/usr/bin/llama-server" },
	{ "a service's environment", VENV "\tservice vllm.service /v\n" ASK ROCM_TORCH,
	  "SELECT kind, python, service FROM environment", "venv|3.11|vllm.service" },

	{ "a site that may not be read is a gap, with its environment",
	  VENV "ask packages " SITE " !EACCES\n",
	  "SELECT topic, subject, standing FROM gap WHERE subject = '/v' ORDER BY topic",
	  "framework|/v|denied\npackage|/v|denied" },
	{ "one that is not there is none", VENV "ask packages " SITE " !ENOENT\n",
	  "SELECT count(*) FROM gap WHERE subject = '/v'", "0" },
	{ "a problem of the reader is a gap",
	  VENV ASK ROCM_TORCH "\tproblem torch: its RECORD is too long\n",
	  "SELECT topic, standing, detail FROM gap WHERE subject = '/v'",
	  "framework|broken|torch: its RECORD is too long" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
