#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate-probe.h"
#include "cli/gate-rehearse.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/say.h"
#include "fleet/snapshots.h"
#include "gate/latch.h"
#include "gate/look.h"
#include "gate/readers.h"
#include "gate/site-files.h"
#include "gate/slurm-hook.h"
#include "gate/verdict-file.h"

/* ---- gate every ---- */

/*
 * A verdict again and again, where nothing else starts one.
 *
 * For a container whose image has nothing but this program. Each look is a child
 * of its own: what one leaves behind, or dies of, is gone with it.
 */

#define LEAST_S 10
#define MOST_S  600 /* a verdict that is older tells nothing */

struct rounds {
	const struct options *options;
	int (*round)(const struct options *o);
};

static void make_round(void *ctx, size_t item, struct buf *ret)
{
	struct rounds *r = ctx;

	(void)item;
	(void)r->round(r->options); /* the answer is written; its status is asked by nobody */
	buf_text(ret, "done");
}

static void end_round(void *ctx, size_t item, struct span answer, bool whole)
{
	(void)ctx;
	(void)item;
	if (!whole || answer.len == 0)
		say("rocsteady died while it looked at this node; the next look follows");
}

/* `round` renews the verdict and answers. Does not return but for wrong options. */
static int gate_every(const struct options *o, int (*round)(const struct options *o))
{
	struct rounds rounds = { o, round };
	struct pool pool = { .count = 1, .ctx = &rounds, .work = make_round, .done = end_round };
	uint64_t seconds;
	int r;

	if (!span_u64(span_of(o->every), &seconds) || seconds < LEAST_S || seconds > MOST_S)
		return say_usage("gate", "--every takes seconds, from 10 to 600");
	for (;;) {
		struct timespec pause = { .tv_sec = (time_t)seconds };

		r = pool_run(&pool);
		if (r < 0)
			say("no process could be started: %s", strerror(-r));
		nanosleep(&pause, NULL);
	}
}

/* ---- cmd gate ---- */

/* Another machine than this host: a snapshot, or a tree. */
static bool is_elsewhere(const struct options *o)
{
	return o->context.from || o->context.root;
}

/* A recording has no verdict of its own in this host's place. */
static const char *verdict_path(const struct options *o)
{
	return o->verdict ? o->verdict : is_elsewhere(o) ? NULL : VERDICT_FILE;
}

/* The site's gate.conf is about its own hosts, not about a machine sent by another user. */
static const char *conf_path(const struct options *o)
{
	return o->config ? o->config : is_elsewhere(o) ? NULL : GATE_CONF_FILE;
}

static const char *latched(const char *path, struct arena *a, const struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };

	return latch_holds(path, v, &why) ? arena_text(a, buf_get(&why)) : NULL;
}

static int say_answered(const struct options *o, struct arena *a, struct gate_answer *answer)
{
	const struct gate_reader *reader = reader_find(o->reader ? o->reader : "text");
	struct buf text BUF_SCOPED = { 0 }, clean BUF_SCOPED = { 0 };
	int status;

	if (answer->verdict->ignored[0])
		say("nothing is enforced: %s", answer->verdict->ignored);
	if (reader->acts && !o->observed)
		gate_leave_observed(a, answer);
	if (conf_path(o))
		gate_pass(answer, site_off(conf_path(o), a));
	if (verdict_path(o)) {
		passed_read(verdict_path(o), answer->passed);
		acts_read(verdict_path(o), a, &answer->acts);
		answer->latched = latched(verdict_path(o), a, answer->verdict);
	}
	answer->now_s = clock_date_ms() / 1000;
	reader->write(answer, &text);
	text_screen(&clean, buf_get(&text), false); /* no colour in it is ours */
	status = say_answer(o->output, buf_get(&clean));
	return status != 0 ? status : reader->status[answer->state];
}

/* ---- the trail ---- */

/* The cluster's name of this node. */
static const char *node_name(struct arena *a)
{
	const char *name = getenv("SLURMD_NODENAME");
	char host[HOST_NAME_MAX_LEN];

	if (!name || !name[0])
		name = getenv("NODE_NAME");
	if (name && name[0])
		return arena_text(a, span_of(name));
	host_name_now(host);
	return arena_text(a, span_of(host));
}

