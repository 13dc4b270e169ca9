#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/packed.h"
#include "base/text.h"
#include "explain/reader.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any bytes are read to their end or to an error with words, and the first error stays. */
static void unpack(int fd, struct span first)
{
	struct packed *p = packed_open(fd, first);
	char text[4096];
	ssize_t n;

	while ((n = packed_read(p, text, sizeof(text))) > 0)
		must(n <= (ssize_t)sizeof(text));
	must(n == 0 || n == -EBADMSG || n == -EFBIG || n == -ENOBUFS || n == -ENOTSUP);
	must((n < 0) == (packed_problem(p) != NULL));
	must(n == 0 || text_is_clean(span_of(packed_problem(p)), false));
	must(packed_read(p, text, sizeof(text)) == n);
	packed_close(p);
}

/* The same bytes as a log: an end that is not the file's has a reason. */
static void explain(int fd)
{
	static const struct span literal = { "some literal", 12 };
	struct signature signature = { "some", NULL, &literal, 1 };
	struct scan *scan = scan_new(&signature, 1);
	struct arena arena = { 0 };
	struct reader_end end;
	int r = reader_read(scan, fd, NULL, &arena, &end);

	must(r == 0 || (r == -EILSEQ && end.form));
	must(!end.unread || end.form);
	must(!end.is_large || end.unread);
	scan_free(scan);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span first = { (const char *)data, size < 6 ? size : 6 };
	int fd = memfd_create("input", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	must(lseek(fd, (off_t)first.len, SEEK_SET) >= 0);
	unpack(fd, first);
	must(lseek(fd, 0, SEEK_SET) == 0);
	explain(fd);
	close(fd);
	return 0;
}
