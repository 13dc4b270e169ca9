#include "facts/collect.h"

#include "door/standing.h"
#include "parse/cgroup.h"
#include "parse/mountinfo.h"

/* ---- what gives a container away ---- */

enum trace {
	TRACE_FILE,     /* a path that exists */
	TRACE_REMAINS,  /* the same, of a kind that an exported image still holds */
	TRACE_CGROUP,   /* a path in /proc/self/cgroup */
	TRACE_MOUNT,    /* what is mounted on a file that runtimes provide */
	TRACE_ROOT,     /* options of the mount on "/" */
	TRACE_MANAGER,  /* the word that systemd inside was told */
	TRACE_VARIABLE, /* an entry of the environment */
	TRACES,
};

/*
 * The first that fits counts. Apptainer runs inside the others, a pod inside
 * docker or CRI-O; docker.service and conmon run beside containers, not in one.
 */
static const struct {
	const char *kind;
	enum trace trace;
	const char *pattern;
} evidence[] = {
	{ "apptainer", TRACE_FILE, "/.singularity.d" },
	{ "apptainer", TRACE_VARIABLE, "APPTAINER_CONTAINER=*" },
	{ "apptainer", TRACE_VARIABLE, "SINGULARITY_CONTAINER=*" },
	{ "kubernetes", TRACE_CGROUP, "*/kubepods*" },
	{ "kubernetes", TRACE_MOUNT, "*/kubelet/pods/*" },
	{ "kubernetes", TRACE_VARIABLE, "KUBERNETES_SERVICE_HOST=*" },
	{ "podman", TRACE_REMAINS, "/run/.containerenv" },
	{ "podman", TRACE_CGROUP, "*/libpod-*" },
	{ "podman", TRACE_MOUNT, "*/overlay-containers/*/userdata/*" },
	{ "docker", TRACE_REMAINS, "/.dockerenv" },
	{ "docker", TRACE_CGROUP, "/docker/*" },
	{ "docker", TRACE_CGROUP, "*/docker-*.scope*" },
	{ "docker", TRACE_MOUNT, "*/docker/containers/*" },
	{ "lxc", TRACE_MANAGER, "lxc*" },
	{ "lxc", TRACE_CGROUP, "/lxc/*" },
	{ "lxc", TRACE_CGROUP, "*/lxc.payload*" },
	{ "lxc", TRACE_VARIABLE, "container=lxc*" },
	{ "systemd-nspawn", TRACE_MANAGER, "systemd-nspawn" },
	{ "systemd-nspawn", TRACE_CGROUP, "*/systemd-nspawn@*" },
	{ "systemd-nspawn", TRACE_VARIABLE, "container=systemd-nspawn" },
	{ "podman", TRACE_MANAGER, "podman" },
	{ "podman", TRACE_VARIABLE, "container=podman" },
	{ "docker", TRACE_MANAGER, "docker" },
	{ "docker", TRACE_VARIABLE, "container=docker" },
	{ "other", TRACE_ROOT, "*/io.containerd.snapshotter*" },
	{ "other", TRACE_ROOT, "*/containers/storage/overlay*" },
	{ "other", TRACE_MANAGER, "*" },
	{ "other", TRACE_VARIABLE, "container=*" },
};
#define EVIDENCE (sizeof(evidence) / sizeof(evidence[0]))

static const char *const sources[TRACES] = {
	[TRACE_CGROUP] = "/proc/self/cgroup",  [TRACE_MOUNT] = "/proc/self/mountinfo",
	[TRACE_ROOT] = "/proc/self/mountinfo", [TRACE_MANAGER] = "/run/systemd/container",
	[TRACE_VARIABLE] = "environment",
};

/* ---- asking ---- */

struct found_container {
	const char *kind; /* NULL: nothing found */
	const char *source;
	int unknown; /* the first refusal to a question whose "no" is needed for "none" */
	const char *unknown_source;
};

struct texts {
	struct span of[TRACES];
};

/* The judged process may have no environment yet; the other traces do without. */
static void read_text(struct collect *c, enum trace trace, struct texts *t,
		      struct found_container *f)
{
	int r;

	if (trace == TRACE_VARIABLE)
		r = root_ask(c->root, sources[trace], &t->of[trace]);
	else
		r = root_read(c->root, sources[trace], &t->of[trace]);
	if (r == 0)
		return;
	t->of[trace] = (struct span){ "", 0 };
	if (r != -ENOENT && r != -ENOTDIR && trace != TRACE_VARIABLE && f->unknown == 0) {
		f->unknown = r;
		f->unknown_source = sources[trace];
	}
}

static bool is_there(struct collect *c, const char *path, struct found_container *f)
{
	struct door_node node;
	int r = root_stat(c->root, path, &node);

	if (r < 0 && r != -ENOENT && r != -ENOTDIR && f->unknown == 0) {
		f->unknown = r;
		f->unknown_source = path;
	}
	return r == 0;
}

/*
 * A host that runs containers has their mounts in its table too, but never on
 * these files.
 */
static bool is_provided(struct span point)
{
	static const char *const points[] = { "/etc/hosts", "/etc/hostname", "/etc/resolv.conf",
					      "/run/.containerenv", "/dev/termination-log" };

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		if (span_is(point, points[i]))
			return true;
	return false;
}

/*
 * A WSL distribution or a small virtual machine may be made of an exported
 * image, /.dockerenv and all. There nobody mounted anything on these files.
 */
static bool may_be_remains(struct span mountinfo)
{
	struct mount mount;

	if (mountinfo.len == 0)
		return true; /* not known: nothing is concluded from it */
	while (mountinfo_next(&mountinfo, &mount))
		if (is_provided(mount.point))
			return false;
	return true;
}

