#include "probe/groups.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

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

static gid_t *add_group(struct arena *a, gid_t *groups, size_t *count, gid_t gid)
{
	groups = arena_grow(a, groups, *count, sizeof(*groups));
	groups[(*count)++] = gid;
	return groups;
}

static gid_t *list_groups(struct arena *a, const struct passwd *user, size_t *ret_count)
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *group;
	gid_t *groups = add_group(a, NULL, ret_count, user->pw_gid);

	while (file && (group = fgetgrent(file)))
		if (has_member(group, user->pw_name))
			groups = add_group(a, groups, ret_count, group->gr_gid);
	if (file)
		fclose(file);
	return groups;
}

int groups_put_on(uid_t uid, gid_t *gid)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user = file ? find_user(file, uid) : NULL;
	struct arena arena = { 0 };
	size_t count = 0;
	gid_t *groups = user ? list_groups(&arena, user, &count) : NULL;
	int r = setgroups(count, groups) < 0 ? -errno : 0;

	if (r == 0 && user)
		*gid = user->pw_gid;
	if (file)
		fclose(file);
	arena_done(&arena);
	return r;
}
