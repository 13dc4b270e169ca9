#pragma once

/*
 * request - what is applied when a user asks for it
 *
 * An item of the plan; or, where the same was begun and interrupted, what the
 * record of it still wants, whatever would be proposed now.
 */

#include "fix/plan.h"
#include "fix/records.h"

enum fix_standing { FIX_NEW, FIX_BEGUN, FIX_APPLIED };

struct fix_request {
	struct fix_item item; /* as it is shown and carried out */
	enum fix_standing standing;
	struct fix_record record; /* unless it is new */
	struct remedy remedy;     /* where only the record tells it */
	bool tree;                /* that is changed, and not this host */
};

void fix_request_item(struct records *r, const struct fix_item *item, bool tree,
		      struct fix_request *ret);

/* Though what it is for is not found any more. False: there is no such record. */
bool fix_request_record(struct records *r, const char *remedy, const char *subject, bool tree,
			struct fix_request *ret, struct buf *said);

void fix_request_done(struct fix_request *q);

/* Whether we may carry it out; `ret_file`: the file of FIX_NEEDS_OWNER. */
enum fix_rights { FIX_ALLOWED, FIX_NEEDS_ROOT, FIX_NEEDS_OWNER };
enum fix_rights fix_request_rights(const struct fix_request *q, const char **ret_file);

/* As fix_apply. */
int fix_request_apply(struct records *r, const struct fix_request *q, struct buf *said);
