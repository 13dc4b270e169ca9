#include "explain/mention.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

#define GAP_BREAKS (GAP_COMMA | GAP_STOP | GAP_OPEN | GAP_CLOSE | GAP_SLASH)

/* ---- numbers ---- */

bool mention_version(struct span text, struct span *ret)
{
	size_t from =
		text.len > 1 && (text.data[0] == 'v' || text.data[0] == 'b' || text.data[0] == 'V');
	size_t points = 0, end = from;

	if (text.len == from || !isdigit((unsigned char)text.data[from]))
		return false;
	while (end < text.len &&
	       (token_goes_on(text.data[end]) || strchr(".+-~", text.data[end]))) {
		points += text.data[end] == '.';
		end++;
	}
	*ret = (struct span){ text.data, end };
	return points > 0 || end - from <= 5;
}

static bool is_number(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!isdigit((unsigned char)s.data[i]))
			return false;
	return s.len > 0;
}

static bool has_point(struct span s)
{
	return memchr(s.data, '.', s.len) != NULL;
}

/* ---- phrases ---- */

static const struct token *token_at(const struct token_line *line, size_t at)
{
	return at < line->count ? &line->tokens[at] : NULL;
}

static bool is_word(const struct token_line *line, size_t at, enum word_kind kind)
{
	return at < line->count && machine_words_is(line->tokens[at].words, kind);
}

/* How many words from here on are the rest of a phrase; SIZE_MAX: they are not. */
static size_t match_rest(const struct token_line *line, size_t at, struct span rest)
{
	struct span word;
	size_t n = 0;

	while (span_word(&rest, &word)) {
		const struct token *t = token_at(line, at + n);

		if (!t || (t->gap & ~(unsigned int)GAP_SLASH) != 0 || !span_same(t->low, word))
			return SIZE_MAX;
		n++;
	}
	return n;
}

/* The longest phrase of a kind that begins here: how many words it has, or 0. */
static size_t match_phrase(const struct token_line *line, size_t at, enum word_kind kind,
			   const struct machine_word **ret)
{
	size_t best = 0;

	for (const struct machine_word *w = line->tokens[at].words; w; w = w->next) {
		size_t n = w->kind == kind ? match_rest(line, at + 1, w->rest) : SIZE_MAX;

		if (n != SIZE_MAX && n + 1 > best) {
			best = n + 1;
			*ret = w;
		}
	}
	return best;
}

static struct span from_to(const struct token_line *line, size_t from, size_t to)
{
	const char *begin = line->tokens[from].text.data;
	struct span last = line->tokens[to - 1].text;

	return (struct span){ begin, (size_t)(last.data + last.len - begin) };
}

/* A word of every day that is written small. */
static bool is_common(const struct token_line *line, size_t at)
{
	return is_word(line, at, WORD_COMMON) &&
	       islower((unsigned char)line->tokens[at].text.data[0]);
}

/* ---- versions ---- */

/* The version behind a name, over "version", "is", "v" and a colon; its place, or SIZE_MAX. */
static size_t find_version(const struct token_line *line, size_t at, struct span *ret)
{
	size_t over = 0;

	for (; over < 3; over++, at++) {
		const struct token *t = token_at(line, at);

		if (!t || (t->gap & (GAP_COMMA | GAP_STOP | GAP_CLOSE | GAP_SLASH)))
			return SIZE_MAX;
		if (mention_version(t->low, ret) &&
		    (has_point(*ret) || (over > 0 && (t->gap & GAP_COLON)) || ret->data[0] == 'b' ||
		     machine_words_is(line->tokens[at - 1].words, WORD_BETWEEN))) {
			*ret = t->text;
			return at;
		}
		if (!machine_words_is(t->words, WORD_BETWEEN))
			return SIZE_MAX;
	}
	return SIZE_MAX;
}

