#include <stdio.h>
#include <string.h>

#include "cli/options.h"

/* Options that share one line, so that a help fits a screen of 24 lines. */
static const struct {
	const char *names; /* with blanks around */
	const char *left, *says;
	unsigned int groups; /* of commands that show them so */
} together[] = {
	{ " from root host-root ", "--from FILE, --root DIR, --host-root DIR",
	  "examine a snapshot, tree or mount", OPTIONS_MACHINE },
	{ " no-open wake ", "--no-open, --wake", "never open /dev/kfd; also wake GPUs that sleep",
	  OPTIONS_MACHINE },
	{ " user pid unit container ", "--user NAME, --pid PID, --unit UNIT, --container ID",
	  "check as this user or job", OPTIONS_SUBJECT },
	{ " probe level layer like like-pid libraries ",
	  "--probe, --level, --layer, --like, --like-pid, --libraries", "test GPUs first",
	  OPTIONS_WALK },
	{ " no-scrub scrub-key ", "--no-scrub, --scrub-key TEXT",
	  "keep names in html; same TEXT, same pseudonyms", OPTIONS_CHECK | OPTIONS_RUN },
	{ " format json no-scrub scrub-key ", "--format NAME, --json, --no-scrub, --scrub-key TEXT",
	  "html hides names", OPTIONS_EXPLAIN },
	{ " batch brief ", "--batch, --brief", "a log in each JSON line of stdin; shorter answers",
	  OPTIONS_EXPLAIN },
	{ " report json format verbose output ",
	  "--report DIR, --json, --format NAME, --verbose, --output FILE", "show a past run",
	  OPTIONS_RUN },
	{ " format json ", "--format NAME, --json", "text, json; html and markdown leave names out",
	  OPTIONS_CHECK },
	{ " format json ", "--format NAME, --json", "text or json",
	  OPTIONS_FACTS | OPTIONS_KB | OPTIONS_PROBE_REPORT | OPTIONS_ADVISE | OPTIONS_FIX |
		  OPTIONS_EXPECT },
	{ " no-preflight strict ", "--no-preflight, --strict",
	  "do not check first; do not start if the check fails", OPTIONS_RUN },
	{ " ack expect kb ", "--ack DIR, --expect gpus=N, --kb FILE", "see: rocsteady check --help",
	  OPTIONS_RUN },
	{ " ack kb ", "--ack DIR, --kb FILE", "read acknowledgements from DIR; use this kb.db",
	  OPTIONS_CHECK },
	{ " only skip list-checks ", "--only CHECKS, --skip CHECKS, --list-checks",
	  "run only or skip these; list all", OPTIONS_CHECK },
	{ " verbose quiet ", "-v, --verbose, -q, --quiet", "show every test; print nothing",
	  OPTIONS_PROBE_REPORT },
	{ " color help ", "--color WHEN, -h, --help", "color: auto, always or never; this help",
	  ~0U },
	{ " apply yes ", "--apply, --yes", "make the change, after asking; without asking",
	  OPTIONS_FIX },
	{ " leave survive ", "--leave, --survive",
	  "do not end leftovers; keep the job if rocsteady dies", OPTIONS_RUN },
};

static void add_line(struct buf *ret, const char *left, const char *says)
{
	buf_addf(ret, "  %-22s%s%s\n", left, strlen(left) > 22 ? "  " : " ", says);
}

/* Its line is one of these, written when the first of its options comes. */
static bool add_together(const struct command *command, const char *option, unsigned int *written,
			 struct buf *ret)
{
	char name[64];

	snprintf(name, sizeof(name), " %s ", option);
	for (size_t i = 0; i < sizeof(together) / sizeof(together[0]); i++) {
		if (!(command->groups & together[i].groups) || !strstr(together[i].names, name))
			continue;
		if (!(*written & 1U << i))
			add_line(ret, together[i].left, together[i].says);
		*written |= 1U << i;
		return true;
	}
	return false;
}

static void add_options(const struct command *command, bool common, struct buf *ret)
{
	unsigned int written = 0;
	struct option_said one;
	size_t at = 0;

	while (options_next(command, &at, &one)) {
		char left[64], letter[] = { '-', one.letter, ',', ' ', '\0' };

		if (one.common != common || add_together(command, one.name, &written, ret))
			continue;
		snprintf(left, sizeof(left), "%s--%s%s%s", one.letter ? letter : "", one.name,
			 one.argument ? " " : "", one.argument ? one.argument : "");
		add_line(ret, left, one.says);
	}
}

/* What only this command has stands first. */
void options_help(const struct command *command, struct buf *ret)
{
	buf_addf(ret, "usage: rocsteady %s [options]%s%s\n%s\n\n", command->name,
		 command->arguments[0] ? " " : "", command->arguments, command->says);
	add_options(command, false, ret);
	add_options(command, true, ret);
	buf_addf(ret, "\n%s", command->more);
}
