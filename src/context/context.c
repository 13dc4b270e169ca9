#include "context/context.h"

#include "base/exit-status.h"
#include "base/text.h"

/* While a child records the machine: the knowledge does not depend on it. */
static int attach(struct machine *m, struct buf *said)
{
	struct context *c = (struct context *)m;

	knowledge_done(&c->knowledge); /* that of the tables before these */
	return knowledge_attach(facts_db(m->facts), c->kb, &c->knowledge, said);
}

int context_open(const struct context_options *o, struct context *ret, struct buf *said)
{
	int status;

	*ret = (struct context){ .machine.made = attach, .kb = o->kb };
	status = machine_open(o, &ret->machine, said);
	if (status != 0)
		context_close(ret);
	return status;
}

int context_open_bare(const struct context_options *o, struct context *ret, struct buf *said)
{
	int status;

	*ret = (struct context){ .machine.facts = facts_new(), .kb = o->kb };
	status = attach(&ret->machine, said);
	if (status != 0)
		context_close(ret);
	return status;
}

sqlite3 *context_db(const struct context *c)
{
	return facts_db(c->machine.facts);
}

void context_close(struct context *c)
{
	machine_close(&c->machine);
	knowledge_done(&c->knowledge);
}
