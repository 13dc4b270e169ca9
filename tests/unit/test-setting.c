#include "explain/setting.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"

static struct setting_name rows[] = {
	{ "variable", "HSA_ENABLE_SDMA" },    { "variable", "AMD_SERIALIZE_KERNEL" },
	{ "kernel", "amdgpu.noretry" },       { "kernel", "pci" },
	{ "flag", "--skip-torch-cuda-test" }, { "flag", "--gpus" },
	{ "command", "install torch !rocm" },
};

/* "=" is set, "?" is asked about, "!" is advised by a program, and a name alone has no value. */
static const struct setting_case {
	const char *why, *text, *want;
} cases[] = {
	{ "a shell", "export HSA_ENABLE_SDMA=0\n", "HSA_ENABLE_SDMA=0" },
	{ "quotes", "$env:HSA_ENABLE_SDMA = \"0\"\n", "HSA_ENABLE_SDMA=0" },
	{ "cmd of Windows", "setx HSA_ENABLE_SDMA 0\n", "HSA_ENABLE_SDMA=0" },
	{ "a file in YAML", "      HSA_ENABLE_SDMA: \"0\"\n", "HSA_ENABLE_SDMA=0" },
	{ "what Ollama prints", "env=\"map[A_B: HSA_ENABLE_SDMA:0 C_D:]\"\n", "HSA_ENABLE_SDMA=0" },
	{ "what Ollama prints of one that is not set",
	  "env=\"map[HSA_ENABLE_SDMA: HTTPS_PROXY:]\"\n", "" },
	{ "the end of a sentence", "I set HSA_ENABLE_SDMA=0.\n", "HSA_ENABLE_SDMA=0" },
	{ "a longer name", "export HSA_ENABLE_SDMA_GANG=0\n", "" },
	{ "a module's options", "options amdgpu noretry=1 runpm=0\n", "amdgpu.noretry=1" },
	{ "the kernel's command line", "Command line: ro pci=noaer,nomsi quiet\n",
	  "pci=noaer,nomsi" },
	{ "a word that is an argument's name, too", "the pci bus\n", "" },
	{ "a flag with a value", "docker run --gpus=all image\n", "--gpus=all" },
	{ "a command", "pip install --force torch\n", "install torch !rocm" },
	{ "a command with a word that it must not have",
	  "pip install torch --index-url x/rocm6.3\n", "" },
	{ "a question", "do I need HSA_ENABLE_SDMA=0?\n", "HSA_ENABLE_SDMA?0" },
	{ "a question without a value", "what does HSA_ENABLE_SDMA do?\n", "HSA_ENABLE_SDMA?" },
	{ "a proposal", "One proposal: boot with pci=noaer so that it stops.\n", "pci?noaer" },
	{ "a proposal that was followed", "Already put pci=noaer into grub as suggested.\n",
	  "pci=noaer" },
	{ "set in another line", "do I need HSA_ENABLE_SDMA=0?\nexport HSA_ENABLE_SDMA=0\n",
	  "HSA_ENABLE_SDMA=0" },
	{ "a program's advice", "For debugging consider passing AMD_SERIALIZE_KERNEL=3\n", "" },
	{ "advice to cure it", "Please set HSA_ENABLE_SDMA=0 and rerun.\n", "HSA_ENABLE_SDMA!0" },
	{ "advice that a shell would read on with", "Please set HSA_ENABLE_SDMA=0;reboot\n", "" },
	{ "advice to run something as root", "Please set HSA_ENABLE_SDMA=0, then sudo reboot\n",
	  "" },
	{ "advice without a value", "Please set HSA_ENABLE_SDMA and rerun\n", "" },
	{ "advice that was followed", "Please set HSA_ENABLE_SDMA=0\nexport HSA_ENABLE_SDMA=0\n",
	  "HSA_ENABLE_SDMA=0" },
	{ "advice that was asked about",
	  "Please set HSA_ENABLE_SDMA=0\ndo I need HSA_ENABLE_SDMA=0?\n", "HSA_ENABLE_SDMA?0" },
	{ "advice to leave a flag out", "Please try --gpus all\n", "--gpus!all" },
	{ "a proposal of somebody else", "A guide suggests: try setting HSA_ENABLE_SDMA=0\n", "" },
	{ "advice in quotes, and a shell's words behind it",
	  "Please set 'HSA_ENABLE_SDMA=0' && reboot\n", "" },
	{ "advice in quotes", "Please set `HSA_ENABLE_SDMA=0`, and rerun\n", "HSA_ENABLE_SDMA!0" },
	{ "the same advice, followed", "I tried passing AMD_SERIALIZE_KERNEL=3 for debugging\n",
	  "AMD_SERIALIZE_KERNEL=3" },
	{ "advice to leave a test out",
	  "RuntimeError: add --skip-torch-cuda-test to COMMANDLINE_ARGS variable to disable this check\n",
	  "" },
	{ "what was taken away", "then I removed --skip-torch-cuda-test again\n", "" },
	{ "two in a line", "HSA_ENABLE_SDMA=0 AMD_SERIALIZE_KERNEL=3 python x\n",
	  "HSA_ENABLE_SDMA=0, AMD_SERIALIZE_KERNEL=3" },
};

static void check_case(const struct setting_case *c, const struct setting_names *names)
{
	struct settings found = { 0 };
	struct arena arena = { 0 };
	struct buf got BUF_SCOPED = { 0 };

	setting_read(names, span_of(c->text), 1, &arena, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct setting *s = &found.list[i];

		buf_addf(&got, "%s%s%s%.*s", i > 0 ? ", " : "", s->name->name,
			 s->how == SETTING_ADVISED ? "!"
			 : s->how == SETTING_ASKED ? "?"
			 : s->value.data           ? "="
						   : "",
			 (int)s->value.len, s->value.data ? s->value.data : "");
	}
	if (!check_note(strcmp(got.len ? got.data : "", c->want) == 0, __FILE__, __LINE__, c->why))
		printf("  %s  got  \"%s\"\n  want \"%s\"\n", c->text, got.len ? got.data : "",
		       c->want);
	arena_done(&arena);
}

/* A text without end is read to the first of them. */
static void check_bound(const struct setting_names *names)
{
	struct settings found = { 0 };
	struct arena arena = { 0 };
	struct buf text BUF_SCOPED = { 0 };

	for (int i = 0; i < 3 * SETTINGS_MAX; i++)
		buf_addf(&text, "export HSA_ENABLE_SDMA=%d\n", i);
	setting_read(names, buf_get(&text), 1, &arena, &found);
	CHECK_INT(found.count, SETTINGS_MAX);
	CHECK(found.cut);
	arena_done(&arena);
}

int main(void)
{
	struct setting_names names = { .commands = &rows[6], .command_count = 1 };

	for (size_t i = 0; i < 6; i++)
		map_put(&names.by_name, span_of(rows[i].name), &rows[i]);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i], &names);
	check_bound(&names);
	setting_names_done(&names);
	return check_end();
}
