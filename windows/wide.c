#include "wide.h"

#include <string.h>
#include <windows.h>

bool wide_of(struct span text, wchar_t ret[static WIDE_MAX])
{
	int n = text.len == 0 ? 0
			      : MultiByteToWideChar(CP_UTF8, 0, text.data, (int)text.len, ret,
						    WIDE_MAX - 1);

	ret[n > 0 ? n : 0] = 0;
	return n > 0 || text.len == 0;
}

void wide_add(struct buf *ret, const wchar_t *text, size_t len)
{
	while (len > 0) {
		char bytes[1024];
		size_t some = len < 256 ? len : 256;
		int n;

		if (some < len && text[some - 1] >= 0xd800 && text[some - 1] < 0xdc00)
			some--; /* the first half of a pair */
		n = WideCharToMultiByte(CP_UTF8, 0, text, (int)some, bytes, sizeof(bytes), NULL,
					NULL);
		buf_span(ret, (struct span){ bytes, n > 0 ? (size_t)n : 0 });
		text += some;
		len -= some;
	}
}

bool wide_path(struct span path, wchar_t ret[static WIDE_MAX])
{
	static const wchar_t prefix[] = L"\\\\?\\";

	if (path.len > WIDE_MAX - 8 || !wide_of(path, ret))
		return false;
	memmove(ret + 4, ret, (wcslen(ret) + 1) * sizeof(*ret));
	memcpy(ret, prefix, 4 * sizeof(*ret));
	for (wchar_t *at = ret; *at; at++)
		if (*at == L'/')
			*at = L'\\';
	return true;
}

bool wide_variable(const wchar_t *name, struct buf *ret)
{
	wchar_t value[WIDE_MAX];
	DWORD n = GetEnvironmentVariableW(name, value, WIDE_MAX);
	size_t at = ret->len;

	if (n == 0 || n >= WIDE_MAX)
		return false;
	wide_add(ret, value, n);
	for (; at < ret->len; at++)
		if (ret->data[at] == '\\')
			ret->data[at] = '/';
	return true;
}