/* "6.8.0-45-generic", "6.18.3-200.fc43": how no other version is written. */
static bool has_tail(const struct token_line *line, struct span low)
{
	size_t hyphen = span_find(low, SPAN_LITERAL("-"));
	struct span rest;

	if (hyphen == SIZE_MAX || !has_point((struct span){ low.data, hyphen }) ||
	    low.data[0] > '9')
		return false;
	rest = (struct span){ low.data + hyphen, low.len - hyphen };
	while (rest.len > 0) {
		size_t n = 0;

		while (n < rest.len && isalpha((unsigned char)rest.data[n]))
			n++;
		if (n > 0 &&
		    machine_words_is(machine_words_find(line->words, (struct span){ rest.data, n }),
				     WORD_TAIL))
			return true;
		n += n == 0;
		rest = (struct span){ rest.data + n, rest.len - n };
	}
	return false;
}

/* Linux has had no release above 9; what is called kernel and has no point is another one. */
static bool is_kernel(struct span version)
{
	return has_point(version) && version.len >= 3 && isdigit((unsigned char)version.data[0]) &&
	       version.data[1] == '.';
}

/* "rocm6.2", "ROCm-6.2.4": the number belongs to the word. */
static bool find_glued(const struct token *t, struct mention *ret)
{
	struct span rest, version;

	if (!span_starts(t->low, "rocm") || t->low.len < 6)
		return false;
	rest = (struct span){ t->text.data + 4, t->text.len - 4 };
	if (rest.data[0] == '-' || rest.data[0] == '_')
		rest = (struct span){ rest.data + 1, rest.len - 1 };
	if (!mention_version(rest, &version) || !isdigit((unsigned char)rest.data[0]))
		return false;
	*ret = (struct mention){ .kind = MENTION_RELEASE,
				 .name = SPAN_LITERAL("rocm"),
				 .value = version };
	return true;
}

static bool find_release(const struct token_line *line, size_t at, struct mention *ret)
{
	const struct machine_word *w = NULL;
	size_t n = match_phrase(line, at, WORD_RELEASE, &w), place;
	struct span version;

	if (n == 0 && has_tail(line, line->tokens[at].low)) {
		*ret = (struct mention){ .kind = MENTION_RELEASE,
					 .name = SPAN_LITERAL("kernel"),
					 .value = line->tokens[at].text,
					 .to = at + 1 };
		return is_kernel(ret->value);
	}
	if (n == 0) {
		ret->to = at + 1;
		return find_glued(&line->tokens[at], ret) && (ret->to = at + 1);
	}
	place = find_version(line, at + n, &version);
	if (place == SIZE_MAX && span_is(w->means, "rocm") && token_at(line, at + n) &&
	    line->tokens[at + n].gap == 0 && is_number(line->tokens[at + n].low) &&
	    line->tokens[at + n].low.len <= 2) {
		place = at + n;
		version = line->tokens[place].text;
	}
	if (place == SIZE_MAX || (span_is(w->means, "kernel") && !is_kernel(version)))
		return false;
	*ret = (struct mention){
		.kind = MENTION_RELEASE, .name = w->means, .value = version, .to = place + 1
	};
	return true;
}

/* ---- systems, programs, containers ---- */

static bool is_version(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isdigit((unsigned char)text.data[i]) && text.data[i] != '.')
			return false;
	return true;
}

static bool is_edition(const struct token_line *line, size_t at)
{
	const struct token *t = token_at(line, at);

	if (!t || (t->gap & ~(unsigned int)GAP_SLASH) != 0)
		return false;
	return machine_words_is(t->words, WORD_EDITION) ||
	       (t->gap == 0 && isdigit((unsigned char)t->low.data[0]) && t->low.len <= 16 &&
		is_version(t->text));
}

/* "win11", "22.04": of two numbers in a row the second names something else, "win11 7900 xtx". */
static bool has_release(const struct token_line *line, size_t at)
{
	struct span low = line->tokens[at].low;

	return isdigit((unsigned char)low.data[low.len - 1]) != 0;
}

