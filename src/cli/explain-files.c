#include "cli/explain-files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/span.h"
#include "cli/say.h"

#define DEPTH_MAX 64 /* no tree of logs is deeper; a loop of mounts would be */

static void add(struct explain_files *f, const char *path, bool found)
{
	f->list = arena_grow(&f->arena, f->list, f->count, sizeof(*f->list));
	f->list[f->count++] = (struct explain_file){ .path = path, .found = found };
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct explain_file *)a)->path,
		      ((const struct explain_file *)b)->path);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A file of a directory that was not read keeps the answer from being fine. */
static void leave_out(struct explain_files *f, const char *path, const char *why)
{
	say("%s: left out, %s", path, why);
	f->incomplete = true;
}

/* Does it lead to a file that no directory of this search has by itself? */
static bool leads_outside(const char *top, const char *link)
{
	char *inside = realpath(top, NULL), *target = realpath(link, NULL);
	size_t len = inside ? strlen(inside) : 0;
	bool outside = inside && target &&
		       (strncmp(target, inside, len) != 0 || (target[len] != '/' && len > 1));

	free(inside);
	free(target);
	return outside;
}

static void look_behind_link(struct explain_files *f, const char *top, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		leave_out(f, path, strerror(errno));
	else if (!leads_outside(top, path))
		return;
	else if (S_ISDIR(st.st_mode))
		leave_out(f, path, "a link to another directory");
	else if (S_ISREG(st.st_mode))
		add(f, path, true);
}

static void walk(struct explain_files *f, const char *top, const char *dir, unsigned int depth);

static void look(struct explain_files *f, const char *top, const char *path, unsigned int depth)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		leave_out(f, path, strerror(errno));
	else if (S_ISREG(st.st_mode))
		add(f, path, true);
	else if (S_ISLNK(st.st_mode))
		look_behind_link(f, top, path);
	else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		walk(f, top, path, depth + 1);
	else if (S_ISDIR(st.st_mode))
		leave_out(f, path, "it is more than 64 directories deep");
}

static void walk(struct explain_files *f, const char *top, const char *dir, unsigned int depth)
{
	size_t len = strlen(dir);
	const char *slash = len > 0 && dir[len - 1] == '/' ? "" : "/";
	struct dirent **names = NULL;
	int count = scandir(dir, &names, NULL, alphasort);

	if (count < 0)
		leave_out(f, dir, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0)
			look(f, top,
			     arena_format(&f->arena, "%s%s%s", dir, slash, names[i]->d_name),
			     depth);
		free(names[i]);
	}
	free(names);
}

/* ---- texts ---- */

static bool is_missing(const char *word)
{
	struct stat st;

	return strcmp(word, "-") != 0 && stat(word, &st) < 0 &&
	       (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG);
}

static bool has_blank(const char *word)
{
	return strpbrk(word, " \t\r\n") != NULL;
}

/* "train.log", "nohup.out", "syslog.1": a dot and one to four letters or digits at the end. */
static bool has_extension(const char *word)
{
	const char *dot = strrchr(word, '.');
	size_t len = dot && dot > word ? strlen(dot + 1) : 0;

	return len >= 1 && len <= 4 &&
	       strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz0123456789") == len;
}

/* "my run.log": a log whose name has blanks. */
static bool ends_as_log(const char *word)
{
	static const char *const logs[] = { ".log", ".txt", ".out", ".err", ".gz", ".zst", ".xz" };

	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		if (span_ends(span_of(word), logs[i]))
			return !strstr(word, ": ") && !strchr(word, '\n');
	return false;
}

/* "/data/my runs/job 7", but also "/dev/kfd permission denied": a text, if an error is known in it. */
static bool begins_as_path(const char *word)
{
	return strchr("/.~", word[0]) && !strstr(word, ": ");
}

static bool names_file(const char *word)
{
	if (has_blank(word))
		return ends_as_log(word);
	return !*word || strpbrk(word, "/\\") || has_extension(word);
}

static void add_text(struct explain_files *f, const char *text, bool doubtful)
{
	add(f, "-", false);
	f->list[f->count - 1].text = text;
	f->list[f->count - 1].doubtful = doubtful;
}

/*
 * A message without quotes comes as many words: none of them is there, and either
 * none looks like a file or the first one ends as the name of an error does.
 */
static bool take_sentence(struct explain_files *f, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	bool like_files = false, blanks = false;

	for (int i = 0; i < o->word_count; i++) {
		if (!is_missing(o->words[i]))
			return false;
		like_files = like_files || names_file(o->words[i]);
		blanks = blanks || has_blank(o->words[i]);
		buf_addf(&text, "%s%s", i > 0 ? " " : "", o->words[i]);
	}
	if (o->word_count == 0 ||
	    (like_files && (o->word_count == 1 || !span_ends(span_of(o->words[0]), ":"))))
		return false;
	add_text(f, arena_text(&f->arena, buf_get(&text)), !blanks || begins_as_path(o->words[0]));
	return true;
}

/* ---- words ---- */

/* By name within each directory that was named; the words stay in their order. */
static int take(struct explain_files *f, const char *word)
{
	size_t before = f->count;

	if (has_blank(word) && is_missing(word) && !names_file(word)) {
		add_text(f, word, begins_as_path(word));
		return 0;
	}
	if (!is_directory(word)) {
		add(f, word, false);
		return 0;
	}
	walk(f, word, word, 0);
	if (f->count == before) {
		say("%s holds no files", word);
		return EXIT_NO_INPUT;
	}
	qsort(f->list + before, f->count - before, sizeof(*f->list), by_path);
	return 0;
}

int explain_files_find(const struct options *o, struct explain_files *ret)
{
	struct explain_files f = { 0 };
	int status = 0, inputs = 0;
	bool is_sentence = !o->follow && take_sentence(&f, o);

	if (o->word_count == 0)
		add(&f, "-", false);
	for (int i = 0; !is_sentence && status == 0 && i < o->word_count; i++) {
		inputs += strcmp(o->words[i], "-") == 0;
		status = inputs > 1 ? say_usage("explain", "standard input can be read only once")
				    : take(&f, o->words[i]);
	}
	if (status == 0)
		*ret = f;
	else
		explain_files_done(&f);
	return status;
}

void explain_files_done(struct explain_files *f)
{
	arena_done(&f->arena);
	*f = (struct explain_files){ 0 };
}
