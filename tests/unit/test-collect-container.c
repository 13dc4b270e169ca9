#include "check-facts.h"

/* What a plain host answers; later records of a path replace these. */
#define HOST                                                                                        \
	"node /.singularity.d !ENOENT\nnode /.dockerenv !ENOENT\nnode /run/.containerenv !ENOENT\n" \
	"file /proc/self/cgroup\n\t0::/user.slice/user-1000.slice/session-2.scope\n"                \
	"file /proc/self/mountinfo\n\t28 1 8:2 / / rw,relatime - ext4 /dev/sda2 rw\n"               \
	"\t90 28 0:40 / /var/lib/docker/overlay2/ab/merged rw - overlay overlay rw,lowerdir=/x\n"   \
	"file /run/systemd/container !ENOENT\nask environment\n\tHOME=/home/alice\n"                \
	"link /proc/self/ns/pid pid:[4026531836]\n"                                                 \
	"file /proc/self/uid_map\n\t         0          0 4294967295\n"                             \
	"file /proc/sys/kernel/osrelease\n\t6.8.0-45-generic\n"
#define OWN_PIDS "link /proc/self/ns/pid pid:[4026532301]\n"
#define MOUNTS(root)                                                                       \
	"file /proc/self/mountinfo\n\t28 1 0:50 / / rw - overlay overlay rw,lowerdir=/l\n" \
	"\t40 28 8:2 " root " /etc/hosts rw - ext4 /dev/sda2 rw\n"
#define DOCKER_MOUNTS MOUNTS("/var/lib/docker/containers/3f8a/hosts")
#define DOCKERENV     "node /.dockerenv file 0755 0:0\n"
#define WSL2          "file /proc/sys/kernel/osrelease\n\t5.15.153.1-microsoft-standard-WSL2\n"

#define DEV(type)                                                            \
	"file /proc/self/mountinfo\n\t28 1 8:2 / / rw - ext4 /dev/sda2 rw\n" \
	"\t30 28 0:5 / /dev rw - " type " udev rw\n"

#define OWN_DEV "SELECT own_dev FROM container"
#define ALL     "SELECT kind, rootless, own_pids, wsl_version, source FROM container"
#define KIND    "SELECT kind, source FROM container"
#define GAPS    "SELECT topic, standing, source FROM gap WHERE topic LIKE 'container%'"

