#include "probe/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "parse/maps.h"

#define FILE_MAX ((size_t)4 << 20) /* a large job maps some thousand files */

static int read_file(const char *pid, const char *name, struct buf *ret)
{
	char path[64];
	char piece[16384];
	ssize_t n;
	int fd;

	if (strlen(pid) > 10 || strspn(pid, "0123456789") != strlen(pid) || !pid[0])
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	while ((n = read(fd, piece, sizeof(piece))) > 0 && ret->len < FILE_MAX)
		buf_add(ret, piece, (size_t)n);
	close(fd);
	return n < 0 ? -errno : 0;
}

static void take_libraries(struct span maps, struct choice *c)
{
	struct span path;

	c->library_count = 0;
	while (maps_next_file(&maps, &path))
		choice_take(c, path);
}

static bool is_told(struct span variable)
{
	static const char *const names[] = { "LD_LIBRARY_PATH=", "LD_PRELOAD=",
					     "HSA_OVERRIDE_GFX_VERSION",
					     "ROCR_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_starts(variable, names[i]))
			return true;
	return false;
}

static void take_variables(struct span environ_text, struct choice *c)
{
	struct span variable;

	while (span_cut(&environ_text, '\0', &variable))
		if (is_told(variable) && c->variable_count < CHOICE_VARIABLES_MAX)
			c->variables[c->variable_count++] = arena_text(&c->arena, variable);
}

static void take_python(const char *pid, struct choice *c)
{
	char path[64], program[PATH_MAX];
	const char *name;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/exe", pid);
	n = readlink(path, program, sizeof(program) - 1);
	if (n <= 0)
		return;
	program[n] = '\0';
	name = strrchr(program, '/');
	c->python = name && strncmp(name, "/python", 7) == 0
			    ? arena_text(&c->arena, span_of(program))
			    : NULL;
}

int process_choose(const char *pid, struct choice *c)
{
	struct buf maps BUF_SCOPED = { 0 };
	struct buf variables BUF_SCOPED = { 0 };
	int r = read_file(pid, "maps", &maps);

	if (r == 0)
		r = read_file(pid, "environ", &variables);
	if (r < 0)
		return r;
	take_libraries(buf_get(&maps), c);
	take_variables(buf_get(&variables), c);
	take_python(pid, c);
	c->like = arena_format(&c->arena, "pid@%s", pid);
	return choice_has(c, "hip") ? 0 : -ENXIO;
}
