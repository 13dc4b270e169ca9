#pragma once

/*
 * accounts - the users and groups that the files of a machine name
 *
 * /etc/passwd and /etc/group are read as text, without the C library's name
 * service: the machine may be a tree, and a server for names may be dead.
 */

#include "door/subject.h"

/*
 * Name, home and ids of a user, by name or, with NULL, by number; its groups
 * too, unless a process has told them already. -ENOENT: the files name no such user.
 */
int accounts_find(struct door *d, const char *name, unsigned int uid, struct subject *ret);

/* "group render" -> its number */
int accounts_group(struct door *d, struct span argument, struct buf *ret);
