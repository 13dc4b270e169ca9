/*
 * Behind the wall one directory can be read, and nothing written, removed or connected
 * to; also after exec. A kernel without Landlock leaves everything as it was.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "door/wall.h"

static char tree[] = "/tmp/rocsteady-wall.XXXXXX";

static int try_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int try_connect(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
				    .sin_port = htons(9),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int r = connect(fd, (const struct sockaddr *)&here, sizeof(here)) < 0 ? -errno : 0;

	close(fd);
	return r;
}

static void check_behind(void)
{
	CHECK_INT(try_open("in/file", O_RDONLY), 0);
	CHECK_INT(try_open("in", O_RDONLY | O_DIRECTORY), 0);
	CHECK_INT(try_open("in/file", O_WRONLY), -EACCES);
	CHECK_INT(try_open("in/new", O_WRONLY | O_CREAT), -EACCES);
	CHECK_INT(unlink("in/file") < 0 ? -errno : 0, -EACCES);
	CHECK_INT(try_open("out", O_RDONLY), -EACCES);
	CHECK_INT(try_open("in/../out", O_RDONLY), -EACCES);
	CHECK_INT(try_open("in/link", O_RDONLY), -EACCES);
	CHECK_INT(try_open("/etc/passwd", O_RDONLY), -EACCES);
	CHECK_INT(try_open("/", O_RDONLY | O_DIRECTORY), -EACCES);
	CHECK_INT(try_open("/proc/1/status", O_RDONLY), -EACCES);
	CHECK_INT(try_open("/proc/self/status", O_RDONLY), 0);
	CHECK(try_connect() == -EACCES || try_connect() == -ECONNREFUSED); /* from Linux 6.7 on */
}

/* 77: no wall. In a child that becomes this program again, with the word "behind". */
static int raise_and_start(const char *self, bool again)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int in = open("in", O_PATH | O_DIRECTORY | O_CLOEXEC);

		check_count = check_failed = 0;
		if (!wall_raise(&in, 1))
			_exit(77);
		if (again)
			execl(self, self, "behind", (char *)NULL);
		else
			check_behind();
		fflush(stdout);
		_exit(again || check_failed ? 1 : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	char clean[64];
	int first;

	if (argc > 1) {
		check_behind();
		return check_end();
	}
	if (!CHECK(mkdtemp(tree) && chdir(tree) == 0 && mkdir("in", 0755) == 0 &&
		   symlink("../out", "in/link") == 0))
		return check_end();
	CHECK_INT(try_open("in/file", O_WRONLY | O_CREAT), 0);
	CHECK_INT(try_open("out", O_WRONLY | O_CREAT), 0);
	first = raise_and_start(argv[0], false);
	if (first == 77) {
		printf("this kernel has no Landlock: there is no wall to try\n");
	} else {
		CHECK_INT(first, 0);
		CHECK_INT(raise_and_start("/proc/self/exe", true), 0);
	}
	CHECK_INT(try_open("in/file", O_RDWR), 0);
	snprintf(clean, sizeof(clean), "rm -rf %s", tree);
	CHECK_INT(system(clean), 0);
	return check_end();
}
