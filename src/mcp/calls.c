#include "mcp/calls.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "mcp/reply.h"

#define WAITING_MAX 1000
#define BYTES_MAX   ((size_t)256 << 20)
#define TOO_LONG    "The answer is longer than 8 MiB: ask for less."

static struct call **place_of(struct server *s, const struct call *c)
{
	struct call **at = &s->calls;

	while (*at != c)
		at = &(*at)->next;
	return at;
}

void calls_drop(struct server *s, struct call *c)
{
	struct call **at = place_of(s, c);

	*at = c->next;
	if (s->last == &c->next)
		s->last = at;
	s->bytes -= c->bytes;
	if (c->pid > 0)
		s->running--;
	else
		s->waiting--;
	call_kill(c);
	call_free(c);
}

static void fail(struct server *s, struct call *c, const char *why)
{
	reply_failure(s, c, why);
	calls_drop(s, c);
}

static void start_waiting(struct server *s)
{
	struct call *next;

	for (struct call *c = s->calls; c && s->running < CALLS_AT_ONCE; c = next) {
		const char *why;

		next = c->next;
		if (c->pid > 0)
			continue;
		why = call_start(c);
		if (why) {
			fail(s, c, why);
		} else {
			s->waiting--;
			s->running++;
			s->children++;
		}
	}
}

void calls_enter(struct server *s, const struct message *m, struct arena *arena,
		 const struct request *request)
{
	struct call *c;

	if (s->waiting >= WAITING_MAX || s->bytes + s->line > BYTES_MAX) {
		if (request->input >= 0)
			close(request->input);
		reply_error(s, m->id, MESSAGE_BUSY,
			    "Too many calls are waiting: 1,000, or 256 MiB of them.");
		return;
	}
	c = memory_new(1, sizeof(*c));
	*c = (struct call){
		.id = m->id, .revision = m->revision, .request = *request, .out = -1, .errors = -1
	};
	c->arena = *arena;
	c->bytes = s->line;
	s->bytes += c->bytes;
	*arena = (struct arena){ 0 };
	*s->last = c;
	s->last = &c->next;
	s->waiting++;
}

static void reap(struct server *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct call *c = s->calls;

		s->children--;
		while (c && c->pid != pid)
			c = c->next;
		if (c && !call_read(c))
			fail(s, c, TOO_LONG);
		else if (c) {
			reply_ending(s, c, status);
			calls_drop(s, c);
		}
	}
}

void calls_look(struct server *s)
{
	uint64_t now = clock_ms();
	struct call *next;

	for (struct call *c = s->calls; c; c = next) {
		next = c->next;
		if (c->pid > 0 && !call_read(c))
			fail(s, c, TOO_LONG);
		else if (c->pid > 0 && now > c->deadline)
			fail(s, c, "It took longer than a minute, and was ended.");
	}
	reap(s);
	start_waiting(s);
}
