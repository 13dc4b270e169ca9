#include "explain/contrast.h"

#include <ctype.h>
#include <string.h>

#define CLAUSES_MAX   24
#define CLAIMS_MAX    64
#define VALUE_MAX     32  /* bytes */
#define LINE_MAX      800 /* bytes; a longer one is no remark of a person */
#define DENIED_WITHIN 2   /* words between "not" and what it denies */
#define NAMED_WITHIN  2   /* words between a subject and its version */
#define TURNS_WITHIN  5   /* words between "since" and its subject */

enum side { SIDE_NONE, SIDE_WORKS, SIDE_FAILS };

struct clause {
	size_t from, end; /* words */
	enum side side;
	bool turned, only;
	bool denied; /* its side is the opposite of its word */
};

/* That it works or fails with something. */
struct claim {
	struct span name, value;
	enum side side;
	enum contrast_kind role; /* of the words that it was read from */
	bool is_turn;
	bool is_named; /* the version stands beside its subject */
	bool only;
};

struct reading {
	const struct contrast_words *words;
	struct arena *arena;
	struct contrasts *out;
	unsigned long long number;
	struct span line;
	bool in_code;
	struct claim claims[CLAIMS_MAX]; /* of the sentence before and of this one */
	size_t count, fresh;             /* the first of this one */
	enum side before;                /* of the last clause of the sentence before */
	struct span subject;             /* of the last version: one without a name is of it too */
	struct person_sentence s;
	struct contrast_hits hits;
	struct clause clauses[CLAUSES_MAX];
	size_t clause_count;
};

/* ---- clauses ---- */

static const struct contrast_hit *hit_at(const struct reading *r, size_t word,
					 enum contrast_kind kind)
{
	for (size_t i = 0; i < r->hits.count; i++)
		if (r->hits.list[i].from == word && r->hits.list[i].kind == kind)
			return &r->hits.list[i];
	return NULL;
}

static bool has_kind(const struct reading *r, enum contrast_kind kind)
{
	for (size_t i = 0; i < r->hits.count; i++)
		if (r->hits.list[i].kind == kind)
			return true;
	return false;
}

/* Whether a word of these kinds stands shortly before another one of the clause. */
static bool is_denied(const struct reading *r, size_t from, const struct contrast_hit *what)
{
	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *h = &r->hits.list[i];
		bool denies = h->kind == CONTRAST_NOT || h->kind == CONTRAST_NO ||
			      (h->kind == CONTRAST_TURNED && what->kind == CONTRAST_WORK);

		if (denies && h->from >= from && h->end <= what->from &&
		    what->from - h->end <= DENIED_WITHIN)
			return true;
	}
	return false;
}

static bool precedes_verdict(const struct reading *r, const struct contrast_hit *no, size_t end)
{
	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *h = &r->hits.list[i];

		if ((h->kind == CONTRAST_WORK || h->kind == CONTRAST_FAIL) && h->from >= no->end &&
		    h->from < end && h->from - no->end <= DENIED_WITHIN)
			return true;
	}
	return false;
}

static enum side other(enum side side)
{
	return side == SIDE_NONE ? SIDE_NONE : side == SIDE_WORKS ? SIDE_FAILS : SIDE_WORKS;
}

/* What a word says of its clause; SIDE_NONE: nothing. */
static enum side side_of(const struct reading *r, const struct contrast_hit *h, size_t from,
			 size_t end, const struct clause *before)
{
	switch (h->kind) {
	case CONTRAST_WORK:
		return is_denied(r, from, h) ? SIDE_FAILS : SIDE_WORKS;
	case CONTRAST_FAIL:
		return is_denied(r, from, h) ? SIDE_WORKS : SIDE_FAILS;
	case CONTRAST_TURNED:
		return SIDE_FAILS;
	case CONTRAST_FLIP:
		return before && before->denied ? before->side
						: other(before ? before->side : SIDE_NONE);
	case CONTRAST_NO:
		return precedes_verdict(r, h, end) ? SIDE_NONE : SIDE_FAILS;
	default:
		return SIDE_NONE;
	}
}

