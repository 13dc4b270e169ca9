#include "survey/drm-clients.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define LOOKS_MAX 400000 /* descriptors over all processes */
#define TEXT_MAX  ((size_t)256 * 1024)

struct search {
	struct door *door;
	struct buf *out;
	unsigned int denied;
	unsigned int looks;
};

static void drm_lines(struct span text, struct buf *ret)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_starts(line, "drm-")) {
			text_clean(ret, line, true);
			buf_char(ret, '\n');
		}
}

static void describe(struct search *s, const char *pid, const char *fd)
{
	struct buf comm BUF_SCOPED = { 0 };
	struct buf info BUF_SCOPED = { 0 };
	struct stat st = { 0 };
	char path[96];

	snprintf(path, sizeof(path), "/proc/%.16s/fdinfo/%.16s", pid, fd);
	if (door_read(s->door, path, DOOR_FILE_MAX, &info) < 0)
		return;
	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	(void)door_read(s->door, path, DOOR_FILE_MAX, &comm); /* the process may be gone by now */
	snprintf(path, sizeof(path), "/proc/%.16s", pid);
	(void)stat(path, &st);
	buf_addf(s->out, "process %s %u ", pid, st.st_uid);
	text_word(s->out, span_trim(buf_get(&comm)));
	buf_char(s->out, '\n');
	drm_lines(buf_get(&info), s->out);
}

static void look_into(struct search *s, const char *pid)
{
	char path[64];
	char target[32];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	beacon_step(s->door->beacon, path);
	dir = opendir(path);
	if (!dir) {
		s->denied += errno == EACCES || errno == EPERM;
		return;
	}
	while ((entry = readdir(dir)) && s->looks++ < LOOKS_MAX) {
		ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target));

		if (n > 9 && memcmp(target, "/dev/dri/", 9) == 0 && s->out->len < TEXT_MAX)
			describe(s, pid, entry->d_name);
	}
	closedir(dir);
}

int drm_clients(struct door *d, struct span argument, struct buf *ret)
{
	struct search s = { .door = d, .out = ret };
	struct dirent *entry;
	DIR *dir;

	(void)argument;
	if (access("/dev/dri", F_OK) < 0)
		return -errno; /* without a node there is no client */
	dir = opendir("/proc");
	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			look_into(&s, entry->d_name);
	closedir(dir);
	if (s.looks >= LOOKS_MAX || ret->len >= TEXT_MAX)
		s.denied++; /* somebody was not looked at */
	buf_addf(ret, "denied %u\n", s.denied);
	return 0;
}
