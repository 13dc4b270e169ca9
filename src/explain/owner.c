#include "explain/owner.h"

#define LIST_SHARE 55 /* in hundred: so many words of a list name something */
#define LONE_SHARE 75 /* the same of a line that names one thing */

struct judge {
	const struct token_line *line;
	struct owned *owned;
	size_t next;         /* mention that was not reached */
	size_t clause;       /* mentions from here on stand in this part of the sentence */
	size_t begins;       /* first word of the sentence */
	size_t sentence;     /* and in this sentence */
	bool blocked, good;  /* it is another machine; it works there */
	bool cue, chain;     /* a cue stands right before; what the writer has does */
	bool listed;         /* the line is a list of what the writer has */
	bool bad;            /* this part of the sentence says that it fails */
	bool mine;           /* the sentence is of the writer's machine: "my setup: ..." */
	bool changes;        /* from one version to another */
	bool between;        /* behind "from": that version is left */
	bool after;          /* and that is when it began to fail */
	struct span release; /* whose version it was */
	size_t denied;       /* word up to which a good word is a bad one */
};

static bool has_kind(const struct token_line *line, size_t at, enum word_kind kind)
{
	return machine_words_is(line->tokens[at].words, kind);
}

/* A phrase of several words, too: "same as". */
static bool has_phrase(const struct token_line *line, size_t at, enum word_kind kind)
{
	for (const struct machine_word *w = line->tokens[at].words; w; w = w->next)
		if (w->kind == kind &&
		    (w->rest.len == 0 ||
		     (at + 1 < line->count && span_same(line->tokens[at + 1].low, w->rest))))
			return true;
	return false;
}

/* ---- lists ---- */

/* Of the words from..to, in hundred, those that name something or join what does; 0 if none names. */
static size_t share_of(const struct judge *j, size_t from, size_t to, size_t *ret_named)
{
	size_t named = 0, covered = 0;

	for (size_t i = 0; i < j->owned->count; i++) {
		const struct mention *m = &j->owned->list[i];

		if (m->from >= from && m->to <= to && !m->is_common) {
			named++;
			covered += m->to - m->from;
		}
	}
	for (size_t at = from; at < to; at++) {
		if (has_phrase(j->line, at, WORD_OTHER) || has_kind(j->line, at, WORD_GOOD) ||
		    has_kind(j->line, at, WORD_CHANGE))
			return 0;
		covered += has_kind(j->line, at, WORD_BETWEEN);
	}
	*ret_named = named;
	return named > 0 && to > from ? 100 * covered / (to - from) : 0;
}

static bool is_list(const struct judge *j, size_t from, size_t to)
{
	size_t named = 0, share = share_of(j, from, to, &named);

	return share >= (named > 1 ? LIST_SHARE : LONE_SHARE);
}

/* "(RX 7900 XTX, ROCm 6.2)": the word behind the bracket, if this one stands in front. */
static size_t bracket_end(const struct token_line *line, size_t at)
{
	size_t end = at + 1, depth = 1;

	for (; end < line->count; end++) {
		depth -= (line->tokens[end].gap & GAP_CLOSE) != 0;
		if (depth == 0)
			break;
		depth += (line->tokens[end].gap & GAP_OPEN) != 0;
	}
	return end;
}

/* ---- a word ---- */

static void disown(struct judge *j, size_t from)
{
	for (size_t i = from; i < j->next; i++)
		j->owned->owns[i] = false;
}

static void begin_clause(struct judge *j)
{
	j->blocked = j->good = j->bad = false;
	j->clause = j->next;
}

static void begin_sentence(struct judge *j)
{
	begin_clause(j);
	j->cue = j->mine = j->changes = j->between = j->after = false;
	j->chain = j->listed;
	j->release = (struct span){ 0 };
	j->sentence = j->next;
}

static void take_gap(struct judge *j, size_t at)
{
	unsigned int gap = j->line->tokens[at].gap;

	if (gap & GAP_STOP) {
		begin_sentence(j);
		j->begins = at;
	}
	if (gap & (GAP_COMMA | GAP_COLON))
		j->cue = (gap & GAP_COLON) && j->mine;
	if (j->cue && (gap & GAP_COLON)) /* "Specs: 5800X3D, 6800XT, Win10" */
		j->listed = j->chain = true;
	if ((gap & GAP_COMMA) && j->bad)
		j->clause = j->next;
	if ((gap & GAP_OPEN) && is_list(j, at, bracket_end(j->line, at)))
		j->chain = true;
}

/* What works is not what fails: neither what follows, nor what stood before it. */
static void take_good(struct judge *j, size_t at)
{
	if (at < j->denied) {
		j->good = false;
		return;
	}
	j->good = true;
	disown(j, j->changes ? j->sentence : j->clause);
}

static void take_deny(struct judge *j, size_t at)
{
	for (size_t i = at + 1; i < at + 4 && i < j->line->count; i++)
		if (has_kind(j->line, i, WORD_GOOD)) {
			j->denied = i + 1;
			return;
		}
	j->blocked |= has_kind(j->line, at, WORD_OTHER);
}

static void take_change(struct judge *j)
{
	j->changes = true;
	if (j->after)
		j->blocked = j->good = false;
}