static bool begins_clause(const struct reading *r, size_t word)
{
	return word == 0 || r->s.words[word - 1].breaks || hit_at(r, word, CONTRAST_PART);
}

static struct clause *add_clause(struct reading *r, size_t from)
{
	if (r->clause_count == CLAUSES_MAX)
		return &r->clauses[CLAUSES_MAX - 1];
	r->clauses[r->clause_count] = (struct clause){ .from = from, .end = from };
	return &r->clauses[r->clause_count++];
}

/* Where "not" stands before what it denies, the other side begins with it. */
static size_t split_at(const struct reading *r, const struct clause *c, size_t word)
{
	for (size_t i = word; i > c->from && word - i <= DENIED_WITHIN; i--)
		if (hit_at(r, i, CONTRAST_NOT) || hit_at(r, i, CONTRAST_NO))
			return i;
	return word;
}

static void judge(struct reading *r, struct clause *c, const struct contrast_hit *h)
{
	size_t end = h->from + 1;
	const struct clause *before = c;
	enum side side;

	while (end < r->s.count && !begins_clause(r, end))
		end++;
	if (c->side == SIDE_NONE)
		before = r->clause_count > 1 ? &r->clauses[r->clause_count - 2] : NULL;
	side = side_of(r, h, c->from, end, before);
	if (side == SIDE_NONE)
		return;
	if (c->side != SIDE_NONE && c->side != side) {
		size_t at = split_at(r, c, h->from);

		c->end = at;
		c = add_clause(r, at);
	}
	c->side = side;
	c->turned |= h->kind == CONTRAST_TURNED;
	c->denied = (h->kind == CONTRAST_WORK && side == SIDE_FAILS) ||
		    (h->kind == CONTRAST_FAIL && side == SIDE_WORKS);
}

static void cut_clauses(struct reading *r)
{
	r->clause_count = 0;
	for (size_t at = 0; at < r->s.count; at++) {
		struct clause *c;

		if (begins_clause(r, at))
			add_clause(r, at);
		for (size_t i = 0; i < r->hits.count; i++)
			if (r->hits.list[i].from == at)
				judge(r, &r->clauses[r->clause_count - 1], &r->hits.list[i]);
		c = &r->clauses[r->clause_count - 1];
		c->end = at + 1;
		c->only |= span_is(r->s.words[at].text, "only");
	}
}

/* ---- versions ---- */

static bool is_plain(struct span value)
{
	for (size_t i = 0; i < value.len; i++)
		if (!isalnum((unsigned char)value.data[i]) &&
		    !memchr("._+-", value.data[i], strlen("._+-")))
			return false;
	return value.len > 0 && value.len <= VALUE_MAX;
}

static size_t digits(struct span s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && isdigit((unsigned char)s.data[at + n]))
		n++;
	return n;
}

/* "6.8.0-31", "v0.12.4", "b1234", "20250613"; not "2.5x", "16.0gb" and "0.5". */
static bool is_version(const struct reading *r, size_t word)
{
	struct span w = r->s.words[word].text;
	size_t at = w.len > 1 && strchr("vb", w.data[0]), first = digits(w, at), end;

	if (!is_plain(w) || first == 0 ||
	    (word + 1 < r->s.count && hit_at(r, word + 1, CONTRAST_UNIT)))
		return false;
	if (first == w.len - at)
		return first == 8 || (w.data[0] == 'b' && first >= 4);
	if (w.data[at + first] != '.' || (end = digits(w, at + first + 1)) == 0)
		return false;
	end += at + first + 1;
	return end == w.len || strchr(".-+_", w.data[end]) ||
	       span_starts((struct span){ w.data + end, w.len - end }, "rc") ||
	       w.data[end] == 'a' || w.data[end] == 'b';
}

