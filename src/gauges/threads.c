#include "gauges/threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "parse/proc-stat.h"

#define DRM_MAX    ((size_t)16 << 10)
#define PAGE_BYTES 4096u
#define PIECES_MAX 32

static size_t read_small(const char *path, char *ret, size_t size)
{
	return fd_text(open(path, O_RDONLY | O_CLOEXEC), ret, size);
}

static void read_wchan(pid_t pid, struct threads_one *t)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/wchan", (int)pid, (int)t->tid);
	if (read_small(path, t->wchan, sizeof(t->wchan)) == 0 || strcmp(t->wchan, "0") == 0)
		t->wchan[0] = '\0';
}

static bool read_one(pid_t pid, const char *tid, bool all, struct threads_one *ret)
{
	char path[64], text[1024];
	struct threads_one t = { 0 };
	struct proc_stat stat;
	uint64_t number;
	size_t n;

	if (!span_u64(span_of(tid), &number))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task/%.16s/stat", (int)pid, tid);
	n = read_small(path, text, sizeof(text));
	if (!proc_stat_parse((struct span){ text, n }, &stat))
		return false;
	snprintf(t.name, sizeof(t.name), "%.*s", (int)stat.name.len, stat.name.data);
	t.tid = (pid_t)number;
	t.state = stat.state;
	t.cpu_ms = (int64_t)(stat.ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK));
	if (all || t.state == 'D')
		read_wchan(pid, &t);
	*ret = t;
	return true;
}

size_t threads_list(pid_t pid, bool all, struct threads_one *to, size_t room)
{
	char path[32];
	struct dirent *entry;
	size_t count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && count < room && (entry = readdir(dir)))
		count += read_one(pid, entry->d_name, all, &to[count]);
	if (dir)
		closedir(dir);
	return count;
}

int threads_file(pid_t pid, pid_t tid, const char *name, size_t most, struct buf *ret)
{
	char path[96];
	int fd;

	if (tid)
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%.32s", (int)pid, (int)tid, name);
	else
		snprintf(path, sizeof(path), "/proc/%d/%.32s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd_head(fd, most, ret);
}

/* A piece is copied whole or not at all: one for each page, since a stack ends somewhere. */
size_t threads_words(pid_t pid, uint64_t at, uint64_t *to, size_t count)
{
	struct iovec here = { to, count * sizeof(*to) };
	struct iovec there[PIECES_MAX];
	size_t left = here.iov_len, pieces = 0;
	ssize_t n;

	while (left > 0 && pieces < PIECES_MAX) {
		size_t piece = PAGE_BYTES - at % PAGE_BYTES;

		piece = piece < left ? piece : left;
		there[pieces++] = (struct iovec){ (void *)(uintptr_t)at, piece };
		at += piece;
		left -= piece;
	}
	n = process_vm_readv(pid, &here, 1, there, pieces, 0);
	return n > 0 ? (size_t)n / sizeof(*to) : 0;
}

/* The system call's number, then its arguments. */
bool threads_asks(pid_t pid)
{
	char path[64], text[256], target[32];
	unsigned long number, fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	if (read_small(path, text, sizeof(text)) == 0 ||
	    sscanf(text, "%lu %lx", &number, &fd) != 2 || number != SYS_read)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/fd/%lu", (int)pid, fd);
	n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}

static void add_drm_lines(pid_t pid, const char *fd, struct buf *ret)
{
	struct buf info BUF_SCOPED = { 0 };
	struct span rest, line;
	char name[32];

	snprintf(name, sizeof(name), "fdinfo/%.16s", fd);
	if (threads_file(pid, 0, name, PAGE_BYTES, &info) < 0)
		return;
	buf_addf(ret, "fd %s\n", fd);
	rest = buf_get(&info);
	while (span_line(&rest, &line))
		if (span_starts(line, "drm-")) {
			text_clean(ret, line, true);
			buf_char(ret, '\n');
		}
}

void threads_drm(pid_t pid, struct buf *ret)
{
	size_t most = ret->len + DRM_MAX;
	struct dirent *entry;
	char path[32], target[32];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	while (dir && ret->len < most && (entry = readdir(dir))) {
		ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target));

		if (n > 9 && memcmp(target, "/dev/dri/", 9) == 0)
			add_drm_lines(pid, entry->d_name, ret);
	}
	if (dir)
		closedir(dir);
}

bool threads_hold_gpu(pid_t pid)
{
	struct dirent *entry;
	char path[32], target[32];
	bool held = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	while (dir && !held && (entry = readdir(dir))) {
		ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target));

		held = (n > 9 && memcmp(target, "/dev/dri/", 9) == 0) ||
		       (n == 8 && memcmp(target, "/dev/kfd", 8) == 0);
	}
	if (dir)
		closedir(dir);
	return held;
}

/* nr_written counts pages that went to file servers too. */
int64_t threads_storage_kib(void)
{
	static const struct {
		const char *name;
		unsigned int kib;
	} rows[] = { { "pgpgin ", 1 }, { "pgpgout ", 1 }, { "nr_written ", PAGE_BYTES / 1024 } };
	char text[16384];
	size_t n = read_small("/proc/vmstat", text, sizeof(text));
	struct span rest = { text, n }, line;
	int64_t sum = n > 0 ? 0 : -1;

	while (span_line(&rest, &line))
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			size_t at = strlen(rows[i].name);
			uint64_t value;

			if (span_starts(line, rows[i].name) &&
			    span_u64((struct span){ line.data + at, line.len - at }, &value))
				sum += (int64_t)(value * rows[i].kib);
		}
	return sum;
}
