#include "parse/package-name.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[PACKAGE_NAME_MAX], again[PACKAGE_NAME_MAX];

	if (!package_name_parse((struct span){ (const char *)data, size }, name))
		return 0;
	must(strlen(name) > 0 && strlen(name) < PACKAGE_NAME_MAX && strlen(name) <= size);
	must(!strstr(name, "--") && !strpbrk(name, "_.ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
	must(package_name_parse(span_of(name), again) && strcmp(name, again) == 0);
	return 0;
}
