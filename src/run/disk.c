#include "run/disk.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"
#include "door/atomic-file.h"
#include "run/thread.h"

static void sync_names(int dir)
{
	static const char *const places[] = { ".", "..", "../.." };

	for (size_t i = 0; i < COUNT(places); i++) {
		int fd = openat(dir, places[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0)
			continue;
		(void)atomic_file_sync(fd);
		close(fd);
	}
}

/* Several wishes that come while the disk is at work are one. */
static bool take_wish(struct disk *d)
{
	bool wanted;

	pthread_mutex_lock(&d->lock);
	while (!d->wanted && !d->over)
		pthread_cond_wait(&d->asked, &d->lock);
	wanted = d->wanted;
	d->wanted = false;
	pthread_mutex_unlock(&d->lock);
	return wanted;
}

static void *serve(void *arg)
{
	struct disk *d = arg;

	sync_names(d->dir);
	while (take_wish(d))
		(void)fdatasync(d->file);
	return NULL;
}

/* Without a free descriptor the caller's own serves: it stays open until disk_close(). */
static int duplicate(int fd, bool *ret_own)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	*ret_own = copy >= 0;
	return copy >= 0 ? copy : fd;
}

void disk_open(struct disk *d, int dir, int file)
{
	*d = (struct disk){ .lock = PTHREAD_MUTEX_INITIALIZER, .asked = PTHREAD_COND_INITIALIZER };
	d->dir = duplicate(dir, &d->own_dir);
	d->file = duplicate(file, &d->own_file);
	d->started = thread_start(&d->thread, THREAD_STACK, serve, d) == 0;
	if (!d->started)
		sync_names(d->dir);
}

static void wish(struct disk *d, bool over)
{
	pthread_mutex_lock(&d->lock);
	d->wanted = true;
	d->over = over;
	pthread_cond_signal(&d->asked);
	pthread_mutex_unlock(&d->lock);
}

void disk_sync(struct disk *d)
{
	if (d->started)
		wish(d, false);
	else if (d->file >= 0)
		(void)fdatasync(d->file);
}

void disk_close(struct disk *d)
{
	if (d->started) {
		wish(d, true);
		pthread_join(d->thread, NULL);
	} else {
		disk_sync(d);
	}
	if (d->own_dir)
		close(d->dir);
	if (d->own_file)
		close(d->file);
	*d = DISK_NONE;
}
