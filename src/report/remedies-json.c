#include "report/remedies-json.h"

void remedies_json(struct json *j, const struct remedy *const *remedies, size_t count)
{
	json_open(j, "remedies", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "id", remedies[i]->id);
		json_string(j, "title", remedies[i]->title);
		json_string(j, "risk", remedies[i]->risk);
		json_string(j, "steps", remedies[i]->steps);
		json_string(j, "verify", remedies[i]->verify);
		json_close(j, '}');
	}
	json_close(j, ']');
}
