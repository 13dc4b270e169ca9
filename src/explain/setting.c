#include "explain/setting.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "facts/facts.h"

extern const char data_setting_words[];

#define LINE_MAX_BYTES 4000 /* a longer line is none that a person wrote */
#define VALUE_MAX      120
#define NAME_MIN       3
#define BEHIND_MAX     12

enum manner { /* of a sentence; a bit each */
	      MANNER_DONE = 1,
	      MANNER_ASKED = 2,
	      MANNER_UNDONE = 4,
	      MANNER_ADVICE = 8,
	      MANNER_SELF = 16,
	      MANNER_DONE_IT = 32, /* of the sentence behind it */
	      MANNER_QUESTION = 64,
	      MANNER_IDLE = 128,
};

struct reading {
	const struct setting_names *names;
	struct arena *arena;
	struct settings *out;
	unsigned long long number;
	struct span line;
	char small[LINE_MAX_BYTES]; /* the same in small letters */
};

static struct span part(struct span s, size_t from, size_t to)
{
	return (struct span){ s.data + from, to - from };
}

static bool is_at(struct span s, size_t at, const char *any)
{
	return at < s.len && strchr(any, s.data[at]) != NULL && s.data[at] != '\0';
}

/* ---- sentences ---- */

static bool ends_sentence(struct span line, size_t at)
{
	return is_at(line, at, ".!?") &&
	       (at + 1 == line.len || isspace((unsigned char)line.data[at + 1]));
}

/* The sentence of a line that a place is in, with its mark at the end. */
static struct span sentence_at(const struct reading *r, size_t at)
{
	size_t from = at, to = at;

	while (from > 0 && !ends_sentence(r->line, from - 1))
		from--;
	while (to < r->line.len && !ends_sentence(r->line, to))
		to++;
	to += to < r->line.len;
	return (struct span){ r->small + from, to - from };
}

/* How the next sentence begins: "Did it:". */
static struct span behind(const struct reading *r, struct span sentence)
{
	size_t from = (size_t)(sentence.data - r->small) + sentence.len;
	size_t left = r->line.len - from;

	return (struct span){ r->small + from, left < BEHIND_MAX ? left : BEHIND_MAX };
}

static unsigned int manner_named(struct span kind)
{
	static const struct {
		const char *kind;
		unsigned int manner;
	} kinds[] = { { "done", MANNER_DONE },         { "asked", MANNER_ASKED },
		      { "undone", MANNER_UNDONE },     { "advice", MANNER_ADVICE },
		      { "self", MANNER_SELF },         { "done-it", MANNER_DONE_IT },
		      { "question", MANNER_QUESTION }, { "idle", MANNER_IDLE } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (span_is(kind, kinds[i].kind))
			return kinds[i].manner;
	return 0; /* a comment */
}

static unsigned int manner_of(struct span sentence)
{
	struct span rest = span_of(data_setting_words), row, kind;
	unsigned int manner = 0;

	while (span_line(&rest, &row)) {
		unsigned int one = span_cut(&row, '\t', &kind) ? manner_named(kind) : 0;

		if (one && !(manner & one) && span_has_words(sentence, row))
			manner |= one;
	}
	if (sentence.len > 0 && sentence.data[sentence.len - 1] == '?')
		manner |= MANNER_ASKED;
	return manner;
}

/* A program speaks, and nobody tells of what they did. */
static bool is_program(unsigned int manner)
{
	return (manner & MANNER_ADVICE) && !(manner & (MANNER_SELF | MANNER_DONE));
}

/* It says what to do about the failure. A proposal of somebody else, or how to find out more, is none. */
static bool is_advice(unsigned int manner, struct span sentence)
{
	return !(manner & (MANNER_IDLE | MANNER_ASKED | MANNER_QUESTION | MANNER_UNDONE)) &&
	       span_find(sentence, SPAN_LITERAL("sudo")) == SIZE_MAX;
}

/* ---- values ---- */

static size_t over_blank(struct span line, size_t at)
{
	return at < line.len && line.data[at] == ' ' ? at + 1 : at;
}

static size_t over_any(struct span line, size_t at, const char *any)
{
	while (is_at(line, at, any))
		at++;
	return at;
}

static struct span value_at(struct span line, size_t at)
{
	size_t from = over_any(line, over_blank(line, at), "\"'`"), end = from;

	while (end < line.len && !isspace((unsigned char)line.data[end]) &&
	       !strchr("\"'`;)]}<>\\", line.data[end]) && end - from < VALUE_MAX)
		end++;
	while (end > from && strchr(".,:*!?", line.data[end - 1]))
		end--;
	return part(line, from, end);
}

/* "NAME: value" of a file in YAML begins the line; "map[NAME:value OTHER: ...]" has no blank. */
static bool is_mapped(struct span line, size_t name, size_t colon)
{
	if (colon + 1 >= line.len || line.data[colon + 1] == ':')
		return false;
	if (line.data[colon + 1] != ' ')
		return true;
	for (size_t i = 0; i < name; i++)
		if (!strchr(" \t-\"'", line.data[i]))
			return false;
	return true;
}

static bool follows_word(struct span line, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at > n && line.data[at - 1] == ' ' &&
	       span_ends((struct span){ line.data, at - 1 }, word);
}

/* What a variable or an argument of the kernel is given; false: nothing, it is only named. */
static bool read_value(const struct reading *r, size_t name, size_t end, struct span *ret)
{
	struct span line = r->line;
	size_t at = over_any(line, end, "\"'`]");

	if (is_at(line, over_blank(line, at), "=") && !is_at(line, over_blank(line, at) + 1, "=")) {
		*ret = value_at(line, over_blank(line, at) + 1);
		return true;
	}
	if (is_at(line, at, ":") && is_mapped(line, name, at)) {
		*ret = value_at(line, at + 1);
		return ret->len > 0;
	}
	if (is_at(line, at, " ") && follows_word(line, name, "setx")) {
		*ret = value_at(line, at + 1);
		return ret->len > 0;
	}
	return false;
}

/* The word behind a flag is its value, where the knowledge knows one for it. */
static struct span flag_value(struct span line, size_t end)
{
	if (!is_at(line, end, "= ") || is_at(line, end + 1, "-"))
		return (struct span){ 0 };
	return value_at(line, end + 1);
}

/* ---- what is found ---- */

static struct setting *find(const struct settings *s, const struct setting *like)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].name == like->name && span_same(s->list[i].value, like->value))
			return &s->list[i];
	return NULL;
}

