#include "targets/run-time.h"

#include <ctype.h>
#include <string.h>

extern const char data_run_time_compilers[];

/* "pytorch_triton_rocm" of "dist/pytorch_triton_rocm-3.5.1-cp312-....whl", as PyPI normalises names. */
static void package_of(const char *path, struct buf *ret)
{
	const char *slash = strrchr(path, '/');

	if (!span_ends(span_of(path), ".whl"))
		return;
	for (const char *p = slash ? slash + 1 : path; *p && *p != '-'; p++)
		buf_char(ret, *p == '_' || *p == '.' ? '-' : (char)tolower((unsigned char)*p));
}

/* The compiler that the package brings, or nothing. */
static struct span compiler_of(const char *path)
{
	struct span rest = span_of(data_run_time_compilers), line, name, says;
	struct buf package BUF_SCOPED = { 0 };

	package_of(path, &package);
	while (package.len > 0 && span_line(&rest, &line))
		if (span_cut(&line, '\t', &name) && span_same(name, buf_get(&package)) &&
		    span_cut(&line, '\t', &says))
			return says;
	return (struct span){ 0 };
}

void targets_run_time(struct targets *t)
{
	size_t count = 0;

	for (size_t i = 0; i < t->nothing_count; i++) {
		struct span compiler = compiler_of(t->nothing[i].path);

		if (compiler.len == 0)
			continue;
		t->nothing[i].says =
			arena_format(&t->arena, "no device code: %.*s for the GPU at run time",
				     (int)compiler.len, compiler.data);
		count++;
	}
	if (count > 0 && count == t->nothing_count)
		t->if_any = true;
}
