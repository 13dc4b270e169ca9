#pragma once

/*
 * groups - the groups of the user that a prober becomes
 *
 * groups.c asks the host's directory services. A static program cannot load
 * their modules, which want the very C library that it was linked with: it has
 * groups-files.c instead, which knows only /etc/passwd and /etc/group.
 */

#include <sys/types.h>

/* 0 or -errno. The gid becomes that of the user's entry, if there is one. */
int groups_put_on(uid_t uid, gid_t *gid);
