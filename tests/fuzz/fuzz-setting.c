#include <stdlib.h>

#include "explain/setting.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A value stands in the text, and no more settings are kept than there is room for. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct setting_name rows[] = {
		{ "variable", "HSA_ENABLE_SDMA" },
		{ "variable", "HSA_OVERRIDE_GFX_VERSION" },
		{ "kernel", "amdgpu.noretry" },
		{ "kernel", "pci" },
		{ "flag", "--gpus" },
		{ "flag", "-DGGML_HIPBLAS" },
		{ "command", "install torch !rocm" },
	};
	static struct setting_names names;
	struct span text = { (const char *)data, size };
	struct settings found = { 0 };
	struct arena arena = { 0 };

	if (!names.commands) {
		for (size_t i = 0; i < 6; i++)
			map_put(&names.by_name, span_of(rows[i].name), &rows[i]);
		names.commands = &rows[6];
		names.command_count = 1;
	}
	setting_read(&names, text, 1, &arena, &found);
	must(found.count <= SETTINGS_MAX);
	for (size_t i = 0; i < found.count; i++)
		must(!found.list[i].value.data || found.list[i].value.len == 0 ||
		     span_find(text, found.list[i].value) != SIZE_MAX);
	arena_done(&arena);
	return 0;
}
