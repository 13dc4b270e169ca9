#include "cli/probe-front.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"
#include "cli/progress-line.h"
#include "cli/say.h"
#include "probe/choice.h"
#include "probe/process.h"
#include "probe/questions.h"
#include "root/root.h"

static volatile bool cancelled;

static void cancel(int signal)
{
	(void)signal;
	cancelled = true;
}

/* ---- words ---- */

/* The path after `begin`, made absolute, without a slash at its end. */
static const char *absolute(struct arena *a, const char *words, size_t begin)
{
	char *here = words[begin] == '/' ? NULL : get_current_dir_name();
	size_t len = strlen(words);
	const char *made;

	while (len > begin + 1 && words[len - 1] == '/')
		len--;
	made = arena_format(a, "%.*s%s%s%.*s", (int)begin, words, here ? here : "", here ? "/" : "",
			    (int)(len - begin), words + begin);
	free(here);
	return made;
}

static size_t path_in_like(const char *like)
{
	const char *at = like[0] == '/' ? NULL : strchr(like, '@');

	return at ? (size_t)(at + 1 - like) : 0;
}

struct options probe_front_options(const struct options *o)
{
	static struct arena words; /* reachable until the end */
	struct options made = *o;
	const char *others = o->context.door.environments;

	if (o->libraries && o->libraries[0])
		made.libraries = absolute(&words, o->libraries, 0);
	if (o->like && o->like[path_in_like(o->like)]) {
		made.like = absolute(&words, o->like, path_in_like(o->like));
		made.context.door.environments =
			arena_format(&words, "%s%s%s", others ? others : "", others ? ":" : "",
				     made.like + path_in_like(made.like));
	}
	return made;
}

/* ---- the walk ---- */

/* The options take no other level than 1, 2 and 3; a layer that is named is asked whole. */
static int level_of(const struct options *o)
{
	return o->level ? o->level[0] - '0' : o->layer ? 2 : 1;
}

static void tell(void *ctx, const struct probe_progress *p)
{
	struct progress_line *progress = ctx;
	char text[128];

	snprintf(text, sizeof(text), "%zu of %zu: %s %s", p->done, p->planned, p->question,
		 p->subject);
	progress_line_say(progress, text);
}

/* Reports the unknown layer of "memory,rocblsa". */
static int no_layer(const char *layers)
{
	struct span rest = span_of(layers), part;

	while (span_cut(&rest, ',', &part)) {
		char word[DID_YOU_MEAN_MAX];
		struct buf all BUF_SCOPED = { 0 };
		struct did_you_mean near;
		bool known = false;

		buf_text(&all, "layers:");
		snprintf(word, sizeof(word), "%.*s", (int)part.len, part.data);
		near = did_you_mean(word);
		for (size_t i = 0; questions[i].name; i++) {
			known = known || strcmp(questions[i].layer, word) == 0;
			did_you_mean_try(&near, span_of(questions[i].layer));
			if (i == 0 || strcmp(questions[i].layer, questions[i - 1].layer) != 0)
				buf_addf(&all, " %s", questions[i].layer);
		}
		if (!known)
			return say_no("probe", "layer", &near, all.data);
	}
	return say_usage("probe", "--layer names no layer, for example --layer memory,rocblas");
}

static int say_failure(const char *layers, int error)
{
	if (error == -ECANCELED)
		return EXIT_SIGNAL + SIGINT;
	if (error == -EINVAL)
		return no_layer(layers);
	if (error == -ELIBACC)
		say("rocsteady-probe cannot start here: it needs glibc 2.17 or later, as ROCm's "
		    "libraries do, and its loader is missing; on a system with musl, such as Alpine, "
		    "run probe in a container that has glibc");
	else
		say("the probe could not start: %s", strerror(-error));
	return EXIT_OWN_FAULT;
}

/*
 * Ctrl-C ends the probers and removes what they made; a second one is the shell's.
 * So does a terminal that is closed, and an alarm after `seconds` that are not 0. What was
 * ignored, as by nohup, stays ignored.
 */
static int walk(struct probe_options *p, int seconds, struct buf *text)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	struct sigaction on = { .sa_handler = cancel, .sa_flags = SA_RESETHAND }, old[4];
	int r;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		sigaction(ends[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &on, NULL);
	}
	progress_line_start(p->ctx);
	(void)alarm((unsigned int)seconds);
	r = probe_walk(p, text);
	(void)alarm(0);
	progress_line_end(p->ctx);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], &old[i], NULL);
	return r < 0 ? say_failure(p->layers, r) : 0;
}

static int say_no_process(const char *pid, int error)
{
	if (error == -ENXIO)
		return say_usage("probe", "process %s has not loaded HIP", pid);
	if (error == -EXDEV)
		return say_usage("probe", "process %s is in a container; run probe inside it", pid);
	if (error < 0)
		return say_usage("probe", "process %s: %s", pid, strerror(-error));
	return 0;
}

static int walk_chosen(const struct options *o, int level, struct choice *c, struct buf *text)
{
	struct buf why BUF_SCOPED = { 0 };
	char program[4096];
	struct progress_line progress;
	struct probe_options p = { .program = program,
				   .level = level,
				   .layers = o->layer,
				   .device = o->device,
				   .keep_going = o->keep_going,
				   .force = o->force,
				   .like = c->like,
				   .python = c->python,
				   .package = c->package,
				   .variables = c->variables,
				   .uid = c->uid,
				   .gid = c->gid,
				   .gpus = c->gpus,
				   .gpu_count = c->gpu_count,
				   .libraries = c->libraries,
				   .library_count = c->library_count,
				   .now = time(NULL),
				   .progress = tell,
				   .ctx = &progress,
				   .cancelled = &cancelled };

	if (o->layer && strstr(o->layer, "torch") && !c->python)
		return say_usage("probe",
				 "--layer torch needs a Python environment: --like torch@DIR");
	if (!probe_find_program(program, sizeof(program), &why)) {
		if (why.len > 0)
			say("root does not run rocsteady-probe from here: %s; install both programs "
			    "where only root can change them, as in /usr/local/bin",
			    why.data);
		else
			say("rocsteady-probe is not beside this program; install the whole package");
		return EXIT_OWN_FAULT;
	}
	return walk(&p, o->walk_s, text);
}

int probe_front_walk(const struct options *o, struct machine *m)
{
	struct buf text BUF_SCOPED = { 0 };
	struct choice *c;
	int level = level_of(o);
	int status;

	c = memory_new(1, sizeof(*c));
	status = choice_make(facts_db(m->facts), o->like, c);
	if (status < 0) {
		free(c);
		if (status == -ENXIO)
			return say_usage("probe",
					 "no such framework in %s; see: rocsteady facts frameworks",
					 o->like);
		return say_usage("probe",
				 "no environment %s found; see: rocsteady facts environments",
				 o->like);
	}
	if (o->libraries)
		choice_of_directory(o->libraries, c);
	if (o->like_pid)
		status = say_no_process(o->like_pid, process_choose(o->like_pid, c));
	if (status == 0)
		status = walk_chosen(o, level, c, &text);
	choice_done(c);
	free(c);
	if (status != 0)
		return status;
	root_add(m->root, "probe", buf_get(&text));
	return open_machine_again(m);
}
