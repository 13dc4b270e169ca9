/*
 * The door to a machine with Windows, behind the functions of src/door/door.h: the
 * registry below /reg, files below /C: and the other drives. Nothing is written, and
 * nothing needs another right than the user has.
 */

#include "door/door.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "door/subject.h"
#include "door/trust.h"
#include "registry-door.h"
#include "wide.h"

#include <windows.h>

int door_init(struct door *d, enum door_kind kind, const char *dir,
	      const struct door_options *options)
{
	(void)dir;
	if (kind != DOOR_LIVE)
		return -ENOTSUP; /* a tree is opened by descriptors of directories */
	*d = (struct door){ .kind = kind, .top = -1, .options = *options };
	return 0;
}

void door_done(struct door *d)
{
	map_done(&d->asleep);
	map_done(&d->code);
	arena_done(&d->arena);
}

/* "/C:/Windows" as Windows has it; false: it is no path of a drive. */
static bool file_path(const char *path, wchar_t ret[static WIDE_MAX])
{
	return path[0] == '/' && path[1] && path[2] == ':' && wide_path(span_of(path + 1), ret);
}

static int last_error(void)
{
	switch (GetLastError()) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_INVALID_DRIVE:
		return -ENOENT;
	case ERROR_ACCESS_DENIED:
		return -EACCES;
	default:
		return -EIO;
	}
}

int door_read(struct door *d, const char *path, size_t max, struct buf *ret)
{
	(void)d;
	(void)max;
	return registry_door_has(path) ? registry_door_read(path, ret) : -ENOENT;
}

/* Nothing that is asked here is a link. */
int door_link(struct door *d, const char *path, struct buf *ret)
{
	(void)d;
	(void)path;
	(void)ret;
	return -EINVAL;
}

int door_list(struct door *d, const char *path, struct buf *ret)
{
	wchar_t wide[WIDE_MAX];
	WIN32_FIND_DATAW found;
	HANDLE search;

	(void)d;
	if (registry_door_has(path))
		return registry_door_list(path, ret);
	if (!file_path(path, wide) || wcslen(wide) + 3 > WIDE_MAX)
		return -ENOENT;
	wcscat(wide, L"\\*");
	search = FindFirstFileW(wide, &found);
	if (search == INVALID_HANDLE_VALUE)
		return last_error();
	do {
		struct buf name BUF_SCOPED = { 0 };

		wide_add(&name, found.cFileName, wcslen(found.cFileName));
		if (strcmp(name.data, ".") == 0 || strcmp(name.data, "..") == 0)
			continue;
		text_word(ret, buf_get(&name));
		buf_text(ret, found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? "/\n" : "\n");
	} while (FindNextFileW(search, &found));
	FindClose(search);
	return 0;
}

int door_stat(struct door *d, const char *path, struct door_node *ret)
{
	wchar_t wide[WIDE_MAX];
	DWORD attributes;

	(void)d;
	if (!file_path(path, wide))
		return -ENOENT;
	attributes = GetFileAttributesW(wide);
	if (attributes == INVALID_FILE_ATTRIBUTES)
		return last_error();
	*ret = (struct door_node){ .kind = attributes & FILE_ATTRIBUTE_DIRECTORY ? 'd' : '-',
				   .mode = 0644 };
	return 0;
}

bool door_is_stuck(const struct door *d, struct span path)
{
	(void)d;
	(void)path;
	return false;
}

bool door_asleep(struct door *d, struct span device_dir)
{
	(void)d;
	(void)device_dir;
	return false;
}

bool trust_file(const char *path)
{
	(void)path;
	return false;
}

int subject_wear(struct door *d, struct subject_worn *ret)
{
	(void)d;
	(void)ret;
	return 0; /* the judged user is the one who runs this */
}

void subject_take_off(struct subject_worn *worn)
{
	(void)worn;
}
