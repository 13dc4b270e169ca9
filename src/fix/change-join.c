#include <errno.h>
#include <string.h>

#include "fix/apply.h"
#include "fix/group.h"

#define TEMP ".rocsteady-fix.tmp"

/*
 * What usermod of shadow-utils reads, writes, and leaves if it is killed: the
 * files, their backups of one change ago, locks that hold a process id, and
 * the next file before it is renamed.
 */
enum { GROUP, GSHADOW, GROUP_BEFORE, GSHADOW_BEFORE, LEFT };
static const char *const touched[] = {
	[GROUP] = "/etc/group",
	[GSHADOW] = "/etc/gshadow",
	[GROUP_BEFORE] = "/etc/group-",
	[GSHADOW_BEFORE] = "/etc/gshadow-",
	[LEFT] = "/etc/group.lock",
	"/etc/gshadow.lock",
	"/etc/passwd.lock",
	"/etc/shadow.lock",
	"/etc/subuid.lock",
	"/etc/subgid.lock",
	"/etc/group+",
	"/etc/gshadow+",
	"/etc/.pwd.lock",
};
#define TOUCHED (sizeof(touched) / sizeof(touched[0]))
_Static_assert(TOUCHED <= RECORD_FILES_MAX, "every file has its place in a record");

static const char *const programs[] = { "/usr/sbin/usermod", "/sbin/usermod", "/usr/bin/usermod" };

/* usermod takes a path, not a descriptor: nobody else may be able to change what it means. */
static int check_directory(const struct record_shelf *s, const char *path, struct buf *said)
{
	struct hand_state state;
	int status =
		path[0] ? hand_look(s->hand, path, &state, NULL) : hand_look_root(s->hand, &state);

	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	if (state.kind != 'd')
		return fix_refuse(said, -EINVAL, "%s is no directory", path);
	if ((state.uid != 0 && state.uid != hand_user()) || (state.mode & 022))
		return fix_refuse(said, -EINVAL, "%s%s can be written by others", s->hand->prefix,
				  path);
	return 0;
}

static int prepare(const struct record_shelf *s, struct record *r, struct record_action *a,
		   struct buf *said)
{
	struct hand_state temp;
	int status = check_directory(s, "", said);

	if (status == 0)
		status = check_directory(s, "/etc", said);
	if (status == 0)
		status = hand_look(s->hand, "/etc/" TEMP, &temp, NULL);
	if (status == 0 && temp.kind != '-')
		return fix_refuse(said, -EEXIST, "/etc/" TEMP " is there already, and not by us");

	for (size_t i = 0; status == 0 && i < TOUCHED; i++) {
		struct buf bytes BUF_SCOPED = { 0 };
		struct record_file *f = &a->files[a->file_count++];

		f->path = touched[i];
		status = hand_look(s->hand, touched[i], &f->old, &bytes);
		f->bytes = arena_span(&r->arena, buf_get(&bytes));
		if (status < 0)
			return fix_refuse(said, status, "%s", touched[i]);
		if (f->old.kind != 'f' && (f->old.kind != '-' || i == GROUP))
			return fix_refuse(said, -EINVAL, "%s is not what it should be: a file",
					  touched[i]);
	}
	return status;
}

static const char *find_program(void)
{
	struct hand here;
	const char *found = NULL;

	if (hand_open(NULL, &here) < 0)
		return NULL;
	here.strict = false; /* /sbin is a link where /usr is merged */
	for (size_t i = 0; !found && i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct hand_state state;

		if (hand_look(&here, programs[i], &state, NULL) == 0 && state.kind == 'f')
			found = programs[i];
	}
	hand_close(&here);
	return found;
}

static int carry_out(const struct record_shelf *s, const struct record *r,
		     const struct record_action *a, struct buf *said)
{
	const char *colon = strchr(a->what.target, ':');
	struct buf user BUF_SCOPED = { 0 };
	const char *argv[8] = { find_program(), "-a", "-G", colon + 1 };
	size_t n = 4;
	int status;

	(void)r;
	buf_add(&user, a->what.target, (size_t)(colon - a->what.target));
	if (!argv[0])
		return fix_refuse(said, -EINVAL, "there is no usermod here");
	if (s->hand->prefix[0]) {
		argv[n++] = "-P";
		argv[n++] = s->hand->prefix;
	}
	argv[n] = user.data;
	status = hand_run(argv, false);
	if (status < 0)
		return fix_refuse(said, status, "%s", argv[0]);
	if (status > 0)
		return fix_refuse(said, -EINVAL, "usermod ended with %d", status);
	return 0;
}

