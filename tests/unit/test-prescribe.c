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

/* On Windows and in WSL a remedy has the same steps, other ones, or is none. */
static void check_systems(struct arena *a)
{
	const struct remedy same = { .steps = "x" }, other = { .steps = "x", .windows = "y" };
	const struct remedy none = { .steps = "x", .windows = "", .wsl = "z" };

	CHECK(prescribe_on(a, &same, SYSTEM_WINDOWS) == &same);
	CHECK(prescribe_on(a, &other, SYSTEM_LINUX) == &other);
	CHECK_TEXT(prescribe_on(a, &other, SYSTEM_WINDOWS)->steps, "y");
	CHECK_TEXT(steps_of(a, prescribe_on(a, &other, SYSTEM_WINDOWS), SHELL_POWERSHELL), "y");
	CHECK(prescribe_on(a, &none, SYSTEM_LINUX) == &none);
	CHECK(!prescribe_on(a, &none, SYSTEM_WINDOWS));
	CHECK(prescribe_on(a, &other, SYSTEM_WSL) == &other);
	CHECK_TEXT(steps_of(a, prescribe_on(a, &none, SYSTEM_WSL), SHELL_BASH), "z");
	CHECK(!prescribe_on(a, &(struct remedy){ .steps = "x", .wsl = "" }, SYSTEM_WSL));
}

int main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(prescribe_steps(&a, steps, &cases[i].with), cases[i].want);
	CHECK_TEXT(fill_text(&a, "gpasswd -d {user} {group}", &(struct fill){ 0 }),
		   "gpasswd -d USER GROUP");
	check_systems(&a);
	arena_done(&a);
	return check_end();
}
