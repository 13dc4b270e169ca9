#include "facts/collect.h"
#include "root/paths.h"

static void add_install(struct collect *c, const char *prefix)
{
	const char *path = arena_format(&c->arena, "%s/.info/version", prefix);
	struct row r = row_of("rocm_install");
	struct span version;

	if (root_read(c->root, path, &version) < 0)
		return; /* a directory of that name need not be an install */
	row_string(&r, "prefix", prefix);
	row_text(&r, "version", span_trim(version));
	row_string(&r, "kind", "opt");
	row_string(&r, "source", path);
	facts_add(c->facts, &r);
}

/* Up to 7.2 /opt/rocm-X.Y.Z; since 7.13 /opt/rocm/core-X.Y. Links are named, not followed twice. */
void collect_rocm(struct collect *c)
{
	struct root_names names;
	int error = root_list(c->root, "/opt", &names);

	if (error < 0) {
		facts_gap(c->facts, "rocm_install", "", error, "/opt");
		return;
	}
	for (size_t i = 0; i < names.count && i < 256; i++) {
		const char *prefix = arena_format(&c->arena, "/opt/%s", names.names[i]);
		const char *real;

		if (!paths_glob(SPAN_LITERAL("rocm*"), span_of(names.names[i])))
			continue;
		if (root_real(c->root, prefix, &real) < 0 || !span_is(span_of(real), prefix))
			continue;
		add_install(c, prefix);
		add_install(c, arena_format(&c->arena, "%s/core", prefix));
	}
}
