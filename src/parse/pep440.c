#include "parse/pep440.h"

#include <string.h>
#include <strings.h>

/* ---- versions ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip(struct span *s, size_t n)
{
	s->data += n;
	s->len -= n;
}

static bool take(struct span *s, char c)
{
	if (s->len == 0 || s->data[0] != c)
		return false;
	skip(s, 1);
	return true;
}

/* Eighteen digits are a date with the time of day; more are no version. */
static bool take_number(struct span *s, uint64_t *ret)
{
	uint64_t value = 0;
	size_t n = 0;

	while (n < s->len && is_digit(s->data[n])) {
		if (n == 18)
			return false;
		value = value * 10 + (uint64_t)(s->data[n++] - '0');
	}
	if (n == 0)
		return false;
	skip(s, n);
	*ret = value;
	return true;
}

static bool take_word(struct span *s, const char *word)
{
	size_t n = strlen(word);

	if (s->len < n || strncasecmp(s->data, word, n) != 0)
		return false;
	skip(s, n);
	return true;
}

static void take_separator(struct span *s)
{
	if (s->len > 0 && (s->data[0] == '.' || s->data[0] == '-' || s->data[0] == '_'))
		skip(s, 1);
}

/* A number after a word may be missing and stand after a separator: rc, rc1, rc.1 */
static void take_suffix_number(struct span *s, uint64_t *ret)
{
	struct span rest = *s;

	*ret = 0;
	take_separator(&rest);
	if (take_number(&rest, ret))
		*s = rest;
}

static bool take_release(struct span *s, struct pep440 *v)
{
	struct span rest;

	v->release_count = 0;
	if (!take_number(s, &v->release[v->release_count++]))
		return false;
	for (rest = *s; take(&rest, '.') && rest.len > 0 && is_digit(rest.data[0]); rest = *s) {
		if (v->release_count == PEP440_RELEASE_MAX ||
		    !take_number(&rest, &v->release[v->release_count++]))
			return false;
		*s = rest;
	}
	return true;
}

/* Longer words first: "rc" is no "c", "alpha" no "a". */
static const struct {
	const char *word;
	enum pep440_pre pre;
} pre_words[] = {
	{ "preview", PEP440_CANDIDATE },
	{ "alpha", PEP440_ALPHA },
	{ "beta", PEP440_BETA },
	{ "pre", PEP440_CANDIDATE },
	{ "rc", PEP440_CANDIDATE },
	{ "a", PEP440_ALPHA },
	{ "b", PEP440_BETA },
	{ "c", PEP440_CANDIDATE },
};

static void take_pre(struct span *s, struct pep440 *v)
{
	struct span rest = *s;

	v->pre = PEP440_NO_PRE;
	v->pre_number = 0;
	take_separator(&rest);
	for (size_t i = 0; i < sizeof(pre_words) / sizeof(pre_words[0]); i++)
		if (take_word(&rest, pre_words[i].word)) {
			take_suffix_number(&rest, &v->pre_number);
			v->pre = pre_words[i].pre;
			*s = rest;
			return;
		}
}

/* ".post1", "-r1", ".rev1", and "-1" alone. */
static void take_post(struct span *s, struct pep440 *v)
{
	struct span rest = *s;

	v->post = 0;
	v->has_post = false;
	if (take(&rest, '-') && take_number(&rest, &v->post)) {
		v->has_post = true;
		*s = rest;
		return;
	}
	rest = *s;
	take_separator(&rest);
	if (take_word(&rest, "post") || take_word(&rest, "rev") || take_word(&rest, "r")) {
		take_suffix_number(&rest, &v->post);
		v->has_post = true;
		*s = rest;
	}
}

static void take_dev(struct span *s, struct pep440 *v)
{
	struct span rest = *s;

	v->dev = 0;
	v->has_dev = false;
	take_separator(&rest);
	if (take_word(&rest, "dev")) {
		take_suffix_number(&rest, &v->dev);
		v->has_dev = true;
		*s = rest;
	}
}

