#include "gate/slurm.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/names.h"
#include "base/text.h"
#include "door/program.h"
#include "door/trust.h"

#define NAME_LONG 255 /* bytes of a node's name */
#define SAID_MAX  200 /* bytes of what a program said about its failure */

extern const char data_slurm_places[];

/* ---- the beginning ---- */

/* What could be an option, a list or a pattern is no name. */
static bool is_name(const char *node)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.";
	size_t n = strlen(node);

	return n > 0 && n <= NAME_LONG && node[0] != '-' && strspn(node, allowed) == n;
}

static bool may_run(const char *path, struct buf *why)
{
	struct trust us = trust_us();

	if (access(path, X_OK) == 0)
		return trust_regular(&us, path, why);
	buf_addf(why, "%s: %s", path, strerror(errno));
	return false;
}

/* scontrol and, beside it, sinfo. */
static bool take_programs(struct arena *a, struct span place, struct slurm *s, struct buf *why)
{
	const char *path = arena_text(a, place);
	const char *sinfo = arena_format(a, "%.*s/sinfo", (int)(strrchr(path, '/') - path), path);

	buf_clear(why);
	if (!may_run(path, why) || !may_run(sinfo, why))
		return false;
	s->scontrol = path;
	s->sinfo = sinfo;
	return true;
}

static bool find_programs(struct arena *a, const char *named, struct slurm *s, struct buf *why)
{
	struct span rest = span_of(data_slurm_places), place, ignored;

	if (named[0])
		return take_programs(a, span_of(named), s, why);
	while (names_next(&rest, &place, &ignored))
		if (take_programs(a, place, s, why))
			return true;
	return false;
}

int slurm_open(struct arena *a, const struct slurm_place *p, struct slurm *ret, struct buf *why)
{
	struct slurm s = { .arena = a,
			   .node = p->node,
			   .ms = p->ms > 0 && p->ms <= SLURM_MS_MAX ? p->ms : SLURM_MS };
	struct trust us = trust_us();

	s.until_ms = clock_ms() + s.ms;
	if (!p->node || !is_name(p->node)) {
		buf_text(why,
			 "set SLURMD_NODENAME to the name of this node in Slurm, as slurmd does");
		return -EINVAL;
	}
	if (p->conf && !trust_path(&us, p->conf, why))
		return -EPERM;
	if (!find_programs(a, p->scontrol, &s, why))
		return -ENOENT;
	s.environment[0] = "PATH=/usr/bin:/bin";
	s.environment[1] = "LC_ALL=C";
	s.environment[2] = "SLURM_TIME_FORMAT=%s"; /* seconds since 1970 */
	s.environment[3] = p->conf ? arena_format(a, "SLURM_CONF=%s", p->conf) : NULL;
	*ret = s;
	return 0;
}

/* ---- one call ---- */

static void tell(const struct slurm *s, const char *program, int status, const struct buf *said,
		 struct buf *why)
{
	struct span line = { 0 }, rest = buf_get(said);

	(void)span_line(&rest, &line);
	if (line.len > SAID_MAX)
		line.len = SAID_MAX;
	if (status == -ETIME)
		buf_addf(why, "%s did not answer within %llu ms", program,
			 (unsigned long long)s->ms);
	else if (status < 0)
		buf_addf(why, "%s: %s", program, strerror(-status));
	else
		buf_addf(why, "%s ended with %d: ", program, status);
	if (status > 0)
		text_clean(why, line, false);
}

/* 0, with what it wrote; or -errno with the reason. */
static int call(const struct slurm *s, const char *const *arguments, struct buf *ret,
		struct buf *why)
{
	struct program_order o = { arguments, s->environment, s->until_ms };
	int status = program_run(&o, ret);

	if (status == 0)
		return 0;
	tell(s, arguments[0], status, ret, why);
	return status < 0 ? status : -EPROTO;
}

static int ask_scontrol(const struct slurm *s, struct slurm_node *ret, struct buf *why)
{
	const char *const arguments[] = { s->scontrol, "show", "node", s->node, NULL };
	struct buf text BUF_SCOPED = { 0 };
	int r = call(s, arguments, &text, why);

	if (r < 0)
		return r;
	if (slurm_node_parse(arena_span(s->arena, buf_get(&text)), ret))
		return 0;
	buf_addf(why, "%s does not know %s", s->scontrol, s->node);
	return -ENODATA;
}

/*
 * Of one node sinfo asks slurmctld for that node. `scontrol show node` asks for the whole table,
 * by every health check of every node; so it is asked only where sinfo leaves a doubt.
 */
int slurm_ask(const struct slurm *s, struct slurm_node *ret, struct buf *why)
{
	const char *const arguments[] = { s->sinfo,
					  "--noheader",
					  "--Node",
					  arena_format(s->arena, "--nodes=%s", s->node),
					  "--format=%N|%T|%u|%H|%E",
					  NULL };
	struct buf text BUF_SCOPED = { 0 };
	int r = call(s, arguments, &text, why);

	if (r < 0)
		return r;
	return slurm_line_parse(arena_span(s->arena, buf_get(&text)), s->node, ret)
		       ? 0
		       : ask_scontrol(s, ret, why);
}

int slurm_count(const struct slurm *s, struct slurm_drained *ret, struct buf *why)
{
	const char *const arguments[] = { s->sinfo,         "--noheader",        "--Node",
					  "--states=drain", "--format=%N|%H|%E", NULL };
	struct buf text BUF_SCOPED = { 0 };
	int r = call(s, arguments, &text, why);

	if (r == 0)
		slurm_drained_parse(buf_get(&text), s->node, clock_date_ms() / 1000, ret);
	return r;
}

static int update(const struct slurm *s, const char *state, const char *reason, struct buf *why)
{
	const char *const arguments[] = { s->scontrol,
					  "update",
					  arena_format(s->arena, "NodeName=%s", s->node),
					  state,
					  reason ? arena_format(s->arena, "Reason=%s", reason)
						 : NULL,
					  NULL };
	struct buf text BUF_SCOPED = { 0 };

	return call(s, arguments, &text, why);
}

int slurm_drain(const struct slurm *s, const char *reason, struct buf *why)
{
	return update(s, "State=DRAIN", reason, why);
}

/* RESUME would also bring back a node that is down. */
int slurm_release(const struct slurm *s, struct buf *why)
{
	return update(s, "State=UNDRAIN", NULL, why);
}

void slurm_wait_second(void)
{
	uint64_t began = clock_ms(), now = began;

	for (; now < began + SLURM_SECOND_MS; now = clock_ms())
		(void)poll(NULL, 0, (int)(began + SLURM_SECOND_MS - now));
}

void slurm_start_anew(struct slurm *s)
{
	s->until_ms = clock_ms() + s->ms;
}
