#include "explain/described.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "explain/owner.h"

#define LABEL_MAX   56  /* bytes */
#define VALUE_MAX   120 /* a longer one is no field of a form */
#define FACTS_MAX   96
#define CELLS_MAX   10
#define ERROR_NEAR  24 /* bytes before the word of a line that is an error */
#define EXAMPLE_MAX 12 /* bytes of a word that begins an example */
#define WAIT_MAX    3  /* lines between a heading and its value */

/* What a label asks for. */
struct label {
	struct span name;    /* of the fact; empty: there is none */
	struct span program; /* whose version */
	bool is_library;
	bool is_version; /* the label says so */
};

struct reading {
	const struct machine_words *words;
	struct arena *arena;
	struct described *out;
	unsigned long long number;
	bool in_code, in_comment;
	bool of_other;        /* the section is of another machine */
	struct label pending; /* of a heading whose value has not come */
	unsigned int waited;
	struct { /* the table that goes on */
		struct label cells[CELLS_MAX];
		size_t count, rows, from;
		bool ruled; /* its head is over */
	} table;
	struct token_line line;
	struct owned owned;
	char clean[TOKEN_LINE_BYTES];
};

/* ---- facts ---- */

static void add(struct reading *r, struct described_fact fact)
{
	struct described *d = r->out;

	if (d->count == FACTS_MAX || (fact.value.len == 0 && fact.program.len == 0))
		return;
	fact.name = arena_span(r->arena, fact.name);
	fact.value = arena_span(r->arena, fact.value);
	fact.program = arena_span(r->arena, fact.program);
	fact.line = r->number;
	d->list = arena_grow(r->arena, d->list, d->count, sizeof(*d->list));
	d->list[d->count++] = fact;
}

static void add_mention(struct reading *r, const struct mention *m, bool labelled)
{
	struct described_fact fact = { .name = m->name,
				       .value = m->value,
				       .labelled = labelled,
				       .is_library = m->is_library,
				       .is_processor = m->is_processor && !m->is_inside,
				       .is_wsl = m->is_wsl };

	if (m->kind == MENTION_PROGRAM) {
		fact.program = m->name;
		fact.name = SPAN_LITERAL("framework");
	}
	add(r, fact);
}

/* ---- labels ---- */

static bool is_known(const struct token_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->tokens[i].words)
			return true;
	return false;
}

/* A label in small letters, without what says nothing: "GPU(s) used" is gpu. */
static struct label find_field(struct reading *r, struct span label)
{
	struct buf key BUF_SCOPED = { 0 };
	struct label field = { 0 };
	struct mention m = { 0 };
	const struct machine_word *found;

	if (label.len == 0 || label.len > LABEL_MAX)
		return field;
	token_line_read(&r->line, r->words, label);
	if (!is_known(&r->line))
		return field;
	for (size_t i = 0; i < r->line.count; i++) {
		struct span low = r->line.tokens[i].low;

		field.is_version |= span_starts(low, "version") || span_is(low, "release");
		if (machine_words_is(r->line.tokens[i].words, WORD_FILLER) ||
		    isdigit((unsigned char)low.data[0]))
			continue;
		if (key.len > 0)
			buf_char(&key, ' ');
		buf_span(&key, low);
	}
	found = machine_words_whole(r->words, buf_get(&key), WORD_LABEL);
	if (found) {
		field.name = found->means;
	} else if (mention_at(&r->line, 0, &m) && m.kind == MENTION_PROGRAM && m.value.len == 0 &&
		   (m.to == r->line.count || (m.to + 1 == r->line.count && field.is_version))) {
		field.name = SPAN_LITERAL("framework");
		field.program = m.name;
		field.is_library = m.is_library;
	}
	return field;
}

static bool is_none(const struct reading *r, struct span value)
{
	char low[24];

	while (value.len > 0 && strchr("_.*()", value.data[0]))
		value = (struct span){ value.data + 1, value.len - 1 };
	while (value.len > 0 && strchr("_.*()", value.data[value.len - 1]))
		value.len--;
	if (value.len >= sizeof(low))
		return false;
	for (size_t i = 0; i < value.len; i++)
		low[i] = (char)tolower((unsigned char)value.data[i]);
	return value.len == 0 ||
	       machine_words_whole(r->words, (struct span){ low, value.len }, WORD_NONE);
}

