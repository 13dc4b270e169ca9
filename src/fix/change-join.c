#include <errno.h>
#include <string.h>

#include "door/trust.h"
#include "fix/apply.h"
#include "fix/group.h"
#include "fix/shadow.h"

#define TEMP ".rocsteady-fix.tmp"

/*
 * Files that usermod of shadow-utils reads, writes, and leaves if it is killed:
 * the files, their backups of one change ago, locks that hold a process id, and
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
_Static_assert(TOUCHED <= FIX_RECORD_FILES_MAX, "every file has its place in a record");

static const char *const programs[] = { "/usr/sbin/usermod", "/sbin/usermod", "/usr/bin/usermod" };

/* usermod takes a path, not a descriptor: nobody else may be able to change what it means. */
static int check_directory(const struct record_dir *s, const char *path, struct buf *said)
{
	struct writer_state state;
	int status = path[0] ? writer_look(s->writer, path, &state, NULL)
			     : writer_look_root(s->writer, &state);

	if (status < 0)
		return fix_refuse(said, status, "%s", path);
	if (state.kind != 'd')
		return fix_refuse(said, -EINVAL, "%s is not a directory", path);
	if ((state.uid != 0 && state.uid != writer_user()) || (state.mode & 022))
		return fix_refuse(said, -EINVAL, "%s%s can be written by others", s->writer->prefix,
				  path);
	return 0;
}

static int check_way(const struct record_dir *s, struct buf *said)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	int status;

	if (s->writer->prefix[0] && !trust_path(&us, s->writer->prefix, &why))
		return fix_refuse(said, -EINVAL, "%s, so it can be written by others", why.data);
	status = check_directory(s, "", said);
	return status < 0 ? status : check_directory(s, "/etc", said);
}

static int prepare(const struct record_dir *s, struct fix_record *r, struct fix_record_action *a,
		   struct buf *said)
{
	struct writer_state temp;
	int status = check_way(s, said);

	if (status == 0)
		status = shadow_check(s->writer, said); /* usermod itself would wait for 15 s */
	if (status == 0)
		status = writer_look(s->writer, "/etc/" TEMP, &temp, NULL);
	if (status == 0 && temp.kind != '-')
		return fix_refuse(said, -EEXIST,
				  "/etc/" TEMP " already exists, and rocsteady did not create it");

	for (size_t i = 0; status == 0 && i < TOUCHED; i++) {
		struct buf bytes BUF_SCOPED = { 0 };
		struct fix_record_file *f = &a->files[a->file_count++];

		f->path = touched[i];
		status = writer_look(s->writer, touched[i], &f->old, &bytes);
		f->bytes = arena_span(&r->arena, buf_get(&bytes));
		if (status < 0)
			return fix_refuse(said, status, "%s", touched[i]);
		if (f->old.kind != 'f' && (f->old.kind != '-' || i == GROUP))
			return fix_refuse(said, -EINVAL, "%s is not a regular file", touched[i]);
	}
	return status;
}

static const char *find_program(void)
{
	struct buf why BUF_SCOPED = { 0 };
	struct trust us = trust_us();
	struct writer here;
	const char *found = NULL;

	if (writer_open(NULL, &here) < 0)
		return NULL;
	here.strict = false; /* /sbin is a link where /usr is merged */
	for (size_t i = 0; !found && i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct writer_state state;

		buf_clear(&why);
		if (writer_look(&here, programs[i], &state, NULL) == 0 && state.kind == 'f' &&
		    trust_path(&us, programs[i], &why))
			found = programs[i];
	}
	writer_close(&here);
	return found;
}

static int carry_out(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, struct buf *said)
{
	const char *colon = strchr(a->what.target, ':');
	struct buf user BUF_SCOPED = { 0 };
	const char *argv[10] = { find_program(), "-a", "-G", colon + 1 };
	size_t n = 4;
	int status = check_way(s, said);

	(void)r;
	if (status < 0)
		return status;
	buf_add(&user, a->what.target, (size_t)(colon - a->what.target));
	if (!argv[0])
		return fix_refuse(said, -EINVAL, "usermod is not installed");
	if (s->writer->prefix[0]) {
		argv[n++] = "-P";
		argv[n++] = s->writer->prefix;
	}
	argv[n++] = "--"; /* a name may begin with - */
	argv[n] = user.data;
	status = writer_run(argv, false);
	if (status < 0)
		return fix_refuse(said, status, "%s cannot be started", argv[0]);
	if (status > 0)
		return fix_refuse(said, -EINVAL, "usermod ended with %d", status);
	return 0;
}

/* ---- back ---- */

struct now {
	struct writer_state state;
	struct buf bytes;
};

/* The action on a file: leave it, restore it, or write `edited`. */
struct verdict {
	enum { LEAVE, RESTORE, EDIT } what;
	struct buf edited;
};

static bool is_dressed_alike(const struct writer_state *a, const struct writer_state *b)
{
	return a->mode == b->mode && a->uid == b->uid && a->gid == b->gid;
}

static bool is_as_before(const struct fix_record_file *f, const struct now *now)
{
	return f->old.kind == now->state.kind &&
	       (f->old.kind != 'f' ||
		(is_dressed_alike(&f->old, &now->state) && f->old.mtime_s == now->state.mtime_s &&
		 f->old.mtime_ns == now->state.mtime_ns &&
		 span_same(f->bytes, buf_get(&now->bytes))));
}

