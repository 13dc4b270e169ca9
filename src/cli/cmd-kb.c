#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/open.h"
#include "cli/program.h"
#include "cli/say.h"
#include "kb/files.h"
#include "kb/show.h"

/* ---- the knowledge in use ---- */

static int kb_list(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status;

	if (o->word_count != 1)
		return say_usage("kb",
				 "kb list takes no name; show one cause: rocsteady kb show %s",
				 o->words[1]);
	status = open_bare(o, &context);
	if (status != 0)
		return status;
	if (o->json)
		show_list_json(context_db(&context), &text);
	else
		show_list(context_db(&context), &text, o->output ? 0 : say_width());
	context_close(&context);
	return say_answer(o->output, buf_get(&text));
}

static int kb_show(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status, r;
	struct did_you_mean near = did_you_mean(o->word_count == 2 ? o->words[1] : "");

	if (o->word_count != 2)
		return say_usage("kb",
				 "kb show needs the name of a cause, remedy, signature or defect; "
				 "list all causes: rocsteady kb list");
	status = open_bare(o, &context);
	if (status != 0)
		return status;
	r = show_one(context_db(&context), o->words[1], o->verbose, &text);
	if (r < 0)
		knowledge_suggest(context_db(&context), KNOWLEDGE_SHOWN, &near);
	context_close(&context);
	if (r < 0)
		return say_no("kb", "cause, remedy, signature or defect", &near,
			      "list all causes: rocsteady kb list");
	return say_answer(o->output, buf_get(&text));
}

static int kb_version(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct context context;
	int status = open_bare(o, &context);

	if (status != 0)
		return status;
	buf_addf(&text, "version %s\nneeds   %s\nformat  %d\ndigest  %s\n",
		 context.knowledge.info.version, context.knowledge.info.needs,
		 context.knowledge.info.format, context.knowledge.info.digest);
	kb_update_origin(o, &context.knowledge, &text);
	context_close(&context);
	return say_answer(o->output, buf_get(&text));
}

static int kb_try(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct span bytes;
	struct kb_info info;
	int r;

	if (o->word_count < 2)
		return say_usage("kb", "kb try needs a kb.db: rocsteady kb try new.db");
	r = kb_read(o->words[1], &db, &bytes);
	if (r == 0)
		r = files_look(bytes, &info);
	return r < 0 ? open_bad_kb(o->words[1], r) : kb_try_run(o, bytes);
}

static const struct {
	const char *word;
	int (*run)(const struct options *o);
	bool has_json;
} words[] = {
	{ "list", kb_list, true }, { "show", kb_show },       { "try", kb_try },
	{ "update", kb_update },   { "version", kb_version },
};

int cmd_kb(const struct options *o)
{
	struct did_you_mean near = did_you_mean(o->word_count > 0 ? o->words[0] : "");
	char name[32];

	if (o->word_count == 0)
		return say_usage("kb", "kb needs a command: %s", program_find("kb")->arguments);
	snprintf(name, sizeof(name), "kb %s", o->words[0]);
	if (program_lacks(name))
		return program_refuse("kb", name);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		bool meant = strcmp(o->words[0], words[i].word) == 0;

		if (meant && o->json && !words[i].has_json)
			return say_usage("kb", "kb %s writes text only; kb list writes JSON",
					 words[i].word);
		if (meant)
			return words[i].run(o);
		snprintf(name, sizeof(name), "kb %s", words[i].word);
		if (!program_lacks(name))
			did_you_mean_try(&near, span_of(words[i].word));
	}
	return say_no("kb", "kb command", &near, program_find("kb")->arguments);
}
