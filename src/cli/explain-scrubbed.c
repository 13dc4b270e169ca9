#include "cli/explain-scrubbed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "cli/explain-files.h"
#include "cli/say.h"
#include "explain/explain-scrub.h"

#define TEXT_MAX ((size_t)16 << 20)

static int read_path(const char *path, struct buf *ret)
{
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_all(fd, TEXT_MAX, ret);

	if (fd >= 0)
		close(fd);
	return r;
}

static int say_unread(const char *path, int error)
{
	if (error == -EFBIG)
		say("%s has more than %zu MiB: cut out the part that matters", path,
		    TEXT_MAX >> 20);
	else
		say("%s: %s", path, strerror(-error));
	return EXIT_NO_INPUT;
}

static int say_scrubbed(const struct options *o, struct span text)
{
	struct buf clean BUF_SCOPED = { 0 };

	if (explain_scrub_text(text, o->scrub_key, &clean) < 0) {
		say("no random number could be had for the pseudonyms");
		return EXIT_OWN_FAULT;
	}
	return say_answer(o->output, buf_get(&clean));
}

int explain_scrubbed(const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct explain_files files;
	int status = explain_files_find(o, &files);
	int r;

	if (status == 0 && files.count != 1) {
		explain_files_done(&files);
		return say_usage("explain", "--print-scrubbed takes one text");
	}
	if (status != 0)
		return status;
	r = files.list[0].text ? 0 : read_path(files.list[0].path, &text);
	if (files.list[0].text)
		buf_text(&text, files.list[0].text);
	if (r == 0 && text_is_binary(buf_get(&text)))
		status = say_usage("explain", "--print-scrubbed takes a text, and %s is none",
				   files.list[0].path);
	else if (r < 0)
		status = say_unread(files.list[0].path, r);
	else
		status = say_scrubbed(o, buf_get(&text));
	explain_files_done(&files);
	return status;
}