static const struct facts_case cases[] = {
	{ "a host, even one that runs containers", HOST, ALL, "none|0|0|-|/proc/self/cgroup" },
	{ "and nothing is open", HOST, GAPS, "" },

	{ "the kernel's own /dev", HOST DEV("devtmpfs"), OWN_DEV, "0" },
	{ "a /dev that was made by hand", HOST DEV("tmpfs"), OWN_DEV, "1" },
	{ "a /dev of the root's own files", HOST, OWN_DEV, "1" },
	{ "the kernel's /dev below another /dev/dri",
	  HOST DEV("devtmpfs") "\t41 30 0:70 / /dev/dri rw - tmpfs tmpfs rw\n", OWN_DEV, "1" },
	{ "the kernel's /dev/dri in a /dev of its own",
	  HOST DEV("tmpfs") "\t41 30 0:5 /dri /dev/dri rw - devtmpfs udev rw\n", OWN_DEV, "0" },
	{ "what is mounted is not known",
	  HOST OWN_PIDS "file /proc/self/cgroup\n\t0::/kubepods/pod1\n"
			"file /proc/self/mountinfo !EACCES\n",
	  "SELECT kind, own_dev FROM container", "kubernetes|-" },

	{ "docker", HOST OWN_PIDS DOCKERENV DOCKER_MOUNTS, ALL, "docker|0|1|-|/.dockerenv" },
	{ "with --pid=host the pids are the host's", HOST DOCKERENV DOCKER_MOUNTS, ALL,
	  "docker|0|0|-|/.dockerenv" },
	{ "docker without its file, by what it mounts", HOST OWN_PIDS DOCKER_MOUNTS, KIND,
	  "docker|/proc/self/mountinfo" },
	{ "docker with version 1 groups",
	  HOST "file /proc/self/cgroup\n\t4:memory:/docker/3f8a\n\t0::/\n", KIND,
	  "docker|/proc/self/cgroup" },
	{ "the daemon itself is in no container",
	  HOST "file /proc/self/cgroup\n\t0::/system.slice/docker.service\n", KIND,
	  "none|/proc/self/cgroup" },
	{ "a virtual machine made of an image still has the file", HOST DOCKERENV, KIND,
	  "none|/proc/self/cgroup" },
	{ "what is mounted may be unknown; then nothing is concluded",
	  HOST DOCKERENV "file /proc/self/mountinfo !EACCES\n", KIND, "" },

	{ "rootless podman",
	  HOST OWN_PIDS "node /run/.containerenv file 0700 0:0\n"
			"file /proc/self/uid_map\n\t0 1000 1\n\t1 100000 65536\n" MOUNTS(
				"/containers/storage/overlay-containers/ab/userdata/hosts"),
	  ALL, "podman|1|1|-|/run/.containerenv" },
	{ "a pod of containerd, whose groups show nothing",
	  HOST OWN_PIDS
	  "file /proc/self/cgroup\n\t0::/\n" MOUNTS("/var/lib/kubelet/pods/0b/etc-hosts"),
	  KIND, "kubernetes|/proc/self/mountinfo" },
	{ "a pod by its variable",
	  HOST OWN_PIDS "ask environment\n\tKUBERNETES_SERVICE_HOST=10.0.0.1\n", KIND,
	  "kubernetes|environment" },
	{ "a pod that docker runs is a pod",
	  HOST DOCKERENV "file /proc/self/cgroup\n\t3:cpu:/kubepods/besteffort/pod1/ab\n", KIND,
	  "kubernetes|/proc/self/cgroup" },
	{ "apptainer in a pod",
	  HOST "node /.singularity.d dir 0755 0:0\n"
	       "ask environment\n\tKUBERNETES_SERVICE_HOST=10.0.0.1\n",
	  KIND, "apptainer|/.singularity.d" },
	{ "lxc", HOST OWN_PIDS "file /run/systemd/container\n\tlxc\n", KIND,
	  "lxc|/run/systemd/container" },
	{ "nspawn", HOST "file /run/systemd/container\n\tsystemd-nspawn\n", KIND,
	  "systemd-nspawn|/run/systemd/container" },
	{ "one we do not know", HOST "ask environment\n\tcontainer=oci\n", KIND,
	  "other|environment" },

	{ "WSL 2", HOST WSL2, ALL, "wsl|0|0|2|/proc/sys/kernel/osrelease" },
	{ "WSL 1", HOST "file /proc/sys/kernel/osrelease\n\t4.4.0-19041-Microsoft\n",
	  "SELECT kind, wsl_version FROM container", "wsl|1" },
	{ "docker on WSL", HOST WSL2 DOCKERENV DOCKER_MOUNTS,
	  "SELECT kind, wsl_version FROM container", "docker|2" },
	{ "a WSL distribution imported from an image", HOST WSL2 DOCKERENV,
	  "SELECT kind, wsl_version FROM container", "wsl|2" },

	{ "none is said only when all was asked", HOST "node /run/.containerenv !EACCES\n",
	  "SELECT (SELECT count(*) FROM container), standing, source FROM gap WHERE topic = 'container'",
	  "0|denied|/run/.containerenv" },
	{ "a variable is not needed for it", HOST "ask environment !UNASKED\n", KIND,
	  "none|/proc/self/cgroup" },
	{ "a foreign root", "file /proc/sys/kernel/osrelease\n\t6.8.0\n",
	  "SELECT topic, standing FROM gap WHERE topic LIKE 'container%'",
	  "container.own_pids|unasked\ncontainer.rootless|unasked\ncontainer.own_dev|unasked\ncontainer|unasked" },
	{ "a link that says nothing", HOST "link /proc/self/ns/pid pid:[x]\n", GAPS,
	  "container.own_pids|broken|/proc/self/ns/pid" },
	{ "proc hangs", HOST "file /proc/self/cgroup !STUCK\n", GAPS,
	  "container|stuck|/proc/self/cgroup" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
