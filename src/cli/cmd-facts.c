#include <string.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "door/paths.h"
#include "report/facts.h"
#include "survey/asks.h"

static int print_paths(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	size_t count;
	const struct path_rule *rules = paths_table(&count);

	buf_text(&text,
		 "# What rocsteady may read on a live host. It opens nothing else, except what a\n"
		 "# question below opens and /proc/PID/stat of its own process that reads, when\n"
		 "# that one is slow.\n"
		 "# static: the kernel answers alone; device: the driver asks the GPU;\n"
		 "# wakes: would wake a sleeping GPU, so it is not read then.\n\n");
	for (size_t i = 0; i < count; i++) {
		struct span names = span_of(rules[i].names);
		struct span name;

		while (span_word(&names, &name))
			buf_addf(&text, "%-7s %s%s%.*s\n", path_class_name(rules[i].class),
				 rules[i].dir,
				 strcmp(rules[i].dir, "/") == 0 || span_is(name, ".") ? "" : "/",
				 (int)(span_is(name, ".") ? 0 : name.len), name.data);
	}
	buf_text(&text, "\n# questions that are not plain files, and what they open\n");
	asks_table(&text);
	return say_answer(o->output, buf_get(&text));
}

static int unknown_topic(struct facts *f, const char *topic)
{
	struct buf names BUF_SCOPED = { 0 }, there BUF_SCOPED = { 0 };
	struct did_you_mean near = did_you_mean(topic);

	facts_topics(f, &names);
	did_you_mean_try_words(&near, buf_get(&names).data);
	buf_addf(&there, "topics: %s", buf_get(&names).data);
	return say_no("facts", "topic", &near, there.data);
}

static int write_topic(struct facts *f, const struct options *o, const char *topic)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = o->json ? facts_topic_json(f, topic, &text)
			: facts_topic(f, topic, &text, o->output ? 0 : say_width());

	if (r < 0)
		return unknown_topic(f, topic);
	if (text.len == 0 && strncmp(topic, "gap", 3) == 0)
		say("every fact could be read; list what is absent: rocsteady facts gap");
	else if (text.len == 0)
		say("%s: no rows; list what could not be read: rocsteady facts gaps", topic);
	return say_answer(o->output, buf_get(&text));
}

static int write_all(struct facts *f, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);

	if (o->json)
		facts_json(f, &text);
	else
		facts_summary(f, &text, o->output ? 0 : say_width());
	if (!o->json && !o->output && say_width() > 0)
		page_plain(&page);
	return say_answer(o->output, buf_get(&text));
}

int cmd_facts(const struct options *o)
{
	struct machine m = { 0 };
	int status;

	if (o->paths && o->json)
		return say_usage("facts", "--paths writes text only");
	if (o->paths)
		return print_paths(o);
	if (o->word_count > 1)
		return say_usage("facts", "facts takes one topic");
	status = open_machine(o, &m);
	if (status != 0)
		return status;
	status = o->word_count ? write_topic(m.facts, o, o->words[0]) : write_all(m.facts, o);
	machine_close(&m);
	return status;
}