static bool is_alnum(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* "rocm6.1", "cu121", "git-1234": letters and digits, divided by '.', '-' or '_'. */
static bool is_local(struct span s)
{
	bool inside = false;

	for (size_t i = 0; i < s.len; i++) {
		if (is_alnum(s.data[i]))
			inside = true;
		else if (inside && strchr(".-_", s.data[i]) && s.data[i])
			inside = false;
		else
			return false;
	}
	return inside;
}

bool pep440_parse(struct span text, struct pep440 *ret)
{
	struct span rest = span_trim(text);
	struct span ahead;
	struct pep440 v = { 0 };

	if (!take(&rest, 'v'))
		(void)take(&rest, 'V');
	ahead = rest;
	if (take_number(&ahead, &v.epoch) && take(&ahead, '!'))
		rest = ahead;
	else
		v.epoch = 0;
	if (!take_release(&rest, &v))
		return false;
	take_pre(&rest, &v);
	take_post(&rest, &v);
	take_dev(&rest, &v);
	if (take(&rest, '+')) {
		if (!is_local(rest))
			return false;
		v.local = rest;
		skip(&rest, rest.len);
	}
	if (rest.len > 0)
		return false;
	*ret = v;
	return true;
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t release_number(const struct pep440 *v, size_t i)
{
	return i < v->release_count ? v->release[i] : 0;
}

static int compare_release(const struct pep440 *a, const struct pep440 *b)
{
	int r = order(a->epoch, b->epoch);

	for (size_t i = 0; r == 0 && i < PEP440_RELEASE_MAX; i++)
		r = order(release_number(a, i), release_number(b, i));
	return r;
}

/* 1.0.dev1 < 1.0a1.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0.post1 */
static int pre_rank(const struct pep440 *v)
{
	if (v->pre == PEP440_NO_PRE && !v->has_post && v->has_dev)
		return -1;
	return (int)v->pre;
}

/* The next part of a local version: a number if it is all digits. */
static bool next_local(struct span *rest, struct span *ret, bool *ret_number, uint64_t *ret_value)
{
	size_t n = 0;

	while (n < rest->len && is_alnum(rest->data[n]))
		n++;
	if (n == 0)
		return false;
	*ret = (struct span){ rest->data, n };
	*ret_number = span_u64(*ret, ret_value);
	skip(rest, n < rest->len ? n + 1 : n);
	return true;
}

static int compare_words(struct span a, struct span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int r = strncasecmp(a.data, b.data, n);

	return r ? r : order(a.len, b.len);
}

static int compare_local(struct span a, struct span b)
{
	struct span x, y;
	bool x_number, y_number;
	uint64_t m = 0, n = 0;

	for (;;) {
		bool has_x = next_local(&a, &x, &x_number, &m);
		bool has_y = next_local(&b, &y, &y_number, &n);
		int r;

		if (!has_x || !has_y)
			return has_x - has_y;
		if (x_number != y_number)
			return x_number ? 1 : -1; /* a number comes after a word */
		r = x_number ? order(m, n) : compare_words(x, y);
		if (r != 0)
			return r;
	}
}

int pep440_compare(const struct pep440 *a, const struct pep440 *b, bool local)
{
	int r = compare_release(a, b);

	if (r == 0)
		r = pre_rank(a) - pre_rank(b);
	if (r == 0)
		r = order(a->pre_number, b->pre_number);
	if (r == 0)
		r = a->has_post - b->has_post;
	if (r == 0)
		r = order(a->post, b->post);
	if (r == 0)
		r = b->has_dev - a->has_dev;
	if (r == 0)
		r = order(a->dev, b->dev);
	return r == 0 && local ? compare_local(a->local, b->local) : r;
}

/* ---- demands ---- */

static bool is_prerelease(const struct pep440 *v)
{
	return v->has_dev || v->pre != PEP440_NO_PRE;
}

/* "2.4.*": the numbers before the star, after padding the version with zeros. */
static enum pep440_meets meets_prefix(const struct pep440 *v, struct span demand)
{
	struct pep440 want;
	bool same;

	demand.len -= 2;
	if (!pep440_parse(demand, &want) || want.local.len > 0 || want.has_dev || want.has_post ||
	    want.pre != PEP440_NO_PRE)
		return PEP440_UNKNOWN;
	same = v->epoch == want.epoch;
	for (size_t i = 0; same && i < want.release_count; i++)
		same = release_number(v, i) == want.release[i];
	return same ? PEP440_YES : PEP440_NO;
}

static bool above(const struct pep440 *v, const struct pep440 *want)
{
	if (pep440_compare(v, want, false) <= 0)
		return false;
	return want->has_post || !v->has_post || compare_release(v, want) != 0;
}

static bool below(const struct pep440 *v, const struct pep440 *want)
{
	if (pep440_compare(v, want, false) >= 0)
		return false;
	return is_prerelease(want) || !is_prerelease(v) || compare_release(v, want) != 0;
}

/* "~=2.2.1" is ">=2.2.1, ==2.2.*"; a demand of one number makes no sense. */
static enum pep440_meets compatible(const struct pep440 *v, const struct pep440 *want)
{
	bool same = v->epoch == want->epoch;

	if (want->release_count < 2 || want->local.len > 0)
		return PEP440_UNKNOWN;
	for (size_t i = 0; same && i + 1 < want->release_count; i++)
		same = release_number(v, i) == want->release[i];
	return same && pep440_compare(v, want, false) >= 0 ? PEP440_YES : PEP440_NO;
}

enum operator{ SAME_TEXT, COMPATIBLE, SAME, NOT_SAME, AT_MOST, AT_LEAST, BELOW, ABOVE };

static const struct {
	const char *sign;
	enum operator is;
} operators[] = {
	{ "===", SAME_TEXT }, { "~=", COMPATIBLE }, { "==", SAME }, { "!=", NOT_SAME },
	{ "<=", AT_MOST },    { ">=", AT_LEAST },   { "<", BELOW }, { ">", ABOVE },
};

static enum pep440_meets decide(bool met)
{
	return met ? PEP440_YES : PEP440_NO;
}

static enum pep440_meets meets_operator(enum operator is, const struct pep440 *v,
					const struct pep440 *want)
{
	int r = pep440_compare(v, want, want->local.len > 0);

	if (want->local.len > 0 && is != SAME && is != NOT_SAME)
		return PEP440_UNKNOWN; /* PEP 440 allows no order by local parts */
	switch (is) {
	case SAME:
		return decide(r == 0);
	case NOT_SAME:
		return decide(r != 0);
	case AT_MOST:
		return decide(r <= 0);
	case AT_LEAST:
		return decide(r >= 0);
	case BELOW:
		return decide(below(v, want));
	case ABOVE:
		return decide(above(v, want));
	case COMPATIBLE:
		return compatible(v, want);
	case SAME_TEXT:
		break;
	}
	return PEP440_UNKNOWN;
}

static enum pep440_meets meets_one(struct span version, struct span demand)
{
	struct pep440 v, want;

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		enum operator is = operators[i].is;

		if (!take_word(&demand, operators[i].sign))
			continue;
		demand = span_trim(demand);
		if (is == SAME_TEXT)
			return decide(compare_words(span_trim(version), demand) == 0);
		if (!pep440_parse(version, &v))
			return PEP440_UNKNOWN;
		if ((is == SAME || is == NOT_SAME) && demand.len > 2 && span_ends(demand, ".*")) {
			enum pep440_meets met = meets_prefix(&v, demand);

			if (is == SAME || met == PEP440_UNKNOWN)
				return met;
			return decide(met == PEP440_NO);
		}
		return pep440_parse(demand, &want) ? meets_operator(is, &v, &want) : PEP440_UNKNOWN;
	}
	return PEP440_UNKNOWN;
}

enum pep440_meets pep440_meets(struct span version, struct span demands)
{
	enum pep440_meets all = PEP440_YES;
	struct span one;

	while (span_cut(&demands, ',', &one)) {
		one = span_trim(one);
		if (one.len == 0)
			continue;
		switch (meets_one(version, one)) {
		case PEP440_NO:
			return PEP440_NO;
		case PEP440_UNKNOWN:
			all = PEP440_UNKNOWN;
			break;
		case PEP440_YES:
			break;
		}
	}
	return all;
}
