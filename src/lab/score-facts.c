#include "lab/score-facts.h"

#include <errno.h>
#include <string.h>

#include "base/exit-status.h"
#include "base/text.h"
#include "explain/state.h"

/* One fact as a map of its own, as `env` would state it alone. */
struct fact_map {
	struct json_node value, map;
};

static size_t split_env(struct arena *arena, const struct json_node *env, struct fact_map **ret)
{
	struct fact_map *list = arena_alloc(arena, sizeof(*list) * ((env ? env->count : 0) + 1));
	size_t count = 0;

	for (const struct json_node *n = env ? env->children : NULL; n; n = n->next) {
		struct fact_map *f = &list[count];

		if (!state_takes(n) || (n->kind != JSON_MAP && n->text.len == 0))
			continue;
		f->value = *n;
		f->value.next = NULL;
		f->map = (struct json_node){ .kind = JSON_MAP, .children = &f->value, .count = 1 };
		count++;
	}
	*ret = list;
	return count;
}

static void name_fact(const struct fact_map *f, struct buf *out)
{
	const struct json_node *v = &f->value;

	buf_addf(out, "%s%.*s", out->len > 0 ? ", " : "", (int)v->key.len, v->key.data);
	if (v->kind != JSON_MAP)
		buf_addf(out, "=%.*s", (int)v->text.len, v->text.data);
	for (const struct json_node *n = v->kind == JSON_MAP ? v->children : NULL; n; n = n->next)
		buf_addf(out, " %.*s", (int)n->key.len, n->key.data);
}

static void compare(struct scorer *s, struct score_facts *ret, const char *id,
		    const struct fact_map *const *facts, size_t count,
		    const struct score_answer *before, const struct score_answer *after)
{
	struct buf name BUF_SCOPED = { 0 };
	struct score_fall *f;

	ret->tried++;
	if (!score_has_fallen(before, after))
		return;
	for (size_t i = 0; i < count; i++)
		name_fact(facts[i], &name);
	ret->falls = arena_grow(&s->arena, ret->falls, ret->fall_count, sizeof(*ret->falls));
	f = &ret->falls[ret->fall_count++];
	*f = (struct score_fall){ id, arena_text(&s->arena, buf_get(&name)), *before, *after,
				  before->decided && score_rank(before) == 1 &&
					  score_rank(after) != 1 };
	ret->lost += f->is_lost;
}

/* All that a reader sees of an answer, as one text. */
static const char *digest(struct scorer *s, const struct explanation *e)
{
	struct buf out BUF_SCOPED = { 0 };

	buf_addf(&out, "%d", e->word);
	for (size_t i = 0; i < e->spoken; i++)
		buf_addf(&out, "|%s %d", e->causes[i].cause, e->causes[i].sum);
	for (size_t i = 0; i < e->step_count; i++)
		buf_addf(&out, "|%s",
			 e->steps[i].remedy ? e->steps[i].remedy->steps : e->steps[i].cure);
	return arena_text(&s->arena, buf_get(&out));
}

static int answer(struct scorer *s, const struct score_record *r,
		  const struct fact_map *const *facts, size_t count, struct score_answer *ret,
		  const char **ret_digest)
{
	const struct json_node *told[] = { count > 0 ? &facts[0]->map : NULL,
					   count > 1 ? &facts[1]->map : NULL };
	struct explanation e;
	int status = scorer_explain(s, r, PRESENTATION_AS_IS, told, count, &e);

	if (status < 0)
		return status;
	*ret = scorer_answer(s, r, &e);
	*ret_digest = digest(s, &e);
	explain_done(&e);
	return 0;
}

static int try_pair(struct scorer *s, const struct score_record *r, const struct fact_map *a,
		    const struct fact_map *b, const struct score_answer *before,
		    struct score_facts *ret)
{
	const struct fact_map *facts[] = { a, b }, *turned[] = { b, a };
	struct score_answer after;
	const char *one, *other;
	int status = answer(s, r, facts, 2, &after, &one);

	if (status < 0)
		return status;
	compare(s, ret, r->id, facts, 2, before, &after);
	status = answer(s, r, turned, 2, &after, &other);
	if (status == 0 && strcmp(one, other) != 0) {
		struct buf name BUF_SCOPED = { 0 };

		name_fact(a, &name);
		name_fact(b, &name);
		text_line(s->lab->said, "%s: the order of %s changes the answer", r->id, name.data);
		ret->reordered++;
	}
	return status;
}

static int try_record(struct scorer *s, const struct score_record *r, struct score_facts *ret)
{
	struct fact_map *list;
	size_t count = split_env(&s->arena, r->env, &list);
	struct score_answer bare, after;
	const char *unused;
	int status = answer(s, r, NULL, 0, &bare, &unused);

	ret->records += count > 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		const struct fact_map *one = &list[i];

		status = answer(s, r, &one, 1, &after, &unused);
		if (status == 0)
			compare(s, ret, r->id, &one, 1, &bare, &after);
		for (size_t k = i + 1; status == 0 && k < count; k++)
			status = try_pair(s, r, one, &list[k], &bare, ret);
	}
	return status;
}

int score_facts_run(struct scorer *s, struct score_facts *ret)
{
	*ret = (struct score_facts){ 0 };
	if (!scorer_open(s))
		return EXIT_OWN_FAULT;
	for (size_t i = 0; i < s->records.count; i++) {
		const struct score_record *r = &s->records.list[i];

		lab_step(s->lab, r->id);
		if (r->cause && try_record(s, r, ret) < 0) {
			text_line(s->lab->said, "%s: the knowledge cannot be read", r->id);
			return EXIT_OWN_FAULT;
		}
	}
	return 0;
}
