/* What people write of their machine, and what is none of theirs. */

#include "check-facts.h"
#include "check-knowledge.h"
#include "explain/described.h"

extern const char data_machine_words[];

#define SAID                                                                                          \
	"SELECT coalesce(group_concat(name || '=' || value, '; '), '') FROM (SELECT * FROM statement" \
	" WHERE name NOT IN ('system', 'integrated', 'version', 'shown', 'torch_build') ORDER BY rowid)"

struct described_case {
	const char *why, *text, *want;
};

static const struct described_case cases[] = {
	/* fields */
	{ "a form has its value below the heading",
	  "### GPU\n\nRX 7900 XTX\n\n### ROCm Version\n\n6.2.3\n",
	  "gpu=RX 7900 XTX; rocm=6.2.3; gfx=gfx1100" },
	{ "nobody answered", "### GPU\n\n_No response_\n\n### ROCm Version\n\nN/A\n", "" },
	{ "columns of a tool", "  Device OpenCL C Version                          OpenCL C 2.0\n",
	  "" },
	{ "what the form says of itself",
	  "### OS\n<!-- e.g. Ubuntu 22.04 / Windows 11 -->\nFedora 43\n\n### GPU\n<!-- like\nRX 6800\n"
	  "-->\nRX 7600\n",
	  "gpu=RX 7600; os=Fedora 43; gfx=gfx1102" },
	{ "an example below a heading", "### GPU\n\nE.g.: RX 6800\n\nRX 7600\n",
	  "gpu=RX 7600; gfx=gfx1102" },
	{ "a comment that is never closed", "<!-- my GPU is an RX 6800\nGPU: RX 7600\n", "" },
	{ "bold labels", "**GPU**: MI300X\n**OS:** Ubuntu 24.04\n",
	  "gpu=MI300X; os=Ubuntu 24.04; gfx=gfx942" },
	{ "bullets, and words that say nothing",
	  "- GPU model(s) used: RX 6700 XT\n* Linux kernel version: 6.8.0-45-generic\n",
	  "gpu=RX 6700 XT; kernel=6.8.0-45-generic; gfx=gfx1031" },
	{ "an equals sign", "rocm = 6.2\nos = Fedora 41\n", "rocm=6.2; os=Fedora 41" },
	{ "a table of two columns",
	  "| Component | Version |\n|---|---|\n| GPU | W7900 |\n| ROCm | 6.4 |\n",
	  "gpu=W7900; rocm=6.4; gfx=gfx1100" },
	{ "a table with a head and one machine",
	  "| GPU | ROCm |\n|---|---|\n| RX 7900 XTX | 6.2 |\n",
	  "gpu=RX 7900 XTX; rocm=6.2; gfx=gfx1100" },
	{ "of two machines nobody knows which",
	  "| GPU | ROCm |\n|---|---|\n| RX 7900 XTX | 6.2 |\n| RX 6800 | 6.1 |\n", "" },
	{ "several fields in a line", "OS: Arch Linux, GPU: RX 9070 XT, ROCm: 6.4\n",
	  "gpu=RX 9070 XT; os=Arch Linux; rocm=6.4; gfx=gfx1201" },
	{ "a list behind a label", "GPU: RX 6700 XT, Windows 11, ComfyUI\n",
	  "gpu=RX 6700 XT; os=Windows 11; framework=ComfyUI; gfx=gfx1031" },
	{ "a list behind the system", "System: Ubuntu 24.04, kernel 6.8, RX 7900 XTX, ROCm 6.2.4\n",
	  "gpu=RX 7900 XTX; kernel=6.8; rocm=6.2.4; os=Ubuntu 24.04; gfx=gfx1100" },
	{ "and what worked with it", "GPU: RX 6800, works on Windows 11\n", "" },
	{ "a list of the writer's, with what nobody knows", "Specs: 5800X3D, 6800XT, Win10\n",
	  "gpu=6800XT; os=Win10; gfx=gfx1030" },
	{ "a system in short", "Using Win 11, 7900XT, latest adrenalin\n",
	  "gpu=7900XT; os=Win 11; gfx=gfx1100" },
	{ "a number behind a number is another's", "my setup: win11 7900 xtx\n",
	  "gpu=7900 xtx; os=win11; gfx=gfx1100" },
	{ "the program is the label", "vLLM version: 0.9.2\n", "framework=vLLM; vllm=0.9.2" },
	{ "torch is beside what runs on it", "PyTorch version: 2.5.1\nvLLM version: 0.6.6\n",
	  "torch=2.5.1; framework=vLLM; vllm=0.6.6" },
	{ "a number of GPUs", "Number of GPUs: 8\nGPU: MI210\n",
	  "gpu=MI210; gpu_count=8; gfx=gfx90a" },
	{ "the target in brackets", "GPU: RX 7900 XTX (gfx1100)\n",
	  "gpu=RX 7900 XTX; gfx=gfx1100" },
	{ "an environment is a container or a list", "Environment: docker\n", "container=docker" },
	{ "the list", "Environment: Ubuntu 24.04, ROCm 6.2, RX 7900 XTX\n",
	  "gpu=RX 7900 XTX; os=Ubuntu 24.04; rocm=6.2; gfx=gfx1100" },
	{ "brackets behind a system", "OS: Ubuntu 24.04.2 LTS (x86_64)\n",
	  "os=Ubuntu 24.04.2 LTS" },
	{ "a program's line is no field", "GPU: 98% busy\nsystem: 12 GB free\nimage: 512x512\n",
	  "" },
	{ "nor one of the kernel log",
	  "kernel: amdgpu 0000:03:00.0: amdgpu: GPU reset begin!\namdgpu: 67:00.0: gpu post error!\n",
	  "" },
	{ "NVIDIA's GPUs are read elsewhere", "GPU: NVIDIA GeForce RTX 4090\n", "" },
	{ "a field goes before a sentence", "GPU: RX 6800\nIt hangs on my RX 7900 XTX.\n",
	  "gpu=RX 6800; gfx=gfx1030" },
	/* sentences */
	{ "a cue before each", "running ROCm 6.2 on Ubuntu 24.04 with kernel 6.8\n",
	  "rocm=6.2; os=Ubuntu 24.04; kernel=6.8" },
	{ "no cue is needed for what crashes", "7900 XTX hangs with ROCm 6.2\n",
	  "gpu=7900 XTX; rocm=6.2; gfx=gfx1100" },
	{ "a processor is the GPU inside", "on my 8845HS laptop with kernel 6.8\n",
	  "gpu=8845HS; kernel=6.8; gfx=gfx1103" },
	{ "a program that does something", "ollama runs only on the CPU since the update\n",
	  "framework=ollama" },
	{ "a program with its release", "ollama 0.3.8 and 0.3.10 do not detect my GPU\n",
	  "framework=ollama; ollama=0.3.8" },
	{ "and not what works elsewhere", "ollama runs fine, but ComfyUI hangs\n",
	  "framework=ComfyUI" },
	{ "a program of a question is no subject",
	  "does it matter that ollama and the rest exist\n", "" },
	{ "a chip's name", "On Strix Halo llama.cpp crashes\n",
	  "gpu=Strix Halo; framework=llama.cpp; gfx=gfx1151" },
	{ "a list", "Ryzen 9 7950X, RX 7900 XTX, 64 GB RAM, Ubuntu 24.04, ROCm 6.2.4\n",
	  "gpu=RX 7900 XTX; os=Ubuntu 24.04; rocm=6.2.4; gfx=gfx1100" },
	{ "brackets of a title", "[7900XTX, ROCm 6.2, Windows 11] torch 2.9.0 fails\n",
	  "gpu=7900XTX; rocm=6.2; os=Windows 11; framework=torch; gfx=gfx1100; torch=2.9.0" },
	{ "a number of cards", "I run it in docker on 2x MI210\n",
	  "gpu=MI210; container=docker; gpu_count=2; gfx=gfx90a" },
	{ "what torch answers", "'AMD Radeon RX 7900 XTX'\n",
	  "gpu=AMD Radeon RX 7900 XTX; gfx=gfx1100" },
	{ "WSL goes before the Linux in it", "Windows 11 with WSL2 Ubuntu 22.04, RX 7900 XT\n",
	  "gpu=RX 7900 XT; os=WSL2 Ubuntu 22.04; gfx=gfx1100" },
	{ "lspci names several products of one target",
	  "03:00.0 VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 33 [Radeon RX 7600/7600 XT/7600M XT/7600S/7700S / PRO W7600] (rev cf)\n",
	  "gpu=Navi 33 [Radeon RX 7600/7600 XT/7600M XT/7600S/7700S / PRO W7600]; gfx=gfx1102" },
	/* from one version to another */
	{ "it began with the new one", "After I upgraded from ROCm 6.1 to 6.2 training hangs.\n",
	  "rocm=6.2" },
	{ "the name stands once", "upgraded ROCm from 6.1 to 6.2 and now it crashes\n",
	  "rocm=6.2" },
	{ "until then it worked", "It worked until I upgraded to ROCm 6.2.\n", "rocm=6.2" },
	{ "the new one works", "After upgrading to ROCm 6.2 it works.\n", "" },
	{ "back to the old one", "I downgraded to ROCm 6.1 and it works again\n", "" },
	{ "advice", "Fixed in ROCm 6.2. Please upgrade to ROCm 6.3.\n", "" },
	{ "what fails counts", "works on ROCm 6.1, fails on ROCm 6.2\n", "rocm=6.2" },
	{ "in a field, too, nothing is guessed", "ROCm: works on 6.1, fails on 6.2\n", "" },
	{ "two that fail", "It fails with ROCm 6.1 on Debian 12, and with ROCm 6.2 on Debian 12.\n",
	  "os=Debian 12" },
	/* not the writer's */
	{ "a friend's", "It works on my friend's RX 7900 XTX with ROCm 6.1.\n", "" },
	{ "the one that works", "Works fine on my RX 6600 but crashes on my RX 7900 XTX.\n",
	  "gpu=RX 7900 XTX; gfx=gfx1100" },
	{ "a colleague's", "Unlike the RX 6800 XT of my colleague, mine is a RX 6700 XT.\n", "" },
	{ "somebody's", "Someone with an RX 580 reported the same on Debian 12.\n", "" },
	{ "documentation",
	  "The docs say that RX 7900 XTX is supported with ROCm 6.2 on Ubuntu 22.04.\n", "" },
	{ "what is required", "You need at least ROCm 6.0 and kernel 6.8.\n", "" },
	{ "a question", "Is the RX 6600 supported on Windows?\n", "" },
	{ "a purchase", "Should I buy an RX 7900 XTX?\n", "" },
	{ "the card of before", "My old RX 580 worked with ROCm 5.7\n", "" },
	{ "what is quoted", "> I have an RX 580 with ROCm 5.7\n", "" },
	{ "targets of a build", "compiled for gfx1100 and gfx1030\n", "" },
	{ "a card and an iGPU are two", "My laptop has an RX 6700M and a Radeon 680M iGPU.\n", "" },
	{ "so are GPUs of two makers", "I have an RX 6600 and an RTX 4090 with ROCm 6.2\n",
	  "rocm=6.2" },
	{ "but for the one that fails", "it works on my RTX 3090 but crashes on my RX 6600\n",
	  "gpu=RX 6600; gfx=gfx1032" },
	{ "the target of the iGPU", "RX 7900 XTX + iGPU (gfx1036), both are listed\n", "" },
	{ "no GPU of the tables", "It hangs on my RX 7999 XTX with ROCm 6.2\n", "rocm=6.2" },
	{ "a section of another machine",
	  "## Other machine (works)\n\nGPU: RX 6800\n\n## Mine\n\nROCm: 6.2\n", "rocm=6.2" },
	{ "a processor with a small GPU is no GPU", "CPU: AMD Ryzen 7 7800X3D\n", "" },
	{ "a logger's line",
	  "INFO 10-10 10:00:00 worker.py:33] running on AMD Instinct MI300X with ROCm 6.2\n", "" },
	{ "an error that tells of support",
	  "ValueError: FP8 is only supported on MI300X and newer GPUs with ROCm 6.2\n", "" },
};

