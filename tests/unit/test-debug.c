#include "base/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static int evaluated;

static int count_me(void)
{
	return ++evaluated;
}

static bool never(void)
{
	return false;
}

static bool always(void)
{
	return true;
}

/* What came out on standard error since it was called last. */
static const char *written(int fd)
{
	static char text[8192];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	CHECK(ftruncate(fd, 0) == 0);
	lseek(fd, 0, SEEK_SET);
	return text;
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_words(void)
{
	struct span rest = span_of(DEBUG_WORDS), word;
	unsigned int all = 0;

	while (span_word(&rest, &word)) {
		CHECK(debug_parts(word) != 0); /* each word that is shown to the user is known */
		if (!span_is(word, "all"))
			all |= debug_parts(word);
	}
	CHECK_INT(all, DEBUG_ALL);
	CHECK_INT(debug_parts(span_of("door")), DEBUG_DOOR);
	CHECK_INT(debug_parts(span_of("doo")), 0);
	CHECK_INT(debug_parts(span_of("")), 0);
}

static void test_off(int fd)
{
	debug_start(0);
	DEBUG(DEBUG_DOOR, 0, "%d", count_me());
	CHECK_INT(DEBUG_NOW(DEBUG_ALL), 0);
	debug_start(DEBUG_SQL);
	DEBUG(DEBUG_DOOR, 0, "%d", count_me());
	CHECK_INT(evaluated, 0);
	CHECK_TEXT(written(fd), "");
}

static void test_line(int fd)
{
	const char *text;

	debug_start(DEBUG_DOOR);
	errno = EXDEV;
	DEBUG(DEBUG_DOOR, 0, "read %s: %d bytes", "/etc/x", 12);
	CHECK_INT(errno, EXDEV);
	text = written(fd);
	CHECK(strncmp(text, "rocsteady[", 10) == 0);
	CHECK(strstr(text, "] 0.0") != NULL);
	CHECK(strstr(text, " door: read /etc/x: 12 bytes\n") != NULL);
	DEBUG(DEBUG_DOOR, DEBUG_NOW(DEBUG_DOOR), "read");
	text = written(fd);
	CHECK(strstr(text, " door: read [") && strstr(text, " us]\n"));
}

/* The name of a file may hold anything. */
static void test_escaped(int fd)
{
	const char *text;

	DEBUG(DEBUG_DOOR, 0, "open %s", "/a\x1b[31m\nb\xff\x9b");
	text = written(fd);
	CHECK(strstr(text, "open /a\\x1b[31m\\x0ab\\xff\\x9b\n") != NULL);
	CHECK_INT(lines_of(text), 1);
}

/* Longer than a line may be, and every byte of it escaped: one write, and it says that it was cut. */
static void test_long(int fd)
{
	char path[6000];
	const char *text;

	memset(path, '\x01', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	DEBUG(DEBUG_DOOR, DEBUG_NOW(DEBUG_DOOR), "open %s", path);
	text = written(fd);
	CHECK(strlen(text) < 4096);
	CHECK(strstr(text, "\\x01... [") != NULL);
	CHECK_INT(lines_of(text), 1);
}

static void test_never_wait(int fd)
{
	debug_never_wait(never);
	DEBUG(DEBUG_DOOR, 0, "one");
	DEBUG(DEBUG_DOOR, 0, "two");
	CHECK_TEXT(written(fd), "");
	debug_never_wait(always);
	DEBUG(DEBUG_DOOR, 0, "three");
	CHECK(strstr(written(fd), "three (dropped before this line: 2)\n") != NULL);
	DEBUG(DEBUG_DOOR, 0, "four");
	CHECK(strstr(written(fd), "four\n") != NULL);
}

int main(void)
{
	int fd = memfd_create("test-debug", MFD_CLOEXEC);

	CHECK(fd >= 0 && dup2(fd, STDERR_FILENO) == STDERR_FILENO);
	test_words();
	test_off(fd);
	test_line(fd);
	test_escaped(fd);
	test_long(fd);
	test_never_wait(fd);
	return check_end();
}
