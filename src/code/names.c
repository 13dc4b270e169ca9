#include "code/code.h"

#include <assert.h>

static const char *const kinds[CODE_KINDS] = {
	[CODE_NOTHING] = "nothing",        [CODE_SHARED_LIBRARY] = "shared-library",
	[CODE_EXECUTABLE] = "executable",  [CODE_RELOCATABLE] = "object",
	[CODE_STATIC_ARCHIVE] = "archive", [CODE_OBJECT] = "code-object",
	[CODE_BUNDLE] = "bundle",          [CODE_KPACK] = "kpack",
};

static const char *const forms[CODE_FORMS] = {
	[CODE_PLAIN] = "plain",  [CODE_CCOB1] = "ccob1",       [CODE_CCOB2] = "ccob2",
	[CODE_CCOB3] = "ccob3",  [CODE_ELF] = "elf",           [CODE_KPACKED] = "kpack",
	[CODE_SECTIONS] = "rdc", [CODE_OFFLOADED] = "offload",
};

const char *code_kind_name(enum code_kind kind)
{
	assert(kind < CODE_KINDS);
	return kinds[kind];
}

const char *code_form_name(enum code_form form)
{
	assert(form < CODE_FORMS);
	return forms[form];
}
