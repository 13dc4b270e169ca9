#include "isa.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned isa_width(char letter)
{
	switch (letter) {
	case 'q':
	case 'g':
	case 'm':
	case 'x':
	case 'v':
		return 8;
	case 'w':
	case 'h':
		return 2;
	default:
		return 4;
	}
}

/* ---- tables ---- */

/* Of the names that LLVM puts behind a name for the encoding, the longest first. */
static size_t length_without_suffix(const char *name)
{
	static const char *const suffixes[] = { "_e64_dpp", "_dpp8", "_dpp", "_e32", "_e64" };
	size_t length = strlen(name);

	for (unsigned i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t tail = strlen(suffixes[i]);

		if (length > tail && !strcmp(name + length - tail, suffixes[i]))
			return length - tail;
	}
	return length;
}

const struct meaning *isa_find(const char *name)
{
	static const struct meaning *const tables[] = { isa_integers, isa_floats, isa_control,
							isa_memory };
	size_t length = length_without_suffix(name);

	for (unsigned t = 0; t < sizeof(tables) / sizeof(*tables); t++)
		for (const struct meaning *m = tables[t]; m->name; m++)
			if (strlen(m->name) == length && !strncmp(m->name, name, length))
				return m;
	return NULL;
}

/* ---- operands ---- */

static const struct {
	const char *name;
	struct operand operand;
} named[] = {
	{ "vcc", { OPERAND_SCALAR, VCC, 2 } },
	{ "vcc_lo", { OPERAND_SCALAR, VCC, 1 } },
	{ "vcc_hi", { OPERAND_SCALAR, VCC + 1, 1 } },
	{ "exec", { OPERAND_SCALAR, EXEC, 2 } },
	{ "exec_lo", { OPERAND_SCALAR, EXEC, 1 } },
	{ "exec_hi", { OPERAND_SCALAR, EXEC + 1, 1 } },
	{ "m0", { OPERAND_SCALAR, M0, 1 } },
	{ "null", { OPERAND_SCALAR, NULL_REGISTER, 2 } },
	{ "scc", { OPERAND_SCC, 0, 1 } },
	{ "src_scc", { OPERAND_SCC, 0, 1 } },
	{ "src_shared_base", { OPERAND_SHARED_BASE, 0, 2 } },
	{ "src_private_base", { OPERAND_PRIVATE_BASE, 0, 2 } },
	{ "off", { OPERAND_NONE } },
};

/* "v7", "v[4:7]", "v7.h", and the same with s or ttmp. */
static bool read_register(const char *word, struct operand *ret)
{
	bool is_vector = word[0] == 'v', is_trap = !strncmp(word, "ttmp", 4);
	const char *number = word + (is_trap ? 4 : 1);
	unsigned first, last;
	int end = 0;

	if (!is_vector && !is_trap && word[0] != 's')
		return false;
	if (sscanf(number, "[%u:%u]%n", &first, &last, &end) != 2 || end == 0) {
		if (!isdigit((unsigned char)*number) || sscanf(number, "%u%n", &first, &end) != 1)
			return false;
		last = first;
	}
	ret->high = !strcmp(number + end, ".h");
	if (number[end] && !ret->high && strcmp(number + end, ".l") != 0)
		return false;
	first += is_trap ? TTMP : 0;
	ret->kind = is_vector ? OPERAND_VECTOR : OPERAND_SCALAR;
	ret->index = (uint8_t)first;
	ret->count = (uint8_t)(last - first + 1 + (is_trap ? TTMP : 0));
	return last < 256;
}

static uint64_t bits_of_float(double value, unsigned width)
{
	static const struct {
		double value;
		uint16_t bits;
	} halves[] = { { 0.5, 0x3800 }, { 1, 0x3c00 }, { 2, 0x4000 }, { 4, 0x4400 } };
	float single = (float)value;
	uint64_t bits = 0;

	if (width == 8) {
		memcpy(&bits, &value, 8);
	} else if (width == 4) {
		memcpy(&bits, &single, 4);
	} else {
		for (unsigned i = 0; i < 4; i++)
			if (halves[i].value == value || halves[i].value == -value)
				bits = halves[i].bits | (value < 0 ? 0x8000 : 0);
		if (!bits)
			bits = 0x3118; /* the only other constant is 1 / (2 pi) */
	}
	return bits;
}

/* A literal has 32 bits: a double's upper ones; else they are extended, by their sign for signed. */
static uint64_t widen_literal(uint64_t value, char letter, const char *name)
{
	if (letter == 'g')
		return value << 32;
	if (letter == 'q' && strstr(name, "_i64"))
		return (uint64_t)(int32_t)value;
	return letter == 'k' ? (uint64_t)(int16_t)value : value;
}

