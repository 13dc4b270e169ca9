#include "door/subject.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "door/accounts.h"
#include "door/paths.h"
#include "door/standing.h"
#include "parse/colon.h"

/* ---- from a process ---- */

/* "Uid: real effective saved fs" */
static void take_effective(struct span status, const char *key, unsigned int *ret)
{
	struct span value;
	struct span word;
	uint64_t number;

	if (colon_find(status, key, &value) && span_word(&value, &word) &&
	    span_word(&value, &word) && span_u64(word, &number))
		*ret = (unsigned int)number;
}

void subject_add_group(struct door *d, struct subject *s, uint64_t gid)
{
	s->groups = arena_grow(&d->arena, s->groups, s->group_count, sizeof(*s->groups));
	s->groups[s->group_count++] = (gid_t)gid;
}

/* A user of LDAP or of `docker run -u 1234` stands in no file. */
static void take_home(struct door *d, struct subject *s)
{
	struct buf block BUF_SCOPED = { 0 };
	struct span rest;
	struct span entry;
	char path[64];

	snprintf(path, sizeof(path), "%s/environ", s->process);
	if (door_read(d, path, DOOR_FILE_MAX, &block) < 0)
		return;
	rest = buf_get(&block);
	while (span_cut(&rest, '\0', &entry))
		if (span_starts(entry, "HOME=/")) {
			s->home = arena_text(&d->arena,
					     (struct span){ entry.data + 5, entry.len - 5 });
			return;
		}
}

static int from_process(struct door *d, const char *process, struct subject *s)
{
	struct buf status BUF_SCOPED = { 0 };
	struct span value, word;
	uint64_t number;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "%s/status", process);
	r = door_read(d, path, DOOR_FILE_MAX, &status);
	if (r < 0)
		return r;
	snprintf(s->process, sizeof(s->process), "%s", process);
	take_effective(buf_get(&status), "Uid", &s->uid);
	(void)accounts_find(d, NULL, s->uid, s); /* a name is a comfort; numbers judge */
	take_effective(buf_get(&status), "Uid", &s->uid);
	take_effective(buf_get(&status), "Gid", &s->gid);
	s->group_count = 0;
	if (colon_find(buf_get(&status), "Groups", &value))
		while (span_word(&value, &word))
			if (span_u64(word, &number))
				subject_add_group(d, s, number);
	if (!s->home)
		take_home(d, s);
	return 0;
}

static bool parent_of(struct door *d, const char *process, char *ret, size_t size,
		      unsigned int *ret_uid)
{
	struct buf status BUF_SCOPED = { 0 };
	char path[64];
	uint64_t parent;

	snprintf(path, sizeof(path), "%s/status", process);
	if (door_read(d, path, DOOR_FILE_MAX, &status) < 0 ||
	    !colon_find_u64(buf_get(&status), "PPid", &parent) || parent < 1)
		return false;
	snprintf(ret, size, "/proc/%llu", (unsigned long long)parent);
	snprintf(path, sizeof(path), "%s/status", ret);
	buf_clear(&status);
	if (door_read(d, path, DOOR_FILE_MAX, &status) < 0)
		return false;
	*ret_uid = 0;
	take_effective(buf_get(&status), "Uid", ret_uid);
	return true;
}

/*
 * The nearest ancestor that runs as the calling user is the shell in which
 * sudo was typed: its groups and variables are what the user's jobs get.
 */
static int from_sudo(struct door *d, unsigned int uid, struct subject *s)
{
	char process[32] = "/proc/self";
	char parent[32];
	unsigned int parent_uid;

	for (int i = 0; i < 16 && parent_of(d, process, parent, sizeof(parent), &parent_uid); i++) {
		if (parent_uid == uid)
			return from_process(d, parent, s);
		memcpy(process, parent, sizeof(process));
	}
	return accounts_find(d, NULL, uid, s);
}

/* ---- from a control group ---- */

static int first_line(struct door *d, const char *path, char *ret, size_t size)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest;
	struct span line;
	uint64_t pid;
	int r = door_read(d, path, DOOR_FILE_MAX, &text);

	if (r < 0)
		return r;
	rest = buf_get(&text);
	if (!span_line(&rest, &line) || !span_u64(line, &pid))
		return -ESRCH; /* the unit exists and nothing runs in it */
	snprintf(ret, size, "/proc/%llu", (unsigned long long)pid);
	return 0;
}

static int from_unit(struct door *d, const char *unit, struct subject *s)
{
	static const char *const places[] = {
		"/sys/fs/cgroup/system.slice/%s%s/cgroup.procs",
		"/sys/fs/cgroup/systemd/system.slice/%s%s/cgroup.procs"
	};
	char process[32];
	char path[512];
	int r = -ENOENT;

	if (strchr(unit, '/'))
		return -EINVAL;
	for (size_t i = 0; r < 0 && i < 2; i++) {
		snprintf(path, sizeof(path), i ? places[1] : places[0], unit,
			 strchr(unit, '.') ? "" : ".service");
		r = first_line(d, path, process, sizeof(process));
	}
	return r < 0 ? r : from_process(d, process, s);
}

