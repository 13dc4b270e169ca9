#include "archive/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "code/code.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	uint64_t names;
	uint64_t members;
};

static void check_member(const struct archive_member *m)
{
	struct span name = span_of(m->name);

	must(name.len > 0 && name.data[0] != '/');
	must(text_is_clean(name, false));
	must(strcmp(m->name, "..") != 0 && strncmp(m->name, "../", 3) != 0);
	must(!m->inside || text_is_clean(span_of(m->inside), false));
}

static bool see_name(void *of, const struct archive_member *m)
{
	struct seen *seen = of;

	check_member(m);
	seen->names++;
	return m->name[0] != 'x';
}

static bool see_first(void *of, const struct archive_member *m, struct span first)
{
	(void)of;
	check_member(m);
	return first.len == 0 || first.data[0] != '#';
}

static void see_member(void *of, const struct archive_member *m, struct sieve *take,
		       const char *why)
{
	struct seen *seen = of;
	struct source s = sieve_source(take);
	struct arena arena = { 0 };
	struct code code;

	check_member(m);
	must(!why || text_is_clean(span_of(why), false));
	code_read(&s, NULL, &arena, &code);
	arena_done(&arena);
	sieve_free(take);
	seen->members++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	struct seen seen = { 0 };
	struct archive_visitor v = { see_name, see_first, see_member, &seen };
	struct buf why BUF_SCOPED = { 0 };
	int r;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
	(void)archive_known((struct span){ (const char *)data, size });
	r = archive_walk(fd, &v, &why);
	must(r == 0 || r == -ENOTSUP || r == -EFBIG || r == -EBADMSG);
	must((r < 0) == (why.len > 0));
	must(text_is_clean(buf_get(&why), false));
	must(seen.members <= seen.names);
	close(fd);
	return 0;
}