static bool read_constant(const char *word, char letter, const char *name, struct operand *ret)
{
	char *end;
	const char *digits = word + (*word == '-');

	if (!isdigit((unsigned char)*digits))
		return false;
	ret->kind = OPERAND_CONSTANT;
	ret->count = 2;
	if (!strncmp(digits, "0x", 2)) {
		ret->constant = strtoull(digits, &end, 16);
		if (digits != word)
			ret->constant = 0 - ret->constant;
		else
			ret->constant = widen_literal(ret->constant, letter, name);
	} else if (strchr(word, '.') || strchr(word, 'e')) {
		ret->constant = bits_of_float(strtod(word, &end), isa_width(letter));
	} else {
		ret->constant = (uint64_t)strtoll(word, &end, 10);
		if (letter == 'k')
			ret->constant = (uint64_t)(int16_t)ret->constant;
	}
	return *end == '\0';
}

static bool read_named(const char *word, struct operand *ret)
{
	for (unsigned i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (!strcmp(named[i].name, word)) {
			*ret = named[i].operand;
			return true;
		}
	return false;
}

/* "-|v1|" is a register with both signs off and then one on. */
static bool read_operand(char *word, char letter, const char *name, struct operand *ret)
{
	bool negated = false, absolute = false;
	size_t length;

	*ret = (struct operand){ 0 };
	if (read_constant(word, letter, name, ret))
		return true;
	if (*word == '-') {
		negated = true;
		word++;
	}
	length = strlen(word);
	if (length > 2 && *word == '|' && word[length - 1] == '|') {
		absolute = true;
		word[length - 1] = '\0';
		word++;
	}
	if (!read_named(word, ret) && !read_register(word, ret) &&
	    !read_constant(word, letter, name, ret))
		return false;
	ret->negated = negated;
	ret->absolute = absolute;
	return true;
}

/* ---- modifiers ---- */

/* "[1,0,3,2]" */
static unsigned read_list(const char *text, uint8_t *ret, unsigned most)
{
	unsigned count = 0;

	for (const char *at = text; *at && *at != ']' && count < most;
	     at += strcspn(at + 1, ",]") + 1)
		ret[count++] = (uint8_t)strtoul(at + 1, NULL, 0);
	return count;
}

/* One bit for each source and one for the result; only halves of a register have them. */
static bool select_halves(struct instruction *i, const char *list)
{
	uint8_t bits[MOST_SOURCES + 1] = { 0 };
	const char *letters = strchr(i->meaning->form, '=');
	unsigned count = read_list(list, bits, MOST_SOURCES + 1);

	for (unsigned n = 0; n + 1 < count && letters && letters[n + 1]; n++) {
		if (bits[n] && isa_width(letters[n + 1]) != 2)
			return false;
		i->sources[n].high |= bits[n];
	}
	if (count > 0 && bits[count - 1]) {
		if (isa_width(i->meaning->form[0]) != 2)
			return false;
		i->results[0].high = true;
	}
	return letters != NULL;
}

static bool read_dpp(struct dpp *dpp, const char *key, const char *value)
{
	static const struct {
		const char *name;
		enum dpp_kind kind;
	} kinds[] = {
		{ "quad_perm", DPP_QUAD_PERM },
		{ "row_shl", DPP_ROW_SHL },
		{ "row_shr", DPP_ROW_SHR },
		{ "row_ror", DPP_ROW_ROR },
		{ "row_mirror", DPP_ROW_MIRROR },
		{ "row_half_mirror", DPP_ROW_HALF_MIRROR },
		{ "row_share", DPP_ROW_SHARE },
		{ "row_xmask", DPP_ROW_XMASK },
		{ "dpp8", DPP_EIGHT },
	};

	for (unsigned n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
		if (strcmp(kinds[n].name, key) != 0)
			continue;
		dpp->kind = kinds[n].kind;
		if (dpp->kind == DPP_EIGHT) {
			dpp->row_mask = dpp->bank_mask = 15;
			dpp->bounded = true;
		}
		if (*value == '[')
			read_list(value, dpp->select, 8);
		else
			dpp->argument = (uint8_t)strtoul(value, NULL, 0);
		return true;
	}
	if (!strcmp(key, "row_mask"))
		dpp->row_mask = (uint8_t)strtoul(value, NULL, 0);
	else if (!strcmp(key, "bank_mask"))
		dpp->bank_mask = (uint8_t)strtoul(value, NULL, 0);
	else if (!strcmp(key, "bound_ctrl"))
		dpp->bounded = *value == '1';
	else if (!strcmp(key, "fi"))
		dpp->takes_inactive = *value == '1';
	else
		return false;
	return true;
}

/* Numbers alone: `offset:swizzle(...)` is something else. */
static bool read_offset(const char *which, const char *value, struct modifiers *m)
{
	char *end;
	int64_t number = strtoll(value, &end, 0);

	if (!*value || *end)
		return false;
	if (*which == '0')
		m->offset0 = (unsigned)number;
	else if (*which == '1')
		m->offset1 = (unsigned)number;
	else
		m->offset = number;
	return true;
}

static bool writes_float(const struct instruction *i)
{
	return i->meaning->form[0] == 'f' || i->meaning->form[0] == 'g';
}

static bool read_modifier(char *word, struct instruction *i)
{
	struct modifiers *m = &i->modifiers;
	char *value = strchr(word, ':');

	if (value)
		*value++ = '\0';
	else
		value = word + strlen(word);
	if (!strncmp(word, "offset", 6))
		return read_offset(word + 6, value, m);
	if (!strcmp(word, "glc"))
		m->returns = true;
	else if (!strcmp(word, "clamp") && writes_float(i))
		m->clamp = true;
	else if (!strcmp(word, "mul") && writes_float(i))
		m->scale = *value == '4' ? 2 : 1;
	else if (!strcmp(word, "div") && writes_float(i))
		m->scale = -1;
	else if (!strcmp(word, "op_sel"))
		return select_halves(i, value);
	else
		return !strcmp(word, "slc") || !strcmp(word, "dlc") ||
		       read_dpp(&m->dpp, word, value);
	return true;
}

/* ---- an instruction ---- */

static bool is_in_text(char letter)
{
	return !strchr("=cxv+", letter);
}

/* The letter of the operand that stands nth in the text; 'd' if the form does not say. */
static char letter_of(const char *form, unsigned nth)
{
	for (; *form; form++)
		if (is_in_text(*form) && nth-- == 0)
			return *form;
	return 'd';
}

static struct operand implied(char letter)
{
	switch (letter) {
	case 'c':
		return (struct operand){ .kind = OPERAND_SCC, .count = 1 };
	case 'x':
		return (struct operand){ .kind = OPERAND_SCALAR, .index = EXEC, .count = 2 };
	default:
		return (struct operand){ .kind = OPERAND_SCALAR, .index = VCC, .count = 2 };
	}
}

/*
 * The operands of the text, to the places that the form has for them. The condition of a dual
 * v_cndmask is not printed: it is always VCC.
 */
static bool place_operands(struct instruction *i)
{
	unsigned taken = 0, results = 0, sources = 0;
	bool reads = false;

	for (const char *f = i->meaning->form; *f; f++) {
		struct operand o;

		if (*f == '=') {
			reads = true;
			continue;
		}
		if (*f == '+')
			o = i->results[0];
		else if (is_in_text(*f) && taken < i->count)
			o = i->operands[taken++];
		else if (is_in_text(*f) && *f != 'm')
			return false;
		else
			o = implied(*f);
		if (reads)
			i->sources[sources++] = o;
		else
			i->results[results++] = o;
	}
	return taken == i->count;
}

/* To the next comma that is not inside brackets; the rest, or NULL. */
static char *cut_at_comma(char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += (*text == '[') - (*text == ']');
		if (*text == ',' && depth == 0) {
			*text = '\0';
			return text + 1 + strspn(text + 1, " ");
		}
	}
	return NULL;
}

