#include "diagnose/steps-shared.h"

#include "check.h"

static const struct {
	const char *steps, *shared;
	const char *why; /* it is here */
} cases[] = {
	{ "    /home/user-1/venv/bin/python -m pip list\n", "    ~/venv/bin/python -m pip list\n",
	  "a word begins with it" },
	{ "    sudo usermod -aG render user-1\n", "    sudo usermod -aG render \"$USER\"\n",
	  "the user" },
	{ "    uv pip install --python=/home/user-1/venv x\n",
	  "    uv pip install --python=$HOME/venv x\n", "a tilde would stay a tilde" },
	{ "    '/home/user-1/my venv/bin/python' x\n", "    ''\"$HOME\"'/my venv/bin/python' x\n",
	  "in single quotes nothing is filled in" },
	{ "    echo \"/home/user-1/x\"\n", "    echo \"$HOME/x\"\n", "in double quotes it is" },
	{ "In /home/user-1/venv it is old.\n", "In /home/user-1/venv it is old.\n",
	  "words are no command" },
	{ "    ls /home/user-12/x /mnt/home/user-1/x user-1x\n",
	  "    ls /home/user-12/x /mnt/home/user-1/x user-1x\n", "other names" },
};

int main(void)
{
	struct steps_owner owner = { "/home/user-1", "user-1" }, nobody = { 0 };
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_TEXT(steps_shared(&a, cases[i].steps, &owner), cases[i].shared);
		CHECK_TEXT(steps_shared(&a, cases[i].steps, &nobody), cases[i].steps);
	}
	CHECK_TEXT(steps_shared_command(&a, "cat /home/user-1/x", &owner), "cat ~/x");
	arena_done(&a);
	return check_end();
}
