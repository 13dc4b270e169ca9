#include "archive/archive.h"

#include <string.h>

/* A .deb is an ar whose first member is "debian-binary"; a static library is none of ours. */
#define MAGIC(at, text)                    \
	{                                  \
		at, text, sizeof(text) - 1 \
	}

static const struct {
	size_t at;
	const char *bytes;
	size_t len;
} magics[] = {
	MAGIC(0, "PK\x03\x04"),
	MAGIC(0, "PK\x05\x06"), /* a zip without members */
	MAGIC(0, "!<arch>\ndebian-binary"),
	MAGIC(0, "\xed\xab\xee\xdb"), /* rpm */
	MAGIC(0, "\x1f\x8b"),         /* gzip */
	MAGIC(0, "\xfd\x37zXZ"),
	MAGIC(0, "\x28\xb5\x2f\xfd"), /* zstd */
	MAGIC(0, "BZh"),
	MAGIC(257, "ustar"),
};

static const char *const endings[] = {
	".whl",    ".deb",    ".rpm",     ".tar",     ".tgz",
	".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2", ".txz",
};

bool archive_known(struct span first)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (first.len >= magics[i].at + magics[i].len &&
		    memcmp(first.data + magics[i].at, magics[i].bytes, magics[i].len) == 0)
			return true;
	}
	return false;
}

bool archive_named(struct span name)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (span_ends(name, endings[i]))
			return true;
	return false;
}
