#include "kb/apply.h"

#include "check.h"

#define RULES  "/etc/udev/rules.d/rocsteady-amdgpu.rules"
#define TTM    "/etc/modprobe.d/rocsteady-ttm.conf"
#define LIMITS "/etc/security/limits.d/rocsteady-nofile.conf"
#define UNIT   "/etc/systemd/system/ollama.service.d/rocsteady-devices.conf"
#define HOME   "/home/ada/.config/environment.d/rocsteady-visible.conf"

static const struct {
	const char *why;
	struct apply_action action;
	bool good;
} cases[] = {
	{ "a rule for the nodes",
	  { APPLY_WRITE, RULES, "# x\nKERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\n", NULL },
	  true },
	{ "udev runs a program",
	  { APPLY_WRITE, RULES, "KERNEL==\"kfd\", RUN+=\"/tmp/x\"\n", NULL },
	  false },
	{ "a good line and a bad one",
	  { APPLY_WRITE, RULES,
	    "KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0660\"\nRUN+=\"/tmp/x\"\n", NULL },
	  false },
	{ "a node for everybody",
	  { APPLY_WRITE, RULES, "KERNEL==\"kfd\", GROUP=\"render\", MODE=\"0666\"\n", NULL },
	  false },
	{ "a parameter", { APPLY_WRITE, TTM, "options ttm pages_limit=1\n", NULL }, true },
	{ "modprobe runs a program",
	  { APPLY_WRITE, TTM, "install ttm /bin/sh -c x\n", NULL },
	  false },
	{ "a line that goes on",
	  { APPLY_WRITE, TTM, "options ttm a=1\\\ninstall x y\n", NULL },
	  false },
	{ "only remarks", { APPLY_WRITE, TTM, "# nothing\n", NULL }, false },
	{ "no content", { APPLY_WRITE, TTM, NULL, NULL }, false },
	{ "a limit", { APPLY_WRITE, LIMITS, "ada - nofile 65536\n", NULL }, true },
	{ "everybody's limit", { APPLY_WRITE, LIMITS, "* - nofile 65536\n", NULL }, false },
	{ "devices of a service",
	  { APPLY_WRITE, UNIT, "[Service]\nPrivateDevices=no\nDeviceAllow=/dev/kfd rw\n", NULL },
	  true },
	{ "a service's program",
	  { APPLY_WRITE, UNIT, "[Service]\nExecStart=/tmp/x\n", NULL },
	  false },
	{ "a variable", { APPLY_WRITE, HOME, "HIP_VISIBLE_DEVICES=0\n", NULL }, true },
	{ "the loader's variable", { APPLY_WRITE, HOME, "LD_PRELOAD=x.so\n", NULL }, false },
	{ "a path as a value", { APPLY_WRITE, HOME, "HSA_TOOLS_LIB=/tmp/x.so\n", NULL }, false },
	{ "another's name",
	  { APPLY_WRITE, "/etc/modprobe.d/blacklist.conf", "options ttm a=1\n", NULL },
	  false },
	{ "another place",
	  { APPLY_WRITE, "/etc/cron.d/rocsteady-x", "options ttm a=1\n", NULL },
	  false },
	{ "up and away",
	  { APPLY_WRITE, "/x/../home/.config/environment.d/rocsteady-x.conf", "HIP_X=0\n", NULL },
	  false },
	{ "not from the root",
	  { APPLY_WRITE, "etc/modprobe.d/rocsteady-ttm.conf", "options ttm a=1\n", NULL },
	  false },
	{ "a newline in the name",
	  { APPLY_WRITE, "/etc\n/modprobe.d/rocsteady-ttm.conf", "options ttm a=1\n", NULL },
	  false },
	{ "a group", { APPLY_JOIN_GROUP, "ada:render", NULL, NULL }, true },
	{ "two groups", { APPLY_JOIN_GROUP, "ada:render,video", NULL, NULL }, true },
	{ "the group of those who may all", { APPLY_JOIN_GROUP, "ada:sudo", NULL, NULL }, false },
	{ "an option as a user", { APPLY_JOIN_GROUP, "-o:render", NULL, NULL }, false },
	{ "an environment",
	  { APPLY_VENV, "/home/ada/venv", "torch torchvision", "https://x.org/whl" },
	  true },
	{ "with an extra",
	  { APPLY_VENV, "/home/ada/venv", "torch[device-gfx1100]", "https://x.org/whl" },
	  true },
	{ "an option as a package",
	  { APPLY_VENV, "/home/ada/venv", "--pre torch", "https://x.org/whl" },
	  false },
	{ "not over TLS", { APPLY_VENV, "/home/ada/venv", "torch", "http://x.org/whl" }, false },
	{ "a file as an index", { APPLY_VENV, "/home/ada/venv", "torch", "file:///tmp/x" }, false },
	{ "no kind", { APPLY_KINDS, "x", NULL, NULL }, false },
};

int main(void)
{
	enum apply_kind kind;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!CHECK(!apply_refusal(&cases[i].action) == cases[i].good))
			printf("  %s\n", cases[i].why);
	CHECK(apply_kind("venv", &kind) && kind == APPLY_VENV);
	CHECK(!apply_kind("shell", &kind) && !apply_kind(NULL, &kind));
	return check_end();
}
