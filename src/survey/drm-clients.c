#include "survey/drm-clients.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "door/proc.h"

#define LOOKS_MAX 400000 /* descriptors over all processes */
#define TEXT_MAX  ((size_t)256 * 1024)

struct drm_search {
	struct door *door;
	struct buf *out;
	unsigned int denied;
	unsigned int looks;
};

static void describe(struct drm_search *s, pid_t pid, int fd)
{
	struct buf comm BUF_SCOPED = { 0 };
	struct buf info BUF_SCOPED = { 0 };
	struct span rest, line;
	uid_t user = 0;
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	if (door_read(s->door, path, DOOR_FILE_MAX, &info) < 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	(void)door_read(s->door, path, DOOR_FILE_MAX, &comm); /* the process may be gone by now */
	(void)proc_user(pid, &user);
	buf_addf(s->out, "process %d %u ", (int)pid, user);
	text_word(s->out, span_trim(buf_get(&comm)));
	buf_char(s->out, '\n');
	for (rest = buf_get(&info); span_line(&rest, &line);)
		if (span_starts(line, "drm-")) {
			text_clean(s->out, line, true);
			buf_char(s->out, '\n');
		}
}

static void look_into(struct drm_search *s, pid_t pid)
{
	struct proc_files files;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	beacon_step(s->door->beacon, path);
	r = proc_files_open(proc_open(pid, "fd"), &files);
	s->denied += r == -EACCES || r == -EPERM;
	while (s->looks + files.looked < LOOKS_MAX && proc_files_next(&files))
		if (proc_files_is_drm(&files) && s->out->len < TEXT_MAX)
			describe(s, pid, files.number);
	s->looks += files.looked;
	proc_files_close(&files);
}

int drm_clients(struct door *d, struct span argument, struct buf *ret)
{
	struct drm_search s = { .door = d, .out = ret };
	struct door_node node;
	struct dirent *entry;
	DIR *dir;
	int r;

	(void)argument;
	r = door_stat(d, "/dev/dri", &node);
	if (r < 0)
		return r; /* without a node there is no client */
	dir = proc_dir(0, "");
	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			look_into(&s, atoi(entry->d_name));
	closedir(dir);
	if (s.looks >= LOOKS_MAX || ret->len >= TEXT_MAX)
		s.denied++; /* somebody was not looked at */
	buf_addf(ret, "denied %u\n", s.denied);
	return 0;
}
