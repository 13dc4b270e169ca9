#include "diagnose/steps.h"

#include "check.h"

static const struct {
	const char *bash, *fish, *powershell, *dockerfile;
} cases[] = {
	{ "In words.", "In words.", "In words.", "In words." },
	{ "    export A_B=1", "    set -gx A_B '1'", "    $env:A_B = '1'", "    ENV A_B='1'" },
	{ "    export A_B='x y'", "    set -gx A_B 'x y'", "    $env:A_B = 'x y'",
	  "    ENV A_B='x y'" },
	{ "    unset A_B", "    set -e A_B", "    Remove-Item Env:A_B",
	  "    # take away the line: ENV A_B" },
	{ "    unset A_B C_D", "    set -e A_B\n    set -e C_D",
	  "    Remove-Item Env:A_B\n    Remove-Item Env:C_D",
	  "    # take away the line: ENV A_B\n    # take away the line: ENV C_D" },
	{ "    A_B=1 C_D=2 python train.py",
	  "    set -gx A_B '1'\n    set -gx C_D '2'\n    python train.py",
	  "    $env:A_B = '1'\n    $env:C_D = '2'\n    python train.py\n    Remove-Item Env:A_B\n    Remove-Item Env:C_D",
	  "    ENV A_B='1'\n    ENV C_D='2'" },
	{ "    pip install torch", "    pip install torch", "    pip install torch",
	  "    RUN pip install torch" },
	{ "    sudo dmesg", "    sudo dmesg", "    # on Linux: sudo dmesg",
	  "    # on the host: sudo dmesg" },
	{ "    rocsteady advise --gpu gfx1100", "    rocsteady advise --gpu gfx1100",
	  "    rocsteady advise --gpu gfx1100",
	  "    # on the host: rocsteady advise --gpu gfx1100" },
	{ "    rocsteady facts gpu", "    rocsteady facts gpu",
	  "    # on Linux: rocsteady facts gpu", "    # on the host: rocsteady facts gpu" },
	{ "    rocsteady targets a.dll", "    rocsteady targets a.dll",
	  "    rocsteady targets a.dll", "    # on the host: rocsteady targets a.dll" },
	{ "    rocsteady targets a --for-this-machine",
	  "    rocsteady targets a --for-this-machine",
	  "    # on Linux: rocsteady targets a --for-this-machine",
	  "    # on the host: rocsteady targets a --for-this-machine" },
	{ "    A_B=/usr/lib python train.py", "    set -gx A_B '/usr/lib'\n    python train.py",
	  "    # on Linux: A_B=/usr/lib python train.py", "    ENV A_B='/usr/lib'" },
	{ "    pipx list", "    pipx list", "    # on Linux: pipx list",
	  "    # on the host: pipx list" },
	{ "    cmake --build build", "    cmake --build build", "    cmake --build build",
	  "    # on the host: cmake --build build" },
	{ "    docker run -e A=1 x", "    docker run -e A=1 x", "    docker run -e A=1 x",
	  "    # on the host: docker run -e A=1 x" },
	{ "One.\n    export A=b\nTwo.", "One.\n    set -gx A 'b'\nTwo.",
	  "One.\n    $env:A = 'b'\nTwo.", "One.\n    ENV A='b'\nTwo." },
	{ "    export A=\"it's\"", "    set -gx A 'it\\'s'", "    $env:A = 'it''s'",
	  "    ENV A='it\\'s'" },
	{ "    tag=$(python -c \"print('x')\"); echo \"$tag\"",
	  "    set tag (python -c \"print('x')\"); echo \"$tag\"",
	  "    $tag = $(python -c \"print('x')\"); echo \"$tag\"",
	  "    # in bash: tag=$(python -c \"print('x')\"); echo \"$tag\"" },
	{ "    n=$(nproc); echo $n", "    set n (nproc); echo $n",
	  "    # in bash: n=$(nproc); echo $n", "    # in bash: n=$(nproc); echo $n" },
	{ "", "", "", "" },
};

int main(void)
{
	enum shell shell;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena a = { 0 };

		CHECK_TEXT(steps_for(&a, cases[i].bash, SHELL_BASH), cases[i].bash);
		CHECK_TEXT(steps_for(&a, cases[i].bash, SHELL_FISH), cases[i].fish);
		CHECK_TEXT(steps_for(&a, cases[i].bash, SHELL_POWERSHELL), cases[i].powershell);
		CHECK_TEXT(steps_for(&a, cases[i].bash, SHELL_DOCKERFILE), cases[i].dockerfile);
		arena_done(&a);
	}
	CHECK(steps_shell("fish", &shell) && shell == SHELL_FISH);
	CHECK(!steps_shell("tcsh", &shell));
	CHECK(steps_exists("rocsteady check", NULL, SHELL_BASH));
	CHECK(!steps_exists("rocsteady check", NULL, SHELL_POWERSHELL));
	CHECK(steps_exists("./server -m x 2>&1", "./server -m x", SHELL_POWERSHELL));
	CHECK(!steps_exists("./server -m x 2>&1", NULL, SHELL_POWERSHELL));
	CHECK(!steps_exists(NULL, NULL, SHELL_BASH));
	return check_end();
}
