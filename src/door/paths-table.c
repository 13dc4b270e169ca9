#include "door/paths.h"

#define PCI  "/sys/bus/pci/devices/*"
#define KFD  "/sys/class/kfd/kfd"
#define RDMA "/sys/class/infiniband/*"

/* Memory limits of a group and of every one above it, in both versions. */
#define CGROUP(levels)                                                                           \
	{                                                                                        \
		"/sys/fs/cgroup" levels,                                                         \
			"memory.max memory.current memory.limit_in_bytes memory.usage_in_bytes", \
			PATH_STATIC, PATH_BRIEF | PATH_PROCESS                                   \
	}

/* A directory of systemd's, with the drop-ins in it. */
#define UNITS(dir)                                                     \
	{ dir, "*.service", PATH_STATIC, PATH_UNIT },                  \
	{                                                              \
		dir "/*.service.d", ". *.conf", PATH_STATIC, PATH_UNIT \
	}

/*
 * The paths of a Linux host, in the order of the tree. A link is resolved before the path is opened
 * and may not lead out of its realm (root.c), so that the left side is enough.
 */
const struct path_rule paths_rules[] = {
	/* the machine */
	{ "/proc", "cmdline meminfo version modules", PATH_STATIC, PATH_BRIEF },
	{ "/proc", "cpuinfo", PATH_STATIC, PATH_BRIEF | PATH_HEAD },
	{ "/proc/sys/kernel", "osrelease hostname numa_balancing", PATH_STATIC, PATH_BRIEF },
	/* a sysctl that the node class states, and no other one is asked for */
	{ "/proc/sys/kernel", "*", PATH_STATIC, 0 },
	{ "/proc/sys/vm", "*", PATH_STATIC, 0 },
	{ "/proc/sys/fs", "*", PATH_STATIC, 0 },
	{ "/proc/sys/kernel/random", "boot_id", PATH_STATIC, PATH_BRIEF },
	{ "/etc", "os-release", PATH_STATIC, PATH_BRIEF },
	{ "/usr/lib", "os-release", PATH_STATIC, PATH_BRIEF },
	{ "/sys/devices/system/cpu", "online", PATH_STATIC, PATH_BRIEF },
	{ "/sys/devices/system/node", "online", PATH_STATIC, PATH_BRIEF },
	{ "/sys/class/dmi/id", "sys_vendor product_name board_name bios_version bios_date",
	  PATH_STATIC, PATH_BRIEF },
	{ "/sys/hypervisor", "type", PATH_STATIC, 0 },
	{ "/sys/class", "iommu", PATH_STATIC, PATH_BRIEF },
	{ "/sys/class/iommu", ".", PATH_STATIC, PATH_BRIEF },
	{ "/sys/kernel/iommu_groups/*", "type", PATH_STATIC, PATH_BRIEF },

	/* the driver */
	{ "/sys/module", ". amdgpu ttm amdttm amdkcl radeon vfio_pci", PATH_STATIC, PATH_BRIEF },
	{ "/sys/module/*", "initstate version srcversion parameters", PATH_STATIC, PATH_BRIEF },
	{ "/sys/module/*/parameters", "*", PATH_STATIC, 0 },
	{ "/var/lib/dkms/amdgpu", ". kernel-*", PATH_STATIC, 0 },
	{ "/etc/rocsteady", "expect.conf", PATH_STATIC, PATH_BRIEF | PATH_OWN },
	{ "/etc/modprobe.d", ". *.conf", PATH_STATIC, PATH_MODULES },
	{ "/run/modprobe.d", ". *.conf", PATH_STATIC, PATH_MODULES },
	{ "/usr/lib/modprobe.d", ". *.conf", PATH_STATIC, PATH_MODULES },
	{ "/lib/modprobe.d", ". *.conf", PATH_STATIC, PATH_MODULES },
	{ "/sys/bus/pci/drivers", "amdgpu", PATH_STATIC, 0 },

	/* a GPU, by its PCI function */
	{ "/sys/bus/pci/devices", ".", PATH_STATIC, PATH_BRIEF },
	{ PCI, "class vendor device revision driver", PATH_STATIC, PATH_BRIEF },
	{ PCI, "physfn subsystem_vendor subsystem_device boot_vga numa_node resource iommu_group",
	  PATH_STATIC, 0 },
	/* read from config space: the bridge above is woken, and a function in D3cold */
	{ PCI, "current_link_speed current_link_width max_link_speed max_link_width", PATH_WAKES,
	  0 },
	/* counters that the kernel keeps by itself */
	{ PCI, "aer_dev_fatal aer_dev_nonfatal aer_dev_correctable", PATH_STATIC, 0 },
	{ PCI "/power", "runtime_status", PATH_STATIC, PATH_BRIEF },
	{ PCI "/power", "control", PATH_STATIC, 0 },
	{ PCI,
	  "mem_info_vram_total mem_info_vram_used mem_info_gtt_total mem_info_gtt_used "
	  "current_compute_partition",
	  PATH_DEVICE, PATH_BRIEF },
	{ PCI,
	  "unique_id current_memory_partition mem_info_vis_vram_total mem_info_vis_vram_used mem_info_vram_vendor "
	  "vbios_version product_name product_number serial_number "
	  "xgmi_hive_info board_info",
	  PATH_DEVICE, 0 },
	{ PCI, "pcie_replay_count gpu_busy_percent", PATH_WAKES, 0 },
	{ PCI "/xgmi_hive_info", "xgmi_hive_id", PATH_DEVICE, 0 },
	{ PCI "/fw_version", ". *", PATH_DEVICE, 0 },
	{ PCI "/ras", ". gpu_vram_bad_pages", PATH_DEVICE, 0 },
	{ PCI "/ras", "*_err_count", PATH_WAKES, 0 },
	{ PCI "/hwmon", ".", PATH_STATIC, 0 },
	{ PCI "/hwmon/*",
	  ". name temp*_input temp*_crit temp*_label freq1_input power1_average power1_input "
	  "power1_cap power1_cap_default",
	  PATH_WAKES, 0 },
	{ PCI "/drm", ".", PATH_STATIC, PATH_BRIEF },
	{ PCI "/drm/*", ".", PATH_STATIC, 0 },
	{ PCI "/drm/*/*", "status enabled", PATH_STATIC, 0 },
	{ PCI "/ip_discovery/die/*/GC/*", "major minor revision", PATH_STATIC, 0 },
	{ "/sys/class/drm", ".", PATH_STATIC, PATH_BRIEF },
	{ "/sys/class/drm/*", "device dev", PATH_STATIC, PATH_BRIEF },

	/* network cards: a driver that asks its card does not wake a GPU */
	{ "/sys/class/net", ". *", PATH_STATIC, 0 },
	{ "/sys/class/net/*", "flags operstate carrier_up_count carrier_down_count", PATH_STATIC,
	  0 },
	{ "/sys/class/net/*", "carrier speed", PATH_DEVICE, 0 },
	{ "/sys/class/infiniband", ". *", PATH_STATIC, 0 },
	{ RDMA "/ports", ".", PATH_STATIC, 0 },
	{ RDMA "/ports/*", "link_layer", PATH_STATIC, 0 },
	{ RDMA "/ports/*", "state phys_state rate", PATH_DEVICE, 0 },
	{ RDMA "/ports/*/counters", "link_downed", PATH_DEVICE, 0 },

	/* memory controllers */
	{ "/sys/devices/system/edac/mc", ".", PATH_STATIC, 0 },
	{ "/sys/devices/system/edac/mc/*", "mc_name ue_count ce_count", PATH_STATIC, 0 },

	/* what the compute driver offers */
	{ KFD, "topology proc dev", PATH_STATIC, PATH_BRIEF },
	{ KFD "/topology", "nodes", PATH_STATIC, PATH_BRIEF },
	{ KFD "/topology/nodes", ".", PATH_STATIC, PATH_BRIEF },
	{ KFD "/topology/nodes/*", "gpu_id properties", PATH_STATIC, PATH_BRIEF },
	{ KFD "/topology/nodes/*", "name", PATH_STATIC, 0 },
	{ KFD "/topology/nodes/*/mem_banks/*", "properties", PATH_STATIC, PATH_BRIEF },
	{ KFD "/topology/nodes/*/*", ".", PATH_STATIC, 0 },
	{ KFD "/topology/nodes/*/*/*", "properties", PATH_STATIC, 0 },
	{ KFD "/proc", ".", PATH_STATIC, PATH_BRIEF },
	{ KFD "/proc/*", ". vram_*", PATH_STATIC, PATH_BRIEF },
	{ KFD "/proc/*/context_*", ". vram_*", PATH_STATIC, PATH_BRIEF },

	/* device nodes */
	{ "/", "dev", PATH_STATIC, PATH_BRIEF },
	{ "/dev", "kfd dxg shm", PATH_STATIC, PATH_BRIEF },
	{ "/dev/dri", ". card* renderD*", PATH_STATIC, PATH_BRIEF },

	/* the judged process, user, container */
	{ "/proc/*", "limits cgroup status uid_map comm", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "/proc/*", "mountinfo", PATH_STATIC, PATH_PROCESS },
	{ "/proc/*/ns", "pid user cgroup", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "/sys/fs/cgroup",
	  "memory.max memory.current "
	  "memory system.slice",
	  PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "/sys/fs/cgroup/memory", "memory.limit_in_bytes memory.usage_in_bytes", PATH_STATIC,
	  PATH_BRIEF | PATH_PROCESS },
	CGROUP("/*"),
	CGROUP("/*/*"),
	CGROUP("/*/*/*"),
	CGROUP("/*/*/*/*"),
	CGROUP("/*/*/*/*/*"),
	CGROUP("/*/*/*/*/*/*"),
	CGROUP("/*/*/*/*/*/*/*"),
	CGROUP("/*/*/*/*/*/*/*/*"),
	{ "/sys/fs/cgroup/system.slice", ".", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/system.slice/*", "cgroup.procs", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/system.slice/*.slice", ".", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/system.slice/*.slice/*", "cgroup.procs", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/systemd/system.slice", ".", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/systemd/system.slice/*", "cgroup.procs", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/systemd/system.slice/*.slice", ".", PATH_STATIC, PATH_PROCESS },
	{ "/sys/fs/cgroup/systemd/system.slice/*.slice/*", "cgroup.procs", PATH_STATIC,
	  PATH_PROCESS },
	{ "/", ".dockerenv .singularity.d", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "/run", ".containerenv", PATH_STATIC, PATH_BRIEF | PATH_PROCESS },
	{ "/run/systemd", "container", PATH_STATIC, PATH_PROCESS },

	/* where a variable may have been set */
	{ "/etc",
	  "environment profile bash.bashrc bashrc zshenv zshrc zprofile csh.cshrc csh.login",
	  PATH_STATIC, PATH_SETTERS },
	{ "/etc/zsh", "zshenv zshrc zprofile", PATH_STATIC, PATH_SETTERS },
	{ "/etc/fish", "config.fish", PATH_STATIC, PATH_SETTERS },
	{ "/etc/profile.d", ". *.sh", PATH_STATIC, PATH_SETTERS },
	{ "/etc/environment.d", ". *.conf", PATH_STATIC, PATH_SETTERS },
	{ "/etc/default", "*", PATH_STATIC, PATH_SETTERS }, /* EnvironmentFile= of a unit */
	{ "/etc/sysconfig", "*", PATH_STATIC, PATH_SETTERS },
	{ "~",
	  ".profile .bashrc .bash_profile .bash_login .bash_aliases .zshrc .zshenv .zprofile "
	  ".pam_environment .cshrc .tcshrc .login",
	  PATH_STATIC, PATH_SETTERS | PATH_PROCESS },
	{ "~/.config/environment.d", ". *.conf", PATH_STATIC, PATH_SETTERS | PATH_PROCESS },
	{ "~/.config/fish", "config.fish", PATH_STATIC, PATH_SETTERS | PATH_PROCESS },
	{ "~/.config/fish/conf.d", ". *.fish", PATH_STATIC, PATH_SETTERS | PATH_PROCESS },
	UNITS("/etc/systemd/system"),
	UNITS("/run/systemd/transient"),
	UNITS("/run/systemd/system"),
	UNITS("/usr/lib/systemd/system"),
	UNITS("/lib/systemd/system"),

	/* ROCm installs */
	{ "/usr/lib/gcc/*", ".", PATH_STATIC, 0 },
	{ "/usr/lib/gcc/*/*", "crtbegin.o", PATH_STATIC, 0 },
	{ "/usr/include/c++", ".", PATH_STATIC, 0 },
	{ "/opt", ".", PATH_STATIC, PATH_BRIEF },
	{ "/opt/rocm*", ".", PATH_STATIC, PATH_BRIEF }, /* core-X.Y, since 7.13 */
	{ "/opt/rocm*/.info", "version", PATH_STATIC, PATH_BRIEF },
	{ "/opt/rocm*/*/.info", "version", PATH_STATIC, PATH_BRIEF },
};

const size_t paths_rule_count = sizeof(paths_rules) / sizeof(paths_rules[0]);
