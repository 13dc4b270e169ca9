#include "probe/python-trust.h"

#include <dirent.h>
#include <string.h>

#include "base/arena.h"
#include "parse/pyvenv.h"

#define SMALL_MAX ((size_t)1 << 20) /* of a .pth file or pyvenv.cfg */

struct python_judge {
	struct trust *trust;
	struct as_user *user;
	struct buf *why;
	struct arena arena;
};

/* ---- .pth files ---- */

/* A line is code, a comment, or a directory; what is none of them Python passes over. */
static bool judge_line(struct python_judge *s, const char *site, struct span line)
{
	const char *path;

	line = span_trim(line);
	if (line.len == 0 || line.data[0] == '#' || span_starts(line, "import ") ||
	    span_starts(line, "import\t"))
		return true;
	path = arena_format(&s->arena, "%s%s%.*s", line.data[0] == '/' ? "" : site,
			    line.data[0] == '/' ? "" : "/", (int)line.len, line.data);
	return as_user_kind(s->user, path) == 'd' ? trust_tree(s->trust, path, s->why)
						  : trust_path(s->trust, path, s->why);
}

static bool judge_pth(struct python_judge *s, const char *site, const char *name)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest, line;

	if (as_user_read(s->user, arena_format(&s->arena, "%s/%s", site, name), SMALL_MAX, &text) <
	    0)
		return true; /* nor can Python */
	rest = buf_get(&text);
	while (span_line(&rest, &line))
		if (!judge_line(s, site, line))
			return false;
	return true;
}

static bool judge_site(struct python_judge *s, const char *site)
{
	bool good = trust_tree(s->trust, site, s->why);
	DIR *d = good ? door_dir(as_user_dir(s->user, site)) : NULL;
	struct dirent *e;

	while (good && d && (e = readdir(d)))
		if (span_ends(span_of(e->d_name), ".pth"))
			good = judge_pth(s, site, e->d_name);
	if (d)
		closedir(d);
	return good;
}

/* ---- its directories ---- */

static bool judge_if_there(struct python_judge *s, const char *path)
{
	return as_user_kind(s->user, path) != 'd' || judge_site(s, path);
}

/* python3.11 and the like in a lib directory, with all below; `site`: only its packages. */
static bool judge_lib(struct python_judge *s, const char *lib, bool site_too)
{
	static const char *const sites[] = { "site-packages", "dist-packages" };
	DIR *d = door_dir(as_user_dir(s->user, lib));
	struct dirent *e;
	bool good = true;

	while (good && d && (e = readdir(d))) {
		const char *path = arena_format(&s->arena, "%s/%s", lib, e->d_name);

		if (!span_starts(span_of(e->d_name), "python3"))
			continue;
		good = trust_tree(s->trust, path, s->why);
		for (size_t i = 0; good && site_too && i < 2; i++)
			good = judge_if_there(s, arena_format(&s->arena, "%s/%s", path, sites[i]));
	}
	if (d)
		closedir(d);
	return good;
}

static bool judge_prefix(struct python_judge *s, const char *prefix, bool site_too)
{
	static const char *const libs[] = { "lib", "lib64", "local/lib" };

	for (size_t i = 0; i < sizeof(libs) / sizeof(libs[0]); i++) {
		if (i == 2 && !site_too)
			continue; /* Debian has no standard library there */
		if (!judge_lib(s, arena_format(&s->arena, "%s/%s", prefix, libs[i]), site_too))
			return false;
	}
	return true;
}

static const char *dir_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_text(a, (struct span){ path, slash ? (size_t)(slash - path) : 0 });
}

/* `home` of pyvenv.cfg is the bin directory of the Python that it was made with. */
static bool judge_python(struct python_judge *s, const char *python)
{
	const char *prefix = dir_of(&s->arena, dir_of(&s->arena, python));
	const char *file = arena_format(&s->arena, "%s/pyvenv.cfg", prefix);
	struct buf text BUF_SCOPED = { 0 };
	struct pyvenv venv;

	if (as_user_read(s->user, file, SMALL_MAX, &text) < 0 ||
	    !pyvenv_parse(buf_get(&text), &venv))
		return judge_prefix(s, prefix, true);
	return trust_path(s->trust, file, s->why) && judge_prefix(s, prefix, true) &&
	       judge_prefix(s, dir_of(&s->arena, arena_text(&s->arena, venv.home)),
			    venv.system_site);
}

bool python_trust(struct trust *t, struct as_user *u, const char *python, struct buf *ret_why)
{
	struct python_judge s = { .trust = t, .user = u, .why = ret_why };
	bool good = judge_python(&s, python);

	arena_done(&s.arena);
	return good;
}
