#include "parse/progress.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "parse/progress-bar.h"
#include "parse/progress-text.h"

#define GAP_MAX 24 /* blanks and brackets between a word and its number */

/* ---- words ---- */

static const struct {
	const char *word;
	enum progress_key key;
	bool needs_all; /* "chunk 3/10", but not "chunk 3" */
	bool needs_loss;
} words[] = {
	{ "epoch", PROGRESS_EPOCH, false, false },      { "batch", PROGRESS_BATCH, false, false },
	{ "batch_idx", PROGRESS_BATCH, false, false },  { "step", PROGRESS_STEP, false, false },
	{ "global_step", PROGRESS_STEP, false, false }, { "iter", PROGRESS_STEP, false, false },
	{ "iteration", PROGRESS_STEP, false, false },   { "steps", PROGRESS_STEP, false, true },
	{ "data", PROGRESS_STEP, true, false },         { "shard", PROGRESS_STEP, true, false },
	{ "chunk", PROGRESS_STEP, true, false },        { "part", PROGRESS_STEP, true, false },
	{ "sample", PROGRESS_STEP, true, false },       { "samples", PROGRESS_STEP, true, false },
	{ "file", PROGRESS_STEP, true, false },         { "image", PROGRESS_STEP, true, false },
	{ "day", PROGRESS_STEP, true, false },
};

/* "Epoch: [0]", "Epoch(train)  [1]", "'epoch': 0.37", "iter=    10" */
static const char *behind_word(const char *s)
{
	size_t n;

	if (*s == '(' && isalpha((unsigned char)s[1])) {
		s += strcspn(s, ")");
		s += *s == ')';
	}
	n = strspn(s, " :=[('\"#");
	return n > 0 && n <= GAP_MAX ? s + n : NULL;
}

/* Hugging Face counts epochs in parts: 1.37. */
static const char *parted(const char *s, struct progress *p)
{
	size_t n = strspn(s, "0123456789");
	double value;
	const char *end = n > 0 && n < 8 && s[n] == '.' ? progress_decimal(s, &value) : NULL;

	if (!end || progress_is_word(*end) || *end == '%' || value > 1e7)
		return NULL;
	progress_set(p, PROGRESS_EPOCH, (long)value, 0);
	p->part = value - (double)(long)value;
	return end;
}

static bool take_word(char *text, size_t which, struct progress *p)
{
	enum progress_key key = words[which].key;
	const char *at = text, *end;
	long of, all;

	while ((at = progress_find_word(text, at, words[which].word))) {
		at += strlen(words[which].word);
		at = behind_word(at) ? behind_word(at) : at;
		all = 0;
		end = progress_fraction(at, &of, &all);
		if (!end && !words[which].needs_all)
			end = progress_whole(at, &of);
		if (end && *progress_blanks(end) != '/') {
			char *slash = memchr(text + (at - text), '/', (size_t)(end - at));

			progress_set(p, key, of, all);
			/* "epoch 001:  10 / 500", "Epoch: [0][  10/5005]", "Epoch: 1 [1280/60000" */
			if (key == PROGRESS_EPOCH &&
			    progress_fraction(end + strspn(end, " :,[]|-"), &of, &all))
				progress_set(p, PROGRESS_BATCH, of, all);
			if (slash)
				*slash = ';'; /* what was taken is no fraction of a bar any more */
			return true;
		}
		if (key == PROGRESS_EPOCH && parted(at, p))
			return true;
	}
	return false;
}

/* llama.cpp: "progress = 0.45" */
static void take_part_of_one(const char *text, struct progress *p)
{
	const char *s = text, *at;
	double part;

	while ((s = progress_find_word(text, s, "progress"))) {
		s += 8;
		at = behind_word(s);
		if (!at || strncmp(at + 1, ".", 1) != 0 || !progress_decimal(at, &part) ||
		    !(part >= 0 && part <= 1))
			continue;
		p->percent = part * 100;
		p->known |= PROGRESS_PERCENT;
	}
}

