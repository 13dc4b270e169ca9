#include "survey/site.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "code/kernel-directories.h"
#include "parse/wheel-record.h"

#define RECORD_MAX    ((uint64_t)32 << 20)
#define LIBRARIES_MAX 512 /* of one package */

/* "libx.so", "libx.so.2.1", not "x.so.h" */
static bool is_library(struct span name)
{
	size_t at = span_find(name, SPAN_LITERAL(".so."));

	if (span_ends(name, ".so"))
		return true;
	if (at == SIZE_MAX)
		return false;
	for (at += 4; at < name.len; at++)
		if (name.data[at] != '.' && (name.data[at] < '0' || name.data[at] > '9'))
			return false;
	return true;
}

static bool is_wanted_library(const struct site_package *p, struct span name)
{
	static const char *const traits[] = { "rocm", "cuda", "cpu", "main", "libs" };
	struct span rest = p->row.traits, value;

	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		if (python_package_has(&p->row, traits[i], name))
			return true;
	return !python_package_trait(&rest, "libs", &value);
}

/*
 * One that may be the main library: where it really is, if a link leads there
 * (Debian, uv), and whether it is there at all.
 */
static void tell_real(struct site *s, const struct site_package *p, struct span name)
{
	static const char *const traits[] = { "rocm", "cuda", "cpu", "main" };
	const char *path = site_join(s, s->path, name);
	char real[AS_USER_PATH_MAX];
	bool candidate = false;

	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		candidate |= python_package_has(&p->row, traits[i], name);
	if (!candidate)
		return;
	if (as_user_real(&s->user, path, real) < 0)
		site_line(s, "missing", p->name, name);
	else if (strcmp(real, path) != 0) {
		buf_addf(s->out, "real %s ", p->name);
		text_word(s->out, name);
		buf_char(s->out, ' ');
		text_clean(s->out, span_of(real), false);
		buf_char(s->out, '\n');
	}
}

static void tell_dir(struct site *s, struct site_package *p, struct span dir)
{
	for (size_t i = 0; i < p->dir_count; i++)
		if (span_is(dir, p->dirs[i]))
			return;
	p->dirs = arena_grow(&s->arena, p->dirs, p->dir_count, sizeof(*p->dirs));
	p->dirs[p->dir_count++] = arena_text(&s->arena, dir);
	site_line(s, "kernels", p->name, dir);
}

/* Most of the 12,000 files of TensorFlow; they are neither libraries nor kernels. */
static bool is_source(struct span name)
{
	static const char *const endings[] = { ".py", ".h", ".pyc", ".pyi", ".hpp", ".inc" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (span_ends(name, endings[i]))
			return true;
	return false;
}

/* A package has no versions between. */
static bool is_in_package(const struct kernel_directory *d)
{
	return d->place != KERNEL_DIRECTORY_ANYWHERE && !d->versioned;
}

static void tell_file(struct site *s, struct site_package *p, struct span name)
{
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);

	if (is_source(name))
		return;
	if (name.len == 0 || name.data[0] == '/' || span_starts(name, "../"))
		return; /* scripts, manual pages: outside of the site */
	for (size_t i = 0; i < count; i++) {
		size_t at = is_in_package(&rows[i]) ? span_find(name, rows[i].inside) : SIZE_MAX;

		if (at != SIZE_MAX) {
			tell_dir(s, p, (struct span){ name.data, at + rows[i].inside.len - 1 });
			return;
		}
	}
	if (!is_library(name) || !is_wanted_library(p, name))
		return;
	if (p->libraries++ < LIBRARIES_MAX) {
		site_line(s, "library", p->name, name);
		tell_real(s, p, name);
	} else if (p->libraries == LIBRARIES_MAX + 1)
		site_problem(s, p->name, "it has more libraries than are named here");
}

/* False if there is none, or an empty one as Debian's tools leave. */
static bool tell_record(struct site *s, struct site_package *p)
{
	const char *info = site_join(s, s->path, span_of(p->info));
	struct wheel_record *record;
	struct as_user_file file;
	struct source source;
	struct span name;
	unsigned int count = 0;
	int r = as_user_open(&s->user, site_join(s, info, SPAN_LITERAL("RECORD")), &file);

	if (r < 0)
		return false; /* the directories themselves will do */
	file.until_ms = s->until_ms;
	source = as_user_source(&file, RECORD_MAX);
	record = arena_alloc(&s->arena, sizeof(*record));
	wheel_record_init(record, &source);
	while ((r = wheel_record_next(record, &name)) == 1) {
		count++;
		tell_file(s, p, name);
	}
	as_user_close(&file);
	if (r < 0)
		site_problem(s, p->name,
			     r == -EFBIG ? "its RECORD is too long" : "its RECORD cannot be read");
	else if (record->skipped > 0)
		site_problem(s, p->name, "its RECORD has names that are too long");
	if (count > 0)
		buf_addf(s->out, "record %s %u\n", p->name, count);
	return count > 0;
}

/* The files of one directory of the site, below which no other is entered. */
static void tell_listed(struct site *s, struct site_package *p, struct span dir)
{
	const char *path = site_join(s, s->path, dir);
	struct site_names names;
	int r = site_list(s, path, &names);

	if (r < 0) {
		site_failed(s, p->name, path, r);
		return;
	}
	for (size_t i = 0; i < names.count; i++)
		tell_file(s, p,
			  span_of(arena_format(&s->arena, "%.*s/%s", (int)dir.len, dir.data,
					       names.names[i])));
}

/* Without a RECORD: the directories where libraries and kernels stand in every build known. */
void site_tell_directories(struct site *s, struct site_package *p)
{
	static const char *const below[] = { "", "/lib", "/capi" };
	struct span rest = p->row.traits, dir;
	size_t count;
	const struct kernel_directory *rows = kernel_directories(&count);

	while (python_package_trait(&rest, "dir", &dir)) {
		for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++)
			tell_listed(s, p,
				    span_of(arena_format(&s->arena, "%.*s%s", (int)dir.len,
							 dir.data, below[i])));
		for (size_t i = 0; i < count; i++) {
			const char *name = arena_format(
				&s->arena, "%.*s/%s/%.*s", (int)dir.len, dir.data,
				rows[i].place == KERNEL_DIRECTORY_LIB ? "lib" : "share",
				(int)rows[i].ending.len, rows[i].ending.data);

			if (is_in_package(&rows[i]) &&
			    as_user_kind(&s->user, site_join(s, s->path, span_of(name))) == 'd')
				tell_dir(s, p, span_of(name));
		}
	}
}

void site_tell_files(struct site *s, struct site_package *p)
{
	if (p->egg || !tell_record(s, p))
		site_tell_directories(s, p);
}
