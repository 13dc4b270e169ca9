#include "facts/collect.h"

#include <errno.h>

#define GCC     "/usr/lib/gcc"
#define INCLUDE "/usr/include/c++"

static bool is_listed(const struct root_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (span_is(span_of(names->names[i]), name))
			return true;
	return false;
}

/*
 * clang takes the newest directory with a crtbegin.o for the GCC whose C++
 * headers it reads, though these are of another package: libgcc-12-dev brings
 * the one, libstdc++-12-dev the other.
 */
static void add_gcc(struct collect *c, const char *triple, const char *version,
		    const struct root_names *headers)
{
	const char *start = arena_format(&c->arena, GCC "/%s/%s/crtbegin.o", triple, version);
	struct row r = row_of("cxx_headers");
	struct door_node node;

	if (version[0] < '0' || version[0] > '9' || root_stat(c->root, start, &node) < 0)
		return;
	row_string(&r, "gcc", version);
	row_string(&r, "triple", triple);
	row_int(&r, "present", is_listed(headers, version));
	row_string(&r, "source", start);
	facts_add(c->facts, &r);
}

/* None of the directories is a machine without a compiler, where nobody looks for headers. */
void collect_headers(struct collect *c)
{
	static const char *const triples[] = { "x86_64-linux-gnu", "x86_64-redhat-linux",
					       "x86_64-pc-linux-gnu" };
	struct root_names headers = { 0 }, gccs;
	int error = root_list(c->root, INCLUDE, &headers);

	if (error < 0 && error != -ENOENT) {
		facts_gap(c->facts, "cxx_headers", "", error, INCLUDE);
		return;
	}
	for (size_t t = 0; t < sizeof(triples) / sizeof(triples[0]); t++) {
		const char *dir = arena_format(&c->arena, GCC "/%s", triples[t]);

		error = root_list(c->root, dir, &gccs);
		if (error < 0 && error != -ENOENT)
			facts_gap(c->facts, "cxx_headers", "", error, dir);
		for (size_t i = 0; error == 0 && i < gccs.count; i++)
			add_gcc(c, triples[t], gccs.names[i], &headers);
	}
}
