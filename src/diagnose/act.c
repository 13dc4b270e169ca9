#include "diagnose/act.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

/* What every step of the knowledge calls the job: explain/job.h puts the user's command there. */
#define JOB "python train.py"

/* The act whose way stands in no card: the setting that the remedy's own statement found. */
#define FOUND "found-setting"

#define QUICK 10 /* minutes: an option is tried at once, another release of the program is not */

static const struct rule program_rule = {
	.id = "program whose words steps take",
	.sql = "SELECT title AS subject, coalesce(command, '') AS value, source, coalesce(service, '') AS origin FROM program_here",
};

/* The row's way and its sentence stand where other statements have source and origin; above, the unit of a service. */
#define WAYS                                                                           \
	"SELECT act AS subject, value, says AS source, way AS origin FROM program_way" \
	" WHERE system IS NULL OR system = "
#define IN_ORDER " ORDER BY position"

static const struct rule way_rules[] = {
	[SYSTEM_LINUX] = { .id = "ways on Linux", .sql = WAYS "'linux'" IN_ORDER },
	[SYSTEM_WINDOWS] = { .id = "ways on Windows", .sql = WAYS "'windows'" IN_ORDER },
	[SYSTEM_WSL] = { .id = "ways on Linux", .sql = WAYS "'linux'" IN_ORDER },
};

static const struct rule shown_rule = {
	.id = "commands of the text",
	.sql = "SELECT name AS subject, value, source, origin FROM statement WHERE name IN ('command', 'script')",
};

/* What tells this program's command from others: main.py, vllm, llama-server. */
static struct span find_mark(struct span command)
{
	struct span word;

	while (span_word(&command, &word))
		if (!span_is(word, "python") && !span_starts(word, "-"))
			return word;
	return (struct span){ 0 };
}

/* The user's own command, if the text shows it and it is this program's; else the usual one. */
static const char *find_start(struct asker *asker, const char *usual)
{
	struct span mark = find_mark(span_of(usual));
	struct asked shown;

	if (mark.len == 0)
		return JOB;
	ask_statement(asker, &shown_rule, &shown);
	for (size_t i = 0; i < shown.count; i++)
		if (span_find(span_of(shown.facts[i].value), mark) != SIZE_MAX)
			return JOB;
	return usual;
}

/* The row as a line to type; empty: its sentence says it all. */
static const char *type(struct arena *a, const struct fact *way, const char *start)
{
	if (strcmp(way->origin, "option") == 0)
		return arena_format(a, "%s %s", start, way->value);
	if (strcmp(way->origin, "variable") == 0)
		return arena_format(a, "%s %s", way->value, start);
	return way->value;
}

/* A service does not read the shell of its user; further variables go where the first one is. */
static void add_to_service(struct buf *out, const struct fact *way, const char *unit,
			   const char *start, bool first)
{
	if (out->len > 0)
		buf_char(out, '\n');
	if (first)
		buf_addf(
			out,
			"%s. Where it runs as a service, put this into the editor that opens, then restart it:"
			"\n    sudo systemctl edit %s\n    [Service]\n    Environment=\"%s\""
			"\n    sudo systemctl restart %s\nOtherwise:\n    %s %s",
			way->source, unit, way->value, unit, way->value, start);
	else
		buf_addf(out, "%s, in the same way:\n    Environment=\"%s\"", way->source,
			 way->value);
}

static void add_way(struct buf *out, const char *says, const char *typed)
{
	struct span rest = span_of(typed), line;

	if (says[0]) /* a command of several lines has its sentence before the first */
		buf_addf(out, out->len > 0 ? "\n%s%s" : "%s%s", says, typed[0] ? ":" : ".");
	while (span_line(&rest, &line))
		buf_addf(out, "\n    %.*s", (int)line.len, line.data);
}

/* "Compute in higher precision" of ComfyUI: "ComfyUI: compute in higher precision". */
static const char *title_of(struct arena *a, const char *program, const char *title)
{
	if (strstr(title, program))
		return title;
	return arena_format(a, "%s: %c%s", program, tolower((unsigned char)title[0]), title + 1);
}

struct wording {
	struct buf steps;
	const char *first; /* what is typed first, or NULL */
	bool served;       /* a variable was put into a unit */
	bool refused;      /* the card says that it cannot be done */
};

static void say_way(struct asker *asker, const struct fact *program, const struct fact *way,
		    const char *start, struct wording *ret)
{
	const char *unit = asker->system == SYSTEM_LINUX ? program->origin : "";
	const char *typed = type(asker->keep, way, start);

	if (strcmp(way->origin, "none") == 0) {
		ret->refused = true;
		return;
	}
	if (!ret->first && typed[0])
		ret->first = typed;
	if (unit[0] && strcmp(way->origin, "variable") == 0) {
		add_to_service(&ret->steps, way, unit, start, !ret->served);
		ret->served = true;
	} else {
		add_way(&ret->steps, way->source, typed);
	}
}

static const struct remedy *say(struct asker *asker, const struct remedy *r,
				const struct fact *program, const struct asked *ways)
{
	struct arena *a = asker->keep;
	struct wording wording = { 0 };
	const char *start = find_start(asker, program->value);
	struct remedy *ret;

	for (size_t i = 0; i < ways->count; i++)
		if (span_lists_word(span_of(r->acts), span_of(ways->facts[i].subject)))
			say_way(asker, program, &ways->facts[i], start, &wording);
	if (wording.steps.len == 0)
		return wording.refused ? NULL : r;
	ret = arena_alloc(a, sizeof(*ret));
	*ret = *r;
	ret->title = title_of(a, program->subject, r->title);
	ret->steps = arena_text(a, buf_get(&wording.steps));
	if (wording.first)
		ret->verify = arena_format(a, "%s 2>&1 | rocsteady explain", wording.first);
	if (r->minutes <= QUICK) { /* made for this case, not the general form */
		ret->subject = ret->value = program->subject;
		ret->general = false;
	}
	ret->for_windows = false;
	buf_done(&wording.steps);
	return ret;
}

/* Its sentence is the first of the remedy's own; an option begins with a dash. */
static struct fact find_found(struct arena *a, const struct remedy *r)
{
	struct span rest = span_of(r->steps), line = { 0 };

	span_line(&rest, &line);
	line.len -= span_ends(line, ":");
	return (struct fact){ .subject = FOUND,
			      .value = r->value,
			      .source = arena_text(a, line),
			      .origin = r->value[0] == '-' ? "option" : "variable" };
}

const struct remedy *act_in_program(struct asker *asker, const struct remedy *r)
{
	struct asked program, ways;

	if (!r || !r->acts)
		return r;
	ask_statement(asker, &program_rule, &program);
	if (program.count == 0)
		return r;
	if (r->value && strcmp(r->acts, FOUND) == 0) {
		struct fact found = find_found(asker->keep, r);

		return say(asker, r, &program.facts[0],
			   &(struct asked){ .facts = &found, .count = 1 });
	}
	ask_statement(asker, &way_rules[asker->system], &ways);
	return say(asker, r, &program.facts[0], &ways);
}
