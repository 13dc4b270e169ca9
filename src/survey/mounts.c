#include "survey/mounts.h"

#include <stdio.h>
#include <string.h>

#include "parse/mountinfo.h"

/* A host of containers has thousands of overlays, and each names all of its layers. */
#define TEXT_MAX ((size_t)64 << 20)

/*
 * The first row that fits counts. FUSE is mostly somebody else's machine; a few
 * of its kinds lie over a local disk, and rootless containers stand on one.
 */
static const struct {
	const char *type;
	const char *why;
} kinds[] = {
	{ "autofs", "automount" }, { "nfs*", "network" },        { "cifs", "network" },
	{ "smb*", "network" },     { "afs", "network" },         { "ceph", "network" },
	{ "lustre*", "network" },  { "gpfs", "network" },        { "beegfs*", "network" },
	{ "wekafs", "network" },   { "panfs", "network" },       { "orangefs", "network" },
	{ "pvfs2", "network" },    { "ncp*", "network" },        { "coda", "network" },
	{ "9p", "network" }, /* a share of the host; under WSL all drives of Windows */
	{ "drvfs", "network" },    { "vboxsf", "network" },      { "prl_fs", "network" },
	{ "ocfs2", "network" },    { "gfs2", "network" },        { "fuse.fuse-overlayfs", NULL },
	{ "fuse.mergerfs", NULL }, { "fuse.squashfuse*", NULL }, { "fuse.bindfs", NULL },
	{ "fuse.ext*", NULL },     { "fuse.ntfs*", NULL },       { "fuse*", "network" },
};

const char *mounts_kind(struct span type)
{
	if (span_is(type, "fuseblk")) /* a local disk of another system */
		return NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_fits(type, span_of(kinds[i].type)))
			return kinds[i].why;
	return NULL;
}

int mounts_read(struct as_user *u, struct mounts *ret)
{
	struct mount mount;
	struct subject s;
	struct span rest;
	char path[64];
	int error;

	*ret = (struct mounts){ 0 };
	if (u->door->kind != DOOR_LIVE || subject_read(u->door, &s) < 0)
		return 0;
	snprintf(path, sizeof(path), "%s/mountinfo", s.process[0] ? s.process : "/proc/self");
	error = door_read(u->door, path, TEXT_MAX, &ret->text);
	if (error < 0)
		return error;
	rest = buf_get(&ret->text);
	while (mountinfo_next(&rest, &mount)) {
		struct buf point BUF_SCOPED = { 0 };

		mountinfo_decode(&point, mount.point);
		ret->points =
			arena_grow(&ret->arena, ret->points, ret->count, sizeof(*ret->points));
		ret->points[ret->count++] = (struct mounts_point){
			.path = arena_text(&ret->arena, buf_get(&point)),
			.why = span_is(mount.point, "/") ? NULL : mounts_kind(mount.fstype),
		};
	}
	return 0;
}

void mounts_done(struct mounts *m)
{
	buf_done(&m->text);
	arena_done(&m->arena);
	*m = (struct mounts){ 0 };
}

static bool lies_below(const char *path, const char *point)
{
	size_t n = strlen(point);

	if (n == 1)
		return true;
	return strncmp(path, point, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* The longest mount point is the nearest; of two mounts on it the later one lies on top. */
static const struct mounts_point *nearest(const struct mounts *m, const char *path)
{
	const struct mounts_point *found = NULL;

	for (size_t i = 0; i < m->count; i++)
		if (lies_below(path, m->points[i].path) &&
		    (!found || strlen(m->points[i].path) >= strlen(found->path)))
			found = &m->points[i];
	return found;
}

const char *mounts_refusal(const struct mounts *m, const char *path)
{
	const struct mounts_point *at = nearest(m, path);

	return at ? at->why : NULL;
}

const char *mounts_point(const struct mounts *m, const char *path)
{
	const struct mounts_point *at = nearest(m, path);

	return at ? at->path : "/";
}
