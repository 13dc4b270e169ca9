#include <errno.h>
#include <string.h>

#include "advise/wish.h"
#include "cli/commands.h"
#include "cli/open.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "cli/version.h"
#include "kb/gpu-names.h"
#include "kb/words.h"
#include "report/advise.h"

struct advise_run {
	struct context context;
	const struct options *options;
	struct arena arena;
};

/* ---- which GPUs ---- */

static void add_gpu(struct arena *a, struct advise_wish *wish, const struct gpu_named *named,
		    const char *asked)
{
	for (size_t i = 0; i < wish->gpu_count; i++)
		if (strcmp(wish->gpus[i].gfx, named->gfx) == 0)
			return;
	wish->gpus = arena_grow(a, wish->gpus, wish->gpu_count, sizeof(*wish->gpus));
	wish->gpus[wish->gpu_count++] =
		(struct advise_gpu){ named->gfx,
				     strcmp(asked, named->gfx) == 0 ? NULL : named->name };
}

static int take_name(struct advise_run *run, const char *asked, struct advise_wish *wish)
{
	struct buf text BUF_SCOPED = { 0 };
	struct gpu_named *found;
	size_t count;
	enum gpu_names_answer answer =
		gpu_names_find(context_db(&run->context), &run->arena, asked, &found, &count);

	if (answer == GPU_NAMES_ONE) {
		add_gpu(&run->arena, wish, &found[0], asked);
		return 0;
	}
	gpu_names_tell(answer, asked, found, count, &text);
	return say_usage("advise", "%s", text.data);
}

static int take_names(struct advise_run *run, struct advise_wish *wish)
{
	struct span rest = span_of(run->options->gpu), name;
	int status = 0;

	wish->gpu_count = 0;
	while (status == 0 && span_cut(&rest, ',', &name))
		if (span_trim(name).len > 0)
			status = take_name(run, arena_text(&run->arena, span_trim(name)), wish);
	if (status == 0 && wish->gpu_count == 0)
		status = say_usage("advise", "--gpu names no GPU, for example --gpu \"7900 xtx\"");
	return status;
}

/* ---- the wish ---- */

static int make_wish(struct advise_run *run, struct advise_wish *wish)
{
	const struct options *o = run->options;
	char word[OPTIONS_WORD];

	*wish = (struct advise_wish){ .system = "linux" };
	if (!o->gpu || run->context.machine.root)
		wish_of_machine(context_db(&run->context), &run->arena, wish);
	wish->application = o->application ? o->application : "torch";
	if (o->system)
		wish->system = arena_text(
			&run->arena, span_of(options_word("linux windows wsl", o->system, word)));
	if (o->python || o->gpu || o->system)
		wish->python = o->python;
	if (o->gpu)
		return take_names(run, wish);
	if (wish->gpu_count == 0)
		return say_usage("advise",
				 "no AMD GPU found on this machine; name one: --gpu \"7900 xtx\"");
	return 0;
}

static int no_application(struct advise_run *run, const char *name)
{
	const char *all = advise_applications(context_db(&run->context), &run->arena);
	struct did_you_mean near = did_you_mean(name);

	did_you_mean_try_words(&near, all);
	return say_usage(
		"advise",
		"unknown program %s%s%s; --for is one of: %s; for another program that uses torch take --for torch",
		name, near.best[0] ? "; did you mean " : "", near.best, all);
}

/* A command that was checked long ago may be out of date: releases come every few weeks. */
static void tell_ages(struct advice *a)
{
	for (size_t i = 0; i < a->part_count; i++)
		for (size_t k = 0; k < a->parts[i].way_count; k++) {
			struct install_way *way = &a->parts[i].ways[k];

			if (!version_age(way->checked, &way->days) ||
			    way->days <= ADVISE_FRESH_DAYS)
				way->days = 0;
		}
}

static int answer(struct advise_run *run, const struct advise_wish *wish)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, run->options->output);
	struct advice a;
	bool none = true;
	int r = advise(context_db(&run->context), wish, &a);

	if (r == -ENOENT)
		return no_application(run, wish->application);
	if (r < 0) {
		say("the knowledge base cannot be read");
		return EXIT_OWN_FAULT;
	}
	tell_ages(&a);
	for (size_t i = 0; i < a.part_count; i++)
		none = none && advise_is_none(&a.parts[i]);
	if (run->options->json)
		advise_json(&a, run->context.knowledge.info.version, &text);
	else
		advise_text(&a, run->options->verbose, &page);
	advise_done(&a);
	r = say_answer(run->options->output, buf_get(&text));
	return r != 0 ? r : none ? EXIT_PROBLEM : 0;
}

/* ---- the command ---- */

static int check_words(const struct options *o)
{
	if (o->word_count > 0)
		return say_usage("advise", "advise takes no arguments; name a GPU with --gpu");
	if (o->python && (o->python[strspn(o->python, "0123456789.")] || !strchr(o->python, '.')))
		return say_usage("advise", "--python takes a version, for example 3.12");
	return 0;
}

int cmd_advise(const struct options *o)
{
	struct advise_run run = { .options = o };
	bool asks_machine = !o->gpu || o->context.from || o->context.root || o->context.host_root;
	struct advise_wish wish;
	int status = check_words(o);

	if (status != 0)
		return status;
	status = asks_machine ? open_context(o, &run.context) : open_bare(o, &run.context);
	if (status == 0 && !asks_machine)
		facts_end(run.context.machine.facts); /* its tables stay empty */
	if (status == 0)
		status = make_wish(&run, &wish);
	if (status == 0)
		status = answer(&run, &wish);
	context_close(&run.context);
	arena_done(&run.arena);
	return status;
}
