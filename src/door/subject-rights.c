#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "door/standing.h"
#include "door/subject.h"

bool subject_same_mounts(struct door *d, const struct subject *s)
{
	struct buf ours BUF_SCOPED = { 0 };
	struct buf theirs BUF_SCOPED = { 0 };
	char path[64];

	if (s->process[0] == '\0')
		return true;
	snprintf(path, sizeof(path), "%s/ns/mnt", s->process);
	return door_link(d, "/proc/self/ns/mnt", &ours) == 0 && door_link(d, path, &theirs) == 0 &&
	       strcmp(ours.data, theirs.data) == 0;
}

static bool keep_own_groups(struct subject_worn *ret)
{
	int count = getgroups(0, NULL);

	ret->groups = count < 0 ? NULL : calloc((size_t)count + 1, sizeof(*ret->groups));
	if (ret->groups)
		count = getgroups(count, ret->groups);
	ret->count = ret->groups && count > 0 ? (size_t)count : 0;
	return ret->groups && count >= 0;
}

int subject_wear(struct door *d, struct subject_worn *ret)
{
	struct subject s;

	if (geteuid() != 0)
		return 0;
	if (subject_read(d, &s) < 0)
		return -EPERM;
	if (s.uid == 0)
		return 0;
	if (!keep_own_groups(ret) || setgroups(s.group_count, s.groups) < 0) {
		free(ret->groups);
		return -EPERM;
	}
	(void)setfsgid(s.gid);
	(void)setfsuid(s.uid);
	/* They do not say whether they failed, as for a number that is not mapped here. */
	if ((uid_t)setfsuid((uid_t)-1) == s.uid && (gid_t)setfsgid((gid_t)-1) == s.gid)
		return 1;
	subject_take_off(ret);
	return -EPERM;
}

void subject_take_off(struct subject_worn *worn)
{
	(void)setfsuid(geteuid());
	(void)setfsgid(getegid());
	(void)setgroups(worn->count, worn->groups);
	free(worn->groups);
}

int subject_open(struct door *d, const char *path, int flags)
{
	struct subject_worn worn;
	struct subject s;
	int wears;
	int fd;

	if (subject_read(d, &s) < 0)
		return DOOR_UNASKED;
	if (strcmp(s.process, "/proc/self") != 0 && (geteuid() != 0 || !subject_same_mounts(d, &s)))
		return DOOR_UNASKED; /* what we are answered is not what they would be */
	wears = subject_wear(d, &worn);
	if (wears < 0)
		return DOOR_UNASKED;
	beacon_step(d->beacon, path);
	fd = open(path, flags);
	fd = fd < 0 ? -errno : fd;
	if (wears)
		subject_take_off(&worn);
	return fd;
}
