#include "facts/python-site.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t size_of_version(const struct python_site_package *p)
{
	return python_package_version(p).len;
}

static void look(const struct python_site_package *p, struct span input)
{
	enum python_build build = python_package_built_for(p);
	struct span main = python_package_main(p, build, python_package_hip(p));

	must(p->name[0] != '\0' && p->row.pattern.len > 0);
	must(p->libraries.count <= PYTHON_TEXTS_MAX && p->requires.count <= PYTHON_TEXTS_MAX);
	must_lie_in(p->info, input);
	must_lie_in(main, input);
	must_lie_in(python_package_cuda(p), input);
	must(python_version_tag(python_package_version(p)).len <= size_of_version(p));
	must(main.len == 0 || p->libraries.count > 0);
	must(python_package_hip(p).len == 0 || build == PYTHON_BUILD_ROCM);
	must(build == PYTHON_BUILD_UNKNOWN || python_build_name(build));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	static struct python_site site;
	struct arena arena = { 0 };

	python_site_parse(input, &arena, &site);
	must(site.count <= PYTHON_SITE_PACKAGES_MAX);
	must_lie_in(site.home, input);
	must_lie_in(site.torch_build, input);
	for (size_t i = 0; i < site.count; i++) {
		look(&site.packages[i], input);
		must(python_site_find(&site, span_of(site.packages[i].name)) == &site.packages[i]);
	}
	arena_done(&arena);
	return 0;
}
