#include "cli/run-report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/look.h"
#include "cli/say.h"
#include "report/run.h"
#include "root/snapshot.h"
#include "run/run.h"

#define OWN_KEY_BYTES 16

static const struct {
	const char *name;
	void (*write)(const struct run_report *r, struct buf *ret);
} formats[] = { { "json", run_json }, { "html", run_html } };

static int say_bad(const char *directory, int error)
{
	say("%s/journal: %s", directory,
	    error == -EBADMSG ? "this is no journal of rocsteady run" : strerror(-error));
	return EXIT_USAGE;
}

/* One for all journals of a run, so that they name the same thing alike. */
static const char *make_key(char ret[static 2 * OWN_KEY_BYTES + 1])
{
	unsigned char bytes[OWN_KEY_BYTES];
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes);

	if (fd >= 0)
		close(fd);
	for (size_t i = 0; good && i < OWN_KEY_BYTES; i++) {
		ret[2 * i] = (char)('a' + (bytes[i] >> 4));
		ret[2 * i + 1] = (char)('a' + (bytes[i] & 15));
	}
	ret[2 * OWN_KEY_BYTES] = '\0';
	return good ? ret : NULL;
}

int run_report_show(const struct options *o)
{
	const char *format = o->json ? "json" : o->format ? o->format : "text";
	struct buf text BUF_SCOPED = { 0 };
	struct page page = look_page(&text, o->output);
	char own[2 * OWN_KEY_BYTES + 1];
	struct run_telling how = { strcmp(format, "html") == 0 && !o->no_scrub,
				   o->scrub_key ? o->scrub_key : make_key(own) };
	struct run_story story;
	struct run_report report = { &story, how.scrub };
	int r = o->verbose ? run_dump(o->report, &text) : run_tell(o->report, &how, &story);

	if (r == 0 && !o->verbose) {
		if (strcmp(format, "text") == 0)
			run_text(&report, &page);
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
			if (strcmp(format, formats[i].name) == 0)
				formats[i].write(&report, &text);
	}
	if (!o->verbose)
		story_done(&story);
	return r < 0 ? say_bad(o->report, r) : say_answer(o->output, buf_get(&text));
}

static bool is_worth_it(const struct run_story *s)
{
	if (story_verdict(s) != STORY_WELL)
		return true;
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].kind == STORY_HANG)
			return true;
	return false;
}

void run_report_leave(const char *directory)
{
	char own[2 * OWN_KEY_BYTES + 1];
	struct run_telling how = { true, make_key(own) };
	struct run_story story;
	struct run_report report = { &story, true };

	if (run_tell(directory, &how, &story) == 0 && is_worth_it(&story))
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			struct buf text BUF_SCOPED = { 0 }, path BUF_SCOPED = { 0 };

			buf_addf(&path, "%s/report.%s", directory, formats[i].name);
			formats[i].write(&report, &text);
			(void)snapshot_write(path.data, buf_get(&text));
		}
	story_done(&story);
}
