#include "survey/site.h"

#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "parse/json-pull.h"
#include "parse/pyvenv.h"

extern const char data_conda_packages[];

#define CONDA_MAX   ((size_t)4 << 20) /* lists every file of the package */
#define CONDA_NAMES 64

static void tell_venv(struct site *s, const char *prefix)
{
	struct buf text BUF_SCOPED = { 0 };
	struct pyvenv v;

	if (!site_read(s, prefix, SPAN_LITERAL("pyvenv.cfg"), SITE_SMALL_MAX, &text) ||
	    !pyvenv_parse(buf_get(&text), &v))
		return;
	site_line(s, "venv", "home", v.home);
	if (v.version.len > 0)
		site_line(s, "venv", "version", v.version);
	if (v.uv.len > 0)
		site_line(s, "venv", "uv", v.uv);
	site_line(s, "venv", "system-site",
		  v.system_site ? SPAN_LITERAL("yes") : SPAN_LITERAL("no"));
}

/* "pytorch-2.4.1-py311_rocm6.1.json": version and build hold no dash. */
static bool conda_parts(struct span name, struct span *ret_name, struct span *ret_version,
			struct span *ret_build)
{
	const char *last, *middle;

	if (!span_ends(name, ".json"))
		return false;
	name.len -= 5;
	last = memrchr(name.data, '-', name.len);
	middle = last ? memrchr(name.data, '-', (size_t)(last - name.data)) : NULL;
	if (!middle || middle == name.data)
		return false;
	*ret_name = (struct span){ name.data, (size_t)(middle - name.data) };
	*ret_version = (struct span){ middle + 1, (size_t)(last - middle) - 1 };
	*ret_build = (struct span){ last + 1, name.len - (size_t)(last + 1 - name.data) };
	return true;
}

/* The file says the same as its name, and which channel; a huge one is cut before `name`. */
static void tell_conda_package(struct site *s, const char *meta, struct span file)
{
	struct buf text BUF_SCOPED = { 0 };
	struct json_pull_item item;
	struct span name, version, build;
	struct span channel = SPAN_LITERAL("-");

	if (!conda_parts(file, &name, &version, &build) ||
	    !names_has_as(data_conda_packages, name, NULL))
		return;
	if (site_read(s, meta, file, CONDA_MAX, &text)) {
		if (json_pull_find(buf_get(&text), "channel", &item))
			channel = item.text;
		if (json_pull_find(buf_get(&text), "build", &item))
			build = item.text;
		if (json_pull_find(buf_get(&text), "version", &item))
			version = item.text;
	}
	buf_text(s->out, "conda ");
	text_word(s->out, name);
	buf_char(s->out, ' ');
	text_word(s->out, version);
	buf_char(s->out, ' ');
	text_word(s->out, build);
	buf_char(s->out, ' ');
	text_clean(s->out, site_plain_address(s, channel), false);
	buf_char(s->out, '\n');
}

static void tell_conda(struct site *s, const char *prefix)
{
	const char *meta = site_join(s, prefix, SPAN_LITERAL("conda-meta"));
	struct site_names names;
	unsigned int lines = 0;
	int r = site_list(s, meta, &names);

	if (r < 0) {
		site_failed(s, "conda-meta", meta, r);
		return;
	}
	for (size_t i = 0; i < names.count; i++) {
		size_t before = s->out->len;

		if (lines == CONDA_NAMES) {
			site_problem(s, "conda-meta", "there are more packages than are named");
			return;
		}
		tell_conda_package(s, meta, span_of(names.names[i]));
		lines += s->out->len > before;
	}
}

/* PREFIX/lib/python3.12/site-packages */
void site_tell_around(struct site *s)
{
	struct span prefix = span_of(s->path);

	for (int i = 0; i < 3 && prefix.len > 0; i++) {
		const char *slash = memrchr(prefix.data, '/', prefix.len);

		prefix.len = slash ? (size_t)(slash - prefix.data) : 0;
	}
	if (prefix.len > 0) {
		tell_venv(s, arena_text(&s->arena, prefix));
		tell_conda(s, arena_text(&s->arena, prefix));
	}
}
