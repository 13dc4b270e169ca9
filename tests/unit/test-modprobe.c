#include "parse/modprobe.h"

#include "check-span.h"

static const char text[] = "# installed by a vendor script\n"
			   "blacklist radeon\n"
			   "\n"
			   "  options amdgpu ppfeaturemask=0xffffffff \\\n"
			   "      noretry=0 dyndbg=\"file a.c +p\"\n"
			   "install amdgpu /bin/false\n"
			   "softdep snd-hda-intel pre: amdgpu post: snd_pcm\n"
			   "alias pci:v00001002d* amdgpu\n"
			   "blacklist\n"
			   "blacklisted amdgpu\n"
			   "options amdgpu\n"
			   "remove amdgpu true";

static const struct {
	enum modprobe_verb verb;
	unsigned int line;
	const char *module;
	const char *rest;
	const char *why;
} want[] = {
	{ MODPROBE_BLACKLIST, 2, "radeon", "", "the comment is skipped" },
	{ MODPROBE_OPTIONS, 4, "amdgpu",
	  "ppfeaturemask=0xffffffff \\\n      noretry=0 dyndbg=\"file a.c +p\"",
	  "goes on in the next line" },
	{ MODPROBE_INSTALL, 6, "amdgpu", "/bin/false", "the strong form of a blacklist" },
	{ MODPROBE_SOFTDEP, 7, "snd-hda-intel", "pre: amdgpu post: snd_pcm", "as written" },
	{ MODPROBE_ALIAS, 8, "pci:v00001002d*", "amdgpu", "the alias stands first" },
	{ MODPROBE_OPTIONS, 11, "amdgpu", "", "no module and no verb before it are skipped" },
	{ MODPROBE_REMOVE, 12, "amdgpu", "true", "no newline at the end" },
};

static void test_entries(void)
{
	struct modprobe_reader reader = { .rest = SPAN_LITERAL(text) };
	struct modprobe_entry entry;

	for (size_t i = 0; i < COUNT_OF(want); i++) {
		if (!CHECK(modprobe_next(&reader, &entry)))
			return;
		ROW_CHECK(entry.verb == want[i].verb, want[i].why);
		ROW_CHECK(entry.line == want[i].line, want[i].why);
		ROW_SPAN(entry.module, want[i].module, want[i].why);
		ROW_SPAN(entry.rest, want[i].rest, want[i].why);
	}
	CHECK(!modprobe_next(&reader, &entry));
}

static void test_params(void)
{
	struct span rest = span_of(want[1].rest);
	struct cmdline_param param;

	CHECK(modprobe_param_next(&rest, &param));
	CHECK_SPAN(param.name, "ppfeaturemask");
	CHECK_SPAN(param.value, "0xffffffff");
	CHECK(modprobe_param_next(&rest, &param)); /* the backslash is no parameter */
	CHECK_SPAN(param.name, "noretry");
	CHECK(modprobe_param_next(&rest, &param));
	CHECK_SPAN(param.value, "file a.c +p");
	CHECK(!modprobe_param_next(&rest, &param));
}

static void test_names(void)
{
	char name[MODPROBE_NAME_MAX];
	char huge[200];

	CHECK(modprobe_is(SPAN_LITERAL("snd-hda-intel"), "snd_hda_intel"));
	CHECK(modprobe_is(SPAN_LITERAL("amdgpu"), "amdgpu"));
	CHECK(!modprobe_is(SPAN_LITERAL("amdgpu2"), "amdgpu"));
	CHECK(!modprobe_is(SPAN_LITERAL("amdgpx"), "amdgpu"));
	modprobe_name(SPAN_LITERAL("snd-hda_intel"), name);
	CHECK_TEXT(name, "snd_hda_intel");
	memset(huge, 'x', sizeof(huge));
	modprobe_name((struct span){ huge, sizeof(huge) }, name);
	CHECK_INT(strlen(name), MODPROBE_NAME_MAX - 1);
	CHECK_TEXT(modprobe_verb_name(MODPROBE_SOFTDEP), "softdep");
}

int main(void)
{
	test_entries();
	test_params();
	test_names();
	return check_end();
}
