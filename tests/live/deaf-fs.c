/*
 * deaf-fs - a file system that hears every question and answers none
 *
 * Stands for the sysfs directory of a GPU that hangs: whoever touches a file
 * below the mount point sleeps uninterruptibly, as in a driver that waits for
 * its hardware. Speaks just enough of the FUSE protocol to be mounted, and
 * prints a line for every question, so that a test can also prove that none
 * was asked.
 *
 * usage: deaf-fs DIRECTORY        (as root; ends with the mount)
 */

#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int greet(int fd, const struct fuse_in_header *question)
{
	struct {
		struct fuse_out_header header;
		struct fuse_init_out init;
	} answer = { .header = { .len = sizeof(answer), .unique = question->unique },
		     .init = { .major = 7, .minor = 31, .max_write = 4096 } };

	return write(fd, &answer, sizeof(answer)) == (ssize_t)sizeof(answer) ? 0 : -1;
}

static int listen_forever(int fd)
{
	static _Alignas(8) char buffer[1 << 18];
	const struct fuse_in_header *question = (const void *)buffer;

	while (read(fd, buffer, sizeof(buffer)) > 0) {
		if (question->opcode == FUSE_INIT) {
			if (greet(fd, question) < 0)
				return 1;
			puts("mounted");
		} else {
			printf("asked %u\n", question->opcode);
		}
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[96];

	if (argc != 2 || fd < 0)
		return 77; /* no FUSE here */
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fd);
	if (mount("deaf", argv[1], "fuse", 0, options) < 0) {
		perror("mount");
		return 77;
	}
	return listen_forever(fd);
}
