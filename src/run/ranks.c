#include "run/ranks.h"

#include <unistd.h>

#include "door/proc.h"
#include "parse/rank.h"

#define ENVIRONMENT_MAX ((size_t)64 << 10)
#define ASK_TIMES       3
#define KNOWN_MAX       (sizeof((struct ranks){ 0 }.known) / sizeof(struct rank_asked))

/* RANK alone may be anything's; with WORLD_SIZE it is a launcher's. */
long ranks_number(struct span environment)
{
	struct span variable, name;
	bool many = false;
	uint64_t number;
	long rank = -1;

	while (span_cut(&environment, '\0', &variable)) {
		if (!span_cut(&variable, '=', &name) || !span_u64(variable, &number))
			continue;
		if (span_is(name, "WORLD_SIZE"))
			many = number > 1;
		else if (span_is(name, "RANK") && number <= RANK_MAX)
			rank = (long)number;
	}
	return many ? rank : -1;
}

static long read_number(pid_t pid)
{
	static char bytes[ENVIRONMENT_MAX]; /* the watcher's only */
	int fd = proc_open(pid, "environ");
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(fd, bytes + len, sizeof(bytes) - len)) > 0)
		len += (size_t)n;
	close(fd);
	return ranks_number((struct span){ bytes, len });
}

/* A process that was forked and has not executed yet shows its parent's: so more than once. */
static bool shall_ask(struct ranks *r, pid_t pid)
{
	size_t count = r->asked < KNOWN_MAX ? r->asked : KNOWN_MAX;

	for (size_t i = 0; i < count; i++)
		if (r->known[i].pid == pid)
			return r->known[i].times < ASK_TIMES && ++r->known[i].times;
	r->known[r->asked++ % KNOWN_MAX] = (struct rank_asked){ pid, 1 };
	return true;
}

static bool has_rank(const struct ranks *r, long number)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].number == number)
			return true;
	return false;
}

static bool lives(const struct descendants *descendants, pid_t pid)
{
	for (size_t i = 0; i < descendants->count; i++)
		if (descendants->pids[i] == pid)
			return true;
	return false;
}

void ranks_look(struct ranks *r, const struct descendants *descendants, struct ranks_news *ret)
{
	size_t before = r->count, ended = 0;

	*ret = (struct ranks_news){ 0 };
	if (descendants->count > KNOWN_MAX)
		return;
	for (size_t i = 0; i < descendants->count; i++) {
		pid_t pid = descendants->pids[i];
		long number = shall_ask(r, pid) ? read_number(pid) : -1;

		if (number >= 0 && !has_rank(r, number) && r->count < RANKS_MAX)
			r->list[r->count++] = (struct rank){ .pid = pid, .number = number };
	}
	ret->came_count = r->count - before;
	ret->came = &r->list[before];
	for (size_t i = 0; i < before; i++)
		if (!r->list[i].gone && !lives(descendants, r->list[i].pid)) {
			r->list[i].gone = true;
			ret->ended = &r->list[i];
			ended++;
		}
	if (r->gone > 0 || ended > 1)
		ret->ended = NULL;
	r->gone += ended;
}
