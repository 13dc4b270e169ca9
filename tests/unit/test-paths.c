#include "door/paths.h"

#include "check-span.h"

static const struct {
	const char *why;
	const char *path;
	int class; /* -1: not in the table */
	unsigned int flags;
} cases[] = {
	{ "the machine", "/proc/cmdline", PATH_STATIC, PATH_BRIEF },
	{ "only the head", "/proc/cpuinfo", PATH_STATIC, PATH_BRIEF | PATH_HEAD },
	{ "of a process", "/proc/self/limits", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "of another process", "/proc/1234/limits", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "a directory itself", "/sys/bus/pci/devices", PATH_STATIC, PATH_BRIEF },
	{ "the driver asks the GPU", "/sys/bus/pci/devices/0000:03:00.0/mem_info_vram_used",
	  PATH_DEVICE, PATH_BRIEF },
	{ "would wake it", "/sys/bus/pci/devices/0000:03:00.0/gpu_busy_percent", PATH_WAKES, 0 },
	{ "a home", "~/.bashrc", PATH_STATIC, PATH_SETTERS | PATH_PROCESS },
	{ "a star within a name", "/sys/bus/pci/devices/0000:03:00.0/ras/umc_err_count", PATH_WAKES,
	  0 },
	{ "a port of a network card", "/sys/class/infiniband/mlx5_0/ports/1/state", PATH_DEVICE,
	  0 },
	{ "an interface", "/sys/class/net/eth0", PATH_STATIC, 0 },
	{ "its address", "/sys/class/net/eth0/address", -1, 0 },
	{ "counters of errors", "/sys/bus/pci/devices/0000:03:00.0/aer_dev_fatal", PATH_STATIC, 0 },
	{ "a file that resets the counters", "/sys/devices/system/edac/mc/mc0/reset_counters", -1,
	  0 },
	{ "memory of a process", "/proc/1/mem", -1, 0 },
	{ "its environment goes by a question", "/proc/self/environ", -1, 0 },
	{ "a file that acts when read", "/sys/kernel/debug/dri/0/amdgpu_gpu_recover", -1, 0 },
	{ "the register space of a GPU", "/sys/bus/pci/devices/0000:03:00.0/resource0", -1, 0 },
	{ "a file that resets", "/sys/bus/pci/devices/0000:03:00.0/reset", -1, 0 },
	{ "its ROM", "/sys/bus/pci/devices/0000:03:00.0/rom", -1, 0 },
	{ "configuration space", "/sys/bus/pci/devices/0000:03:00.0/config", -1, 0 },
	{ "secrets of the system", "/etc/shadow", -1, 0 },
	{ "secrets of a user", "~/.ssh/id_ed25519", -1, 0 },
	{ "their history", "~/.bash_history", -1, 0 },
	{ "one directory deeper", "/proc/self/task/limits", -1, 0 },
	{ "one directory higher", "/cmdline", -1, 0 },
	{ "a star is no directory", "/proc/self/x/y/limits", -1, 0 },
	{ "nothing", "", -1, 0 },
	{ "no slash", "cmdline", -1, 0 },
	{ "the top", "/", -1, 0 },
};

static void check_variables(void)
{
	CHECK(paths_watched_variable(SPAN_LITERAL("HSA_OVERRIDE_GFX_VERSION")));
	CHECK(paths_watched_variable(SPAN_LITERAL("LD_LIBRARY_PATH")));
	CHECK(!paths_watched_variable(SPAN_LITERAL("HF_TOKEN")));
	CHECK(!paths_watched_variable(SPAN_LITERAL("AWS_SECRET_ACCESS_KEY")));
	CHECK(!paths_watched_variable(SPAN_LITERAL("PATH")) &&
	      paths_kept_variable(SPAN_LITERAL("PATH")));
	CHECK(!paths_kept_variable(SPAN_LITERAL("SSH_AUTH_SOCK")) &&
	      !paths_kept_variable(SPAN_LITERAL("USER")));
	CHECK(paths_watched_part(SPAN_LITERAL("hsa")) &&
	      !paths_watched_part(SPAN_LITERAL("alice")));
}

int main(void)
{
	char deep[2000] = "/sys/fs/cgroup";
	size_t count;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct path_rule *rule = paths_find(span_of(cases[i].path));

		ROW_CHECK(cases[i].class < 0 ? rule == NULL
					     : rule && (int)rule->class == cases[i].class,
			  cases[i].why);
		if (rule && cases[i].class >= 0)
			ROW_CHECK(rule->flags == cases[i].flags, cases[i].why);
	}
	for (int i = 0; i < 300; i++)
		strcat(deep, "/abcd");
	CHECK(paths_find(span_of(deep)) == NULL);
	check_variables();
	CHECK(paths_table(&count) && count > 50);
	CHECK_TEXT(path_class_name(PATH_WAKES), "wakes");
	return check_end();
}
