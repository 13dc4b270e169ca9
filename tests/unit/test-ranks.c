#include "run/ranks.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define ENVIRONMENT(text) ((struct span){ text, sizeof(text) })

static void check_number(void)
{
	CHECK_INT(ranks_number(ENVIRONMENT("HOME=/\0RANK=3\0WORLD_SIZE=4")), 3);
	CHECK_INT(ranks_number(ENVIRONMENT("WORLD_SIZE=2\0LOCAL_RANK=1\0RANK=0")), 0);
	CHECK_INT(ranks_number(ENVIRONMENT("RANK=3")), -1);
	CHECK_INT(ranks_number(ENVIRONMENT("RANK=0\0WORLD_SIZE=1")), -1);
	CHECK_INT(ranks_number(ENVIRONMENT("RANK=colonel\0WORLD_SIZE=4")), -1);
	CHECK_INT(ranks_number((struct span){ "", 0 }), -1);
}

static pid_t start(const char *rank)
{
	pid_t pid = fork();

	if (pid == 0) {
		setenv("RANK", rank, 1);
		setenv("WORLD_SIZE", "3", 1);
		execlp("sleep", "sleep", "60", (char *)NULL);
		_exit(127);
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_processes(void)
{
	static struct ranks ranks;
	static struct descendants descendants;
	struct ranks_news news;
	pid_t all[3] = { start("0"), start("1"), start("2") };

	for (int i = 0; i < 2 && ranks.count < 3; i++) {
		usleep(300000); /* until they have executed */
		descendants =
			(struct descendants){ .pids = { all[0], all[1], all[2] }, .count = 3 };
		ranks_look(&ranks, &descendants, &news);
	}
	CHECK_INT(ranks.count, 3);
	CHECK_INT(news.came_count, 3);
	CHECK(!news.ended);
	end(all[1]);
	descendants = (struct descendants){ .pids = { all[0], all[2] }, .count = 2 };
	ranks_look(&ranks, &descendants, &news);
	CHECK(news.ended && news.ended->number == 1 && news.ended->pid == all[1]);
	end(all[0]);
	descendants = (struct descendants){ .pids = { all[2] }, .count = 1 };
	ranks_look(&ranks, &descendants, &news);
	CHECK(!news.ended); /* the second one is none's cause */
	end(all[2]);
}

static void check_together(void)
{
	static struct ranks ranks = {
		.count = 2, .list = { { .pid = 11, .number = 0 }, { .pid = 12, .number = 1 } }
	};
	static const struct descendants nobody;
	struct ranks_news news;

	ranks_look(&ranks, &nobody, &news);
	CHECK(!news.ended);
	CHECK_INT(ranks.gone, 2);
}

int main(void)
{
	check_number();
	check_processes();
	check_together();
	return check_end();
}
