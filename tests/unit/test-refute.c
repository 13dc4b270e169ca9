#include "diagnose/refute.h"

#include <string.h>

#include "check.h"

static const struct {
	const char *line, *effect;
	bool does;
	const char *why; /* it is here */
} cases[] = {
	{ "    export HSA_OVERRIDE_GFX_VERSION=10.3.0", "sets HSA_OVERRIDE_GFX_VERSION", true,
	  "export" },
	{ "    HSA_OVERRIDE_GFX_VERSION=10.3.0 python x.py", "sets HSA_OVERRIDE_GFX_VERSION", true,
	  "for one command" },
	{ "    docker run -e HSA_OVERRIDE_GFX_VERSION=10.3.0 x", "sets HSA_OVERRIDE_GFX_VERSION",
	  true, "for a container" },
	{ "    Environment=HSA_OVERRIDE_GFX_VERSION=10.3.0", "sets HSA_OVERRIDE_GFX_VERSION", true,
	  "in a unit" },
	{ "    $env:HSA_OVERRIDE_GFX_VERSION = '10.3.0'", "sets HSA_OVERRIDE_GFX_VERSION", true,
	  "PowerShell" },
	{ "    env | grep HSA_OVERRIDE_GFX_VERSION", "sets HSA_OVERRIDE_GFX_VERSION", false,
	  "it looks" },
	{ "    MY_HSA_OVERRIDE_GFX_VERSION=1 x", "sets HSA_OVERRIDE_GFX_VERSION", false,
	  "another name" },
	{ "    unset HSA_OVERRIDE_GFX_VERSION", "unsets HSA_OVERRIDE_GFX_VERSION", true,
	  "the shell" },
	{ "    env -u HSA_OVERRIDE_GFX_VERSION python x.py", "unsets HSA_OVERRIDE_GFX_VERSION",
	  true, "for one command" },
	{ "Unset HSA_OVERRIDE_GFX_VERSION", "unsets HSA_OVERRIDE_GFX_VERSION", true, "a title" },
	{ "    unset HSA_XNACK; echo $HSA_OVERRIDE_GFX_VERSION", "unsets HSA_OVERRIDE_GFX_VERSION",
	  false, "another is unset" },
	{ "    x/bin/python -m pip install \"torch[device-gfx1100]\" torchaudio", "installs torch",
	  true, "an extra" },
	{ "    pip install --upgrade torch==2.9.0", "installs torch", true, "a version" },
	{ "    pip install torchaudio", "installs torch", false, "another package" },
	{ "    rocsteady advise --for torch", "installs torch", true,
	  "what advise prints is typed next" },
	{ "    rocsteady advise --for ollama", "installs torch", false, "another program" },
	{ "    python -c 'import torch'", "installs torch", false, "it looks" },
	{ "Install torch, torchvision and torchaudio together", "installs torch", true, "a title" },
	{ "    python -c 'import torch; print(torch.__version__)'", "asks torch", true,
	  "an import" },
	{ "see what is there: python -m pip list | grep -iE 'torch|triton'", "asks torch", true,
	  "one of two" },
	{ "    python -m pip show torch", "asks torch", true, "its release" },
	{ "    pip install torch", "asks torch", false, "it does more" },
	{ "    python -m pip show torchaudio", "asks torch", false, "another package" },
	{ "    pip install torch", "wants torch", false, "no verb of ours" },
	{ "", "sets X", false, "nothing" },
	{ "    X=1", "", false, "no effect" },
};

/* For these the view is not even worked out. */
static const char *const acts_not[] = {
	"Look at the kernel's messages", "    sudo dmesg -T | grep -i amdgpu", "    sudo reboot",
	"    rocminfo | grep gfx",       "    python -c 'import torch'",       "",
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_INT(refute_does(span_of(cases[i].line), span_of(cases[i].effect)),
			  cases[i].does);
		CHECK(!cases[i].does || strncmp(cases[i].effect, "asks", 4) == 0 ||
		      refute_acts(span_of(cases[i].line)));
	}
	for (size_t i = 0; i < sizeof(acts_not) / sizeof(acts_not[0]); i++)
		CHECK(!refute_acts(span_of(acts_not[i])));
	return check_end();
}