/* "WSL2 Ubuntu 22.04", "Ubuntu 22.04 (WSL2)" are one name. */
static size_t system_end(const struct token_line *line, size_t at, struct mention *m)
{
	const struct machine_word *w;
	size_t n;

	while ((n = match_phrase(line, at, WORD_SYSTEM, &w)) > 0) {
		m->is_wsl |= span_starts(line->tokens[at].low, "wsl");
		at += n;
		while (is_edition(line, at) &&
		       !(has_release(line, at - 1) && has_release(line, at)))
			at++;
		if (!token_at(line, at) ||
		    (line->tokens[at].gap & ~(unsigned int)(GAP_OPEN | GAP_SLASH)) ||
		    (line->tokens[at].gap && !span_starts(line->tokens[at].low, "wsl")))
			break;
	}
	return at;
}

static bool find_system(const struct token_line *line, size_t at, struct mention *ret)
{
	struct mention m = { .kind = MENTION_SYSTEM, .name = SPAN_LITERAL("os") };
	const struct machine_word *w;
	size_t first = match_phrase(line, at, WORD_SYSTEM, &w);

	if (first == 0)
		return false;
	m.to = system_end(line, at, &m);
	m.value = from_to(line, at, m.to);
	m.is_common = m.to == at + first && is_common(line, at);
	*ret = m;
	return true;
}

static bool find_program(const struct token_line *line, size_t at, struct mention *ret)
{
	const struct machine_word *program = NULL, *library = NULL;
	size_t n = match_phrase(line, at, WORD_PROGRAM, &program);
	size_t k = match_phrase(line, at, WORD_LIBRARY, &library);
	struct mention m = { .kind = MENTION_PROGRAM, .is_library = k > n };
	size_t place;

	if (n == 0 && k == 0)
		return false;
	m.name = k > n ? library->means : program->means;
	m.to = at + (k > n ? k : n);
	place = find_version(line, m.to, &m.value);
	if (place != SIZE_MAX)
		m.to = place + 1;
	else
		m.value = (struct span){ 0 };
	m.is_common = place == SIZE_MAX && is_common(line, at);
	*ret = m;
	return true;
}

static bool find_engine(const struct token_line *line, size_t at, struct mention *ret)
{
	const struct machine_word *w;
	size_t n = match_phrase(line, at, WORD_ENGINE, &w);

	if (n == 0)
		return false;
	*ret = (struct mention){ .kind = MENTION_ENGINE,
				 .name = SPAN_LITERAL("container"),
				 .value = w->means,
				 .to = at + n,
				 .is_common = is_common(line, at) };
	return true;
}

static bool find_image(const struct token_line *line, size_t at, struct mention *ret)
{
	struct span text = line->tokens[at].text;

	*ret = (struct mention){
		.kind = MENTION_IMAGE, .name = SPAN_LITERAL("image"), .value = text, .to = at + 1
	};
	return memchr(text.data, '/', text.len) != NULL;
}

/* ---- GPUs ---- */

static bool find_gfx(const struct token_line *line, size_t at, struct mention *ret)
{
	struct span low = line->tokens[at].low;
	size_t n = 3;

	if (!span_starts(low, "gfx"))
		return false;
	while (n < low.len && isxdigit((unsigned char)low.data[n]))
		n++;
	*ret = (struct mention){ .kind = MENTION_GFX,
				 .name = SPAN_LITERAL("gfx"),
				 .value = { line->tokens[at].text.data, n },
				 .to = at + 1 };
	return n >= 6 && n <= 8 && (n == low.len || low.data[n] == '-');
}

/* How many letters, then digits, then letters a word has; false: it has anything else. */
static bool read_shape(struct span low, size_t ret[3])
{
	size_t at = 0;

	for (int part = 0; part < 3; part++) {
		size_t from = at;

		while (at < low.len && (part == 1 ? isdigit((unsigned char)low.data[at])
						  : isalpha((unsigned char)low.data[at])))
			at++;
		ret[part] = at - from;
	}
	return at == low.len && ret[1] > 0;
}

/* "7900XTX", "780M", "MI300X", "W7900", "RX580", "8845HS"; with a brand before it also "6600". */
static bool is_model(struct span low, bool branded)
{
	size_t shape[3];

	if (!read_shape(low, shape) || shape[0] > 2 || shape[1] > 4 || shape[2] > 4)
		return false;
	if (shape[0] == 2)
		return (span_starts(low, "mi") && shape[1] >= 2 && shape[2] <= 1) ||
		       (span_starts(low, "rx") && shape[1] >= 3);
	if (shape[0] == 1)
		return shape[1] >= 3 && strchr("wvr", low.data[0]) && shape[2] <= 1;
	return shape[1] >= 3 && (branded || shape[2] > 0);
}