static struct trail begin_trail(struct arena *a)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, span_of(node_name(a)), false);
	return (struct trail){ .node = arena_text(a, buf_get(&clean)),
			       .now_s = clock_date_ms() / 1000 };
}

/* A service's standard error goes to the journal; rocsteady-hook passes it on to syslog. */
static void end_trail(const struct options *o, struct trail *t, bool is_heard)
{
	struct buf said BUF_SCOPED = { 0 };

	if (verdict_path(o))
		trail_keep(t, verdict_path(o), &said);
	if (t->lines.len > 0 && (is_heard || getenv("JOURNAL_STREAM")))
		say_bare(buf_get(&t->lines));
	say_lines(&said);
	trail_done(t);
}

/* ---- a new verdict ---- */

/* The verdict that was there; false if there was none. */
static bool join_earlier(const char *path, struct arena *a, struct node_verdict *v,
			 struct node_verdict *ret)
{
	struct buf why BUF_SCOPED = { 0 };

	if (verdict_file_read(path, a, ret, &why) != 0)
		return false;
	node_verdict_join(a, v, ret);
	return true;
}

/* The verdict is told also where it could not be kept. */
static void keep(const char *path, const struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };
	int r = verdict_file_write(path, v, &why);

	if (r < 0)
		say("%s was not written: %s", path, why.len > 0 ? why.data : strerror(-r));
}

/* 0, or an exit status. What was there earlier is joined, the site asked, and all of it kept. */
static int make_verdict(const struct options *o, struct arena *a, struct node_verdict *ret,
			struct trail *trail)
{
	struct buf said BUF_SCOPED = { 0 };
	struct node_verdict earlier;
	struct node_test test = NODE_TEST_EMPTY;
	const char *path = verdict_path(o);
	bool was_there;
	int status;

	if (o->with)
		gate_probe(o, a, &test); /* before the look: what it does to a GPU is then seen */
	status = look_at_node(&o->context, a, ret, &said);
	say_lines(&said);
	if (status != 0)
		return status;
	test.second = ret->second;
	ret->test = test;
	was_there = path && join_earlier(path, a, ret, &earlier);
	node_verdict_weigh_test(a, ret);
	if (conf_path(o))
		site_conf_apply(conf_path(o), a, ret);
	if (path) {
		keep(path, ret);
		trail_verdict(trail, was_there ? &earlier : NULL, ret);
	}
	return 0;
}

static int renew(const struct options *o)
{
	struct arena arena = { 0 };
	struct gate_answer answer;
	struct node_verdict v;
	struct trail trail = begin_trail(&arena);
	int status = make_verdict(o, &arena, &v, &trail);

	end_trail(o, &trail, o->every != NULL);
	if (status == 0) {
		answer = gate_judge(&arena, &v);
		answer.aged = true;
		status = say_answered(o, &arena, &answer);
	}
	arena_done(&arena);
	return status;
}

/* ---- the verdict that is there ---- */

/* The age of the kept verdict; `aged` if it is of this boot, even if it is too old. */
struct age {
	bool aged;
	uint64_t seconds;
};

/* 0, or -errno with the reason why there is none that counts; -ESTALE for one of another time. */
static int read_verdict(const struct options *o, struct arena *a, struct node_verdict *ret,
			struct age *ret_age, struct buf *why)
{
	struct boot_now now;
	int r = verdict_file_read(verdict_path(o), a, ret, why);

	if (r < 0)
		return r;
	boot_now(&now);
	ret_age->aged = verdict_file_is_of(ret, &now);
	ret_age->seconds = ret_age->aged ? now.second - ret->second : 0;
	return verdict_file_is_fresh(ret, &now, why) ? 0 : -ESTALE;
}

static int read_kept(const struct options *o)
{
	struct buf why BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct gate_answer answer;
	struct node_verdict v;
	struct age age = { 0 };
	int status;

	answer = read_verdict(o, &arena, &v, &age, &why) == 0 ? gate_judge(&arena, &v)
							      : gate_blind(why.data);
	answer.aged = age.aged;
	answer.age_s = age.seconds;
	status = say_answered(o, &arena, &answer);
	arena_done(&arena);
	return status;
}

/* ---- Slurm's hooks ---- */

