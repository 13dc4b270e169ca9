#include "door/keep-lines.h"

#include <assert.h>

#include "door/paths.h"

/* The next run of letters that a variable's name is made of; false at the end. */
static bool next_name(struct span *rest, struct span *ret)
{
	size_t n;

	while (rest->len > 0) {
		for (n = 0; n < rest->len && ((rest->data[n] >= 'A' && rest->data[n] <= 'Z') ||
					      (rest->data[n] >= '0' && rest->data[n] <= '9') ||
					      rest->data[n] == '_');)
			n++;
		*ret = (struct span){ rest->data, n };
		n += n == 0;
		rest->data += n;
		rest->len -= n;
		if (ret->len > 2)
			return true;
	}
	return false;
}

static bool names_watched(struct span line)
{
	struct span name;

	while (next_name(&line, &name))
		if (paths_watched_variable(name))
			return true;
	return false;
}

/*
 * Up to the first name that says secret, whatever way the file's language
 * gives it a value: export A=b, setenv A b, set -gx A b, A DEFAULT=b.
 */
static size_t harmless_part(struct span line)
{
	struct span rest = line;
	struct span name;

	while (next_name(&rest, &name))
		if (paths_secret_variable(name) && rest.len > 0)
			return (size_t)(rest.data - line.data) + 1;
	return line.len;
}

static bool names_identity(struct span line)
{
	static const char *const keys[] = {
		"User=",         "Group=",          "SupplementaryGroups=",
		"DynamicUser=",  "PrivateDevices=", "DeviceAllow=",
		"DevicePolicy=", "Limit",           "EnvironmentFile=",
		"ProtectHome="
	};

	line = span_trim(line);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (span_starts(line, keys[i]))
			return true;
	return false;
}

static bool names_driver(struct span line)
{
	static const char *const words[] = { "amdgpu", "radeon", "ttm", "amdkcl", "vfio" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_find(line, span_of(words[i])) != SIZE_MAX)
			return true;
	return false;
}

static bool is_excerpted(struct span line, unsigned int flags)
{
	if (flags & PATH_MODULES)
		return names_driver(line);
	return names_watched(line) || (flags & PATH_UNIT && names_identity(line));
}

void keep_lines(struct span text, unsigned int flags, struct buf *ret)
{
	struct span line;

	assert(flags & KEEP_LINES_FLAGS); /* else a person's whole file would be an excerpt */
	for (int number = 1; span_line(&text, &line); number++) {
		size_t n;

		if (!is_excerpted(line, flags))
			continue;
		n = harmless_part(line);
		buf_addf(ret, "%d:", number);
		buf_add(ret, line.data, n);
		buf_text(ret, n < line.len ? PATHS_WITHHELD "\n" : "\n");
	}
}
