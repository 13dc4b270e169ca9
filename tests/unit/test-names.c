#include "base/names.h"

#include "check.h"

extern const char data_compilers[], data_gpu_waits[];

int main(void)
{
	static const char list[] = "# a comment*\n\nld\nld.*\ncc1*";

	CHECK(names_has(list, "ld") && names_has(list, "ld.lld") && names_has(list, "cc1plus"));
	CHECK(names_has(list, "cc1") && names_has(list, "ld."));
	CHECK(!names_has(list, "ldconfig") && !names_has(list, "# a comment") &&
	      !names_has(list, ""));
	CHECK(!names_has("", "x") && !names_has("abc", "ab") && names_has("*", "anything"));
	CHECK(names_has(data_compilers, "clang-19") && names_has(data_compilers, "lld"));
	CHECK(!names_has(data_compilers, "python3") &&
	      !names_has(data_compilers, "pt_main_thread"));
	CHECK(names_has(data_gpu_waits, "amdgpu_ctx_wait_prev_fence"));
	CHECK(!names_has(data_gpu_waits, "folio_wait_bit_common"));
	CHECK(names_has("a b\n", "a") && !names_has("a b\n", "b") && !names_has("a b\n", "a b"));
	CHECK(names_has_as("a* x y\nab z\n", SPAN_LITERAL("ab"), "z"));
	CHECK(names_has_as("a* x y\nab z\n", SPAN_LITERAL("ab"), "y"));
	CHECK(!names_has_as("a* x y\nab z\n", SPAN_LITERAL("ac"), "z"));
	CHECK(!names_has_as("# ab z\nab\n", SPAN_LITERAL("ab"), "z"));
	return check_end();
}
