#include "cli/say-format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "report/annotations.h"

/* The runner has made the file, and other commands of the step may have written to it. */
static bool append(const char *path, struct span text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text.data, text.len);

	if (n != (ssize_t)text.len)
		say("could not write the summary of the step: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return n == (ssize_t)text.len;
}

static bool add_to_summary(const struct buf *summary)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");

	return path && path[0] && summary->len > 0 && append(path, buf_get(summary));
}

static int say_annotations(const char *output, struct span records)
{
	struct buf commands BUF_SCOPED = { 0 }, summary BUF_SCOPED = { 0 };
	size_t left = annotations_github(records, &commands, &summary);
	bool kept = !output && add_to_summary(&summary);

	if (left > 0)
		buf_addf(&commands, "rocsteady: %zu more%s\n", left,
			 kept ? " in the summary of this step"
			      : "; the report without --format has all of them");
	return say_commands(output, buf_get(&commands));
}

int say_format(const char *format, const char *output, struct span text)
{
	if (format && strcmp(format, "github") == 0)
		return say_annotations(output, text);
	return say_answer(output, text);
}