/* ---- back ---- */

struct now {
	struct hand_state state;
	struct buf bytes;
};

static bool is_as_before(const struct record_file *f, const struct now *now)
{
	return f->old.kind == now->state.kind &&
	       (f->old.kind != 'f' ||
		(f->bytes.len == now->bytes.len && f->old.mode == now->state.mode &&
		 f->old.mtime_s == now->state.mtime_s && f->old.mtime_ns == now->state.mtime_ns &&
		 (f->bytes.len == 0 || memcmp(f->bytes.data, now->bytes.data, f->bytes.len) == 0)));
}

static bool is_at_work(const struct now *now)
{
	struct span rest = buf_get(&now->bytes), word = { 0 }; /* .pwd.lock is empty */
	uint64_t pid;

	if (span_word(&rest, &word) && word.len > 0 && word.data[word.len - 1] == '\0')
		word.len--; /* shadow-utils writes the NUL, too */
	return span_u64(word, &pid) && hand_is_alive((pid_t)pid);
}

/* Ours to put back? Backups only where they hold what the file was before, on a full disk less of it. */
static int judge(const struct record_action *a, size_t i, const struct now *now, bool *ret_ours,
		 struct buf *said)
{
	const struct record_file *f = &a->files[i];
	const char *colon = strchr(a->what.target, ':');
	struct buf user BUF_SCOPED = { 0 };
	struct span bytes = buf_get(&now->bytes);

	buf_add(&user, a->what.target, (size_t)(colon - a->what.target));
	*ret_ours = false;
	if (is_as_before(f, now))
		return 0;
	if (i <= GSHADOW) {
		if (now->state.kind != 'f' || f->old.kind != 'f' ||
		    !group_only_added(f->bytes, bytes, user.data, colon + 1))
			return fix_refuse(said, -EBUSY,
					  "%s was changed by somebody since: it is left as it is; "
					  "by hand: sudo gpasswd -d %s %s",
					  f->path, user.data, colon + 1);
		*ret_ours = true;
		return 0;
	}
	if (i < LEFT) {
		const struct record_file *of = &a->files[i - GROUP_BEFORE];

		*ret_ours = now->state.kind == 'f' && bytes.len <= of->bytes.len &&
			    (bytes.len == 0 || memcmp(bytes.data, of->bytes.data, bytes.len) == 0);
		return 0;
	}
	if (now->state.kind == 'f' && is_at_work(now))
		return fix_refuse(said, -EBUSY, "%s: usermod is at work; try again in a moment",
				  f->path);
	*ret_ours = f->old.kind == '-' && now->state.kind == 'f';
	return 0;
}

static int put_back(const struct record_shelf *s, const struct record_file *f)
{
	if (f->old.kind == '-')
		return hand_remove(s->hand, f->path);
	return hand_restore(s->hand, f->path, TEMP, f->bytes, &f->old);
}

/* Locks first: who holds one is at work. */
static int take_back(const struct record_shelf *s, const struct record *r,
		     const struct record_action *a, bool really, struct buf *said)
{
	int status = 0;

	(void)r;
	for (size_t i = a->file_count; status == 0 && i-- > 0;) {
		const struct record_file *f = &a->files[i];
		struct now now = { 0 };
		bool ours = false;

		status = hand_look(s->hand, f->path, &now.state, &now.bytes);
		if (status < 0)
			fix_refuse(said, status, "%s", f->path);
		else
			status = judge(a, i, &now, &ours, said);
		if (status == 0 && ours && really)
			status = put_back(s, f);
		buf_done(&now.bytes);
	}
	if (really)
		hand_remove(s->hand, "/etc/" TEMP);
	return status < 0 && said->len == 0 ? fix_refuse(said, status, "/etc") : status;
}

const struct fix_change fix_change_join = { prepare, carry_out, take_back };
