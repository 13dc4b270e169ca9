#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "kb/compile-internal.h"
#include "kb/lint.h"
#include "kb/words.h"

#define ACTS_MAX 60

static const char *const systems[] = { "linux", "windows", NULL };

static const struct field program_fields[] = {
	{ .key = "program", .type = FIELD_LINE, .most = 40 },
	{ .key = "title", .type = FIELD_LINE, .most = 60 },
	{ .key = "named", .type = FIELD_LINE, .optional = true, .most = 40 },
	{ .key = "command", .type = FIELD_LINE, .optional = true, .most = COMPILE_LINE_MAX_BYTES },
	{ .key = "package", .type = FIELD_LINE, .optional = true, .most = 60 },
	{ .key = "uses-torch", .type = FIELD_INT, .low = 0, .high = 1 },
	{ .key = "brings-torch", .type = FIELD_INT, .optional = true, .low = 0, .high = 1 },
	{ .key = "service", .type = FIELD_LINE, .optional = true, .most = 60 },
	{ .key = "on", .type = FIELD_WORD, .words = systems, .optional = true },
	{ .key = "class", .type = FIELD_WORD, .words = words_class },
	{ .key = "checked", .type = FIELD_LINE, .most = 10 },
	{ .key = "source", .type = FIELD_LINE, .most = 400 },
	{ .key = "acts", .type = FIELD_LIST, .optional = true, .most = ACTS_MAX },
};

static const struct field act_fields[] = {
	{ .key = "act", .type = FIELD_WORD, .words = words_act },
	{ .key = "says", .type = FIELD_LINE, .optional = true, .most = 300 },
	{ .key = "option", .type = FIELD_LINE, .optional = true, .most = 100 },
	{ .key = "variable", .type = FIELD_LINE, .optional = true, .most = 100 },
	{ .key = "command", .type = FIELD_TEXT, .optional = true, .most = 600 },
	{ .key = "none", .type = FIELD_LINE, .optional = true, .most = 300 },
	{ .key = "on", .type = FIELD_WORD, .words = systems, .optional = true },
	{ .key = "from", .type = FIELD_LINE, .optional = true, .most = 30 },
	{ .key = "until", .type = FIELD_LINE, .optional = true, .most = 30 },
	{ .key = "source", .type = FIELD_LINE, .most = 400 },
};

/* The key that says how it is done; "words" where the sentence alone does, NULL where two are given. */
static const char *find_way(const struct yaml_node *act)
{
	static const char *const ways[] = { "option", "variable", "command", "none" };
	const char *found = "words";

	for (size_t i = 0; i < COUNT(ways); i++)
		if (yaml_find(act, ways[i])) {
			if (strcmp(found, "words") != 0)
				return NULL;
			found = ways[i];
		}
	return found;
}

struct way {
	const char *application, *name, *says, *value;
	const char *system;          /* the one that the program runs on, or NULL: on both */
	const char *class, *checked; /* of the program */
};

/* A row a line, since a statement gives values of one line; the sentence stands before the first. */
static void insert_way(struct compiler *c, const struct yaml_node *node, struct way *way,
		       int *position)
{
	struct span rest = span_of(way->value), line = { "", 0 };
	bool more = span_line(&rest, &line);

	do {
		compile_insert(c, "program_act", "ssisssssssss", way->application,
			       fields_text(node, "act"), (*position)++, way->name,
			       arena_text(&c->arena, line), way->says,
			       way->system ? way->system : fields_text(node, "on"),
			       fields_text(node, "from"), fields_text(node, "until"), way->class,
			       way->checked, fields_text(node, "source"));
		way->says = "";
		more = more && span_line(&rest, &line);
	} while (more);
}

/* A program of one system: its acts are not offered on the other one. */
static void refuse_elsewhere(struct compiler *c, const struct yaml_node *node, struct way way,
			     int *position)
{
	bool linux_alone = strcmp(way.system, "linux") == 0;

	way.name = "none";
	way.value = "";
	way.says = linux_alone ? "it runs on Linux alone" : "it runs on Windows alone";
	way.system = linux_alone ? "windows" : "linux";
	insert_way(c, node, &way, position);
}

/* What a reader would paste: an option begins with a dash or names what it sets, a variable has a value. */
static const char *find_fault(const struct way *way)
{
	if (!way->name)
		return "one of option, variable, command and none:";
	if (!way->says)
		return "says is missing:";
	if (strcmp(way->name, "option") == 0 && way->value[0] != '-' && !strchr(way->value, '='))
		return "an option begins with a dash, or is NAME=VALUE:";
	if (strcmp(way->name, "variable") == 0 && !strchr(way->value, '='))
		return "a variable is NAME=VALUE:";
	return lint_steps(way->value) ? "nothing destructive:" : lint_claims(way->says);
}

static void take_act(struct compiler *c, const struct yaml_node *node, struct way way,
		     int *position)
{
	const char *bad;

	if (!fields_check(node, c->file, act_fields, COUNT(act_fields), c->faults))
		return;
	way.name = find_way(node);
	way.says = fields_text(node, way.name && strcmp(way.name, "none") == 0 ? "none" : "says");
	if (way.name && yaml_find(node, way.name) && strcmp(way.name, "none") != 0)
		way.value = compile_text(c, node, way.name);
	bad = find_fault(&way);
	if (bad) {
		compile_fault(c, node, bad, fields_text(node, "act"));
		return;
	}
	insert_way(c, node, &way, position);
	if (way.system)
		refuse_elsewhere(c, node, way, position);
}

void compile_program(struct compiler *c, const struct yaml_node *top)
{
	const struct yaml_node *acts;
	const char *application;
	struct way way = { .value = "" };
	int position = 0;

	if (!fields_check(top, c->file, program_fields, COUNT(program_fields), c->faults))
		return;
	compile_check_name(c, top, "program");
	application = fields_text(top, yaml_find(top, "named") ? "named" : "program");
	acts = yaml_find(top, "acts");
	if (!text_is_date(fields_text(top, "checked")))
		compile_fault(c, yaml_find(top, "checked"), "a day is YYYY-MM-DD:", "checked");
	else if (compile_insert(c, "program", "ssssisssss", application, fields_text(top, "title"),
				fields_text(top, "command"), fields_text(top, "package"),
				fields_int(top, "uses-torch"), fields_text(top, "brings-torch"),
				fields_text(top, "service"), fields_text(top, "class"),
				fields_text(top, "checked"), fields_text(top, "source")) == -EEXIST)
		compile_fault(c, top, "another program is called", application);
	way.application = application;
	way.system = fields_text(top, "on");
	way.class = fields_text(top, "class");
	way.checked = fields_text(top, "checked");
	for (const struct yaml_node *n = acts ? acts->children : NULL; n; n = n->next)
		take_act(c, n, way, &position);
}
