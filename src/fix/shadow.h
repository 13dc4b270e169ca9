#pragma once

/*
 * shadow - the locks that usermod, gpasswd, vigr and the like take
 *
 * Two of them, and we take both as they do: /etc/.pwd.lock by fcntl (lckpwdf of
 * glibc; also systemd-sysusers), and /etc/group.lock and /etc/gshadow.lock,
 * files that hold a process id and are there only meanwhile; one whose process
 * is gone is taken over. With a prefix shadow-utils uses only the files, so in
 * a tree it is they that count. None is waited for: -EAGAIN, with who it is.
 */

#include "fix/writer.h"

struct shadow_hold {
	int lock;
	size_t claimed;
};

/* Whether all are free now; nothing is made. */
int shadow_check(const struct writer *w, struct buf *said);

int shadow_hold(const struct writer *w, struct shadow_hold *ret, struct buf *said);

/* `pwd_lock_too`: .pwd.lock was not there before, and is removed. */
void shadow_release(const struct writer *w, const struct shadow_hold *hold, bool pwd_lock_too);

/* Whether the path is one of the locks. */
bool shadow_is_lock(const char *path);

/* The live process, not us, that a lock file names; 0 if there is none. */
pid_t shadow_holder(struct span bytes);