static bool is_of_subject(const struct contrast_hit *h, size_t word, bool *ret_near)
{
	bool near = h->kind == CONTRAST_NEAR;

	*ret_near = near;
	if (h->kind != CONTRAST_SUBJECT && !near)
		return false;
	if (h->from == word + 1)
		return !near;
	return h->end <= word && word - h->end <= (near ? 0U : NAMED_WITHIN);
}

/* The subject that stands nearest; NULL: the version stands alone. */
static const struct contrast_hit *subject_of(const struct reading *r, size_t word)
{
	const struct contrast_hit *best = NULL;

	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *h = &r->hits.list[i];
		bool near;

		if (is_of_subject(h, word, &near) &&
		    (!best || (h->from < word && (best->from > word || h->end > best->end))))
			best = h;
	}
	return best;
}

/* "with 6.11" and "6.8 works"; not "qwen 2.5". */
static bool may_stand_alone(const struct reading *r, size_t word, const struct clause *c)
{
	return word == c->from || hit_at(r, word - 1, CONTRAST_PREP) ||
	       hit_at(r, word - 1, CONTRAST_PART);
}

/* ---- claims ---- */

static void add_claim(struct reading *r, struct claim claim)
{
	if (r->count == CLAIMS_MAX)
		return;
	claim.value = claim.value.data ? arena_span(r->arena, claim.value) : claim.value;
	r->claims[r->count++] = claim;
}

static void claim_version(struct reading *r, size_t word, const struct clause *c, bool is_turn,
			  enum side side)
{
	const struct contrast_hit *subject = subject_of(r, word);

	if (!subject && !may_stand_alone(r, word, c))
		return;
	if (subject)
		r->subject = subject->name;
	else if (r->subject.len == 0)
		r->subject = SPAN_LITERAL("program");
	add_claim(r, (struct claim){ .name = r->subject,
				     .value = r->s.words[word].text,
				     .side = side,
				     .role = CONTRAST_SUBJECT,
				     .is_named = subject != NULL,
				     .is_turn = is_turn,
				     .only = c->only });
}

/* "without flash attention" holds "flash attention". */
static bool is_covered(const struct reading *r, const struct contrast_hit *h)
{
	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *o = &r->hits.list[i];

		if (o != h && span_same(o->name, h->name) && o->from <= h->from &&
		    o->end >= h->end && o->end - o->from > h->end - h->from)
			return true;
	}
	return false;
}

static struct span words_of(const struct reading *r, size_t from, size_t end)
{
	const struct span *first = &r->s.words[from].text, *last = &r->s.words[end - 1].text;

	return (struct span){ first->data, (size_t)(last->data + last->len - first->data) };
}

/* The update that failed names the two ends: "from 6.10 to 6.11". */
static enum side end_of_update(const struct reading *r, size_t word, const struct clause *c)
{
	bool from = word > c->from && hit_at(r, word - 1, CONTRAST_FROM);

	for (size_t i = word - 1; !from && i > c->from && word - i <= NAMED_WITHIN; i--)
		from = hit_at(r, i - 1, CONTRAST_FROM) && !hit_at(r, i, CONTRAST_TO);
	if (!from)
		return SIDE_FAILS;
	for (size_t i = word + 1; i < c->end; i++)
		if (hit_at(r, i, CONTRAST_TO))
			return SIDE_WORKS;
	return SIDE_FAILS;
}

/* Where a turning point is named: its words lie from *ret on. "from 6.10 onwards" is one too. */
static bool find_turn(const struct reading *r, const struct clause *c, size_t *ret)
{
	bool onward = false;

	for (size_t i = c->from; i < c->end; i++)
		onward |= hit_at(r, i, CONTRAST_ONWARD) && i > c->from && is_version(r, i - 1);
	for (size_t i = c->from; i < c->end; i++) {
		const struct contrast_hit *h = hit_at(r, i, CONTRAST_TURN);

		if (!h && onward)
			h = hit_at(r, i, CONTRAST_FROM);
		if (h) {
			*ret = h->from;
			return true;
		}
	}
	return false;
}

