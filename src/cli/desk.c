#include "cli/desk.h"

#include "cli/say.h"

/* While a child records the machine: the knowledge does not depend on it. */
static int attach(struct machine *m)
{
	struct desk *d = (struct desk *)m;

	knowledge_done(&d->knowledge); /* that of the tables before these */
	return knowledge_attach(facts_db(m->facts), d->kb, &d->knowledge);
}

int desk_open(const struct options *o, struct desk *ret)
{
	int status;

	*ret = (struct desk){ .machine.made = attach, .kb = o->kb };
	status = machine_open(o, &ret->machine);
	if (status != 0)
		desk_close(ret);
	return status;
}

int desk_open_bare(const struct options *o, struct desk *ret)
{
	int status;

	*ret = (struct desk){ .machine.facts = facts_new(), .kb = o->kb };
	if (!ret->machine.facts) {
		say("SQLite does not start");
		return EXIT_OWN_FAULT;
	}
	status = attach(&ret->machine);
	if (status != 0)
		desk_close(ret);
	return status;
}

sqlite3 *desk_db(const struct desk *d)
{
	return facts_db(d->machine.facts);
}

void desk_close(struct desk *d)
{
	machine_close(&d->machine);
	knowledge_done(&d->knowledge);
}