/* Between "from" and "to" stands what was before; behind "to" what is now, often a bare number. */
static void take_turning_point(struct judge *j, size_t at)
{
	struct owned *o = j->owned;
	struct span version;

	j->between = span_is(j->line->tokens[at].low, "from");
	j->cue = !j->between;
	if (j->between || j->release.len == 0 || at + 1 >= j->line->count ||
	    j->line->tokens[at + 1].gap != 0 || o->count == OWNER_MENTIONS ||
	    !mention_version(j->line->tokens[at + 1].text, &version))
		return;
	if (j->next < o->count && o->list[j->next].from == at + 1)
		return;
	for (size_t i = o->count++; i > j->next; i--) {
		o->list[i] = o->list[i - 1];
		o->owns[i] = o->owns[i - 1];
	}
	o->list[j->next] = (struct mention){ .kind = MENTION_RELEASE,
					     .name = j->release,
					     .value = version,
					     .from = at + 1,
					     .to = at + 2 };
	o->owns[j->next] = false;
}

static bool takes_point(const struct judge *j, size_t at)
{
	struct span low = j->line->tokens[at].low;

	return j->changes && (span_is(low, "from") || span_is(low, "to"));
}

static void take_word(struct judge *j, size_t at)
{
	const struct token_line *line = j->line;
	bool keeps = has_kind(line, at, WORD_ARTICLE) || has_kind(line, at, WORD_BETWEEN);

	j->after |= has_kind(line, at, WORD_AFTER);
	j->mine |= has_kind(line, at, WORD_MINE);
	for (const struct machine_word *w = line->tokens[at].words; w; w = w->next)
		if (w->kind == WORD_RELEASE && w->rest.len == 0)
			j->release = w->means;
	if (takes_point(j, at))
		take_turning_point(j, at);
	else if (has_kind(line, at, WORD_CHANGE))
		take_change(j);
	else if (has_kind(line, at, WORD_DENY))
		take_deny(j, at);
	else if (has_kind(line, at, WORD_GOOD))
		take_good(j, at);
	else if (has_kind(line, at, WORD_BAD))
		j->good = !(j->bad = true);
	else if (has_kind(line, at, WORD_TURN))
		begin_clause(j);
	else if (has_phrase(line, at, WORD_OTHER))
		j->blocked = true;
	else if (has_kind(line, at, WORD_CUE))
		j->cue = at > j->begins || !span_is(line->tokens[at].low, "is"); /* a question */
	else if (!keeps) {
		j->cue = false;
		j->chain = j->listed;
	}
}

/* "+ iGPU (gfx1036)" behind a card tells the target of the other GPU. */
static bool is_of_inside(const struct judge *j, const struct mention *m)
{
	bool beside = false;

	for (size_t i = 0; i < j->next; i++)
		beside |= j->owned->list[i].kind == MENTION_GPU && j->owned->list[i].to < m->from;
	return beside && m->from > 0 && has_kind(j->line, m->from - 1, WORD_INSIDE);
}

/* "x2" counts the GPU before it, and a word of every day needs a cue. */
static bool may_own(const struct judge *j, const struct mention *m)
{
	const struct mention *before = j->next > 0 ? m - 1 : NULL;
	struct span text = j->line->tokens[m->from].low;

	if (m->kind == MENTION_GFX && is_of_inside(j, m))
		return false;
	if (m->kind == MENTION_COUNT && text.data[0] == 'x')
		return before && before->kind == MENTION_GPU && before->to == m->from;
	return !m->is_common || (m->kind != MENTION_SYSTEM && j->cue);
}

/* "vLLM crashes", "RX 7900 XTX hangs"; of a program also what it does wrong: "ollama runs only on the CPU". */
static bool has_verb(const struct judge *j, const struct mention *m)
{
	return m->to < j->line->count && j->line->tokens[m->to].gap == 0 &&
	       (has_kind(j->line, m->to, WORD_BAD) ||
		(m->kind == MENTION_PROGRAM && has_kind(j->line, m->to, WORD_VERB)));
}

/* "The kernel is 6.8", "ollama 0.3.8 and 0.3.10 do not find it": it is what the text is about. */
static bool is_subject(const struct judge *j, const struct mention *m)
{
	for (size_t i = m->from + 1; i < m->to; i++)
		if (span_is(j->line->tokens[i].low, "is"))
			return true;
	if (m->kind == MENTION_PROGRAM && m->value.len > 0 && m->from == j->begins)
		return true;
	return m->kind != MENTION_GFX && has_verb(j, m);
}

static void take_mention(struct judge *j)
{
	struct mention *m = &j->owned->list[j->next];

	if (m->kind == MENTION_RELEASE)
		j->release = m->name;
	j->chain = !j->blocked && !j->good && !j->between &&
		   (j->cue || j->chain || is_subject(j, m)) && may_own(j, m);
	j->owned->owns[j->next++] = j->chain;
	j->cue = false;
}

static void find_mentions(const struct token_line *line, struct owned *ret)
{
	ret->count = 0;
	for (size_t at = 0; at < line->count && ret->count < OWNER_MENTIONS;) {
		struct mention *m = &ret->list[ret->count];

		if (mention_at(line, at, m)) {
			ret->owns[ret->count++] = false;
			at = m->to;
		} else {
			at++;
		}
	}
}

/* "upgraded ROCm from 6.1 to 6.2" names none until it is read. */
static bool has_change(const struct token_line *line)
{
	for (size_t at = 0; at < line->count; at++)
		if (has_kind(line, at, WORD_CHANGE))
			return true;
	return false;
}

void owner_read(const struct token_line *line, bool cue, struct owned *ret)
{
	struct judge j = { .line = line, .owned = ret };

	find_mentions(line, ret);
	if (ret->count == 0 && !has_change(line))
		return;
	j.cue = cue;
	j.listed = j.chain = is_list(&j, 0, line->count);
	for (size_t at = 0; at < line->count;) {
		take_gap(&j, at);
		if (j.next < ret->count && ret->list[j.next].from == at) {
			at = ret->list[j.next].to;
			take_mention(&j);
		} else {
			take_word(&j, at++);
		}
	}
}
