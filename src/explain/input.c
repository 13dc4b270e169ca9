#include "explain/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "kb/words.h"

#define FACTS_MAX ((size_t)1 << 20)

/* ---- logs ---- */

/* One that is kept serves one log; who keeps it clears it. */
static struct scan *take_scan(const struct explain_input *in)
{
	return in->scan && in->count == 0 ? in->scan : log_scan(in->signatures);
}

static void let_go(const struct explain_input *in, struct scan *scan)
{
	if (scan != in->scan)
		scan_free(scan);
}

void explain_input_add(struct explain_input *in, struct scan *scan, const char *path)
{
	struct buf clean BUF_SCOPED = { 0 };
	struct failure failure;
	struct described described;
	const char *name;

	text_clean(&clean, span_of(strcmp(path, "-") == 0 ? FAILURE_STDIN : path), false);
	name = arena_text(&in->arena, buf_get(&clean));
	failure_find(scan, in->signatures, name, &in->arena, &failure);
	described_read(&in->signatures->words, scan, &in->arena, &described);
	if (scan != in->scan)
		scan_close(scan);
	in->logs = arena_grow(&in->arena, in->logs, in->count, sizeof(*in->logs));
	in->failures = arena_grow(&in->arena, in->failures, in->count, sizeof(*in->failures));
	in->failures[in->count] = failure;
	in->logs[in->count++] = (struct explain_log){ scan, name, described };
	in->lines += scan_lines(scan);
}

/* What to do about a log that was not read to its end; `path` is as it was given. */
static void add_step(struct explain_input *in, const char *path, const struct reader_end *end,
		     struct failure *f)
{
	struct buf name BUF_SCOPED = { 0 };

	text_operand(&name, span_of(path));
	if (end->is_wide) {
		f->step =
			"Unpack it with the option that it was packed with; that takes up to 2 GiB of RAM:";
		f->typed = arena_format(&in->arena, "zstdcat --long=31 %s | rocsteady explain",
					name.data);
		return;
	}
	if (strcmp(path, "-") == 0) {
		f->step = "Copy the log again from where it was written.";
		f->typed = NULL;
		return;
	}
	if (end->is_large) {
		f->step = "Explain the end of it:";
		f->typed = arena_format(&in->arena, "%s %s | tail -n 100000 | rocsteady explain",
					end->form->unpack, name.data);
		return;
	}
	f->step = "Copy the log again from where it was written, and test it:";
	f->typed = arena_format(&in->arena, "%s %s", end->form->test, name.data);
}

/* A log without a mark of failure is fine only if all of it was read. */
static void tell_unread(struct explain_input *in, const char *path, const struct reader_end *end)
{
	struct failure *f = &in->failures[in->count - 1];
	unsigned long long lines = scan_lines(in->logs[in->count - 1].scan);

	if (lines == 0)
		f->unread = arena_format(&in->arena, "Nothing of %s could be read: %s", f->file,
					 end->unread);
	else
		f->unread = arena_format(&in->arena, "Only %llu %s of %s could be read: %s", lines,
					 lines == 1 ? "line" : "lines", f->file, end->unread);
	if (f->counts)
		return;
	f->says = f->unread;
	add_step(in, path, end, f);
}

/* What `fd` holds, or nothing where there is no size; the descriptor is the caller's. */
static int read_from(struct explain_input *in, const char *path, int fd, bool is_empty,
		     const struct explain_reading *reading, const struct explain_form **ret_form)
{
	struct scan *scan = take_scan(in);
	struct reader_end end = { 0 };
	int r = 0;

	if (is_empty)
		scan_end(scan);
	else
		r = reader_read(scan, fd, reading, &in->arena, &end);
	*ret_form = end.form;
	if (r == 0)
		explain_input_add(in, scan, path);
	else
		let_go(in, scan);
	if (r == 0 && end.unread)
		tell_unread(in, path, &end);
	return r;
}

int explain_input_read(struct explain_input *in, const char *path,
		       const struct explain_reading *reading, const struct explain_form **ret_form)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : read_from(in, path, fd, false, reading, ret_form);

	if (fd > STDIN_FILENO)
		close(fd);
	return r;
}

static int judge_kind(const struct stat *st)
{
	return S_ISREG(st->st_mode) ? 0 : S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
}

