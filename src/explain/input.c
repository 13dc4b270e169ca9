#include "explain/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "kb/words.h"

#define FACTS_MAX ((size_t)1 << 20)

/* ---- logs ---- */

static const struct explain_no_log no_logs[] = {
	{ "\x1f\x8b", "zcat" },
	{ "BZh", "bzcat" },
	{ "\xfd"
	  "7zXZ",
	  "xzcat" },
	{ "\x28\xb5\x2f\xfd", "zstdcat" },
	{ "PK\x03\x04", "unzip -p" },
	{ "\x7f"
	  "ELF",
	  NULL },
};

static const struct explain_no_log *no_log(const char *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(no_logs) / sizeof(no_logs[0]); i++)
		if (n >= strlen(no_logs[i].magic) &&
		    memcmp(bytes, no_logs[i].magic, strlen(no_logs[i].magic)) == 0)
			return &no_logs[i];
	return NULL;
}

static int read_into(struct scan *scan, int fd, const struct explain_reading *reading,
		     const struct explain_no_log **ret_other)
{
	unsigned long long bytes = 0;
	int r = 0;

	while (r == 0) {
		size_t room;
		char *to = scan_room(scan, &room);
		ssize_t n = read(fd, to, room);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			break;
		r = n < 0 ? -errno : 0;
		*ret_other = bytes == 0 && n > 0 ? no_log(to, (size_t)n) : NULL;
		if (*ret_other)
			r = -EILSEQ;
		if (r == 0)
			scan_added(scan, (size_t)n);
		bytes += r == 0 ? (unsigned long long)n : 0;
		if (reading)
			reading->tell(reading->ctx, bytes);
	}
	scan_end(scan);
	return r;
}

int explain_input_add(struct explain_input *in, struct scan *scan, const char *path)
{
	const char *name = strcmp(path, "-") == 0 ? "input" : path;
	struct failure failure;
	int r = failure_find(scan, in->signatures, name, &in->arena, &failure);

	if (r < 0) {
		scan_free(scan);
		return r;
	}
	scan_close(scan);
	in->logs = arena_grow(&in->arena, in->logs, in->count, sizeof(*in->logs));
	in->failures = arena_grow(&in->arena, in->failures, in->count, sizeof(*in->failures));
	in->failures[in->count] = failure;
	in->logs[in->count++] = (struct explain_log){ scan, name };
	in->lines += scan_lines(scan);
	return 0;
}

int explain_input_read(struct explain_input *in, const char *path,
		       const struct explain_reading *reading,
		       const struct explain_no_log **ret_other)
{
	struct scan *scan = scan_new(in->signatures->list, in->signatures->count);
	int fd, r;

	if (!scan)
		return -ENOMEM;
	fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	r = fd < 0 ? -errno : read_into(scan, fd, reading, ret_other);
	if (fd > STDIN_FILENO)
		close(fd);
	if (r == 0)
		return explain_input_add(in, scan, path);
	scan_free(scan);
	return r;
}

void explain_input_done(struct explain_input *in)
{
	for (size_t i = 0; i < in->count; i++)
		scan_free(in->logs[i].scan);
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
	if (!words_has(words_stated, name) && strncmp(name, "env:", 4) != 0)
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
		log_events(&state, in->signatures, in->logs[i].scan, in->logs[i].name);
	state_settle(&state);
	state_done(&state);
}