static void count_blind(const struct options *o, int error, const char *why)
{
	struct buf said BUF_SCOPED = { 0 };

	say("this node passes: %s", why);
	passed_add(verdict_path(o),
		   error == -ENOENT || error == -ENOTDIR ? PASSED_NO_VERDICT
		   : error == -ESTALE                    ? PASSED_OLD_VERDICT
							 : PASSED_BAD_VERDICT,
		   &said);
	say_lines(&said);
}

/* Whether there is a verdict to act on. A prolog takes the one that is kept. */
static bool take_verdict(const struct options *o, const struct slurm_order *order, struct arena *a,
			 struct node_verdict *ret)
{
	struct buf why BUF_SCOPED = { 0 };
	struct age age = { 0 };
	int r;

	if (!order->prolog && make_verdict(o, a, ret, order->trail) == 0)
		return true;
	r = read_verdict(o, a, ret, &age, &why);
	if (r < 0)
		count_blind(o, r, why.data);
	return r == 0;
}

/* Whatever happens but an accepted drain, the status is 0: Slurm drains for any other. */
static int hook(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct node_verdict v;
	struct trail trail = begin_trail(&arena);
	struct slurm_order order = { .place = { getenv("SLURMD_NODENAME"), getenv("SLURM_CONF"),
						"" },
				     .verdict_path = verdict_path(o),
				     .v = &v,
				     .prolog = strcmp(o->reader, "slurm-prolog") == 0,
				     .trail = &trail };
	const char *off = site_off(conf_path(o), &arena);
	int status = 0;

	if (off) {
		text_line(&said, "this node passes: %s", off);
		passed_add(order.verdict_path, PASSED_OFF, &said);
		order.off = true;
	}
	if (!(off && order.prolog) && take_verdict(o, &order, &arena, &v)) {
		if (v.ignored[0])
			text_line(&said, "nothing is enforced: %s", v.ignored);
		order.place.scontrol = v.scontrol;
		order.place.ms = v.slurm_ms;
		status = slurm_hook(&order, &arena, &said);
	}
	say_lines(&said);
	end_trail(o, &trail, true);
	arena_done(&arena);
	if (status == 1) /* rocsteady-hook believes the status only with this word */
		(void)say_answer(NULL, SPAN_LITERAL("drained\n"));
	return status;
}

static bool is_hook(const char *reader)
{
	return reader && span_starts(span_of(reader), "slurm-");
}

int cmd_gate(const struct options *o)
{
	if (o->word_count > 0)
		return say_usage("gate", "gate takes no arguments; a reader is named by --for");
	if (o->context.from && snapshots_is_directory(o->context.from))
		return gate_rehearse(o);
	if (o->verdict && o->verdict[0] != '/')
		return say_usage("gate", "--verdict takes a path that begins with /");
	if (o->config && o->config[0] != '/')
		return say_usage("gate", "--config takes a path that begins with /");
	if (o->against || o->json)
		return say_usage("gate", "--%s is for a directory of snapshots: --from DIR",
				 o->against ? "against" : "json");
	if (o->every && (o->context.from || is_hook(o->reader)))
		return say_usage("gate", "--every looks at this host, and is for no hook");
	if (o->with && (is_elsewhere(o) || o->context.host_root || o->every || is_hook(o->reader)))
		return say_usage("gate", "--with probe tests the GPUs of this host: leave out %s",
				 is_hook(o->reader) ? "--for"
				 : o->every         ? "--every"
				 : o->context.from  ? "--from"
				 : o->context.root  ? "--root"
						    : "--host-root");
	if (o->every)
		return gate_every(o, renew);
	if (is_hook(o->reader) && (!verdict_path(o) || !conf_path(o)))
		return say_usage("gate",
				 "--for %s acts on this host: another machine needs "
				 "--verdict and --config",
				 o->reader);
	if (is_hook(o->reader))
		return hook(o);
	if (o->reader && o->verdict && is_elsewhere(o))
		return say_usage(
			"gate",
			"--for %s with --verdict only reads that file: leave out --verdict "
			"to hear of %s, or leave out --for to renew the file",
			o->reader, o->context.from ? o->context.from : o->context.root);
	return o->reader && verdict_path(o) && !o->with ? read_kept(o) : renew(o);
}