/* Podman's conmon stands beside its container, in a group named for it too. */
static bool cgroup_names(struct door *d, const char *pid, const char *id)
{
	struct buf text BUF_SCOPED = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s/cgroup", pid);
	return door_read(d, path, DOOR_FILE_MAX, &text) == 0 && strstr(text.data, id) &&
	       !strstr(text.data, "conmon");
}

static int from_container(struct door *d, const char *id, struct subject *s)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest;
	struct span name;
	char pid[24];
	int r;

	if (strlen(id) < 8 || strspn(id, "0123456789abcdef") != strlen(id))
		return -EINVAL; /* too short to be one container's, or no id at all */
	r = door_list(d, "/proc", &names);
	if (r < 0)
		return r;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		if (!isdigit((unsigned char)name.data[0]) || name.len > 20)
			continue;
		snprintf(pid, sizeof(pid), "%.*s", (int)name.len - 1, name.data);
		if (cgroup_names(d, pid, id)) {
			char process[32];

			snprintf(process, sizeof(process), "/proc/%s", pid);
			return from_process(d, process, s);
		}
	}
	return -ENOENT;
}

/* ---- the subject ---- */

static int from_caller(struct door *d, struct subject *s)
{
	const char *sudo = getenv("SUDO_UID");
	uint64_t uid;

	if (geteuid() == 0 && sudo && span_u64(span_of(sudo), &uid) && uid != 0) {
		s->how = "calling user of sudo";
		return from_sudo(d, (unsigned int)uid, s);
	}
	s->how = "this process";
	return from_process(d, "/proc/self", s);
}

static int find_subject(struct door *d, struct subject *ret)
{
	const struct door_options *o = &d->options;
	struct subject s = { .how = "user" };
	char process[32];
	int r;

	if (o->user) {
		r = accounts_find(d, o->user, 0, &s);
	} else if (o->pid) {
		s.how = "process";
		if (strspn(o->pid, "0123456789") != strlen(o->pid))
			return -ESRCH;
		snprintf(process, sizeof(process), "/proc/%.20s", o->pid);
		r = from_process(d, process, &s);
	} else if (o->unit) {
		s.how = "unit";
		r = from_unit(d, o->unit, &s);
	} else if (o->container) {
		s.how = "container";
		r = from_container(d, o->container, &s);
	} else {
		r = from_caller(d, &s);
	}
	if (r == 0)
		*ret = s;
	return r;
}

/* Once for a recording: what /proc says of a process costs five reads. */
int subject_read(struct door *d, struct subject *ret)
{
	int r = 0;

	if (!d->subject) {
		r = find_subject(d, ret);
		if (r == 0) {
			d->subject = arena_alloc(&d->arena, sizeof(*d->subject));
			*d->subject = *ret;
		}
		return r;
	}
	*ret = *d->subject;
	return 0;
}

int subject_identity(struct door *d, struct span argument, struct buf *ret)
{
	struct subject s;
	int r = subject_read(d, &s);

	(void)argument;
	if (r < 0)
		return r;
	buf_addf(ret, "how %s\n", s.how);
	if (s.process[0])
		buf_addf(ret, "process %s\n", s.process);
	buf_addf(ret, "uid %u\ngid %u\ngroups", s.uid, s.gid);
	for (size_t i = 0; i < s.group_count; i++)
		buf_addf(ret, " %u", s.groups[i]);
	buf_addf(ret, "\n");
	if (s.user)
		buf_addf(ret, "user %s\n", s.user);
	if (s.home && s.home[0] == '/')
		buf_addf(ret, "home %s\n", s.home);
	return 0;
}

/* NAME=value NUL NAME=value NUL ... */
static void watched_only(struct span block, struct buf *ret)
{
	struct span entry;
	struct span name;

	while (span_cut(&block, '\0', &entry)) {
		struct span value = entry;

		if (!memchr(entry.data, '=', entry.len) || !span_cut(&value, '=', &name) ||
		    !paths_kept_variable(name))
			continue;
		text_clean(ret,
			   paths_secret_variable(name) ? (struct span){ name.data, name.len + 1 }
						       : entry,
			   false);
		buf_text(ret, paths_secret_variable(name) ? PATHS_WITHHELD "\n" : "\n");
	}
}

int subject_environment(struct door *d, struct span argument, struct buf *ret)
{
	struct buf block BUF_SCOPED = { 0 };
	struct subject s;
	char path[64];
	int r = subject_read(d, &s);

	(void)argument;
	if (r < 0)
		return r;
	if (s.process[0] == '\0')
		return DOOR_UNASKED; /* a user who runs nothing has no environment yet */
	snprintf(path, sizeof(path), "%s/environ", s.process);
	r = door_read(d, path, DOOR_FILE_MAX, &block);
	if (r == 0)
		watched_only(buf_get(&block), ret);
	return r;
}

const char *subject_cwd(struct door *d, struct arena *a)
{
	char path[64], target[4096];
	struct subject s;
	ssize_t n;

	if (d->kind != DOOR_LIVE || subject_read(d, &s) < 0 || s.process[0] == '\0')
		return NULL;
	snprintf(path, sizeof(path), "%s/cwd", s.process);
	n = readlink(path, target, sizeof(target));
	if (n <= 0 || target[0] != '/')
		return NULL;
	return arena_text(a, (struct span){ target, (size_t)n });
}