/* What is set in one line is set, whatever another line asks or advises. */
static void add(struct reading *r, struct setting found)
{
	struct settings *s = r->out;
	struct setting *before = find(s, &found);

	if (before && before->how <= found.how)
		return;
	if (before) {
		before->how = found.how;
		before->line = r->number;
		return;
	}
	if (s->count == SETTINGS_MAX) {
		s->cut = true;
		return;
	}
	found.value = found.value.data ? arena_span(r->arena, found.value) : found.value;
	found.line = r->number;
	s->list = arena_grow(r->arena, s->list, s->count, sizeof(*s->list));
	s->list[s->count++] = found;
}

/* Behind the value of an advice, and its quotes, stands nothing that a shell would read on with. */
static bool is_whole(const struct reading *r, struct span value)
{
	struct span line = r->line;
	size_t quoted = (size_t)(value.data - line.data) + value.len;
	size_t end = over_any(line, quoted, "\"'`*");

	if (end < line.len && !isspace((unsigned char)line.data[end]) &&
	    !is_at(line, end, ".,:!?)]"))
		return false;
	return !is_at(line, over_any(line, end, " \t"), ";|&<>$\\");
}

static enum setting_how how_in(const struct reading *r, struct span sentence, unsigned int manner,
			       bool has_value)
{
	bool is_done = (manner & MANNER_DONE) || (manner_of(behind(r, sentence)) & MANNER_DONE_IT);

	return !has_value || (manner & MANNER_QUESTION) || ((manner & MANNER_ASKED) && !is_done)
		       ? SETTING_ASKED
		       : SETTING_SET;
}

static void add_in_sentence(struct reading *r, size_t at, struct setting found)
{
	struct span sentence = sentence_at(r, at);
	unsigned int manner = manner_of(sentence);
	bool is_flag = strcmp(found.name->form, "flag") == 0; /* the word behind it may be any */
	bool has_value = found.value.data || is_flag || strcmp(found.name->form, "command") == 0;

	if (is_program(manner)) {
		found.how = SETTING_ADVISED;
		if ((is_flag || (found.value.data && is_whole(r, found.value))) &&
		    is_advice(manner, sentence))
			add(r, found);
		return;
	}
	if ((manner & MANNER_UNDONE) && !(found.value.data && !is_flag))
		return;
	found.how = how_in(r, sentence, manner, has_value);
	add(r, found);
}

/* ---- names ---- */

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || strchr("_.-", c);
}

static size_t name_end(struct span line, size_t at)
{
	size_t end = at;

	while (end < line.len && line.data[end] && is_name_byte(line.data[end]))
		end++;
	while (end > at && strchr(".-", line.data[end - 1]))
		end--;
	return end;
}