/* ---- values ---- */

static bool has_word(const struct token_line *line, enum word_kind kind)
{
	for (size_t i = 0; i < line->count; i++)
		if (machine_words_is(line->tokens[i].words, kind))
			return true;
	return false;
}

static bool has_mention(const struct owned *o, enum mention_kind kind)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->list[i].kind == kind)
			return true;
	return false;
}

static bool has_digit(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (isdigit((unsigned char)s.data[i]))
			return true;
	return false;
}

/* A sentence stands behind the label: "works on 6.1, fails on 6.2". */
static bool is_sentence(const struct token_line *line)
{
	return has_word(line, WORD_GOOD) || has_word(line, WORD_BAD) || has_word(line, WORD_CHANGE);
}

/* The number of a release stands at the beginning, behind nothing but its name. */
static size_t version_at(const struct token_line *line)
{
	struct span version;

	for (size_t i = 0; i < 4 && i < line->count; i++) {
		const struct token *t = &line->tokens[i];
		bool names = span_is(t->low, "sdk") || machine_words_is(t->words, WORD_BETWEEN);

		if ((mention_version(t->low, &version) &&
		     !(i + 1 < line->count && (line->tokens[i + 1].gap & GAP_COLON))) ||
		    (span_starts(t->low, "rocm") && has_digit(t->low)))
			return i;
		for (const struct machine_word *w = t->words; w; w = w->next)
			names |= w->kind == WORD_RELEASE;
		if (!names)
			break;
	}
	return SIZE_MAX;
}

static bool is_kernel(const struct token_line *line)
{
	size_t at = version_at(line);
	struct span low = at != SIZE_MAX ? line->tokens[at].low : (struct span){ 0 };

	return low.len >= 3 && low.data[1] == '.' && low.data[0] != '0';
}

/* Whether a value is of the kind that its label asks for. */
static bool fits(const struct reading *r, struct span name)
{
	const struct token_line *line = &r->line;
	const struct owned *o = &r->owned;

	if (span_is(name, "gpu"))
		return has_mention(o, MENTION_GPU) || has_mention(o, MENTION_GFX) ||
		       has_word(line, WORD_BRAND);
	if (span_is(name, "gfx"))
		return has_mention(o, MENTION_GFX) ||
		       (line->count == 1 && span_starts(line->tokens[0].low, "gfx"));
	if (span_is(name, "os"))
		return has_mention(o, MENTION_SYSTEM) || has_word(line, WORD_SYSTEM);
	if (span_is(name, "container"))
		return has_mention(o, MENTION_ENGINE) || has_mention(o, MENTION_IMAGE) ||
		       has_word(line, WORD_BOXED);
	if (span_is(name, "gpu_count"))
		return line->count == 1 && line->tokens[0].low.len <= 2 &&
		       has_digit(line->tokens[0].low) && line->tokens[0].low.data[0] != '0';
	if (span_is(name, "kernel"))
		return is_kernel(line);
	if (span_is(name, "driver"))
		return version_at(line) != SIZE_MAX && line->count <= 4;
	return version_at(line) != SIZE_MAX;
}

static void take_program(struct reading *r, const struct label *field, struct span value)
{
	struct mention m = { 0 };

	if (field->program.len > 0) {
		if (field->is_version || (version_at(&r->line) != SIZE_MAX && r->line.count <= 4))
			add(r, (struct described_fact){ .name = field->name,
							.value = value,
							.program = field->program,
							.labelled = true,
							.is_library = field->is_library });
		return;
	}
	if (mention_at(&r->line, 0, &m) && m.kind == MENTION_PROGRAM)
		add_mention(r, &m, true);
	else if (isalpha((unsigned char)value.data[0]) && r->line.count <= 6)
		add(r, (struct described_fact){
			       .name = field->name, .program = value, .labelled = true });
}

