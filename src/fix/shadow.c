#include "fix/shadow.h"

#include <errno.h>
#include <string.h>

#include "fix/apply.h"

#define PWD_LOCK "/etc/.pwd.lock"
#define TEMP     ".rocsteady-fix.tmp"

static const char *const files[] = { "/etc/group.lock", "/etc/gshadow.lock" };
#define FILES (sizeof(files) / sizeof(files[0]))

bool shadow_is_lock(const char *path)
{
	for (size_t i = 0; i < FILES; i++)
		if (strcmp(path, files[i]) == 0)
			return true;
	return strcmp(path, PWD_LOCK) == 0;
}

/* "4711" and the NUL behind it. */
static bool parse_holder(struct span bytes, pid_t *ret)
{
	struct span rest = bytes, word = { 0 };
	uint64_t pid;

	if (span_word(&rest, &word) && word.len > 0 && word.data[word.len - 1] == '\0')
		word.len--;
	if (!span_u64(word, &pid) || pid == 0 || pid > INT32_MAX)
		return false;
	*ret = (pid_t)pid;
	return true;
}

pid_t shadow_holder(struct span bytes)
{
	pid_t pid;

	return parse_holder(bytes, &pid) && writer_is_alive(pid) ? pid : 0;
}

static int say_busy(struct buf *said, const char *path, pid_t pid)
{
	struct buf who BUF_SCOPED = { 0 };

	if (pid > 0)
		buf_addf(&who, "process %d", (int)pid);
	return fix_refuse(said, -EAGAIN,
			  "%s: %s is changing users or groups; try again in a moment", path,
			  pid > 0 ? who.data : "another program");
}

static int refuse(struct buf *said, int error, const char *path, pid_t pid)
{
	return error == -EAGAIN ? say_busy(said, path, pid) : fix_refuse(said, error, "%s", path);
}

/* A descriptor; without `make`, -ENOENT where it is not there, and so free. */
static int lock(const struct writer *w, bool make, struct buf *said)
{
	pid_t pid;
	int r = writer_lock(w, PWD_LOCK, make, &pid);

	return r >= 0 || (r == -ENOENT && !make) ? r : refuse(said, r, PWD_LOCK, pid);
}

/* 0 if a lock file is not there, or its process is gone. */
static int check_file(const struct writer *w, const char *path, struct buf *said)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct writer_state state;
	int r = writer_look(w, path, &state, &bytes);
	pid_t pid;

	if (r < 0)
		return fix_refuse(said, r, "%s", path);
	if (state.kind == '-')
		return 0;
	if (state.kind != 'f' || !parse_holder(buf_get(&bytes), &pid))
		return fix_refuse(said, -EBUSY,
				  "%s exists and names no process: nobody can change groups "
				  "until it is removed",
				  path);
	return writer_is_alive(pid) ? say_busy(said, path, pid) : 0;
}

int shadow_check(const struct writer *w, struct buf *said)
{
	int r = lock(w, false, said);

	if (r >= 0)
		writer_unlock(r);
	r = r == -ENOENT ? 0 : r;
	for (size_t i = 0; r >= 0 && i < FILES; i++)
		r = check_file(w, files[i], said);
	return r < 0 ? r : 0;
}

/* Whole and under its name at once, as their link(2) makes it. */
static int claim(const struct writer *w, const char *path, struct buf *said)
{
	struct buf pid BUF_SCOPED = { 0 };
	int r = -EEXIST;

	buf_addf(&pid, "%d", (int)writer_process());
	buf_char(&pid, '\0');
	for (int tries = 0; r == -EEXIST && tries < 3; tries++) {
		r = check_file(w, path, said);
		if (r < 0)
			return r;
		r = writer_remove(w, path); /* of one that is gone */
		if (r == 0)
			r = writer_create(w, path, TEMP, buf_get(&pid), 0600);
	}
	return r < 0 ? refuse(said, r == -EEXIST ? -EAGAIN : r, path, 0) : 0;
}

int shadow_hold(const struct writer *w, struct shadow_hold *ret, struct buf *said)
{
	struct shadow_hold hold = { .lock = lock(w, true, said) };
	int r = hold.lock < 0 ? hold.lock : 0;

	for (; r == 0 && hold.claimed < FILES; hold.claimed += r == 0)
		r = claim(w, files[hold.claimed], said);
	if (r < 0 && hold.lock >= 0)
		shadow_release(w, &hold, false);
	if (r == 0)
		*ret = hold;
	return r;
}

void shadow_release(const struct writer *w, const struct shadow_hold *hold, bool pwd_lock_too)
{
	for (size_t i = hold->claimed; i-- > 0;)
		writer_remove(w, files[i]);
	if (pwd_lock_too)
		writer_remove(w, PWD_LOCK);
	writer_unlock(hold->lock);
}
