/* Which mounts a search may enter. The table is this process's own; rows of it are made here. */

#include "survey/mounts.h"

#include "check.h"

static struct mounts_point points[] = {
	{ "/", NULL },           { "/home", "network" }, { "/home/ann/disk", NULL },
	{ "/net", "automount" }, { "/net", NULL },       { "/mnt/a", "network" },
};

static const struct {
	const char *path;
	const char *why;
	const char *point;
	const char *because;
} cases[] = {
	{ "/opt/x", NULL, "/", "the root of everything" },
	{ "/home/ann", "network", "/home", "below a network mount" },
	{ "/homes/ann", NULL, "/", "a name that only begins alike" },
	{ "/home/ann/disk/venv", NULL, "/home/ann/disk", "the nearest mount counts" },
	{ "/net/x", NULL, "/net", "mounted over the automounter" },
	{ "/mnt/a", "network", "/mnt/a", "the point itself" },
	{ "/mnt", NULL, "/", "above it" },
};

static void finds_the_nearest(void)
{
	struct mounts m = { .points = points, .count = sizeof(points) / sizeof(points[0]) };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *why = mounts_refusal(&m, cases[i].path);

		if (!CHECK(why == cases[i].why ||
			   (why && cases[i].why && strcmp(why, cases[i].why) == 0)))
			printf("  %s: %s\n", cases[i].path, cases[i].because);
		CHECK_TEXT(mounts_point(&m, cases[i].path), cases[i].point);
	}
}

static void knows_nothing(void)
{
	struct mounts none = { 0 };

	CHECK(mounts_refusal(&none, "/home") == NULL);
	CHECK_TEXT(mounts_point(&none, "/home"), "/");
}

static const struct {
	const char *type;
	const char *why;
} types[] = {
	{ "ext4", NULL },
	{ "btrfs", NULL },
	{ "overlay", NULL },
	{ "nfs", "network" },
	{ "nfs4", "network" },
	{ "autofs", "automount" },
	{ "fuse.sshfs", "network" },
	{ "fuse", "network" },
	{ "fuseblk", NULL },
	{ "fuse.fuse-overlayfs", NULL },
	{ "9p", "network" },
	{ "lustre", "network" },
	{ "cifs", "network" },
	{ "virtiofs", NULL },
	{ "zfs", NULL },
	{ "tmpfs", NULL },
};

static void tells_kinds_apart(void)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const char *why = mounts_kind(span_of(types[i].type));

		if (!CHECK(why == types[i].why ||
			   (why && types[i].why && strcmp(why, types[i].why) == 0)))
			printf("  %s\n", types[i].type);
	}
}

int main(void)
{
	finds_the_nearest();
	knows_nothing();
	tells_kinds_apart();
	return check_end();
}