/* "RX 7900 XTX (gfx1100)" tells two things. */
static void take_gpu(struct reading *r, struct span value)
{
	size_t cut = span_find(value, SPAN_LITERAL(" (gfx"));

	for (size_t i = 0; i < r->owned.count; i++)
		if (r->owned.list[i].kind == MENTION_GFX)
			add_mention(r, &r->owned.list[i], true);
	if (cut != SIZE_MAX && value.data[value.len - 1] == ')')
		value.len = cut;
	add(r, (struct described_fact){
		       .name = SPAN_LITERAL("gpu"), .value = value, .labelled = true });
}

/* "Ubuntu 24.04.2 LTS (x86_64)": what is in brackets is no part of the name, unless it is WSL. */
static void take_system(struct reading *r, struct span value)
{
	size_t cut = span_find(value, SPAN_LITERAL(" ("));

	if (cut != SIZE_MAX && span_find(value, SPAN_LITERAL("WSL")) == SIZE_MAX)
		value.len = cut;
	add(r, (struct described_fact){
		       .name = SPAN_LITERAL("os"), .value = value, .labelled = true });
}

static void take_owned(struct reading *r, struct span only)
{
	bool beside = has_word(&r->line, WORD_RIVAL) && !has_word(&r->line, WORD_TURN);

	for (size_t i = 0; i < r->owned.count; i++) {
		const struct mention *m = &r->owned.list[i];

		if (beside && (m->kind == MENTION_GPU || m->kind == MENTION_COUNT))
			continue;
		if (r->owned.owns[i] && (only.len == 0 || span_same(m->name, only)))
			add_mention(r, m, only.len > 0);
	}
}

static bool is_of(const struct mention *m, struct span name)
{
	bool of_gpu = m->kind == MENTION_GPU || m->kind == MENTION_GFX || m->kind == MENTION_COUNT;

	return span_same(m->name, name) || (of_gpu && span_is(name, "gpu"));
}

/* "GPU: RX 6700 XT, Windows 11, ComfyUI" goes on as a list. Takes what is not of the label; the value that is. */
static struct span take_rest(struct reading *r, struct span name, struct span value)
{
	for (size_t i = 0; i < r->owned.count; i++) {
		const struct mention *m = &r->owned.list[i];
		const struct token *first = &r->line.tokens[m->from];
		size_t at = (size_t)(first->text.data - value.data);

		if (is_of(m, name) || !r->owned.owns[i] || m->from == 0)
			continue;
		add_mention(r, m, false);
		if ((first->gap & GAP_COMMA) && at < value.len)
			value.len = at;
	}
	while (value.len > 0 && strchr(" ,;|/", value.data[value.len - 1]))
		value.len--;
	return value;
}

/* "Environment: Ubuntu 24.04, ROCm 6.2" is a list of more than the label says. */
static void take_general(struct reading *r, const struct label *field)
{
	if (span_is(field->name, "container") || span_is(field->name, "os"))
		take_owned(r, (struct span){ 0 });
}

static void take_value(struct reading *r, const struct label *field, struct span value)
{
	value = span_trim(value);
	if (value.len == 0 || value.len > VALUE_MAX || r->of_other || is_none(r, value))
		return;
	token_line_read(&r->line, r->words, value);
	owner_read(&r->line, true, &r->owned);
	if (r->line.count == 0)
		return;
	if (span_is(field->name, "gpu") && fits(r, SPAN_LITERAL("gpu_count")))
		add(r, (struct described_fact){ .name = SPAN_LITERAL("gpu_count"),
						.value = value,
						.labelled = true });
	else if (is_sentence(&r->line) || has_word(&r->line, WORD_MINE))
		take_owned(r, field->name);
	else if (span_is(field->name, "framework"))
		take_program(r, field, value);
	else if (!fits(r, field->name))
		take_general(r, field);
	else if (span_is(field->name, "gpu"))
		take_gpu(r, take_rest(r, field->name, value));
	else if (span_is(field->name, "os"))
		take_system(r, take_rest(r, field->name, value));
	else
		add(r, (struct described_fact){
			       .name = field->name, .value = value, .labelled = true });
}

/* ---- lines ---- */

/* Without bullets, quotes and the marks of Markdown. */
static struct span clean_line(struct reading *r, struct span line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len && n < sizeof(r->clean); i++) {
		struct span rest = { line.data + i, line.len - i };

