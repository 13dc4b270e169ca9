#include "parse/target-id.h"

#include "check-span.h"

static const struct {
	const char *id;
	const char *kind, *target;
	const char *why;
} entries[] = {
	{ "host-x86_64-unknown-linux", "host", "", "LLVM 16 and older" },
	{ "host-x86_64-unknown-linux-", "host", "", "LLVM 17" },
	{ "host-x86_64-unknown-linux--", "host", "", "LLVM 19" },
	{ "host-x86_64-unknown-linux-gnu-", "host", "", "LLVM 20" },
	{ "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "hipv4", "gfx90a:xnack-", "the usual form" },
	{ "hip-amdgcn-amd-amdhsa--gfx906", "hip", "gfx906", "code object version 3" },
	{ "hip-amdgcn-amd-amdhsa-gfx803", "hip", "gfx803", "ROCm 3: no environment" },
	{ "hipv4-amdgcn-amd-amdhsa-unknown--gfx942", "hipv4", "gfx942", "Tensile's two dashes" },
	{ "hipv4-amdgcn-amd-amdhsa--gfx9-4-generic", "hipv4", "gfx9-4-generic",
	  "dashes belong to the target" },
	{ "hipv4-amdgcn-amd-amdhsa-unknown-gfx11-generic", "hipv4", "gfx11-generic",
	  "an environment that is named" },
	{ "hipv4-spirv64-amd-amdhsa--amdgcnspirv", "hipv4", "amdgcnspirv", "SPIR-V" },
	{ "hipv4-spirv64-amd-amdhsa-unknown-amdgcnspirv", "hipv4", "amdgcnspirv", "SPIR-V, newer" },
	{ "openmp-amdgcn-amd-amdhsa--gfx908", "openmp", "gfx908", "OpenMP" },
	{ "hip-amdgcn-amd-amdhsa", "hip", "", "the target is missing" },
	{ "hip", "hip", "", "only a kind" },
	{ "------", "", "", "nothing but dashes" },
	{ "", "", "", "empty" },
};

static void test_entries(void)
{
	for (size_t i = 0; i < COUNT_OF(entries); i++) {
		struct target_entry e = target_entry_parse(span_of(entries[i].id));

		ROW_SPAN(e.kind, entries[i].kind, entries[i].why);
		ROW_SPAN(e.target, entries[i].target, entries[i].why);
	}
}

static const struct {
	const char *text;
	const char *written;
	const char *why;
} good[] = {
	{ "gfx1100", "gfx1100", "a bare processor" },
	{ "gfx90a:xnack-", "gfx90a:xnack-", "one feature" },
	{ "gfx90a:xnack+:sramecc-", "gfx90a:sramecc-:xnack+", "put in order" },
	{ "gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-", "MI300X" },
	{ "gfx9-4-generic:xnack+", "gfx9-4-generic:xnack+", "a generic one with a feature" },
	{ "amdgcnspirv", "amdgcnspirv", "SPIR-V" },
	{ "sm_70", "sm_70", "of another vendor: a name all the same" },
	{ "gfx1250-strict", "gfx1250-strict", "ROCm's fork" },
};

static const struct {
	const char *text;
	const char *why;
} bad[] = {
	{ "", "empty" },
	{ ":xnack+", "no processor" },
	{ "gfx90a:", "a feature is announced and missing" },
	{ "gfx90a::xnack+", "an empty feature" },
	{ "gfx90a:xnack", "no sign" },
	{ "gfx90a:xnack*", "no sign that is known" },
	{ "gfx90a:xnack+:xnack+", "twice" },
	{ "gfx90a:wave64+", "an unknown feature" },
	{ "gfx90a:+", "a sign alone" },
	{ "gfx90a xnack+", "a blank" },
	{ "gfx90a\n", "a control character" },
	{ "gfx\xc3\xa9", "no ASCII" },
	{ "gfx0123456789012345678901234567890123456789012345678901234567890123", "too long" },
};

static void test_ids(void)
{
	struct target_id id;
	char text[TARGET_ID_MAX];

	for (size_t i = 0; i < COUNT_OF(good); i++) {
		ROW_CHECK(target_id_parse(span_of(good[i].text), &id), good[i].why);
		target_id_write(&id, text);
		ROW_SPAN(span_of(text), good[i].written, good[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		id = (struct target_id){ .sramecc = TARGET_ON };
		ROW_CHECK(!target_id_parse(span_of(bad[i].text), &id), bad[i].why);
		ROW_CHECK(id.sramecc == TARGET_ON && !id.processor.data, "untouched");
	}
}

/* 63 characters fit with their NUL, whatever the order was. */
static void test_longest(void)
{
	struct target_id id;
	char text[TARGET_ID_MAX];
	const char *longest = "gfx4567890123456789012345678901234567890123456:xnack+:sramecc-";

	CHECK(target_id_parse(span_of(longest), &id));
	target_id_write(&id, text);
	CHECK_TEXT(text, "gfx4567890123456789012345678901234567890123456:sramecc-:xnack+");
}

int main(void)
{
	test_entries();
	test_ids();
	test_longest();
	return check_end();
}
