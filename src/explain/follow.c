#include "explain/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"

/* Looked at again and again, not watched: inotify does not see what another host writes. */
#define WAIT_MS 250

struct follower {
	struct scan *scan;
	const struct log_signatures *signatures;
	const char *path;
	int fd;
	off_t at;
	bool *told;    /* of each signature */
	uint64_t said; /* the line that was said last */
	const struct follow *how;
};

static void tell(const struct follower *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(const struct follower *f, const char *format, ...)
{
	struct buf line BUF_SCOPED = { 0 };
	va_list args;

	va_start(args, format);
	buf_addv(&line, format, args);
	va_end(args);
	f->how->say(f->how->ctx, line.data);
}

static void tell_failures(struct follower *f)
{
	size_t count;
	const struct scan_event *const *events = scan_events(f->scan, &count);

	for (size_t i = 0; i < count; i++) {
		size_t which = (size_t)(events[i]->signature - f->signatures->list);

		if (f->told[which] || strcmp(f->signatures->more[which].kind, "failure") != 0)
			continue;
		f->told[which] = true;
		if (events[i]->samples[0].line == f->said)
			continue; /* a line that is known for two things is one line */
		f->said = events[i]->samples[0].line;
		tell(f, "line %llu: %s", (unsigned long long)f->said, events[i]->samples[0].text);
	}
}

/* All that is there. */
static int read_on(struct follower *f)
{
	while (!*f->how->stopped) {
		size_t room;
		char *to = scan_room(f->scan, &room);
		ssize_t n = read(f->fd, to, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		f->at += n;
		scan_added(f->scan, (size_t)n);
		if ((size_t)n < room)
			tell_failures(f);
	}
	return 0;
}

static bool is_another(const struct stat *a, const struct stat *b)
{
	return a->st_ino != b->st_ino || a->st_dev != b->st_dev;
}

/* What was written between our last look and the renaming is read first. */
static int change_file(struct follower *f)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return 0; /* gone again: the next look tells */
	r = read_on(f);
	scan_end(f->scan);
	close(f->fd);
	f->fd = fd;
	f->at = 0;
	f->said = 0;
	tell(f, "%s is a new file now", f->path);
	return r;
}

static int look_at_file(struct follower *f)
{
	struct stat ours, named;

	if (fstat(f->fd, &ours) < 0)
		return -errno;
	if (ours.st_size < f->at) {
		scan_end(f->scan);
		f->at = lseek(f->fd, 0, SEEK_SET);
		f->said = 0;
		tell(f, "%s was cut off; reading it from its beginning", f->path);
	}
	if (stat(f->path, &named) == 0 && is_another(&ours, &named))
		return change_file(f);
	return 0;
}

static int follow_file(struct follower *f)
{
	int r = read_on(f);

	while (r == 0 && !*f->how->stopped) {
		f->how->waiting(f->how->ctx, scan_lines(f->scan));
		poll(NULL, 0, WAIT_MS);
		r = look_at_file(f);
		if (r == 0)
			r = read_on(f);
	}
	return r;
}

int follow_log(struct scan *scan, const struct log_signatures *signatures, const char *path,
	       const struct follow *how)
{
	bool input = strcmp(path, "-") == 0;
	struct follower f = { .scan = scan,
			      .signatures = signatures,
			      .path = path,
			      .fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
			      .told = memory_new(signatures->count + 1, sizeof(bool)),
			      .how = how };
	struct stat file;
	int r = f.fd < 0 || fstat(f.fd, &file) < 0 ? -errno : 0;

	if (r == 0)
		r = !input && S_ISREG(file.st_mode) ? follow_file(&f) : read_on(&f);
	if (r == 0)
		scan_end(scan);
	if (f.fd > STDIN_FILENO)
		close(f.fd);
	free(f.told);
	return r;
}
