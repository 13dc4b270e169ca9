#include "diagnose/sign.h"

#include "base/array.h"

const char *sign_answer_name(enum answer answer)
{
	static const char *const names[] = { "no", "yes", "unknown", "failed" };

	return (size_t)answer < COUNT(names) ? names[answer] : "?";
}

const char *belief_name(enum belief belief)
{
	static const char *const names[] = { "nothing", "not-recognised", "undecided", "likely",
					     "certain" };

	return (size_t)belief < COUNT(names) ? names[belief] : "?";
}
