#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <unistd.h>

#include "wide.h"

#include <windows.h>

bool file_is_there(const char *path)
{
	wchar_t wide[WIDE_MAX];

	return wide_path(span_of(path), wide) &&
	       GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

int file_open(const char *path, uint64_t *ret_size)
{
	wchar_t wide[WIDE_MAX];
	int64_t size;
	int fd = wide_path(span_of(path), wide) ? _wopen(wide, _O_RDONLY | _O_BINARY) : -1;

	if (fd < 0)
		return errno == EACCES ? -EACCES : -ENOENT;
	size = _filelengthi64(fd);
	*ret_size = size > 0 ? (uint64_t)size : 0;
	return fd;
}

int file_read(const char *path, size_t max, struct buf *ret)
{
	uint64_t size;
	int fd = file_open(path, &size), n;
	char bytes[4096];

	if (fd < 0)
		return fd;
	while (ret->len < max && (n = _read(fd, bytes, sizeof(bytes))) > 0)
		buf_span(ret, (struct span){ bytes, (size_t)n });
	_close(fd);
	return 0;
}

size_t file_names(const char *dir, size_t max, struct arena *a, struct file_name **ret)
{
	struct file_name *names = NULL;
	wchar_t wide[WIDE_MAX];
	WIN32_FIND_DATAW found;
	HANDLE search;
	size_t count = 0;

	*ret = NULL;
	if (!wide_path(span_of(dir), wide) || wcslen(wide) + 3 > WIDE_MAX)
		return 0;
	wcscat(wide, wide[wcslen(wide) - 1] == L'\\' ? L"*" : L"\\*");
	search = FindFirstFileW(wide, &found);
	if (search == INVALID_HANDLE_VALUE)
		return 0;
	do {
		struct buf name BUF_SCOPED = { 0 };

		wide_add(&name, found.cFileName, wcslen(found.cFileName));
		if (strcmp(name.data, ".") == 0 || strcmp(name.data, "..") == 0)
			continue;
		names = arena_grow(a, names, count, sizeof(*names));
		names[count++] = (struct file_name){
			.name = arena_text(a, buf_get(&name)),
			.is_dir = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY,
			.is_link = found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT,
			.size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
		};
	} while (count < max && FindNextFileW(search, &found));
	FindClose(search);
	*ret = names;
	return count;
}

const char *file_find(const char *dir, const char *name, struct arena *a)
{
	bool slash = dir[0] && dir[strlen(dir) - 1] == '/';
	struct buf written BUF_SCOPED = { 0 };
	wchar_t wide[WIDE_MAX];
	WIN32_FIND_DATAW found;
	HANDLE search;

	if (strpbrk(name, "*?") ||
	    !wide_path(span_of(arena_format(a, "%s%s%s", dir, slash ? "" : "/", name)), wide))
		return NULL;
	search = FindFirstFileW(wide, &found);
	if (search == INVALID_HANDLE_VALUE)
		return NULL;
	FindClose(search);
	if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
		return NULL;
	wide_add(&written, found.cFileName, wcslen(found.cFileName));
	return arena_format(a, "%s%s%s", dir, slash ? "" : "/", written.data);
}
