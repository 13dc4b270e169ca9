#include "parse/walk-text.h"

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct walk_answer *a, struct span input)
{
	struct span details = a->details, key, text;

	must(a->question.len > a->layer.len + 1 && a->layer.len > 0);
	must(a->ending >= 0 && a->ending < WALK_ENDINGS);
	must_lie_in(a->question, input);
	must_lie_in(a->subject, input);
	must_lie_in(a->variant, input);
	must_lie_in(details, input);
	while (walk_detail(&details, &key, &text)) {
		must(key.len > 0);
		must_lie_in(key, input);
		must_lie_in(text, input);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct span rest = input;
	struct walk_head head;
	struct walk_answer a;

	if (walk_head(&rest, &head))
		must_lie_in(head.like, input);
	while (walk_next(&rest, &a))
		look_at(&a, input);
	must(rest.len == 0);
	return 0;
}
