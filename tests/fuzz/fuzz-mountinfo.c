#include "parse/mountinfo.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct buf path BUF_SCOPED = { 0 };
	struct mount m;

	while (mountinfo_next(&rest, &m)) {
		const struct span parts[] = { m.root,   m.point,  m.options,
					      m.fstype, m.source, m.super_options };

		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			must_lie_in(parts[i], input);
		buf_clear(&path);
		mountinfo_decode(&path, m.point);
		must(path.len > 0 && path.len <= m.point.len);
	}
	buf_clear(&path);
	mountinfo_decode(&path, input);
	must(path.len <= size);
	return 0;
}
