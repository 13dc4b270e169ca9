#include "fix/request.h"

#include "fix/apply.h"

static void take_over(struct records *r, struct fix_request *q)
{
	const struct fix_record *begun = &q->record;
	struct apply_action *list = arena_alloc(&r->arena, sizeof(*list) * begun->count);

	for (size_t i = 0; i < begun->count; i++)
		list[i] = begun->actions[i].what;
	q->item.actions = list;
	q->item.action_count = begun->count;
	q->item.as_root = fix_needs_root(list, begun->count, q->tree);
	q->standing = begun->applied && !begun->undoing ? FIX_APPLIED : FIX_BEGUN;
}

void fix_request_item(struct records *r, const struct fix_item *item, bool tree,
		      struct fix_request *ret)
{
	const char *name = fix_record_name(&r->arena, item->remedy->id, item->subject);

	*ret = (struct fix_request){ .item = *item, .tree = tree };
	if (fix_record_load(&r->records, name, &ret->record) == 0)
		take_over(r, ret);
}

bool fix_request_record(struct records *r, const char *remedy, const char *subject, bool tree,
			struct fix_request *ret, struct buf *said)
{
	*ret = (struct fix_request){ .tree = tree };
	if (!records_load(r, remedy, subject, &ret->record, said))
		return false;
	ret->remedy.id = ret->record.remedy;
	ret->item.remedy = &ret->remedy;
	ret->item.subject = ret->record.subject;
	take_over(r, ret);
	return true;
}

void fix_request_done(struct fix_request *q)
{
	fix_record_done(&q->record);
}

/* A file in a home is its owner's: made by root, it would be root's. */
enum fix_rights fix_request_rights(const struct fix_request *q, const char **ret_file)
{
	const struct fix_item *item = &q->item;
	bool root = writer_user() == 0;

	if (item->as_root)
		return root ? FIX_ALLOWED : FIX_NEEDS_ROOT;
	for (size_t i = 0; root && !q->tree && i < item->action_count; i++)
		if (item->actions[i].kind == APPLY_WRITE) {
			*ret_file = item->actions[i].target;
			return FIX_NEEDS_OWNER;
		}
	return FIX_ALLOWED;
}

int fix_request_apply(struct records *r, const struct fix_request *q, struct buf *said)
{
	const struct finding *f = q->standing == FIX_NEW ? q->item.findings[0] : NULL;
	struct buf ids BUF_SCOPED = { 0 };
	struct fix_wish wish = { .remedy = q->item.remedy->id,
				 .subject = q->item.subject,
				 .cause = f ? f->cause : q->record.cause,
				 .evidence = f ? "" : q->record.evidence,
				 .actions = q->item.actions,
				 .count = q->item.action_count,
				 .refusal = apply_refusal };

	/* The evidence that spoke for the finding is asked again by fix_verify(). */
	for (size_t i = 0; f && i < f->sign_count; i++)
		if (f->signs[i].answer == ANSWER_YES && f->signs[i].counted > 0)
			buf_addf(&ids, "%s%s", ids.len > 0 ? " " : "", f->signs[i].id);
	if (f)
		wish.evidence = arena_text(&r->arena, buf_get(&ids));
	return fix_apply(&r->records, &wish, said);
}
