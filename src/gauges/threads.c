#include "gauges/threads.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/fd.h"
#include "base/text.h"
#include "door/host.h"
#include "door/proc.h"
#include "parse/proc-stat.h"

#define DRM_MAX    ((size_t)16 << 10)
#define PAGE_BYTES 4096u
#define PIECES_MAX 32

static bool read_one(pid_t pid, const char *tid, bool all, struct threads_one *ret)
{
	char name[40], text[1024];
	struct threads_one t = { 0 };
	struct proc_stat stat;
	uint64_t number;
	size_t n;

	if (!span_u64(span_of(tid), &number))
		return false;
	snprintf(name, sizeof(name), "task/%.16s/stat", tid);
	n = proc_text(pid, name, text, sizeof(text));
	if (!proc_stat_parse((struct span){ text, n }, &stat))
		return false;
	snprintf(t.name, sizeof(t.name), "%.*s", (int)stat.name.len, stat.name.data);
	t.tid = (pid_t)number;
	t.state = stat.state;
	t.cpu_ms = host_ticks_ms(stat.ticks);
	if (all || t.state == 'D') {
		snprintf(name, sizeof(name), "task/%d/wchan", (int)t.tid);
		if (proc_text(pid, name, t.wchan, sizeof(t.wchan)) == 0 ||
		    strcmp(t.wchan, "0") == 0)
			t.wchan[0] = '\0';
	}
	*ret = t;
	return true;
}

size_t threads_list(pid_t pid, bool all, struct arena *a, struct threads_one **ret)
{
	DIR *dir = proc_dir(pid, "task");
	struct threads_one *list = NULL, one;
	struct dirent *entry;
	size_t count = 0;

	while (dir && (entry = readdir(dir)))
		if (read_one(pid, entry->d_name, all, &one)) {
			list = arena_grow(a, list, count, sizeof(*list));
			list[count++] = one;
		}
	if (dir)
		closedir(dir);
	*ret = list;
	return count;
}

int threads_file(pid_t pid, pid_t tid, const char *name, size_t most, struct buf *ret)
{
	char below[64];
	int fd;

	if (tid)
		snprintf(below, sizeof(below), "task/%d/%.32s", (int)tid, name);
	fd = proc_open(pid, tid ? below : name);
	return fd < 0 ? fd : fd_head(fd, most, ret);
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

/* /proc/PID/syscall has the number of the call, then its arguments. */
bool threads_asks(pid_t pid)
{
	char text[256], name[32], target[32];
	unsigned long number, fd;

	if (proc_text(pid, "syscall", text, sizeof(text)) == 0 ||
	    sscanf(text, "%lu %lx", &number, &fd) != 2 || number != SYS_read)
		return false;
	snprintf(name, sizeof(name), "fd/%lu", fd);
	return proc_link(pid, name, target, sizeof(target)) &&
	       (strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0);
}

static void add_drm_lines(pid_t pid, int fd, struct buf *ret)
{
	struct buf info BUF_SCOPED = { 0 };
	struct span rest, line;
	char name[32];

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	if (threads_file(pid, 0, name, PAGE_BYTES, &info) < 0)
		return;
	buf_addf(ret, "fd %d\n", fd);
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
	struct proc_files files;

	(void)proc_files_open(proc_open(pid, "fd"), &files);
	while (ret->len < most && proc_files_next(&files))
		if (proc_files_is_drm(&files))
			add_drm_lines(pid, files.number, ret);
	proc_files_close(&files);
}

bool threads_hold_gpu(pid_t pid)
{
	struct proc_files files;
	bool held = false;

	(void)proc_files_open(proc_open(pid, "fd"), &files);
	while (!held && proc_files_next(&files))
		held = proc_files_is_drm(&files) || proc_files_is_kfd(&files);
	proc_files_close(&files);
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
	size_t n = proc_text(0, "vmstat", text, sizeof(text));
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
