#include "diagnose/prescribe.h"

#include "check.h"

static const char steps[] = "Here it is {user}:\n"
			    "    usermod -aG {group} {user}\n"
			    "Anybody:\n"
			    "    id {value}";

static const struct {
	struct fill with;
	const char *want;
} cases[] = {
	{ { .value = "ada:render", .user = "ada", .group = "render" },
	  "Here it is ada:\n    usermod -aG render ada\nAnybody:\n    id ada:render" },
	{ { .value = "x y", .user = "$(id)", .group = "a b" },
	  "Here it is $(id):\n    usermod -aG 'a b' '$(id)'\nAnybody:\n    id 'x y'" },
	{ { .value = "none" }, "Anybody:\n    id none" },
	{ { .value = "ada", .user = "ada" }, "Here it is ada:\nAnybody:\n    id ada" },
};

int main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(prescribe_steps(&a, steps, &cases[i].with), cases[i].want);
	CHECK_TEXT(fill_text(&a, "gpasswd -d {user} {group}", &(struct fill){ 0 }),
		   "gpasswd -d USER GROUP");
	arena_done(&a);
	return check_end();
}
