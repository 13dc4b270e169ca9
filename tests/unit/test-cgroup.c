#include "parse/cgroup.h"

#include "check-span.h"

static const char hybrid[] = "12:devices:/docker/3f8a\n"
			     "4:cpu,cpuacct:/docker/3f8a\n"
			     "1:name=systemd:/docker/3f8a\n"
			     "0::/system.slice/containerd.service\n";

static const char unified[] = "0::/user.slice/user-1000.slice/session-2.scope\n";

static const struct {
	const char *text;
	const char *controller;
	const char *path; /* NULL: not found */
	const char *why;
} rows[] = {
	{ unified, "memory", "/user.slice/user-1000.slice/session-2.scope",
	  "version 2 governs all" },
	{ hybrid, "devices", "/docker/3f8a", "its own line wins" },
	{ hybrid, "cpuacct", "/docker/3f8a", "second of a list" },
	{ hybrid, "memory", "/system.slice/containerd.service", "no line of its own" },
	{ hybrid, "cpuac", "/system.slice/containerd.service", "a prefix is no controller" },
	{ "4:cpu:/a:b\n", "cpu", "/a:b", "colons in a path" },
	{ "0::/gone (deleted)\n", "cpu", "/gone (deleted)", "as the kernel marks it" },
	{ "0::/\n", "cpu", "/", "a container sees its own top" },
	{ "4:cpu:/a\n", "memory", NULL, "no line at all" },
	{ "x::/\n", "cpu", NULL, "no number" },
	{ "0:\n0::\n0::rel\n\n", "cpu", NULL, "no path" },
	{ "", "cpu", NULL, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct cgroup_line line = { .path = SPAN_LITERAL("untouched") };
		bool found = cgroup_find(span_of(rows[i].text), rows[i].controller, &line);

		ROW_CHECK(found == (rows[i].path != NULL), rows[i].why);
		ROW_SPAN(line.path, found && rows[i].path ? rows[i].path : "untouched",
			 rows[i].why);
	}
	return check_end();
}
