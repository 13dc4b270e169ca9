#include <string.h>

#include "facts/python-view.h"
#include "parse/package-name.h"

static bool belongs(const struct python_found *f, struct span framework,
		    enum python_package_role role)
{
	return f->package->row.role == role && span_same(f->package->row.framework, framework);
}

/*
 * Several packages install into one directory (onnxruntime, onnxruntime-rocm),
 * and what is there is the last one's. How well a package agrees with it.
 */
static int agreement(const struct python_found *f)
{
	struct span name, version = python_package_version(f->package);
	int points = 0;

	if (python_package_build(f->package, "package_name", &name) &&
	    package_name_is(name, f->package->name))
		points += 4;
	if (f->package->version.len > 0 && version.len <= f->package->version.len &&
	    memcmp(version.data, f->package->version.data, version.len) == 0)
		points += 2;
	if (python_package_named_for(f->package) != PYTHON_BUILD_UNKNOWN &&
	    python_package_named_for(f->package) == python_package_built_for(f->package))
		points += 2; /* tensorflow-rocm, and is_rocm_build is True */
	return points;
}

static void choose_base(const struct python_view *v, struct python_framework *f)
{
	int best = agreement(&f->base);
	struct python_found other;

	for (size_t n = 0; python_view_nth(v, n, true, &other); n++) {
		if (other.site != f->base.site || !belongs(&other, f->name, PYTHON_FRAMEWORK) ||
		    agreement(&other) <= best)
			continue;
		best = agreement(&other);
		f->base = other;
	}
}

static void take_member(const struct python_view *v, struct python_framework *f,
			const struct python_found *m)
{
	enum python_build build = python_package_built_for(m->package);

	if (f->member_count == PYTHON_MEMBERS_MAX) {
		python_view_cut(v, "too many parts of a framework");
		return;
	}
	f->members[f->member_count++] = *m;
	if (build > f->build)
		f->build = build;
	if (f->hip.len == 0)
		f->hip = python_package_hip(m->package);
	if (f->cuda.len == 0)
		f->cuda = python_package_cuda(m->package);
}

static void find_main(struct python_framework *f, struct span hip)
{
	for (size_t i = 0; i < f->member_count && f->main.len == 0; i++) {
		enum python_build build = python_package_built_for(f->members[i].package);

		if (build != f->build && f->member_count > 1 && build != PYTHON_BUILD_UNKNOWN)
			continue;
		f->main = python_package_main(f->members[i].package, f->build, hip);
		f->holder = f->members[i];
	}
}

/* The HIP of the framework that is loaded before: bitsandbytes has a library for each. */
static struct span hip_before(const struct python_view *v, const struct python_framework *f)
{
	struct span rest = f->base.package->row.traits, after;
	struct python_found torch;

	if (f->hip.len > 0 || !python_package_trait(&rest, "after", &after) ||
	    !python_view_find(v, after, &torch))
		return f->hip;
	return python_package_hip(torch.package);
}

static const char *shadowed_by(const struct python_view *v, const struct python_framework *f)
{
	for (size_t i = 0; f->base.site->owner == v->e && i < v->front_count; i++)
		for (size_t n = 0; n < v->front[i]->site.count; n++) {
			struct python_found other = { v->front[i], &v->front[i]->site.packages[n] };

			if (belongs(&other, f->name, PYTHON_FRAMEWORK))
				return v->front[i]->owner->prefix;
		}
	return NULL;
}

static enum python_build built_by_conda(const struct python_framework *f)
{
	struct span build = f->base.site->site.torch_build;

	if (!span_is(f->name, "torch") || build.len == 0)
		return PYTHON_BUILD_UNKNOWN;
	if (span_find(build, SPAN_LITERAL("rocm")) != SIZE_MAX)
		return PYTHON_BUILD_ROCM;
	if (span_find(build, SPAN_LITERAL("cuda")) != SIZE_MAX)
		return PYTHON_BUILD_CUDA;
	return span_find(build, SPAN_LITERAL("cpu")) != SIZE_MAX ? PYTHON_BUILD_CPU
								 : PYTHON_BUILD_UNKNOWN;
}

static bool came_before(const struct python_view *v, size_t at, struct span framework)
{
	struct python_found f;

	for (size_t n = 0; n < at && python_view_nth(v, n, true, &f); n++)
		if (belongs(&f, framework, PYTHON_FRAMEWORK))
			return true;
	return false;
}

bool python_view_framework(const struct python_view *v, size_t *at, struct python_framework *ret)
{
	struct python_framework f = { 0 };
	struct python_found part;

	for (;; (*at)++) {
		if (!python_view_nth(v, *at, true, &f.base))
			return false;
		f.name = f.base.package->row.framework;
		if (f.base.package->row.role == PYTHON_FRAMEWORK && !came_before(v, *at, f.name))
			break;
	}
	(*at)++;
	choose_base(v, &f);
	take_member(v, &f, &f.base);
	for (size_t n = 0; python_view_nth(v, n, true, &part); n++)
		if (belongs(&part, f.name, PYTHON_PART))
			take_member(v, &f, &part);
	if (f.build == PYTHON_BUILD_UNKNOWN)
		f.build = built_by_conda(&f);
	find_main(&f, hip_before(v, &f));
	f.shadowed = shadowed_by(v, &f);
	*ret = f;
	return true;
}