		if (span_starts(rest, r->in_comment ? "-->" : "<!--")) {
			i += r->in_comment ? 2 : 3;
			r->in_comment = !r->in_comment;
		} else if (!r->in_comment && !strchr("*`\r", line.data[i])) {
			r->clean[n++] = line.data[i] == '\t' ? ' ' : line.data[i];
		}
	}
	line = span_trim((struct span){ r->clean, n });
	while (line.len > 1 && (line.data[0] == '-' || line.data[0] == '+') && line.data[1] == ' ')
		line = span_trim((struct span){ line.data + 1, line.len - 1 });
	if (span_starts(line, "\xe2\x80\xa2"))
		line = span_trim((struct span){ line.data + 3, line.len - 3 });
	if (span_starts(line, "[x] ") || span_starts(line, "[X] "))
		line = (struct span){ line.data + 4, line.len - 4 };
	return line;
}

static struct span left(struct span line, size_t n)
{
	return (struct span){ line.data, n };
}

static struct span behind(struct span line, size_t n)
{
	return (struct span){ line.data + n, line.len - n };
}

/* The colon or equals sign behind a label; SIZE_MAX: there is none near. */
static size_t label_end(struct span line)
{
	size_t most = line.len < LABEL_MAX ? line.len : LABEL_MAX;

	for (size_t i = 1; i < most; i++)
		if (line.data[i] == ':' || line.data[i] == '=')
			return i;
	return SIZE_MAX;
}

/* Where another field begins in the value of one: "Ubuntu 24.04, GPU: RX 7900 XTX". */
static size_t next_field(struct reading *r, struct span value)
{
	for (size_t i = 0; i + 2 < value.len; i++) {
		size_t end;

		if (!memchr(",;|", value.data[i], 3))
			continue;
		end = label_end(behind(value, i + 1));
		if (end != SIZE_MAX &&
		    find_field(r, span_trim(left(behind(value, i + 1), end))).name.len > 0)
			return i;
	}
	return value.len;
}

/* "GPU: RX 7900 XTX", with more of them behind it. True if the line is one. */
static bool take_fields(struct reading *r, struct span line)
{
	bool any = false;

	for (size_t end; (end = label_end(line)) != SIZE_MAX;) {
		struct label field = find_field(r, span_trim(left(line, end)));
		struct span value = span_trim(behind(line, end + 1));
		size_t next;

		if (field.name.len == 0)
			return any;
		any = true;
		if (value.len == 0) {
			r->pending = field;
			r->waited = 0;
			return true;
		}
		while (value.len > 0 && value.data[0] == '=')
			value = span_trim(behind(value, 1));
		next = next_field(r, value);
		take_value(r, &field, left(value, next));
		if (next == value.len)
			return true;
		line = span_trim(behind(value, next + 1));
	}
	return any;
}

/* A heading names a field, or what its section is of. */
static void take_heading(struct reading *r, struct span text)
{
	while (text.len > 0 && text.data[0] == '#')
		text = behind(text, 1);
	text = span_trim(text);
	r->pending = (struct label){ 0 };
	if (take_fields(r, text))
		return;
	r->pending = find_field(r, text);
	r->waited = 0;
	token_line_read(&r->line, r->words, text);
	if (r->pending.name.len > 0) {
		r->of_other = false;
		return;
	}
	owner_read(&r->line, false, &r->owned);
	r->of_other = r->owned.count == 0 &&
		      (has_word(&r->line, WORD_OTHER) || has_word(&r->line, WORD_GOOD)) &&
		      !has_word(&r->line, WORD_DENY);
	if (!r->of_other)
		take_owned(r, (struct span){ 0 });
}

/* ---- tables ---- */

static size_t cut_cells(struct span line, struct span ret[CELLS_MAX])
{
	size_t n = 0;

	line = behind(line, 1);
	while (n < CELLS_MAX && span_cut(&line, '|', &ret[n]))
		ret[n] = span_trim(ret[n]), n++;
	while (n > 0 && ret[n - 1].len == 0)
		n--;
	return n;
}

