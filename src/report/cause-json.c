#include "report/cause-json.h"

static void write_sign(struct json *j, const struct sign *s, enum sign_detail detail)
{
	json_open(j, NULL, '{');
	if (detail >= SIGN_WEIGHS)
		json_string(j, "id", s->id);
	if (detail >= SIGN_ASKED)
		json_string(j, "answer", sign_answer_name(s->answer));
	if (detail >= SIGN_WEIGHS)
		json_int(j, "weight", s->weight);
	json_int(j, "counted", s->counted);
	if (detail >= SIGN_ASKED)
		json_string(j, "group", s->group);
	json_string(j, "says", s->says);
	if (detail >= SIGN_ASKED)
		json_string(j, "value", s->value);
	json_string(j, "source", s->source);
	if (detail >= SIGN_ASKED) {
		json_string(j, "origin", s->origin);
		json_string(j, "why", s->why);
		json_int(j, "rows", (int64_t)s->rows);
	}
	json_close(j, '}');
}

void signs_json(struct json *j, const struct sign *signs, size_t count, enum sign_detail detail)
{
	json_open(j, "evidence", '[');
	for (size_t i = 0; i < count; i++)
		if (detail > SIGN_COUNTS ||
		    (signs[i].answer == ANSWER_YES && signs[i].counted != 0))
			write_sign(j, &signs[i], detail);
	json_close(j, ']');
}

void remedies_json(struct json *j, const struct remedy *const *remedies, size_t count,
		   enum shell shell)
{
	struct arena a = { 0 };

	json_open(j, "remedies", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "id", remedies[i]->id);
		json_string(j, "title", remedies[i]->title);
		json_string(j, "risk", remedies[i]->risk);
		json_string(j, "steps", steps_of(&a, remedies[i], shell));
		json_string(j, "verify", remedies[i]->verify);
		json_string(j, "needs", remedies[i]->needs);
		json_string(j, "changes", remedies[i]->changes);
		json_string(j, "undo", remedies[i]->undo);
		json_int(j, "minutes", remedies[i]->minutes);
		json_close(j, '}');
	}
	json_close(j, ']');
	arena_done(&a);
}
