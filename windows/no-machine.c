/* rocsteady.exe opens no machine, not even a recorded one. */

#include "base/exit-status.h"
#include "base/text.h"
#include "context/machine.h"

bool machine_here(void)
{
	return false;
}

int machine_open_root(const struct context_options *o, struct root **ret, struct buf *said)
{
	(void)o;
	(void)ret;
	text_line(said, "rocsteady.exe asks no machine; name a GPU: --gpu \"7900 xtx\"");
	text_line(said, "see: rocsteady advise --help");
	return EXIT_USAGE;
}

int machine_open(const struct context_options *o, struct machine *ret, struct buf *said)
{
	(void)ret;
	return machine_open_root(o, NULL, said);
}

int machine_again(struct machine *m, struct buf *said)
{
	(void)m;
	return machine_open_root(NULL, NULL, said);
}

int machine_scrub(struct machine *m, struct acks *acks, const char *key, struct buf *said)
{
	(void)acks;
	(void)key;
	return machine_again(m, said);
}

void machine_close(struct machine *m)
{
	m->facts = facts_free(m->facts);
}
