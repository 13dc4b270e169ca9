#include "parse/package-name.h"

#include <string.h>

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool package_name_parse(struct span text, char ret[static PACKAGE_NAME_MAX])
{
	char name[PACKAGE_NAME_MAX];
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (is_separator(c) && n > 0 && name[n - 1] == '-')
			continue;
		if ((!is_separator(c) && !is_letter_or_digit(c)) || n + 1 == PACKAGE_NAME_MAX)
			return false;
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		name[n++] = is_separator(c) ? '-' : c;
	}
	if (n == 0)
		return false;
	name[n] = '\0';
	memcpy(ret, name, n + 1);
	return true;
}

bool package_name_is(struct span text, const char *normalised)
{
	char name[PACKAGE_NAME_MAX];

	return package_name_parse(text, name) && strcmp(name, normalised) == 0;
}
