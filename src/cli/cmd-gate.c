#include <string.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "gate/look.h"
#include "gate/readers.h"
#include "gate/site-files.h"
#include "gate/verdict-file.h"

/* A recording has no verdict of its own in this host's place. */
static const char *verdict_path(const struct options *o)
{
	bool elsewhere = o->context.from || o->context.root;

	return o->verdict ? o->verdict : elsewhere ? NULL : VERDICT_FILE;
}

/* What this site enforces is about its own hosts, not about a machine that somebody sent. */
static const char *conf_path(const struct options *o)
{
	bool elsewhere = o->context.from || o->context.root;

	return o->config ? o->config : elsewhere ? NULL : GATE_CONF_FILE;
}

static int say_answered(const struct options *o, struct arena *a, struct gate_answer *answer)
{
	const struct gate_reader *reader = reader_find(o->reader ? o->reader : "text");
	struct buf text BUF_SCOPED = { 0 };
	int status;

	if (answer->verdict->ignored[0])
		say("nothing is enforced: %s", answer->verdict->ignored);
	if (conf_path(o))
		gate_pass(answer, site_off(conf_path(o), a));
	answer->now_s = clock_date_ms() / 1000;
	reader->write(answer, &text);
	status = say_answer(o->output, buf_get(&text));
	return status != 0 ? status : reader->status[answer->state];
}

/* ---- a new verdict ---- */

static void join_earlier(const char *path, struct arena *a, struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };
	struct node_verdict earlier;

	if (verdict_file_read(path, a, &earlier, &why) == 0)
		node_verdict_join(a, v, &earlier);
}

/* The verdict is told also where it could not be kept. */
static void keep(const char *path, const struct node_verdict *v)
{
	struct buf why BUF_SCOPED = { 0 };
	int r = verdict_file_write(path, v, &why);

	if (r < 0)
		say("%s was not written: %s", path, why.len > 0 ? why.data : strerror(-r));
}

static int renew(const struct options *o)
{
	struct buf said BUF_SCOPED = { 0 };
	const char *path = verdict_path(o);
	struct arena arena = { 0 };
	struct gate_answer answer;
	struct node_verdict v;
	int status = look_at_node(&o->context, &arena, &v, &said);

	say_lines(&said);
	if (status == 0) {
		if (path)
			join_earlier(path, &arena, &v);
		if (conf_path(o))
			site_conf_apply(conf_path(o), &arena, &v);
		if (path)
			keep(path, &v);
		answer = gate_judge(&arena, &v);
		status = say_answered(o, &arena, &answer);
	}
	arena_done(&arena);
	return status;
}

/* ---- the verdict that is there ---- */

static int read_kept(const struct options *o)
{
	struct buf why BUF_SCOPED = { 0 };
	struct arena arena = { 0 };
	struct gate_answer answer;
	struct node_verdict v;
	struct boot_now now;
	int status;

	boot_now(&now);
	if (verdict_file_read(verdict_path(o), &arena, &v, &why) == 0 &&
	    verdict_file_is_fresh(&v, &now, &why)) {
		answer = gate_judge(&arena, &v);
		answer.age_s = now.second - v.second;
	} else {
		answer = gate_blind(why.data);
	}
	status = say_answered(o, &arena, &answer);
	arena_done(&arena);
	return status;
}

int cmd_gate(const struct options *o)
{
	if (o->word_count > 0)
		return say_usage("gate", "gate takes no arguments; a reader is named by --for");
	if (o->verdict && o->verdict[0] != '/')
		return say_usage("gate", "--verdict takes a path that begins with /");
	if (o->config && o->config[0] != '/')
		return say_usage("gate", "--config takes a path that begins with /");
	return o->reader && verdict_path(o) ? read_kept(o) : renew(o);
}