/* Where the words of a brand before a number end: "AMD Radeon RX", "Ryzen AI 9 HX". */
static size_t brand_end(const struct token_line *line, size_t at)
{
	size_t from = at;

	for (; token_at(line, at); at++) {
		const struct token *t = &line->tokens[at];
		bool digit = at > from && t->low.len == 1 && isdigit((unsigned char)t->low.data[0]);

		if (at > from && (t->gap & ~(unsigned int)(GAP_OPEN | GAP_CLOSE | GAP_SLASH)) != 0)
			break;
		if (at > from && (t->gap & (GAP_OPEN | GAP_CLOSE)) && t->low.len > 3 &&
		    !is_model(t->low, false))
			break;
		if (!digit && !machine_words_is(t->words, WORD_BRAND))
			break;
	}
	return at;
}

static size_t series_end(const struct token_line *line, size_t at)
{
	while (token_at(line, at) && line->tokens[at].gap == 0 && is_word(line, at, WORD_SERIES))
		at++;
	return at;
}

static size_t behind_end(const struct token_line *line, size_t at)
{
	for (; token_at(line, at) && line->tokens[at].gap == 0; at++) {
		struct span low = line->tokens[at].low;

		if (!is_word(line, at, WORD_BEHIND) &&
		    !(low.len <= 5 && isdigit((unsigned char)low.data[0]) &&
		      low.data[low.len - 1] == 'b'))
			break;
	}
	return at;
}

static bool find_chip(const struct token_line *line, size_t at, struct mention *ret)
{
	const struct machine_word *w;
	size_t n = match_phrase(line, at, WORD_CHIP, &w);

	*ret = (struct mention){ .kind = MENTION_GPU, .name = SPAN_LITERAL("gpu") };
	if (n == 0)
		return false;
	ret->value = from_to(line, at, at + n);
	ret->to = behind_end(line, at + n);
	return true;
}

static bool names_processor(const struct token_line *line, size_t from, size_t model)
{
	struct span low = line->tokens[model].low;
	char last = low.data[low.len - 1];

	for (size_t i = from; i < model; i++)
		if (span_is(line->tokens[i].low, "ryzen") || span_is(line->tokens[i].low, "athlon"))
			return true;
	return model == from && low.len >= 5 && isdigit((unsigned char)low.data[0]) &&
	       (last == 'g' || last == 'u' || last == 's' || last == 'h') &&
	       !(last == 's' && low.data[low.len - 2] != 'h'); /* 8060S is a GPU */
}

static bool is_inside(const struct token_line *line, size_t at)
{
	for (size_t i = at; i < at + 3 && token_at(line, i); i++) {
		if (line->tokens[i].gap & (GAP_COMMA | GAP_STOP))
			return false;
		if (is_word(line, i, WORD_INSIDE))
			return true;
	}
	return false;
}

static bool names_graphics(const struct token_line *line, size_t at)
{
	return token_at(line, at) && line->tokens[at].gap == 0 &&
	       span_is(line->tokens[at].low, "graphics");
}

static bool find_gpu(const struct token_line *line, size_t at, struct mention *ret)
{
	size_t model = brand_end(line, at), end;
	struct token *t;
	bool branded = model > at;

	for (size_t i = at; i <= model && i < line->count; i++)
		if (find_chip(line, i, ret)) {
			ret->value = from_to(line, at, ret->to);
			return true;
		}
	t = model < line->count ? (struct token *)&line->tokens[model] : NULL;
	if (!t || (branded && (t->gap & ~(unsigned int)GAP_CLOSE) != 0))
		return false;
	end = series_end(line, model + 1);
	if (!is_model(t->low, branded || end > model + 1) &&
	    !(branded && is_number(t->low) && t->low.len >= 2 &&
	      span_is(line->tokens[model - 1].low, "vega")))
		return false;
	*ret = (struct mention){ .kind = MENTION_GPU,
				 .name = SPAN_LITERAL("gpu"),
				 .value = from_to(line, at, end + names_graphics(line, end)),
				 .to = behind_end(line, end),
				 .is_processor = names_processor(line, at, model),
				 .is_inside = is_inside(line, end) };
	return true;
}

