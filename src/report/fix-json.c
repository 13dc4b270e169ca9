#include "report/fix.h"

#include <string.h>

#include "report/cause-json.h"

#define SCHEMA 1 /* only grows */

static void write_findings(struct json *j, const struct finding *const *list, size_t count)
{
	json_open(j, "findings", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "cause", list[i]->cause);
		json_string(j, "subject", list[i]->subject);
		json_string(j, "title", list[i]->title);
		json_string(j, "severity", list[i]->severity);
		json_string(j, "belief", belief_name(list[i]->belief));
		signs_json(j, list[i]->signs, list[i]->sign_count, SIGN_COUNTS);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_steps(struct json *j, const char *key, const struct fix_step *steps, size_t count,
			enum shell shell)
{
	struct arena a = { 0 };

	json_open(j, key, '[');
	for (size_t i = 0; i < count; i++) {
		struct span rest = span_of(steps[i].commands), line;

		json_open(j, NULL, '{');
		json_string(j, "text", steps[i].text);
		json_open(j, "commands", '[');
		while (span_line(&rest, &line)) {
			const char *one = steps_for(
				&a, arena_format(&a, "    %.*s", (int)line.len, line.data), shell);

			json_string(j, NULL, one + strspn(one, " "));
		}
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
	arena_done(&a);
}

static void write_actions(struct json *j, const struct fix_item *item)
{
	json_open(j, "actions", '[');
	for (size_t i = 0; i < item->action_count; i++) {
		const struct apply_action *a = &item->actions[i];

		json_open(j, NULL, '{');
		json_string(j, "kind", apply_kinds[a->kind]);
		json_string(j, "target", a->target);
		json_string(j, "content", a->content);
		json_string(j, "index", a->place);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void write_item(struct json *j, const struct fix_item *item, enum shell shell)
{
	const struct remedy *r = item->remedy;

	json_open(j, NULL, '{');
	json_string(j, "id", r->id);
	json_string(j, "title", r->title);
	json_bool(j, "optional", item->optional);
	json_int(j, "minutes", r->minutes);
	json_string(j, "risk", r->risk);
	json_string(j, "changes", r->changes);
	json_string(j, "needs", r->needs);
	json_string(j, "undo", r->undo);
	json_string(j, "verify", r->verify);
	write_steps(j, "steps", item->steps, item->step_count, shell);
	write_actions(j, item);
	write_steps(j, "then", item->then, item->then_count, shell);
	write_steps(j, "after_undo", item->after_undo, item->after_undo_count, shell);
	write_findings(j, item->findings, item->finding_count);
	json_close(j, '}');
}

void fix_list_json(const struct fix_report *r, struct buf *ret)
{
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "verdict", diagnose_verdict_name(r->diagnosis->verdict));
	json_bool(&j, "dry_run", true);
	json_open(&j, "remedies", '[');
	for (size_t i = 0; i < r->plan->count; i++)
		write_item(&j, &r->plan->items[i], r->shell);
	json_close(&j, ']');
	json_int(&j, "undecided", (int64_t)r->plan->undecided);
	json_open(&j, "without_remedy", '{');
	write_findings(&j, r->plan->bare, r->plan->bare_count);
	json_close(&j, '}');
	json_string(&j, "knowledge", r->kb_version);
	json_close(&j, '}');
}