/* The words behind the last operand stay in `*ret_words`. */
static bool read_operands(char *text, struct instruction *i, char **ret_words)
{
	char *next, *end;

	*ret_words = text + strlen(text);
	for (; text && *text; text = next) {
		char letter = letter_of(i->meaning->form, i->count);

		next = cut_at_comma(text);
		end = text + strcspn(text, " ");
		if (*end) {
			*end = '\0';
			*ret_words = end + 1;
			if (next)
				return false;
		}
		if (i->count == MOST_OPERANDS ||
		    !read_operand(text, letter, i->meaning->name, &i->operands[i->count]))
			return false;
		i->count++;
	}
	return true;
}

/* One half of a pair, or all of it. */
static bool read_one(char *text, struct instruction *i)
{
	char *rest = text + strcspn(text, " "), *words, *save = NULL;

	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " ");
	if (!strncmp(text, "v_dual_", 7)) {
		text += 5;
		text[0] = 'v';
	}
	i->meaning = isa_find(text);
	if (!i->meaning)
		return false;
	if (!i->meaning->form)
		return true;
	if (!read_operands(rest, i, &words) || (i->meaning->compute && !place_operands(i)))
		return false;
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		if (!read_modifier(w, i))
			return false;
	return true;
}

bool isa_read(const char *text, struct instruction *ret)
{
	char copy[sizeof(ret->text)], *pair;

	text += strspn(text, " \t");
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	snprintf(copy, sizeof(copy), "%s", text);
	pair = strstr(copy, " :: ");
	if (pair) {
		*pair = '\0';
		ret->second = calloc(1, sizeof(*ret->second));
		if (!ret->second || !read_one(pair + 4, ret->second))
			return false;
	}
	return read_one(copy, ret);
}
