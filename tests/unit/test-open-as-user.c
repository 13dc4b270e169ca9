/* What is opened for the judged user: whole paths, and nothing below where we happen to stand. */

#include "door/open-as-user.h"

#include <errno.h>

#include "check-scratch.h"

static void check_whole(struct as_user *user)
{
	char real[AS_USER_PATH_MAX], path[1024];
	struct buf text BUF_SCOPED = { 0 };

	snprintf(path, sizeof(path), "%s", scratch_path("/here/file"));
	CHECK_INT(as_user_read(user, path, 100, &text), 0);
	CHECK_TEXT(text.data, "ours\n");
	CHECK_INT(as_user_kind(user, path), '-');
	CHECK_INT(as_user_kind(user, scratch_path("/here")), 'd');
	CHECK_INT(as_user_real(user, scratch_path("/here/link"), real), 0);
	CHECK_TEXT(strrchr(real, '/'), "/file");
	CHECK_INT(as_user_link(user, scratch_path("/here/link"), real), 0);
	CHECK_TEXT(real, "file");
}

/* A pyvenv.cfg says "home = here/bin", an ld.so.cache names "here/libc.so.6". */
static void check_relative(struct as_user *user)
{
	char real[AS_USER_PATH_MAX];
	struct buf text BUF_SCOPED = { 0 };
	unsigned int looks = user->looks;

	CHECK_INT(chdir(scratch_top), 0);
	CHECK_INT(as_user_read(user, "here/file", 100, &text), -EINVAL);
	CHECK_INT(text.len, 0);
	CHECK_INT(as_user_dir(user, "here"), -EINVAL);
	CHECK_INT(as_user_kind(user, "here"), 0);
	CHECK_INT(as_user_real(user, "here/file", real), -EINVAL);
	CHECK_INT(as_user_link(user, "here/link", real), -EINVAL);
	CHECK_INT(as_user_kind(user, ""), 0);
	CHECK_INT(user->looks, looks); /* not even looked at */
}

int main(void)
{
	static const struct door_options none;
	struct as_user user;
	struct door door;

	if (!scratch_begin())
		return check_end();
	scratch_put("/here/file", "ours\n");
	scratch_link("/here/link", "file");
	if (!CHECK(door_init(&door, DOOR_LIVE, "/", &none) == 0))
		return check_end();
	door.beacon = beacon_new();
	if (CHECK(as_user_begin(&door, &user) == 0)) {
		check_whole(&user);
		check_relative(&user);
		as_user_end(&user);
	}
	beacon_free(door.beacon);
	door_done(&door);
	scratch_end();
	return check_end();
}
