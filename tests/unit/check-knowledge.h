#pragma once

/* check-knowledge - facts with the knowledge that the program carries */

#include "check.h"
#include "facts/facts.h"
#include "kb/kb.h"

static struct facts *with_knowledge(struct buf *keep)
{
	struct facts *f = facts_new();
	struct kb_info info;
	struct span bytes;

	CHECK(kb_read(NULL, keep, &bytes) == 0);
	CHECK(kb_attach(facts_db(f), bytes, &info) == 0);
	facts_end(f);
	return f;
}