/* A clause that only names the turn takes the side of the one beside it. */
static enum side side_at(const struct reading *r, size_t at)
{
	const struct clause *c = &r->clauses[at];

	if (c->side != SIDE_NONE)
		return c->side;
	for (size_t i = at + 1; i < r->clause_count; i++)
		if (r->clauses[i].side != SIDE_NONE)
			return r->clauses[i].side;
	for (size_t i = at; i > 0; i--)
		if (r->clauses[i - 1].side != SIDE_NONE)
			return r->clauses[i - 1].side;
	return r->before;
}

static void claim_update(struct reading *r, const struct clause *c, size_t turn)
{
	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *h = &r->hits.list[i];

		if (h->kind == CONTRAST_UPDATE && h->from >= turn && h->from < c->end &&
		    h->from - turn <= TURNS_WITHIN)
			add_claim(r, (struct claim){ .name = h->name,
						     .side = SIDE_FAILS,
						     .role = CONTRAST_UPDATE,
						     .is_turn = true });
	}
}

static void claim_turn(struct reading *r, const struct clause *c, size_t turn)
{
	size_t before = r->count;

	for (size_t i = turn; i < c->end; i++)
		if (is_version(r, i))
			claim_version(r, i, c, true, end_of_update(r, i, c));
	if (r->count == before)
		claim_update(r, c, turn);
}

static void claim_hits(struct reading *r, const struct clause *c)
{
	for (size_t i = 0; i < r->hits.count; i++) {
		const struct contrast_hit *h = &r->hits.list[i];
		struct claim claim = { h->name, .side = c->side, .role = h->kind, .only = c->only };

		if (h->from < c->from || h->from >= c->end || h->kind < CONTRAST_MODEL ||
		    h->kind == CONTRAST_UPDATE || is_covered(r, h))
			continue;
		if (h->kind == CONTRAST_MODEL)
			claim.value = words_of(r, h->from, h->end);
		if (h->kind != CONTRAST_MODEL || is_plain(claim.value))
			add_claim(r, claim);
	}
}

static void claim_clause(struct reading *r, size_t at)
{
	struct clause *c = &r->clauses[at];
	size_t turn = 0;

	if (find_turn(r, c, &turn) && side_at(r, at) == SIDE_FAILS) {
		claim_turn(r, c, turn);
		return;
	}
	if (c->side == SIDE_NONE && hit_at(r, c->from, CONTRAST_PREP) && at + 1 < r->clause_count)
		c->side = r->clauses[at + 1].side;
	if (c->side == SIDE_NONE)
		return;
	for (size_t i = c->from; i < c->end; i++)
		if (is_version(r, i))
			claim_version(r, i, c, c->turned, c->side);
	claim_hits(r, c);
}

/* ---- what they come to ---- */

static void add(struct reading *r, struct contrast found)
{
	struct contrasts *out = r->out;

	found.name = arena_span(r->arena, found.name);
	found.text = arena_span(r->arena, r->line);
	found.line = r->number;
	for (size_t i = 0; i < out->count; i++) {
		struct contrast *before = &out->list[i];

		if (!span_same(before->name, found.name))
			continue;
		if (!before->has_both && found.has_both)
			*before = found;
		return;
	}
	out->list = arena_grow(r->arena, out->list, out->count, sizeof(*out->list));
	out->list[out->count++] = found;
}

/* Whether they name two of one kind. */
static bool are_two(const struct claim *fails, const struct claim *works)
{
	if (fails->side != SIDE_FAILS || works->side != SIDE_WORKS ||
	    !span_same(fails->name, works->name))
		return false;
	if (fails->role == CONTRAST_FAILS)
		return works->role == CONTRAST_WORKS || works->role == CONTRAST_ALONE;
	return fails->role == works->role && fails->value.data && works->value.data &&
	       !span_same(fails->value, works->value);
}