/* "options amdgpu noretry=0" and "modprobe amdgpu noretry=0" name the module once. */
static struct span module_of(struct span line)
{
	static const char *const before[] = { "options ", "modprobe " };
	struct span word = { 0 };

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		size_t at = span_find(line, span_of(before[i]));
		struct span rest;

		if (at == SIZE_MAX)
			continue;
		rest = part(line, at + strlen(before[i]), line.len);
		if (span_word(&rest, &word))
			return word;
	}
	return word;
}

static const struct setting_name *known(const struct reading *r, struct span module,
					struct span word)
{
	const struct setting_name *name = map_find(&r->names->by_name, word);
	char joined[80];
	size_t n = module.len + 1 + word.len;

	if (name || module.len == 0 || n > sizeof(joined))
		return name;
	memcpy(joined, module.data, module.len);
	joined[module.len] = '.';
	memcpy(joined + module.len + 1, word.data, word.len);
	return map_find(&r->names->by_name, (struct span){ joined, n });
}

static void take_name(struct reading *r, const struct setting_name *name, size_t at, size_t end)
{
	struct setting found = { .name = name };

	if (strcmp(name->form, "flag") == 0) {
		found.value = flag_value(r->line, end);
	} else if (!read_value(r, at, end, &found.value)) {
		/* "pci" and "iommu" are words; a parameter of a module has its name before a point */
		if (strcmp(name->form, "kernel") == 0 && !strchr(name->name, '.'))
			return;
		if (is_at(r->line, end, ":="))
			return; /* "map[NAME: OTHER:1]", "NAME=": it is empty */
		found.value = (struct span){ 0 };
	}
	add_in_sentence(r, at, found);
}

static void take_names(struct reading *r)
{
	struct span module = module_of(r->line);
	size_t at = 0;

	while (at < r->line.len) {
		size_t end = name_end(r->line, at);
		const struct setting_name *name =
			end >= at + NAME_MIN ? known(r, module, part(r->line, at, end)) : NULL;

		if (name)
			take_name(r, name, at, end);
		at = end > at ? end : at + 1;
	}
}

/* ---- commands ---- */

/* All words of a command stand in the line, and none of those behind "!"; where the last one does. */
static bool has_command(const struct reading *r, const char *command, size_t *ret_at)
{
	struct span line = { r->small, r->line.len }, rest = span_of(command), word;

	while (span_word(&rest, &word)) {
		size_t at = span_find(line, word);

		if (word.data[0] == '!') {
			if (span_find(line, part(word, 1, word.len)) != SIZE_MAX)
				return false;
			continue;
		}
		if (at == SIZE_MAX || span_inside_word(line, at) ||
		    span_inside_word(line, at + word.len))
			return false;
		*ret_at = at;
	}
	return true;
}

static void take_commands(struct reading *r)
{
	size_t at = 0;

	for (size_t i = 0; i < r->names->command_count; i++)
		if (has_command(r, r->names->commands[i].name, &at))
			add_in_sentence(r, at, (struct setting){ .name = &r->names->commands[i] });
}

void setting_read(const struct setting_names *names, struct span text, unsigned long long number,
		  struct arena *arena, struct settings *ret)
{
	struct reading r = { .names = names, .arena = arena, .out = ret, .number = number };

	for (; span_line(&text, &r.line); r.number++) {
		if (r.line.len == 0 || r.line.len > LINE_MAX_BYTES)
			continue;
		for (size_t i = 0; i < r.line.len; i++)
			r.small[i] = (char)tolower((unsigned char)r.line.data[i]);
		take_names(&r);
		take_commands(&r);
	}
}

/* What a program's own card has is of use where the text advises it, and told only then. */
static bool is_told(const struct settings *settings, const struct setting_name *name)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->list[i].name == name && settings->list[i].how == SETTING_ADVISED)
			return true;
	return name->is_judged;
}

void setting_tell(struct state *state, const struct settings *settings, const char *file)
{
	static const char *const words[] = { "set", "asked", "advised" };

	if (settings->cut)
		facts_gap_said(state->facts, "setting", "", "unasked", "too many settings", NULL);
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *s = &settings->list[i];
		struct row row = row_of("setting");
		struct buf source BUF_SCOPED = { 0 };

		if (!is_told(settings, s->name))
			continue;
		buf_addf(&source, "%s:%llu", file, s->line);
		row_string(&row, "form", s->name->form);
		row_string(&row, "name", s->name->name);
		if (s->value.data)
			row_text(&row, "value", s->value);
		row_string(&row, "how", words[s->how]);
		row_string(&row, "source", source.data);
		row_string(&row, "origin", "log");
		facts_add(state->facts, &row);
	}
}