static bool is_ruler(struct span line)
{
	for (size_t i = 0; i < line.len; i++)
		if (!strchr("|-: ", line.data[i]))
			return false;
	return true;
}

/* A head of labels: the rows below it are machines, and of several nobody knows which. */
static void begin_table(struct reading *r, const struct span *cells, size_t count)
{
	r->table.count = count;
	r->table.rows = 0;
	r->table.from = r->out->count;
	for (size_t i = 0; i < count; i++)
		r->table.cells[i] = find_field(r, cells[i]);
}

static void take_row(struct reading *r, const struct span *cells, size_t count)
{
	if (r->table.rows++ > 0) {
		r->out->count = r->table.from;
		return;
	}
	for (size_t i = 0; i < count && i < r->table.count; i++)
		if (r->table.cells[i].name.len > 0)
			take_value(r, &r->table.cells[i], cells[i]);
}

static bool is_head(const struct reading *r)
{
	size_t labels = 0;

	for (size_t i = 0; i < r->table.count; i++)
		labels += r->table.cells[i].name.len > 0;
	return labels >= 2;
}

static void take_table(struct reading *r, struct span line)
{
	struct span cells[CELLS_MAX];
	size_t count = cut_cells(line, cells);

	if (is_ruler(line)) {
		r->table.ruled = true;
		return;
	}
	if (r->table.count > 0 && is_head(r)) {
		take_row(r, cells, count);
		return;
	}
	begin_table(r, cells, count);
	if (count == 2 && r->table.cells[0].name.len > 0) {
		struct label field = r->table.cells[0];

		if (!r->table.ruled && r->table.cells[1].name.len > 0 &&
		    r->table.cells[1].program.len == 0 && !has_digit(cells[1]))
			return; /* "| GPU | ROCm |" is a head */
		r->table.count = 0;
		take_value(r, &field, cells[1]);
	}
}

/* ---- sentences ---- */

static bool starts_as_log(struct span line)
{
	static const char *const starts[] = { "File \"", "Traceback", "$ ",  "> ",  ">>>",  "+ ",
					      "[rank",   "[ ",        "#0",  "at ", "INFO", "WARN",
					      "DEBUG",   "ERROR",     "E  ", "==",  "---" };

	for (size_t i = 0; i < COUNT(starts); i++)
		if (span_starts(line, starts[i]))
			return true;
	return line.len > 4 && (isdigit((unsigned char)line.data[line.data[0] == '[']) &&
				(memchr(left(line, 14 < line.len ? 14 : line.len).data, ':',
					14 < line.len ? 14 : line.len) ||
				 line.data[4] == '-' || line.data[5 < line.len ? 5 : 4] == '-'));
}

/* What stands before an error that the line quotes: "vllm fails (RX 7900 XTX): RuntimeError: ..." */
static struct span before_error(struct span line)
{
	static const char *const marks[] = { "rror:", "xception:", "arning:", "rror :" };

	for (size_t i = 0; i < COUNT(marks); i++) {
		size_t at = span_find(line, span_of(marks[i]));

		if (at != SIZE_MAX && at < ERROR_NEAR)
			at = 0; /* the line is an error: "rocBLAS error: ..." */
		while (at != SIZE_MAX && at > 0 && !isspace((unsigned char)line.data[at - 1]))
			at--;
		if (at != SIZE_MAX)
			line.len = at;
	}
	return line;
}

/* A tool writes columns, "Device OpenCL C Version      OpenCL C 2.0"; a person does not. */
static bool has_columns(struct span line)
{
	return span_find(line, SPAN_LITERAL("    ")) != SIZE_MAX;
}

static void take_sentence(struct reading *r, struct span line)
{
	if (starts_as_log(line) || has_columns(line) || r->of_other)
		return;
	line = before_error(line);
	if (span_starts(line, "[Bug]"))
		line = behind(line, 5);
	if (line.len < 4)
		return;
	token_line_read(&r->line, r->words, line);
	if (!mention_is_near(&r->line))
		return;
	owner_read(&r->line, false, &r->owned);
	take_owned(r, (struct span){ 0 });
}

/* ---- the text ---- */

