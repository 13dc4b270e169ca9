#include "probe/questions.h"

#include "check.h"

static bool is_chosen(const bool *chosen, const char *name)
{
	return chosen[question_find(span_of(name)) - questions];
}

/* What the walk and the plan take for granted of every row. */
static void check_rows(void)
{
	for (const struct question *q = questions; q->name; q++) {
		size_t dot = strcspn(q->name, ".");

		CHECK(question_find(span_of(q->name)) == q); /* names are unique */
		CHECK(strncmp(q->name, q->layer, dot) == 0 && q->layer[dot] == '\0');
		CHECK(q->level >= 1 && q->level <= 3 && q->deadline_ms >= 1000);
		CHECK(q->long_ms == 0 || q->long_ms > q->deadline_ms);
		CHECK(q->level > 1 || q->mib <= 32); /* of 64 MiB, with what the library takes */
		CHECK(!q->alone || q->scope == QUESTION_EACH);
		for (const char *const *need = q->needs; *need; need++) {
			const struct question *n = question_find(span_of(*need));

			/* above it, and asked whenever it is */
			CHECK(n && n < q && n->level <= q->level);
			CHECK(!n || n->scope == QUESTION_ONCE || n->scope == QUESTION_EACH);
		}
	}
	CHECK(question_find(SPAN_LITERAL("hip")) == NULL);
}

static void check_levels(void)
{
	bool chosen[QUESTIONS_MAX];

	CHECK(questions_choose(1, NULL, chosen));
	CHECK(is_chosen(chosen, "nodes.open") && is_chosen(chosen, "memory.malloc"));
	CHECK(!is_chosen(chosen, "rocblas.handle") && !is_chosen(chosen, "memory.largest"));
	CHECK(questions_choose(2, NULL, chosen));
	CHECK(is_chosen(chosen, "rocblas.handle") && !is_chosen(chosen, "memory.largest"));
	CHECK(questions_choose(3, NULL, chosen));
	CHECK(is_chosen(chosen, "memory.largest"));
}

static void check_layers(void)
{
	bool chosen[QUESTIONS_MAX];

	CHECK(questions_choose(1, "rocblas", chosen)); /* as at level 2 */
	CHECK(is_chosen(chosen, "rocblas.handle") && is_chosen(chosen, "rocblas.sgemm"));
	CHECK(is_chosen(chosen, "memory.malloc") && is_chosen(chosen, "nodes.open")); /* rests on */
	CHECK(!is_chosen(chosen, "memory.async") && !is_chosen(chosen, "hipblas.handle"));
	CHECK(questions_choose(3, "nodes,memory", chosen));
	CHECK(is_chosen(chosen, "memory.largest") && !is_chosen(chosen, "copy.check"));

	memset(chosen, 1, sizeof(chosen));
	CHECK(!questions_choose(1, "memory,rocblast", chosen) && is_chosen(chosen, "torch.ddp"));
}

int main(void)
{
	check_rows();
	check_levels();
	check_layers();
	return check_end();
}