/* The two are told together, or one of them behind the sentence with the other. */
static bool find_two(struct reading *r, struct contrast *ret)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->count; k++) {
			const struct claim *f = &r->claims[i], *w = &r->claims[k];

			if ((i < r->fresh && k < r->fresh) || !are_two(f, w))
				continue;
			*ret = (struct contrast){ .name = f->name,
						  .works = w->value,
						  .fails = f->value,
						  .has_both = true };
			return true;
		}
	return false;
}

/* One that is enough: a turn, "only with two GPUs", or what works beside a failure told elsewhere. */
static void add_alone(struct reading *r, const struct claim *c)
{
	struct contrast found = { .name = c->name };

	if (c->side == SIDE_FAILS && (c->is_turn || (c->only && c->role == CONTRAST_FAILS))) {
		found.fails = c->value;
		found.turns = found.has_both = true;
		add(r, found);
	} else if (c->side == SIDE_WORKS && (c->is_named || c->role == CONTRAST_ALONE ||
					     (c->only && c->role == CONTRAST_WORKS))) {
		found.works = c->value;
		found.has_both = c->only && !c->is_named;
		add(r, found);
	}
}

static void take_sentence(struct reading *r)
{
	struct contrast found;

	contrast_words_find(r->words, &r->s, &r->hits);
	if (r->count > r->fresh)
		memmove(r->claims, r->claims + r->fresh,
			(r->count - r->fresh) * sizeof(r->claims[0]));
	r->count -= r->fresh;
	r->fresh = r->count;
	if (has_kind(r, CONTRAST_QUIET))
		return;
	cut_clauses(r);
	for (size_t i = 0; i < r->clause_count; i++)
		claim_clause(r, i);
	if (find_two(r, &found))
		add(r, found);
	for (size_t i = r->fresh; i < r->count; i++)
		add_alone(r, &r->claims[i]);
	for (size_t i = 0; i < r->clause_count; i++)
		if (r->clauses[i].side != SIDE_NONE)
			r->before = r->clauses[i].side;
}

/* ---- the text ---- */

static bool asks(struct span sentence)
{
	sentence = span_trim(sentence);
	while (sentence.len > 0 && strchr(")*\"'`", sentence.data[sentence.len - 1]))
		sentence.len--;
	return sentence.len > 0 && sentence.data[sentence.len - 1] == '?';
}

/* What a program prints, by how it begins or is set. */
static bool is_printed(struct span line)
{
	static const char *const starts[] = { "File \"", "Traceback", "$ ", ">>>",
					      "+ ",      "[",         "#0", "at " };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (span_starts(line, starts[i]))
			return true;
	return sentence_is_dated(line) || span_find(line, SPAN_LITERAL("    ")) != SIZE_MAX;
}

static void forget(struct reading *r)
{
	r->count = r->fresh = 0;
	r->before = SIDE_NONE;
	r->subject = (struct span){ 0 };
}

static void take_line(struct reading *r, struct span line)
{
	if (span_starts(line, "```"))
		r->in_code = !r->in_code;
	line = span_trim(line);
	if (r->in_code || line.len == 0 || line.len > LINE_MAX || span_starts(line, ">") ||
	    is_printed(line)) {
		if (line.len > 0)
			forget(r);
		return;
	}
	r->line = line;
	while (line.len > 0) {
		struct span whole = line;

		if (!sentence_next(&line, &r->s))
			return;
		if (asks((struct span){ whole.data, whole.len - line.len }))
			forget(r);
		else
			take_sentence(r);
	}
}

void contrast_read(const struct contrast_words *words, struct span text, unsigned long long number,
		   struct arena *arena, struct contrasts *ret)
{
	struct reading r = { .words = words, .arena = arena, .out = ret, .number = number };
	struct span line;

	for (; span_line(&text, &line); r.number++)
		take_line(&r, line);
}