/* "VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [...] (rev c8)" */
static bool take_listed(struct reading *r, struct span line)
{
	struct span mark = r->words->listing, name;
	size_t at = span_find(line, SPAN_LITERAL("[AMD/ATI] ")), end;

	if (at == SIZE_MAX || mark.len == 0)
		return false;
	at += sizeof("[AMD/ATI] ") - 1;
	if (at < mark.len || strncasecmp(line.data + at - mark.len, mark.data, mark.len) != 0)
		return false;
	name = behind(line, at);
	end = span_find(name, SPAN_LITERAL(" (rev "));
	if (end != SIZE_MAX)
		name.len = end;
	add(r, (struct described_fact){ .name = SPAN_LITERAL("listed"), .value = name });
	return true;
}

static bool is_waiting(struct reading *r)
{
	return r->pending.name.len > 0 && r->waited < WAIT_MAX;
}

/* "e.g. RX 6800" below a heading is the form's own, and what was filled in stands behind it. */
static bool is_example(struct reading *r, struct span line)
{
	char small[EXAMPLE_MAX];
	struct span word;
	size_t n = 0;

	if (!span_word(&line, &word))
		return false;
	while (word.len > 0 && strchr(".:,;", word.data[word.len - 1]))
		word.len--;
	if (word.len > sizeof(small))
		return false;
	for (; n < word.len; n++)
		small[n] = (char)tolower((unsigned char)word.data[n]);
	return machine_words_is(machine_words_find(r->words, (struct span){ small, n }),
				WORD_EXAMPLE);
}

static void take_line(struct reading *r, struct span raw)
{
	bool quoted = raw.len > 0 && raw.data[0] == '>';
	bool bold = span_starts(raw, "**");
	struct span line;

	if (span_starts(raw, "```")) {
		r->in_code = !r->in_code;
		return;
	}
	line = clean_line(r, raw);
	r->waited++;
	if (line.len == 0 || quoted || raw.len > TOKEN_LINE_BYTES || is_example(r, line))
		return;
	if (line.data[0] != '|') {
		r->table.count = 0;
		r->table.ruled = false;
	}
	if (take_listed(r, line))
		return;
	if (line.data[0] == '|') {
		take_table(r, line);
	} else if (line.data[0] == '#' || (bold && label_end(line) == SIZE_MAX && !is_waiting(r) &&
					   line.len < LABEL_MAX)) {
		take_heading(r, line);
	} else if (!take_fields(r, line)) {
		struct label field = r->pending;

		if (is_waiting(r))
			take_value(r, &field, line);
		else
			take_sentence(r, line);
		r->pending = (struct label){ 0 };
	}
}

void described_text(const struct machine_words *words, struct span text, unsigned long long number,
		    struct arena *arena, struct described *ret)
{
	struct reading r = { .words = words, .arena = arena, .out = ret, .number = number };
	struct span line;

	if (words->settings)
		setting_read(words->settings, text, number, arena, &ret->settings);
	if (words->contrasts)
		contrast_read(words->contrasts, text, number, arena, &ret->contrasts);
	for (; span_line(&text, &line); r.number++)
		take_line(&r, line);
}

/* The beginning of a longer text may end within a line, and half of a version is another one. */
static struct span whole_lines(struct span text)
{
	const char *end = text.len > 0 ? memrchr(text.data, '\n', text.len) : NULL;

	return end ? (struct span){ text.data, (size_t)(end - text.data) } : (struct span){ 0 };
}

void described_read(const struct machine_words *words, const struct scan *scan, struct arena *arena,
		    struct described *ret)
{
	struct scan_tail tail;
	struct span text, first;

	*ret = (struct described){ 0 };
	scan_tail(scan, &tail);
	text = tail.text;
	if (tail.line > 1 || text.len > 2 * DESCRIBED_REACH) {
		first = whole_lines(scan_first(scan));
		described_text(words, first, 1, arena, ret);
	}
	while (text.len > DESCRIBED_REACH && (tail.line > 1 || text.len > 2 * DESCRIBED_REACH)) {
		const char *end = memchr(text.data, '\n', text.len);

		if (!end)
			return;
		text = behind(text, (size_t)(end - text.data) + 1);
		tail.line++;
	}
	described_text(words, text, tail.line, arena, ret);
}