/* "2x", "two", "8" before a GPU or the word GPUs. */
static size_t read_count(const struct token_line *line, size_t at, struct span *ret)
{
	struct span low = line->tokens[at].low;
	const struct machine_word *w = NULL;

	*ret = low;
	if (match_phrase(line, at, WORD_COUNT, &w) == 1)
		*ret = w->means;
	else if (low.len >= 2 && low.data[low.len - 1] == 'x')
		ret->len--;
	return token_at(line, at + 1) && line->tokens[at + 1].gap == 0 &&
			       span_is(line->tokens[at + 1].low, "x")
		       ? at + 2
		       : at + 1;
}

/* "x2" behind a GPU's name. */
static bool find_times(const struct token_line *line, size_t at, struct mention *ret)
{
	struct span low = line->tokens[at].low;

	if (low.len < 2 || low.data[0] != 'x' || at == 0 || line->tokens[at].gap != 0)
		return false;
	*ret = (struct mention){ .kind = MENTION_COUNT,
				 .name = SPAN_LITERAL("gpu_count"),
				 .value = { low.data + 1, low.len - 1 },
				 .to = at + 1 };
	return is_number(ret->value) && ret->value.len <= 2 && ret->value.data[0] != '0';
}

static bool find_count(const struct token_line *line, size_t at, struct mention *ret)
{
	struct mention gpu = { 0 };
	struct span number;
	size_t to = read_count(line, at, &number);

	if (!is_number(number) || number.len > 2 || number.data[0] == '0')
		return find_times(line, at, ret);
	if (!token_at(line, to) || line->tokens[to].gap != 0)
		return false;
	*ret = (struct mention){
		.kind = MENTION_COUNT, .name = SPAN_LITERAL("gpu_count"), .value = number, .to = to
	};
	if (span_is(line->tokens[to].low, "gpus") || span_is(line->tokens[to].low, "cards"))
		return ++ret->to;
	return find_gpu(line, to, &gpu) || find_gfx(line, to, &gpu);
}

/* Most words of a text are none of ours and have no digit: they name nothing. */
static bool may_name(const struct token *t)
{
	if (t->words)
		return true;
	for (size_t i = 0; i < t->low.len; i++)
		if (isdigit((unsigned char)t->low.data[i]) || t->low.data[i] == '/')
			return true;
	return false;
}

static bool is_telling(const struct token *t)
{
	bool digit = false, letter = false;

	for (const struct machine_word *w = t->words; w; w = w->next)
		if ((w->kind >= WORD_PROGRAM && w->kind <= WORD_CHIP && w->kind != WORD_EDITION &&
		     w->kind != WORD_BETWEEN && w->kind != WORD_BEHIND && w->kind != WORD_BOXED) ||
		    w->kind == WORD_CHANGE)
			return true;
	for (size_t i = 0; i < t->low.len; i++) {
		digit |= isdigit((unsigned char)t->low.data[i]) != 0;
		letter |= isalpha((unsigned char)t->low.data[i]) || t->low.data[i] == '/';
	}
	return digit && letter;
}

bool mention_is_near(const struct token_line *line)
{
	for (size_t at = 0; at < line->count; at++)
		if (is_telling(&line->tokens[at]))
			return true;
	return false;
}

bool mention_at(const struct token_line *line, size_t at, struct mention *ret)
{
	static bool (*const finders[])(const struct token_line *, size_t, struct mention *) = {
		find_image,   find_gfx,    find_release, find_system,
		find_program, find_engine, find_count,   find_gpu,
	};

	for (size_t i = 0; may_name(&line->tokens[at]) && i < COUNT(finders); i++) {
		struct mention m = { 0 };

		if (finders[i](line, at, &m)) {
			m.from = at;
			*ret = m;
			return true;
		}
	}
	return false;
}
