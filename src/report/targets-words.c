#include "report/targets-words.h"

#include "base/buf.h"

bool targets_lack(const struct targets *t, const struct targets_row *row, size_t i, struct buf *ret)
{
	const struct cover_cell *cell = &row->cells[i];
	const char *device = t->devices[i].id;

	if (row->exempt[i] || cell->cover == COVER_ALL || cell->cover == COVER_SLOWER)
		return false;
	if (cell->cover == COVER_PART)
		buf_addf(ret, "%s has code for %s in %u of %u %s.", row->label, device, cell->in,
			 cell->of, row->code ? "bundles" : "files");
	else if (cell->cover == COVER_FALLBACK)
		buf_addf(ret, "%s has only fallback kernels for %s.", row->label, device);
	else if (cell->cover == COVER_UNKNOWN)
		buf_addf(ret, "Whether %s has code for %s is not known.", row->label, device);
	else
		buf_addf(ret, "%s has no code for %s.", row->label, device);
	if (row->code && cell->cover == COVER_UNKNOWN && row->code->problem_count > 0)
		buf_addf(ret, " %s", row->code->problems[0]);
	return true;
}
