#include "fix/record.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "base/text.h"

#define HEAD "rocsteady-fix 1"

const char *fix_record_name(struct arena *a, const char *remedy, const char *subject)
{
	struct sha256 s;
	char hex[SHA256_HEX];

	if (!subject[0])
		return arena_text(a, span_of(remedy));
	sha256_init(&s);
	sha256_add(&s, span_of(subject));
	sha256_end(&s, hex);
	return arena_format(a, "%s@%.8s", remedy, hex);
}

const char *fix_record_beside(struct arena *a, const struct record_dir *records, const char *name,
			      const char *suffix)
{
	return arena_format(a, "%s/%s%s", records->dir, name, suffix);
}

/* ---- to text ---- */

/* "-" is nothing, and a text has an equals sign before it. */
static void add_word(struct buf *out, const char *text)
{
	buf_text(out, text ? " =" : " -");
	if (text)
		text_word(out, span_of(text));
}

static void add_file(struct buf *out, const struct fix_record_file *f)
{
	buf_text(out, "file");
	add_word(out, f->path);
	buf_addf(out, " %c %o %u %u %lld %lld ", f->old.kind, f->old.mode, f->old.uid, f->old.gid,
		 (long long)f->old.mtime_s, (long long)f->old.mtime_ns);
	if (f->old.kind == 'f' && f->bytes.len > 0)
		base64_write(out, f->bytes);
	else
		buf_char(out, '-');
	buf_char(out, '\n');
}

static void add_action(struct buf *out, const struct fix_record_action *a)
{
	buf_addf(out, "action %s", apply_kinds[a->what.kind]);
	add_word(out, a->what.target);
	add_word(out, a->what.content);
	add_word(out, a->what.place);
	buf_char(out, '\n');
	for (size_t i = 0; i < a->file_count; i++)
		add_file(out, &a->files[i]);
	for (size_t i = 0; i < a->dir_count; i++) {
		buf_text(out, "dir");
		add_word(out, a->dirs[i]);
		buf_char(out, '\n');
	}
}

void fix_record_text(const struct fix_record *r, struct buf *ret)
{
	buf_addf(ret, HEAD "\nremedy %s\nsubject", r->remedy);
	add_word(ret, r->subject);
	buf_addf(ret, "\ncause %s\n", r->cause);
	if (r->evidence && r->evidence[0])
		buf_addf(ret, "evidence %s\n", r->evidence);
	buf_addf(ret, "at %lld\n", (long long)r->at);
	for (size_t i = 0; i < r->count; i++)
		add_action(ret, &r->actions[i]);
	buf_text(ret, "planned\n");
}

/* ---- and back ---- */

static bool take_word(struct fix_record *r, struct span *rest, const char **ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span word;

	if (!span_word(rest, &word))
		return false;
	if (span_is(word, "-")) {
		*ret = NULL;
		return true;
	}
	if (!span_starts(word, "=") ||
	    !text_unword(&text, (struct span){ word.data + 1, word.len - 1 }))
		return false;
	*ret = arena_text(&r->arena, buf_get(&text));
	return true;
}

static bool take_number(struct span *rest, int64_t *ret)
{
	struct span word;

	return span_word(rest, &word) && span_i64(word, ret);
}

static bool take_octal(struct span *rest, unsigned int *ret)
{
	struct span word;
	unsigned int value = 0;

	if (!span_word(rest, &word) || word.len == 0 || word.len > 5)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		if (word.data[i] < '0' || word.data[i] > '7')
			return false;
		value = value * 8 + (unsigned int)(word.data[i] - '0');
	}
	*ret = value;
	return true;
}

static bool parse_file(struct fix_record *r, struct span rest)
{
	struct fix_record_action *a = r->count > 0 ? &r->actions[r->count - 1] : NULL;
	struct buf bytes BUF_SCOPED = { 0 };
	struct fix_record_file f = { 0 };
	struct span kind, text;
	int64_t uid, gid;

	if (!a || a->file_count == FIX_RECORD_FILES_MAX || !take_word(r, &rest, &f.path) ||
	    !f.path || !span_word(&rest, &kind) || kind.len != 1 ||
	    !take_octal(&rest, &f.old.mode) || !take_number(&rest, &uid) ||
	    !take_number(&rest, &gid) || !take_number(&rest, &f.old.mtime_s) ||
	    !take_number(&rest, &f.old.mtime_ns) || !span_word(&rest, &text))
		return false;
	f.old.kind = kind.data[0];
	f.old.mode &= 0777; /* no file of ours makes anybody root */
	f.old.uid = (unsigned int)uid;
	f.old.gid = (unsigned int)gid;
	if (!span_is(text, "-") && !base64_read(&bytes, text))
		return false;
	f.bytes = arena_span(&r->arena, buf_get(&bytes));
	a->files[a->file_count++] = f;
	return true;
}

static bool parse_dir(struct fix_record *r, struct span rest)
{
	struct fix_record_action *a = r->count > 0 ? &r->actions[r->count - 1] : NULL;
	const char *path;

	if (!a || a->dir_count == FIX_RECORD_FILES_MAX || !take_word(r, &rest, &path) || !path)
		return false;
	a->dirs[a->dir_count++] = path;
	return true;
}

static bool parse_action(struct fix_record *r, struct span rest)
{
	struct apply_action what = { 0 };
	struct span kind;

	if (r->count == FIX_RECORD_ACTIONS_MAX || !span_word(&rest, &kind) ||
	    !apply_kind(arena_text(&r->arena, kind), &what.kind) ||
	    !take_word(r, &rest, &what.target) || !what.target ||
	    !take_word(r, &rest, &what.content) || !take_word(r, &rest, &what.place))
		return false;
	r->actions[r->count++] = (struct fix_record_action){ .what = what };
	return true;
}

