#include "report/annotations.h"
#include "report/targets-words.h"
#include "report/targets.h"

static const enum page_mark marks[] = {
	[TARGETS_FINE] = PAGE_GOOD,
	[TARGETS_TOLD] = PAGE_NOTE,
	[TARGETS_DOUBTED] = PAGE_WARNING,
	[TARGETS_FAILS] = PAGE_PROBLEM,
};

static void add_note(struct buf *ret, enum targets_weight weight, const char *file,
		     const char *says)
{
	annotations_add(ret,
			&(struct annotation){ marks[weight], "rocsteady targets", file, says });
}

static void add_row(const struct targets *t, const struct targets_row *row, struct buf *ret)
{
	for (size_t k = 0; row->judged && k < t->device_count; k++) {
		struct buf says BUF_SCOPED = { 0 };

		if (targets_lack(t, row, k, &says))
			add_note(ret, targets_weigh(row->cells[k].cover),
				 row->container ? row->container : row->path, says.data);
	}
}

static void add_paths(enum targets_weight weight, const struct targets_note *notes, size_t count,
		      struct buf *ret)
{
	for (size_t i = 0; i < count; i++) {
		struct buf says BUF_SCOPED = { 0 };

		buf_addf(&says, "%s: %s.", notes[i].path, notes[i].says);
		add_note(ret, weight, notes[i].path, says.data);
	}
}

void targets_annotations(const struct targets *t, struct buf *ret)
{
	for (size_t i = 0; t->required && i < t->row_count; i++)
		add_row(t, &t->rows[i], ret);
	add_paths(TARGETS_FAILS, t->lost, t->lost_count, ret);
	add_paths(TARGETS_DOUBTED, t->unread, t->unread_count, ret);
	add_paths(targets_weigh_nothing(t), t->nothing, t->nothing_count, ret);
}