/* ---- namespaces ---- */

/* PID_NS_INIT_INO of the kernel's uapi/linux/nsfs.h: the host's own, on every machine. */
#define FIRST_PID_NAMESPACE 4026531836u

/*
 * "pid:[4026531836]". With --pid=host a container counts as the host does, so
 * the kind says nothing about this.
 */
static void ask_own_pids(struct collect *c, struct row *row)
{
	static const char path[] = "/proc/self/ns/pid";
	uint64_t number = 0;
	struct span text;
	struct span part;
	int r = root_link(c->root, path, &text);

	if (r == 0 && !(span_cut(&text, '[', &part) && span_cut(&text, ']', &part) &&
			span_u64(part, &number)))
		r = -EBADMSG;
	if (r < 0) {
		facts_gap(c->facts, "container.own_pids", "", r, path);
		return;
	}
	c->own_pids = number != FIRST_PID_NAMESPACE;
	c->own_pids_known = true;
	row_int(row, "own_pids", c->own_pids);
}

/* Returns true if the text has the pattern; each kind of trace has its own form of text. */
static bool text_fits(enum trace trace, struct span text, struct span pattern)
{
	struct cgroup_line group;
	struct mount mount;
	struct span line;

	switch (trace) {
	case TRACE_CGROUP:
		while (cgroup_next(&text, &group))
			if (span_fits(group.path, pattern))
				return true;
		return false;
	case TRACE_MOUNT:
		while (mountinfo_next(&text, &mount))
			if (is_provided(mount.point) && span_fits(mount.root, pattern))
				return true;
		return false;
	case TRACE_ROOT:
		while (mountinfo_next(&text, &mount))
			if (span_is(mount.point, "/") && span_fits(mount.super_options, pattern))
				return true;
		return false;
	default:
		while (span_line(&text, &line))
			if (span_fits(line, pattern))
				return true;
		return false;
	}
}

/* Everything is asked, whatever is found first: a snapshot should hold it all. */
static struct found_container find_kind(struct collect *c, struct texts *t)
{
	struct found_container f = { 0 };

	for (enum trace trace = TRACE_CGROUP; trace < TRACES; trace++)
		read_text(c, trace, t, &f);
	for (size_t i = 0; i < EVIDENCE; i++) {
		enum trace trace = evidence[i].trace;
		const char *pattern = evidence[i].pattern;
		bool fits;

		if (trace == TRACE_FILE)
			fits = is_there(c, pattern, &f);
		else if (trace == TRACE_REMAINS)
			fits = is_there(c, pattern, &f) && !may_be_remains(t->of[TRACE_MOUNT]);
		else
			fits = text_fits(trace, t->of[trace], span_of(pattern));
		if (!fits || f.kind)
			continue;
		f.kind = evidence[i].kind;
		f.source = sources[trace] ? sources[trace] : pattern;
	}
	return f;
}

/* "0 0 4294967295" maps every user to itself: its root is the host's. */
static void ask_rootless(struct collect *c, struct row *row)
{
	static const char *const whole[] = { "0", "0", "4294967295" };
	static const char path[] = "/proc/self/uid_map";
	bool same = true;
	struct span text;
	struct span word;

	if (!collect_read(c, "container.rootless", "", &text, "%s", path))
		return;
	for (size_t i = 0; i < 3; i++)
		same = same && span_word(&text, &word) && span_is(word, whole[i]);
	row_int(row, "rootless", !same);
}

/*
 * The kernel makes a node for each of its devices in devtmpfs; in another /dev
 * are those that somebody put there.
 */
static void row_own_dev(struct collect *c, struct row *row)
{
	bool is_own = true;
	struct mount mount;
	struct span mountinfo;

	if (!collect_read(c, "container.own_dev", "", &mountinfo, "%s", sources[TRACE_MOUNT]))
		return;
	while (mountinfo_next(&mountinfo, &mount))
		if (span_is(mount.point, "/dev") || span_is(mount.point, "/dev/dri"))
			is_own = !span_is(mount.fstype, "devtmpfs");
	row_int(row, "own_dev", is_own);
}

/* ---- WSL ---- */

/* "5.15.153.1-microsoft-standard-WSL2", "4.4.0-19041-Microsoft": 2 and 1. */
static int wsl_version(struct collect *c)
{
	struct span text;

	if (root_read(c->root, "/proc/sys/kernel/osrelease", &text) < 0)
		return 0; /* the host's collector says so in a gap */
	if (span_find(text, SPAN_LITERAL("-Microsoft")) != SIZE_MAX)
		return 1;
	return span_find(text, SPAN_LITERAL("microsoft")) != SIZE_MAX ||
			       span_find(text, SPAN_LITERAL("WSL2")) != SIZE_MAX
		       ? 2
		       : 0;
}

void collect_container(struct collect *c)
{
	struct row row = row_of("container");
	struct texts texts = { 0 };
	struct found_container f = find_kind(c, &texts);
	int wsl = wsl_version(c);

	ask_own_pids(c, &row);
	ask_rootless(c, &row);
	row_own_dev(c, &row);
	if (wsl > 0 && !f.kind)
		f = (struct found_container){ .kind = "wsl",
					      .source = "/proc/sys/kernel/osrelease" };
	if (!f.kind && f.unknown < 0) {
		facts_gap(c->facts, "container", "", f.unknown, f.unknown_source);
		return;
	}
	if (wsl > 0)
		row_int(&row, "wsl_version", wsl);
	row_string(&row, "kind", f.kind ? f.kind : "none");
	row_string(&row, "source", f.kind ? f.source : sources[TRACE_CGROUP]);
	facts_add(c->facts, &row);
}
