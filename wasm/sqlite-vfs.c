/*
 * What SQLite asks of a system here: the time, and bytes by chance. Every database of
 * this program lies in memory; a file is never opened.
 */

#include <sqlite3.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define JULIAN_EPOCH_MS 210866760000000LL /* 1970-01-01, from noon of -4713-11-24 */

static int open_none(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret)
{
	(void)vfs;
	(void)name;
	(void)flags;
	(void)ret;
	file->pMethods = NULL;
	return SQLITE_CANTOPEN;
}

static int delete_none(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)name;
	(void)sync;
	return SQLITE_IOERR_DELETE;
}

static int access_none(sqlite3_vfs *vfs, const char *name, int flags, int *ret)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*ret = 0;
	return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int size, char *ret)
{
	(void)vfs;
	sqlite3_snprintf(size, ret, "%s", name);
	return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int size, char *ret)
{
	(void)vfs;
	return getentropy(ret, (size_t)size) == 0 ? size : 0;
}

static int no_sleep(sqlite3_vfs *vfs, int microseconds)
{
	(void)vfs;
	(void)microseconds;
	return 0;
}

static int now(sqlite3_vfs *vfs, sqlite3_int64 *ret)
{
	struct timespec t = { 0 };

	(void)vfs;
	clock_gettime(CLOCK_REALTIME, &t);
	*ret = JULIAN_EPOCH_MS + (sqlite3_int64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
	return SQLITE_OK;
}

int sqlite3_os_init(void)
{
	static sqlite3_vfs vfs = {
		.iVersion = 2,
		.szOsFile = sizeof(sqlite3_file),
		.mxPathname = 512,
		.zName = "memory",
		.xOpen = open_none,
		.xDelete = delete_none,
		.xAccess = access_none,
		.xFullPathname = full_name,
		.xRandomness = randomness,
		.xSleep = no_sleep,
		.xCurrentTimeInt64 = now,
	};

	return sqlite3_vfs_register(&vfs, 1);
}

int sqlite3_os_end(void)
{
	return SQLITE_OK;
}
