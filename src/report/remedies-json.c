#include "report/remedies-json.h"

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
