#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/program.h"

/*
 * Options that share a line, so that a help fits a screen of 40 lines: those that
 * mean the same, those whose names alone tell which is which, and those that
 * another help describes. The first line that fits a command is taken.
 */
static const struct shared {
	const char *names; /* with blanks around */
	const char *left;
	const char *says;    /* NULL: what the first of them says */
	unsigned int groups; /* of commands that show them so */
	bool rare;
} together[] = {
	{ " format json ", "--format NAME, --json", NULL, OPTIONS_RUN, true },
	{ " format json ", "--format NAME, --json", NULL, ~0U, false },
	{ " user pid unit container ", "--user NAME, --pid PID, --unit UNIT, --container ID",
	  "check as that user, process, systemd unit or container", OPTIONS_SUBJECT, true },
	{ " level layer like like-pid libraries ",
	  "--level N, --layer LAYERS, --like ENV, --like-pid PID, --libraries DIR",
	  "with --probe: what to test; see rocsteady help probe", OPTIONS_WALK, true },
	{ " env from root host-root no-open wake ",
	  "--env DIR, --from FILE, --root DIR, --host-root DIR, --no-open, --wake",
	  "what to check before the start: rocsteady help check", OPTIONS_RUN, true },
	{ " root host-root no-open wake ", "--root DIR, --host-root DIR, --no-open, --wake",
	  "the same as for check: see rocsteady help check", OPTIONS_EXPLAIN, true },
};

#define WIDTH 22 /* of what stands left of the words */

static void add_line(struct buf *ret, const char *left, const char *says)
{
	if (strlen(left) > WIDTH)
		buf_addf(ret, "  %s\n  %*s %s\n", left, WIDTH, "", says);
	else
		buf_addf(ret, "  %-*s %s\n", WIDTH, left, says);
}

/* NULL if the option has a line of its own. */
static const struct shared *line_of(const struct command *command, const char *option)
{
	char name[64];

	snprintf(name, sizeof(name), " %s ", option);
	for (size_t i = 0; i < sizeof(together) / sizeof(together[0]); i++)
		if (command->groups & together[i].groups && strstr(together[i].names, name))
			return &together[i];
	return NULL;
}

static void add_own_line(const struct option_said *one, struct buf *ret)
{
	char left[64], letter[] = { '-', one->letter, ',', ' ', '\0' };

	snprintf(left, sizeof(left), "%s--%s%s%s", one->letter ? letter : "", one->name,
		 one->argument ? " " : "", one->argument ? one->argument : "");
	add_line(ret, left, one->says);
}

enum {
	USUAL = 1,
	RARE = 2,
};

static void add_some(const struct command *command, int which, bool common, unsigned int *written,
		     struct buf *ret)
{
	struct option_said one;
	size_t at = 0;

	while (options_next(command, &at, &one)) {
		const struct shared *line = line_of(command, one.name);
		unsigned int bit = line ? 1U << (line - together) : 0;
		bool rare = line ? line->rare : one.rare;

		if (one.common != common || !(which & (rare ? RARE : USUAL)) || *written & bit)
			continue;
		if (line)
			add_line(ret, line->left, line->says ? line->says : one.says);
		else
			add_own_line(&one, ret);
		*written |= bit;
	}
}

/* Options that only this command has come first. */
static void add_options(const struct command *command, int which, struct buf *ret)
{
	unsigned int written = 0;

	add_some(command, which, false, &written, ret);
	add_some(command, which, true, &written, ret);
}

/* So few rare ones stand among the others. */
#define FEW 2

static size_t count_lines(const struct buf *text)
{
	size_t count = 0;

	for (size_t i = 0; i < text->len; i++)
		count += text->data[i] == '\n';
	return count;
}

void options_help(const struct command *command, struct buf *ret)
{
	struct buf rare BUF_SCOPED = { 0 };

	buf_addf(ret, "usage: %s %s [options]%s%s\n%s\n\n", program.word, command->name,
		 command->arguments[0] ? " " : "", command->arguments, command->says);
	add_options(command, RARE, &rare);
	if (count_lines(&rare) > FEW) {
		add_options(command, USUAL, ret);
		buf_addf(ret, "\nMore options:\n%s", rare.data);
	} else {
		add_options(command, USUAL | RARE, ret);
	}
	buf_addf(ret, "\n%s", command->more);
}
