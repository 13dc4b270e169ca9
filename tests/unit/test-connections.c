#include "gauges/connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int listener;

static int connect_to_it(void)
{
	struct sockaddr_in to;
	socklen_t size = sizeof(to);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	CHECK(getsockname(listener, (struct sockaddr *)&to, &size) == 0);
	CHECK(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0);
	return fd;
}

static void move_bytes(int from, int to, size_t bytes)
{
	static char data[4096];

	for (; bytes >= sizeof(data); bytes -= sizeof(data)) {
		CHECK_INT(send(from, data, sizeof(data), 0), sizeof(data));
		CHECK_INT(recv(to, data, sizeof(data), MSG_WAITALL), sizeof(data));
	}
}

/* The other end stands in another process, so that bytes count once. */
static pid_t hold(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

/* What a part of them has moved is not what all have: then it is not known. */
static void test_many(pid_t us)
{
	struct rlimit files = { 2000, 2000 };
	static struct connections c;
	int fds[1100];
	int made = 0;

	if (setrlimit(RLIMIT_NOFILE, &files) < 0)
		return;
	while (made < 1100 && (fds[made] = socket(AF_INET, SOCK_STREAM, 0)) >= 0)
		made++;
	CHECK_INT(made, 1100);
	CHECK_INT(connections_look(&c, &us, 1), -1);
	while (made > 0)
		close(fds[--made]);
	CHECK_INT(connections_look(&c, &us, 1), 0);
}

int main(void)
{
	static struct connections c;
	struct sockaddr_in any = { .sin_family = AF_INET };
	int64_t before, pair[2];
	pid_t holder, us = getpid();
	int a, b;

	any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	CHECK(bind(listener, (struct sockaddr *)&any, sizeof(any)) == 0);
	CHECK(listen(listener, 4) == 0);
	CHECK_INT(connections_look(&c, &us, 0), 0);
	if (connections_look(&c, &us, 1) < 0) {
		puts("the kernel does not tell of connections here");
		return 77;
	}
	a = connect_to_it();
	b = accept(listener, NULL, NULL);
	before = connections_look(&c, &us, 1);
	CHECK_INT(connections_look(&c, &us, 1), before); /* nothing moves */
	move_bytes(a, b, 1 << 20);
	CHECK(connections_look(&c, &us, 1) - before >= 2 << 20); /* we have both ends */

	holder = hold();
	pair[0] = connections_look(&c, (pid_t[]){ us, holder }, 2);
	move_bytes(a, b, 1 << 20);
	pair[1] = connections_look(&c, (pid_t[]){ us, holder }, 2);
	CHECK(pair[1] - pair[0] >= 2 << 20 && pair[1] - pair[0] < 3 << 20); /* inherited: once */

	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	close(a);
	close(b);
	CHECK_INT(connections_look(&c, &us, 1), pair[1]); /* what has ended takes nothing back */
	test_many(us);
	close(listener);
	return check_end();
}