/* As it was if only we changed it; else the member that we added goes, and the rest stays. */
static int judge_list(const struct fix_record_action *a, size_t i, const struct now *now,
		      struct verdict *ret, struct buf *said)
{
	const struct fix_record_file *f = &a->files[i];
	const char *colon = strchr(a->what.target, ':');
	struct span bytes = buf_get(&now->bytes);
	struct buf user BUF_SCOPED = { 0 };

	buf_add(&user, a->what.target, (size_t)(colon - a->what.target));
	if (now->state.kind == '-' && i == GSHADOW)
		return 0; /* grpunconv was here */
	if (now->state.kind != 'f')
		return fix_refuse(said, -EBUSY,
				  "%s is no longer a regular file: it is left as it is", f->path);
	if (f->old.kind == 'f' && is_dressed_alike(&f->old, &now->state) &&
	    group_only_added(f->bytes, bytes, user.data, colon + 1)) {
		ret->what = RESTORE;
		return 0;
	}
	group_take_out(f->old.kind == 'f' ? f->bytes : a->files[GROUP].bytes, bytes, user.data,
		       colon + 1, &ret->edited);
	ret->what = span_same(buf_get(&ret->edited), bytes) ? LEAVE : EDIT;
	return 0;
}

/* Backups are ours where they hold what the file was before, on a full disk less of it. */
static bool is_our_backup(const struct fix_record_action *a, size_t i, const struct now *now)
{
	struct span bytes = buf_get(&now->bytes), of = a->files[i - GROUP_BEFORE].bytes;

	return now->state.kind == 'f' && bytes.len <= of.len &&
	       (bytes.len == 0 || memcmp(bytes.data, of.data, bytes.len) == 0);
}

static int judge(const struct fix_record_action *a, size_t i, const struct now *now,
		 struct verdict *ret, struct buf *said)
{
	const struct fix_record_file *f = &a->files[i];
	pid_t pid = i >= LEFT && now->state.kind == 'f' ? shadow_holder(buf_get(&now->bytes)) : 0;

	if (is_as_before(f, now))
		return 0;
	if (i <= GSHADOW)
		return judge_list(a, i, now, ret, said);
	if (pid > 0)
		return fix_refuse(said, -EAGAIN,
				  "%s: usermod (process %d) is running; try again in a moment",
				  f->path, (int)pid);
	if (i < LEFT ? is_our_backup(a, i, now) : f->old.kind == '-' && now->state.kind == 'f')
		ret->what = RESTORE;
	return 0;
}

static int put_back(const struct record_dir *s, const struct fix_record_file *f,
		    const struct writer_state *now, const struct verdict *v)
{
	struct writer_state as = *now;

	if (v->what == LEAVE || shadow_is_lock(f->path)) /* which we hold, and release */
		return 0;
	if (v->what == RESTORE && f->old.kind == '-')
		return writer_remove(s->writer, f->path);
	if (v->what == RESTORE)
		return writer_restore(s->writer, f->path, TEMP, f->bytes, &f->old);
	as.mtime_s = writer_now();
	as.mtime_ns = 0;
	return writer_restore(s->writer, f->path, TEMP, buf_get(&v->edited), &as);
}

/* From the last to the first: whoever has left a lock is seen before a list is touched. */
static int go_through(const struct record_dir *s, const struct fix_record_action *a, bool really,
		      bool *ret_edited, struct buf *said)
{
	int status = 0;

	for (size_t i = a->file_count; status == 0 && i-- > 0;) {
		const struct fix_record_file *f = &a->files[i];
		struct verdict v = { 0 };
		struct now now = { 0 };

		status = writer_look(s->writer, f->path, &now.state, &now.bytes);
		if (status == 0)
			status = judge(a, i, &now, &v, said);
		if (status == 0 && really)
			status = put_back(s, f, &now.state, &v);
		if (status < 0 && said->len == 0)
			fix_refuse(said, status, "%s", f->path);
		*ret_edited |= v.what == EDIT;
		buf_done(&v.edited);
		buf_done(&now.bytes);
	}
	return status;
}

static bool was_there(const struct fix_record_action *a, const char *path)
{
	for (size_t i = 0; i < a->file_count; i++)
		if (strcmp(a->files[i].path, path) == 0)
			return a->files[i].old.kind != '-';
	return true;
}

static int take_back(const struct record_dir *s, const struct fix_record *r,
		     const struct fix_record_action *a, bool really, struct buf *said)
{
	struct shadow_hold hold;
	bool edited = false;
	const char *colon = strchr(a->what.target, ':');
	int status = really ? shadow_hold(s->writer, &hold, said) : shadow_check(s->writer, said);

	(void)r;
	if (status < 0)
		return status;
	status = go_through(s, a, false, &edited, said);
	if (!really)
		return status;
	if (status == 0)
		status = go_through(s, a, true, &edited, said);
	writer_remove(s->writer, "/etc/" TEMP);
	shadow_release(s->writer, &hold, status == 0 && !was_there(a, "/etc/.pwd.lock"));
	if (status == 0 && edited)
		buf_addf(said,
			 "%.*s was removed from %s; changes that others made to the group "
			 "files since are kept",
			 (int)(colon - a->what.target), a->what.target, colon + 1);
	return status;
}

const struct fix_change fix_change_join = { prepare, carry_out, take_back };
