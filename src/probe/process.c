#include "probe/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "parse/colon.h"
#include "parse/maps.h"

#define FILE_MAX ((size_t)64 << 20) /* a large job maps some thousand files, each in pieces */

/* A descriptor of /proc/N stays with that process: whoever gets its number later is not read. */
static int open_process(const char *pid)
{
	char path[32];
	int fd;

	if (strlen(pid) > 10 || strspn(pid, "0123456789") != strlen(pid) || !pid[0])
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%s", pid);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : errno == ENOENT ? -ESRCH : -errno;
}

static int read_file(int process, const char *name, struct buf *ret)
{
	int fd = openat(process, name, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	return fd_all(fd, FILE_MAX, ret);
}

/* The one who started it, also if it has taken other rights since. */
static bool take_owner(struct span status, struct choice *c)
{
	struct span ids, word;
	uint64_t uid, gid;

	if (!colon_find(status, "Uid", &ids) || !span_word(&ids, &word) || !span_u64(word, &uid) ||
	    !colon_find(status, "Gid", &ids) || !span_word(&ids, &word) || !span_u64(word, &gid))
		return false;
	c->uid = (uid_t)uid;
	c->gid = (gid_t)gid;
	return true;
}

/* In a container a path may name another file than here, or none. */
static bool is_same_file(int process, const char *path)
{
	char inside[PATH_MAX];
	struct stat here, there;
	int n = snprintf(inside, sizeof(inside), "root%s", path);

	return n < (int)sizeof(inside) && stat(path, &here) == 0 &&
	       fstatat(process, inside, &there, 0) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}

static bool is_told(struct span variable)
{
	static const char *const names[] = {
		"LD_LIBRARY_PATH=",      "LD_PRELOAD=",          "HSA_OVERRIDE_GFX_VERSION",
		"ROCR_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=", "CUDA_VISIBLE_DEVICES=",
		"GPU_DEVICE_ORDINAL="
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_starts(variable, names[i]))
			return true;
	return false;
}

static void add_variable(struct choice *c, const char *variable)
{
	c->variables =
		arena_grow(&c->arena, c->variables, c->variable_count, sizeof(*c->variables));
	c->variables[c->variable_count] = variable;
}

static void take_python(int process, struct choice *c)
{
	char program[PATH_MAX];
	ssize_t n = readlinkat(process, "exe", program, sizeof(program) - 1);
	const char *name;

	c->python = NULL;
	if (n <= 0)
		return;
	program[n] = '\0';
	name = strrchr(program, '/');
	if (name && strncmp(name, "/python", 7) == 0)
		c->python = arena_text(&c->arena, span_of(program));
}

static int choose(int process, struct choice *c)
{
	struct buf maps BUF_SCOPED = { 0 };
	struct buf variables BUF_SCOPED = { 0 };
	struct buf status BUF_SCOPED = { 0 };
	struct span rest, path, variable;
	int r = read_file(process, "maps", &maps);

	if (r == 0)
		r = read_file(process, "environ", &variables);
	if (r == 0)
		r = read_file(process, "status", &status);
	if (r < 0)
		return r;
	if (!take_owner(buf_get(&status), c))
		return -ESRCH;
	c->library_count = 0;
	rest = buf_get(&maps);
	while (maps_next_file(&rest, &path))
		choice_take(c, path);
	rest = buf_get(&variables);
	while (span_cut(&rest, '\0', &variable))
		if (is_told(variable)) {
			add_variable(c, arena_text(&c->arena, variable));
			c->variable_count++;
		}
	add_variable(c, NULL);
	take_python(process, c);
	if (!choice_has(c, "hip"))
		return -ENXIO;
	for (size_t i = 0; i < c->library_count; i++)
		if (!is_same_file(process, c->libraries[i].path))
			return -EXDEV;
	return 0;
}

int process_choose(const char *pid, struct choice *c)
{
	int process = open_process(pid), r;

	if (process < 0)
		return process;
	c->like = arena_format(&c->arena, "pid@%s", pid);
	r = choose(process, c);
	close(process);
	return r;
}
