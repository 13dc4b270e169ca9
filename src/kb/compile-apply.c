#include <string.h>

#include "base/array.h"
#include "kb/apply.h"
#include "kb/compile-internal.h"
#include "kb/lint.h"

static const char *const holes[] = { "subject", "value", "home", NULL };

static const struct field apply_fields[] = {
	{ .key = "when", .type = FIELD_TEXT, .optional = true, .most = 20000 },
	{ .key = "do", .type = FIELD_LIST, .most = 4 },
	{ .key = "then", .type = FIELD_TEXT, .optional = true, .most = 2000 },
	{ .key = "after-undo", .type = FIELD_TEXT, .optional = true, .most = 2000 },
};

static const struct field action_fields[] = {
	{ .key = "write", .type = FIELD_LINE, .optional = true, .most = 400 },
	{ .key = "content", .type = FIELD_TEXT, .optional = true, .most = 2000 },
	{ .key = "join-group", .type = FIELD_LINE, .optional = true, .most = 100 },
	{ .key = "venv", .type = FIELD_LINE, .optional = true, .most = 400 },
	{ .key = "packages", .type = FIELD_LINE, .optional = true, .most = 400 },
	{ .key = "index", .type = FIELD_LINE, .optional = true, .most = 400 },
};

/* The holes filled with something that fits where a value of the machine will stand. */
static const char *sample(struct compiler *c, const char *text, const char *value)
{
	static const char *const names[] = { "{subject}", "{value}", "{home}" };
	const char *with[] = { "/x", value, "/x" };
	struct buf out BUF_SCOPED = { 0 };

	for (; text && *text; text++) {
		size_t i = 0;

		while (i < COUNT(names) && strncmp(text, names[i], strlen(names[i])) != 0)
			i++;
		if (i == COUNT(names)) {
			buf_char(&out, *text);
			continue;
		}
		buf_text(&out, with[i]);
		text += strlen(names[i]) - 1;
	}
	return text ? arena_text(&c->arena, buf_get(&out)) : NULL;
}

static const char *refusal(struct compiler *c, const struct apply_action *a)
{
	bool join = a->kind == APPLY_JOIN_GROUP && strcmp(a->target, "{value}") == 0;
	struct apply_action filled = { a->kind,
				       join ? "x:render" : sample(c, a->target, "x.service"),
				       sample(c, a->content, "x"),
				       sample(c, a->place, "https://x/x") };
	const char *texts[] = { a->target, a->content, a->place };

	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *bad = texts[i] ? lint_holes(texts[i], holes) : NULL;

		if (bad)
			return bad;
	}
	return apply_refusal(&filled);
}

static void take_action(struct compiler *c, const struct yaml_node *n, const char *remedy,
			int position)
{
	struct apply_action a = { .kind = APPLY_KINDS };
	const char *content, *packages;

	if (!fields_check(n, c->file, action_fields, COUNT(action_fields), c->faults))
		return;
	content = fields_text(n, "content");
	packages = fields_text(n, "packages");
	for (size_t i = 0; i < APPLY_KINDS; i++)
		if (yaml_find(n, apply_kinds[i])) {
			if (a.target)
				compile_fault(c, n, "one kind of action each:", apply_kinds[i]);
			a.kind = (enum apply_kind)i;
			a.target = fields_text(n, apply_kinds[i]);
		}
	if (!a.target || (content && packages)) {
		compile_fault(c, n, "an action is write and content, join-group, or venv, packages",
			      "and index");
		return;
	}
	a.content = content ? content : packages;
	a.place = fields_text(n, "index");
	content = refusal(c, &a);
	if (content)
		compile_fault(c, n, content, NULL);
	compile_insert(c, "apply_action", "sissss", remedy, position, apply_kinds[a.kind], a.target,
		       a.content, a.place);
}

/* Nothing of the machine is known by then but what the record has: its subject. */
static const char *take_after_undo(struct compiler *c, const struct yaml_node *apply)
{
	static const char *const known[] = { "subject", NULL };
	const char *text = compile_text(c, apply, "after-undo");
	const char *bad = text ? lint_holes(text, known) : NULL;

	if (bad)
		compile_fault(c, yaml_find(apply, "after-undo"), bad, NULL);
	return text;
}

void compile_apply(struct compiler *c, const struct yaml_node *apply, const char *remedy)
{
	const struct yaml_node *when = yaml_find(apply, "when");
	const struct yaml_node *list = yaml_find(apply, "do");
	int position = 0;

	if (!fields_check(apply, c->file, apply_fields, COUNT(apply_fields), c->faults))
		return;
	if (list->count == 0)
		compile_fault(c, list, "at least one action", NULL);
	compile_insert(c, "apply", "ssssi", remedy, compile_text(c, apply, "when"),
		       compile_text(c, apply, "then"), take_after_undo(c, apply),
		       when ? (int)when->line : 0);
	for (const struct yaml_node *n = list->children; n; n = n->next)
		take_action(c, n, remedy, position++);
}
