#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "fix/writer.h"

/* A directory of a disk that fails, or of a server that went away: some names, and then an error. */
static int names_left = -1; /* below 0: it does not fail */

struct dirent *readdir(DIR *dir)
{
	static struct dirent entry = { .d_name = "." };

	(void)dir;
	if (names_left-- == 0) {
		errno = EIO;
		return NULL;
	}
	return names_left < 0 ? NULL : &entry;
}

static void fails(const struct writer *w, const char *path)
{
	for (int names = 0; names < 3; names++) {
		struct buf text BUF_SCOPED = { 0 };

		names_left = names;
		CHECK_INT(writer_list(w, path, &text), -EIO);
		names_left = names;
		CHECK_INT(writer_list_tree(w, path, &text), -EIO);
		names_left = names;
		CHECK_INT(writer_remove_tree(w, path), -EIO);
	}
}

int main(void)
{
	char place[] = "/tmp/rocsteady-hand-XXXXXX";
	struct buf text BUF_SCOPED = { 0 };
	struct writer w;

	if (!CHECK(mkdtemp(place) != NULL) || !CHECK(writer_open(NULL, &w) == 0))
		return check_end();
	fails(&w, place);
	CHECK(access(place, F_OK) == 0);
	names_left = -1;
	CHECK_INT(writer_list(&w, place, &text), 0); /* none, and no error */
	CHECK_INT(writer_list(&w, "/nowhere/at/all", &text), -ENOENT);
	CHECK_INT(writer_remove_tree(&w, place), 0);
	CHECK(access(place, F_OK) < 0);
	writer_close(&w);
	return check_end();
}