/* timm: "Train: 0 [  50/1251 (  4%)]" */
static void take_train(const char *text, struct progress *p)
{
	const char *s = progress_find_word(text, text, "train"), *end;
	long epoch, of, all;

	if (!s || strncmp(s + 5, ": ", 2) != 0)
		return;
	end = progress_whole(s + 7, &epoch);
	if (!end || *progress_blanks(end) != '[' ||
	    !progress_fraction(progress_blanks(end) + 1, &of, &all))
		return;
	progress_set(p, PROGRESS_EPOCH, epoch, 0);
	progress_set(p, PROGRESS_BATCH, of, all);
}

/* ---- loss ---- */

static bool is_of_a_test(const char *text, const char *s)
{
	static const char *const tests[] = { "val", "eval", "test", "valid", "validation" };
	const char *end = s, *start;

	while (end > text && strchr(" _-./'\"", end[-1]))
		end--;
	for (start = end; start > text && isalpha((unsigned char)start[-1]);)
		start--;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if ((size_t)(end - start) == strlen(tests[i]) &&
		    strncasecmp(start, tests[i], strlen(tests[i])) == 0)
			return true;
	return false;
}

static void take_loss(const char *text, struct progress *p)
{
	for (const char *s = text; (s = strcasestr(s, "loss")); s++) {
		const char *at = s + 4 + strspn(s + 4, " :='\"");
		const char *end;

		if ((s > text && isalnum((unsigned char)s[-1])) || at == s + 4 ||
		    is_of_a_test(text, s))
			continue;
		if (strncmp(at, "tensor(", 7) == 0)
			at += 7;
		end = progress_decimal(at, &p->loss);
		if (!end || *end == '%' || isalpha((unsigned char)*end))
			continue;
		p->known |= PROGRESS_LOSS;
		return;
	}
}

/* ---- rate ---- */

static void set_rate(struct progress *p, double rate)
{
	if (p->known & PROGRESS_RATE || !(rate > 0) || !isfinite(rate))
		return;
	p->rate = rate;
	p->known |= PROGRESS_RATE;
}

/* "6.91it/s", "512.3/s", but not "45MB/s"; or "img/s: 123.4". */
static void take_per_second(const char *text, const char *slash, struct progress *p)
{
	const char *unit = slash, *behind = slash + 2;
	double value = 0;

	if (strncmp(slash, "/sec", 4) == 0)
		behind = slash + 4;
	if (progress_is_word(*behind))
		return;
	while (unit > text && isalpha((unsigned char)unit[-1]))
		unit--;
	if (unit < slash && slash[-1] == 'B')
		return;
	if (unit < slash && strchr(":=", *behind) && *behind)
		progress_decimal(behind + strspn(behind, " :="), &value);
	else
		progress_number_before(text, unit - (unit > text && unit[-1] == ' '), &value);
	set_rate(p, value);
}

/* "1.45s/it", "50ms/step" */
static void take_seconds_per(const char *text, const char *slash, struct progress *p)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "ms", 1e-3 }, { "us", 1e-6 }, { "s", 1 } };
	double value;

	if (strncmp(slash, "/it", 3) != 0 && strncmp(slash, "/step", 5) != 0 &&
	    strncmp(slash, "/batch", 6) != 0)
		return;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i].unit);

		if ((size_t)(slash - text) >= n && memcmp(slash - n, units[i].unit, n) == 0 &&
		    progress_number_before(text, slash - n, &value)) {
			set_rate(p, 1 / (value * units[i].seconds));
			return;
		}
	}
}

bool progress_parse(struct span line, struct progress *ret)
{
	char text[PROGRESS_TEXT + 1];
	struct progress p = { 0 };

	progress_flatten(line, text);
	take_loss(text, &p);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!words[i].needs_loss || p.known & PROGRESS_LOSS)
			take_word(text, i, &p);
	take_train(text, &p);
	progress_bar(text, &p);
	if (!(p.known & PROGRESS_PERCENT))
		take_part_of_one(text, &p);
	if (!(p.known & (PROGRESS_PLACE | PROGRESS_LOSS)))
		return false;
	for (const char *s = text; (s = strchr(s, '/')); s++) {
		if (s[1] == 's' && strncmp(s, "/step", 5) != 0)
			take_per_second(text, s, &p);
		else
			take_seconds_per(text, s, &p);
	}
	*ret = p;
	return true;
}
