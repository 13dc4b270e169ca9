#include "report/targets.h"

#include <string.h>

#include "report/targets-words.h"

/* A step of GitHub Actions shows so many errors and no more; the rest is counted. */
#define MOST 10

enum level { ERROR, WARNING, NOTICE };

struct notes {
	struct buf *out;
	enum level level; /* those that are written in this turn */
	size_t written, left_out;
};

/* "%" and line ends would end the command, and so would ":" and "," in a property. */
static void add_escaped(struct buf *out, const char *text, const char *also)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '%' || c == '\r' || c == '\n' || strchr(also, c))
			buf_addf(out, "%%%02X", c);
		else
			buf_char(out, c < ' ' || c == 0x7f ? '?' : *text);
	}
}

/* ::error title=rocsteady targets,file=dist/a.whl::libfoo.so has no code for gfx1151. */
static void add_note(struct notes *n, enum level level, const char *file, const char *says)
{
	static const char *const words[] = { "error", "warning", "notice" };

	if (level != n->level)
		return;
	if (n->written == MOST) {
		n->left_out++;
		return;
	}
	n->written++;
	buf_addf(n->out, "::%s title=rocsteady targets,file=", words[level]);
	add_escaped(n->out, file, ":,");
	buf_text(n->out, "::");
	add_escaped(n->out, says, "");
	buf_char(n->out, '\n');
}

static void add_rows(struct notes *n, const struct targets *t)
{
	for (size_t i = 0; t->required && i < t->row_count; i++) {
		const struct targets_row *row = &t->rows[i];

		for (size_t k = 0; row->judged && k < t->device_count; k++) {
			struct buf says BUF_SCOPED = { 0 };
			enum cover cover = row->cells[k].cover;
			bool fails = cover == COVER_PART || cover == COVER_NONE;

			if (targets_lack(t, row, k, &says))
				add_note(n, fails ? ERROR : WARNING,
					 row->container ? row->container : row->path, says.data);
		}
	}
}

static void add_paths(struct notes *n, enum level level, const struct targets_note *notes,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct buf says BUF_SCOPED = { 0 };

		buf_addf(&says, "%s: %s.", notes[i].path, notes[i].says);
		add_note(n, level, notes[i].path, says.data);
	}
}

void targets_github(const struct targets *t, struct buf *ret)
{
	struct notes n = { .out = ret };

	for (n.level = ERROR; n.level <= NOTICE; n.level++) {
		add_rows(&n, t);
		add_paths(&n, WARNING, t->unread, t->unread_count);
		add_paths(&n, t->required ? ERROR : NOTICE, t->nothing, t->nothing_count);
	}
	if (n.left_out > 0)
		buf_addf(ret, "rocsteady: %zu more; the report without --format has all of them\n",
			 n.left_out);
}