static void check_case(const struct described_case *c)
{
	struct buf keep = { 0 };
	struct facts *facts = with_knowledge(&keep);
	struct state state = { .facts = facts };
	struct machine_words words;
	struct described d = { 0 };
	const char *got;

	machine_words_load(&words);
	described_text(&words, span_of(c->text), 1, &state.arena, &d);
	described_tell(&state, &d, "log");
	described_tell_behind(&state, &d, "log");
	state_conclude(&state);
	got = answer_of(facts, SAID);
	if (!check_note(strcmp(got, c->want) == 0, __FILE__, __LINE__, c->why))
		printf("  %s  got  \"%s\"\n  want \"%s\"\n", c->text, got, c->want);
	answer_of(NULL, NULL);
	machine_words_done(&words);
	state_done(&state);
	facts_free(facts);
	buf_done(&keep);
}

/* What data/machine-words.tsv calls a system, data/spoken-names.txt must tell to be Windows, Linux or another. */
static void check_systems(void)
{
	struct span rest = span_of(data_machine_words), line, kind, phrase, system;
	size_t asked = 0;

	while (span_line(&rest, &line)) {
		if (!span_cut(&line, '\t', &kind) || !span_is(kind, "system") ||
		    !span_cut(&line, '\t', &phrase))
			continue;
		asked++;
		if (!check_note(state_spoken(phrase, "system", &system), __FILE__, __LINE__,
				"a system"))
			printf("  nobody knows what kind of system this is: %.*s\n",
			       (int)phrase.len, phrase.data);
	}
	CHECK(asked > 50);
}

int main(void)
{
	check_systems();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
	return check_end();
}
