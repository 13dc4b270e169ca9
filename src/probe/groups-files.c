#include "probe/groups.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GROUPS_MOST 256

static const struct passwd *find_user(FILE *file, uid_t uid)
{
	const struct passwd *user;

	while ((user = fgetpwent(file)))
		if (user->pw_uid == uid)
			return user;
	return NULL;
}

static bool has_member(const struct group *group, const char *name)
{
	for (char **member = group->gr_mem; *member; member++)
		if (strcmp(*member, name) == 0)
			return true;
	return false;
}

static size_t list_groups(const struct passwd *user, gid_t ret[static GROUPS_MOST])
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *group;
	size_t count = 0;

	ret[count++] = user->pw_gid;
	while (file && count < GROUPS_MOST && (group = fgetgrent(file)))
		if (has_member(group, user->pw_name))
			ret[count++] = group->gr_gid;
	if (file)
		fclose(file);
	return count;
}

int groups_put_on(uid_t uid, gid_t *gid)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user = file ? find_user(file, uid) : NULL;
	gid_t groups[GROUPS_MOST];
	size_t count = user ? list_groups(user, groups) : 0;
	int r = setgroups(count, groups) < 0 ? -errno : 0;

	if (r == 0 && user)
		*gid = user->pw_gid;
	if (file)
		fclose(file);
	return r;
}