/* A device is not even opened; what is put in the place of the file meanwhile is not waited for. */
int explain_input_regular(struct explain_input *in, const char *path,
			  const struct explain_form **ret_form)
{
	struct stat st;
	int r = stat(path, &st) < 0 ? -errno : judge_kind(&st);
	int fd = r < 0 ? r : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (r == 0)
		r = fd < 0 || fstat(fd, &st) < 0 ? -errno : judge_kind(&st);
	if (r == 0)
		r = read_from(in, path, fd, st.st_size == 0, NULL, ret_form);
	if (fd >= 0)
		close(fd);
	return r;
}

int explain_input_text(struct explain_input *in, struct span text,
		       const struct explain_form **ret_form)
{
	struct scan *scan;

	*ret_form = reader_form(text);
	if (*ret_form)
		return -EILSEQ;
	scan = take_scan(in);
	scan_feed(scan, text);
	scan_end(scan);
	explain_input_add(in, scan, "-");
	return 0;
}

const struct failure *explain_input_failure(const struct explain_input *in)
{
	const struct failure *told = failure_of(in->failures, in->count);

	for (size_t i = 0; told && !told->counts && !told->unread && i < in->count; i++)
		if (in->failures[i].unread)
			told = &in->failures[i];
	return told;
}

static bool is_silent(const struct explain_log *log, const struct failure *failure)
{
	size_t events;

	(void)scan_events(log->scan, &events);
	return events == 0 && log->described.count == 0 && scan_given_up(log->scan) == 0 &&
	       !failure->counts;
}

bool explain_input_is_silent(const struct explain_input *in)
{
	bool silent = !in->facts && in->stated_count == 0;

	for (size_t i = 0; silent && i < in->count; i++)
		silent = is_silent(&in->logs[i], &in->failures[i]);
	return silent;
}

void explain_input_leave_out(struct explain_input *in, const char *path)
{
	struct buf clean BUF_SCOPED = { 0 };

	text_clean(&clean, span_of(path), false);
	in->left_out =
		arena_grow(&in->arena, in->left_out, in->left_out_count, sizeof(*in->left_out));
	in->left_out[in->left_out_count++] = arena_text(&in->arena, buf_get(&clean));
}

void explain_input_done(struct explain_input *in)
{
	for (size_t i = 0; i < in->count; i++)
		let_go(in, in->logs[i].scan);
	in->count = 0;
	arena_done(&in->arena);
}

/* ---- statements ---- */

int explain_input_facts(struct explain_input *in, const char *path)
{
	struct buf text BUF_SCOPED = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_all(fd, FACTS_MAX, &text);
	struct json_node *top;

	if (r < 0)
		return r;
	/* Numbers stay in the text, so that it is kept as well. */
	if (json_tree_parse(arena_span(&in->arena, buf_get(&text)), &in->arena, &top, NULL) < 0 ||
	    top->kind != JSON_MAP)
		return -EBADMSG;
	in->facts = top;
	in->facts_path = path;
	return 0;
}

bool explain_input_state(struct explain_input *in, const char *name, const char *value,
			 const char *source)
{
	if (!words_has(words_stated, name) && (strncmp(name, "env:", 4) != 0 || !name[4]))
		return false;
	in->stated = arena_grow(&in->arena, in->stated, in->stated_count, sizeof(*in->stated));
	in->stated[in->stated_count++] = (struct said){ arena_text(&in->arena, span_of(name)),
							span_of(value), source, "stated" };
	return true;
}

void explain_input_tell(const struct explain_input *in, struct facts *facts, bool machine)
{
	struct state state = { .facts = facts, .has_gpu = machine };

	if (in->facts)
		state_json(&state, in->facts, in->facts_path);
	for (size_t i = 0; i < in->stated_count; i++)
		state_say(&state, &in->stated[i]);
	for (size_t i = 0; i < in->count; i++)
		described_tell(&state, &in->logs[i].described, in->logs[i].name);
	for (size_t i = 0; i < in->count; i++)
		log_events(&state, in->signatures, in->logs[i].scan, in->logs[i].name);
	for (size_t i = 0; i < in->count; i++)
		described_tell_behind(&state, &in->logs[i].described, in->logs[i].name);
	state_conclude(&state);
	state_done(&state);
}