static bool parse_remedy(struct fix_record *r, struct span rest)
{
	r->remedy = arena_text(&r->arena, span_trim(rest));
	return true;
}

static bool parse_cause(struct fix_record *r, struct span rest)
{
	r->cause = arena_text(&r->arena, span_trim(rest));
	return true;
}

static bool parse_evidence(struct fix_record *r, struct span rest)
{
	r->evidence = arena_text(&r->arena, span_trim(rest));
	return true;
}

static bool parse_subject(struct fix_record *r, struct span rest)
{
	return take_word(r, &rest, &r->subject) && r->subject;
}

static bool parse_at(struct fix_record *r, struct span rest)
{
	return take_number(&rest, &r->at);
}

static bool parse_done(struct fix_record *r, struct span rest)
{
	int64_t n;

	if (!take_number(&rest, &n) || n < 0 || (size_t)n >= r->count)
		return false;
	r->actions[n].done = true;
	return true;
}

static bool parse_applied(struct fix_record *r, struct span rest)
{
	(void)rest;
	return r->applied = true;
}

static bool parse_undoing(struct fix_record *r, struct span rest)
{
	(void)rest;
	return r->undoing = true;
}

static bool parse_planned(struct fix_record *r, struct span rest)
{
	(void)rest;
	return r->remedy && r->subject && r->cause && r->count > 0;
}

static const struct {
	const char *word;
	bool (*parse)(struct fix_record *r, struct span rest);
	bool mark; /* stands behind "planned", and may be torn */
} lines[] = {
	{ "remedy", parse_remedy, false },  { "subject", parse_subject, false },
	{ "cause", parse_cause, false },    { "at", parse_at, false },
	{ "action", parse_action, false },  { "file", parse_file, false },
	{ "dir", parse_dir, false },        { "planned", parse_planned, false },
	{ "done", parse_done, true },       { "applied", parse_applied, true },
	{ "undoing", parse_undoing, true }, { "evidence", parse_evidence, false },
};

static bool parse_line(struct fix_record *r, struct span line, bool planned, bool *ret_planned)
{
	struct span rest = line, word;

	if (!span_word(&rest, &word) || memchr(line.data, '\0', line.len))
		return false; /* nothing of ours holds a zero, but a file system may leave some */
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (span_is(word, lines[i].word) && lines[i].mark == planned) {
			if (!lines[i].parse(r, rest))
				return false;
			*ret_planned = planned || span_is(word, "planned");
			return true;
		}
	return false;
}

/* Behind the plan are marks. One that a crash cut off counts for nothing: it is made again. */
int fix_record_parse(struct span text, struct fix_record *ret)
{
	struct span rest = text, line;
	bool planned = false;

	*ret = (struct fix_record){ 0 };
	if (!span_line(&rest, &line) || !span_is(line, HEAD))
		return -EBADMSG;
	while (rest.len > 0 && memchr(rest.data, '\n', rest.len)) {
		span_line(&rest, &line);
		if (!parse_line(ret, line, planned, &planned) && !planned) {
			fix_record_done(ret);
			return -EBADMSG;
		}
	}
	if (!planned) {
		fix_record_done(ret);
		return -EBADMSG;
	}
	return 0;
}

void fix_record_done(struct fix_record *r)
{
	arena_done(&r->arena);
	*r = (struct fix_record){ 0 };
}

/* ---- in the directory ---- */

int fix_record_load(const struct record_dir *records, const char *name, struct fix_record *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	struct writer_state state;
	int r = writer_look(records->writer, fix_record_beside(&a, records, name, ""), &state,
			    &text);

	arena_done(&a);
	if (r == 0 && state.kind != 'f')
		r = state.kind == '-' ? -ENOENT : -EBADMSG;
	if (r == 0 && (state.uid != writer_user() || (state.mode & 022)))
		r = -EPERM;
	if (r == 0 && state.links > 1)
		r = -EMLINK;
	if (r == 0)
		r = fix_record_parse(buf_get(&text), ret);
	if (r == 0)
		ret->name = arena_text(&ret->arena, span_of(name));
	return r;
}

int fix_record_begin(const struct record_dir *records, const struct fix_record *r)
{
	struct buf text BUF_SCOPED = { 0 };
	struct arena a = { 0 };
	int status;

	fix_record_text(r, &text);
	status = writer_create(records->writer, fix_record_beside(&a, records, r->name, ""),
			       arena_format(&a, ".%s.new", r->name), buf_get(&text), 0600);
	arena_done(&a);
	return status;
}

int fix_record_mark(const struct record_dir *records, const struct fix_record *r, const char *words)
{
	struct arena a = { 0 };
	const char *line = arena_format(&a, "\n%s\n", words); /* not behind half a mark */
	int status = writer_append(records->writer, fix_record_beside(&a, records, r->name, ""),
				   span_of(line));

	arena_done(&a);
	return status;
}

int fix_record_settle(const struct record_dir *records, const char *name)
{
	struct arena a = { 0 };
	int r = writer_remove(records->writer, arena_format(&a, "%s/.%s.new", records->dir, name));

	arena_done(&a);
	return r;
}

int fix_record_forget(const struct record_dir *records, const char *name)
{
	struct arena a = { 0 };
	const char *const left[] = { ".survey", ".survey.new", ".new" };
	int r = writer_remove(records->writer, fix_record_beside(&a, records, name, left[0]));

	for (size_t i = 1; r == 0 && i < 3; i++)
		r = writer_remove(records->writer,
				  arena_format(&a, "%s/.%s%s", records->dir, name, left[i]));
	if (r == 0)
		r = writer_remove(records->writer, fix_record_beside(&a, records, name, ""));
	arena_done(&a);
	return r;
}
