#include "registry-door.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "door/door.h"
#include "door/paths.h"
#include "wide.h"

#include <windows.h>

#define PREFIX    "/reg"
#define NAMES_MAX 8192

static const struct {
	const char *name;
	HKEY key;
} hives[] = {
	{ "HKCU", HKEY_CURRENT_USER },
	{ "HKLM", HKEY_LOCAL_MACHINE },
};

bool registry_door_has(const char *path)
{
	size_t n = strlen(PREFIX);

	return strncmp(path, PREFIX, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static int error_of(LSTATUS status)
{
	switch (status) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
		return -ENOENT;
	case ERROR_ACCESS_DENIED:
		return -EACCES;
	default:
		return -EIO;
	}
}

/* "/reg/HKLM/SOFTWARE/Microsoft" */
static int open_key(struct span path, HKEY *ret)
{
	wchar_t wide[WIDE_MAX];
	struct span hive;

	path = (struct span){ path.data + strlen(PREFIX) + 1, path.len - strlen(PREFIX) - 1 };
	if (!span_cut(&path, '/', &hive) || !wide_of(path, wide))
		return -ENAMETOOLONG;
	for (wchar_t *at = wide; *at; at++)
		if (*at == L'/')
			*at = L'\\';
	for (size_t i = 0; i < sizeof(hives) / sizeof(hives[0]); i++)
		if (span_is(hive, hives[i].name)) {
			LSTATUS status = RegOpenKeyExW(hives[i].key, wide, 0,
						       KEY_READ | KEY_WOW64_64KEY, ret);

			return status == ERROR_SUCCESS ? 0 : error_of(status);
		}
	return -ENOENT;
}

/* ---- a value ---- */

static void add_texts(struct buf *ret, const wchar_t *text, size_t len)
{
	while (len > 0) {
		size_t n = wcsnlen(text, len);

		if (n > 0) {
			wide_add(ret, text, n);
			buf_char(ret, '\n');
		}
		text += n < len ? n + 1 : n;
		len -= n < len ? n + 1 : n;
	}
}

static void add_value(struct buf *ret, DWORD type, const BYTE *bytes, DWORD len)
{
	uint64_t number = 0;

	switch (type) {
	case REG_SZ:
	case REG_EXPAND_SZ:
	case REG_MULTI_SZ:
		add_texts(ret, (const wchar_t *)(const void *)bytes, len / sizeof(wchar_t));
		return;
	case REG_DWORD:
	case REG_QWORD:
		memcpy(&number, bytes, len < sizeof(number) ? len : sizeof(number));
		buf_addf(ret, "%llu\n", (unsigned long long)number);
		return;
	default:
		buf_text(ret, "hex:");
		for (DWORD i = 0; i < len; i++)
			buf_addf(ret, "%s%02x", i > 0 ? "," : "", bytes[i]);
		buf_char(ret, '\n');
	}
}

/* As in the environment of a process: that it is set is told, and not to what. */
static bool is_secret(const char *path, const char *slash)
{
	struct span key = { path, (size_t)(slash - path) };

	return span_ends(key, "/Environment") && paths_secret_variable(span_of(slash + 1));
}

int registry_door_read(const char *path, struct buf *ret)
{
	const char *slash = strrchr(path, '/');
	_Alignas(wchar_t) BYTE bytes[16384];
	DWORD type, len = sizeof(bytes);
	wchar_t name[WIDE_MAX];
	LSTATUS status;
	HKEY key;
	int r = open_key((struct span){ path, (size_t)(slash - path) }, &key);

	if (r < 0)
		return r;
	if (!wide_of(span_of(slash + 1), name)) {
		RegCloseKey(key);
		return -ENAMETOOLONG;
	}
	status = RegQueryValueExW(key, name, NULL, &type, bytes, &len);
	RegCloseKey(key);
	if (status != ERROR_SUCCESS)
		return status == ERROR_MORE_DATA ? -EFBIG : error_of(status);
	if (is_secret(path, slash))
		buf_text(ret, PATHS_WITHHELD "\n");
	else
		add_value(ret, type, bytes, len);
	return 0;
}

/* ---- the names in a key ---- */

struct names {
	char **list;
	size_t count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(struct names *names, const wchar_t *name, size_t len, const char *mark)
{
	struct buf plain BUF_SCOPED = { 0 }, word BUF_SCOPED = { 0 };

	if (names->count == NAMES_MAX || len == 0)
		return;
	wide_add(&plain, name, len);
	text_word(&word, buf_get(&plain));
	buf_text(&word, mark);
	names->list[names->count] = strdup(word.data);
	names->count += names->list[names->count] != NULL;
}

static void read_names(HKEY key, bool values_watched, struct names *names)
{
	wchar_t name[WIDE_MAX];
	DWORD len = WIDE_MAX;

	for (DWORD i = 0; RegEnumKeyExW(key, i, name, &len, NULL, NULL, NULL, NULL) == 0; i++) {
		add_name(names, name, len, "/");
		len = WIDE_MAX;
	}
	len = WIDE_MAX;
	for (DWORD i = 0; RegEnumValueW(key, i, name, &len, NULL, NULL, NULL, NULL) == 0; i++) {
		struct buf plain BUF_SCOPED = { 0 };

		wide_add(&plain, name, len);
		if (!values_watched || paths_watched_variable(buf_get(&plain)))
			add_name(names, name, len, "");
		len = WIDE_MAX;
	}
}

int registry_door_list(const char *path, struct buf *ret)
{
	struct names names = { calloc(NAMES_MAX, sizeof(char *)), 0 };
	HKEY key;
	int r = 0;

	if (!names.list)
		return -ENOMEM;
	if (strcmp(path, PREFIX) == 0) {
		buf_text(ret, "HKCU/\nHKLM/\n");
	} else {
		r = open_key(span_of(path), &key);
		if (r == 0) {
			/* Names of variables are private, too: only the watched ones are listed. */
			read_names(key, span_ends(span_of(path), "/Environment"), &names);
			RegCloseKey(key);
		}
	}
	qsort(names.list, names.count, sizeof(char *), compare);
	for (size_t i = 0; i < names.count; i++) {
		buf_addf(ret, "%s\n", names.list[i]);
		free(names.list[i]);
	}
	free(names.list);
	return r;
}
