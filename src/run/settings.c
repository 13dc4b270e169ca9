#include "run/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "door/atomic-file.h"
#include "door/paths.h"
#include "facts/select.h"
#include "run/run-dir.h"

#define HOOK "sitecustomize.py"

extern char **environ;
extern const char run_sitecustomize[];

static void put_fact(struct facts *facts, const char *name, const char *value)
{
	char *sql = sqlite3_mprintf("DELETE FROM main.env WHERE subject = 'identity' AND name = %Q",
				    name);
	struct row row = row_of("env");

	select_exec(facts_db(facts), sql);
	sqlite3_free(sql);
	if (!value)
		return;
	row_string(&row, "subject", "identity");
	row_string(&row, "name", name);
	row_string(&row, "value", value);
	row_string(&row, "source", "environment");
	facts_add(facts, &row);
}

void settings_tell(struct facts *facts)
{
	for (char **v = environ; *v; v++) {
		struct span value = span_of(*v), name;
		char *copy;

		if (!span_cut(&value, '=', &name) || !paths_watched_variable(name) ||
		    paths_secret_variable(name))
			continue;
		copy = strndup(name.data, name.len);
		if (copy)
			put_fact(facts, copy, value.data);
		free(copy);
	}
}

void settings_put(struct facts *facts, const struct workaround *w)
{
	if (w->value)
		setenv(w->name, w->value, 1);
	else
		unsetenv(w->name);
	if (facts)
		put_fact(facts, w->name, w->value);
}

const char *settings_value(const char *name)
{
	return getenv(name);
}

void settings_self(char ret[static 24])
{
	snprintf(ret, 24, "%d", (int)getpid());
}

/* ---- the hook ---- */

static int write_hook(int dir)
{
	struct atomic_file f;
	int r = atomic_file_begin(dir, HOOK ".new", &f);

	if (r < 0)
		return r;
	r = atomic_file_end(&f, fd_write(f.fd, span_of(run_sitecustomize)));
	if (r < 0)
		return r;
	r = atomic_file_rename(&f, HOOK, true);
	if (r < 0)
		atomic_file_drop(&f);
	return r;
}

/* Python takes the first sitecustomize of its path; ours loads the next one itself. */
int settings_write_hook(const char *directory)
{
	struct buf list BUF_SCOPED = { 0 };
	const char *before = getenv("PYTHONPATH");
	struct span rest = span_of(before ? before : ""), first;
	int dir = run_dir_below(directory, "python", &list);
	int r = dir < 0 ? dir : write_hook(dir);

	if (dir >= 0)
		close(dir);
	if (r < 0)
		return r;
	if (span_cut(&rest, ':', &first) && span_is(first, list.data))
		return 0; /* an earlier attempt has put it there */
	if (before && before[0])
		buf_addf(&list, ":%s", before);
	setenv("PYTHONPATH", list.data, 1);
	return 0;
}
