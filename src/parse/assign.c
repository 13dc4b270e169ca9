#include "parse/assign.h"

#include <string.h>
#include <strings.h>

#include "parse/assign-token.h"
#include "parse/quote.h"

enum state {
	STATE_START,   /* the first word of a statement */
	STATE_PREFIX,  /* after A=b, where a command may follow */
	STATE_EXPORT,  /* arguments of export */
	STATE_DECLARE, /* arguments of declare: exported only with -x */
	STATE_ENV,     /* arguments of env, up to its command */
	STATE_SETENV,
	STATE_SET,
	STATE_LIST,  /* words that are assignments or nothing */
	STATE_WHOLE, /* the line is one assignment */
	STATE_PAIR,  /* ENV A b */
	STATE_SKIP,  /* to the end of the statement */
};

#define SH   (1u << ASSIGN_SH)
#define FISH (1u << ASSIGN_FISH)
#define CSH  (1u << ASSIGN_CSH)

/* STATE_START: after this word a statement begins afresh. */
static const struct shell_word {
	const char *word;
	unsigned int dialects;
	enum state state;
} commands[] = {
	{ "export", SH | FISH, STATE_EXPORT },
	{ "declare", SH, STATE_DECLARE },
	{ "typeset", SH, STATE_DECLARE },
	{ "readonly", SH, STATE_DECLARE },
	{ "env", SH | FISH | CSH, STATE_ENV },
	{ "setenv", CSH, STATE_SETENV },
	{ "set", FISH, STATE_SET },
	{ "if", SH | FISH | CSH, STATE_START },
	{ "then", SH | CSH, STATE_START },
	{ "elif", SH, STATE_START },
	{ "else", SH | FISH | CSH, STATE_START },
	{ "do", SH, STATE_START },
	{ "while", SH | FISH, STATE_START },
	{ "until", SH, STATE_START },
	{ "time", SH | FISH, STATE_START },
	{ "!", SH | FISH, STATE_START },
	{ "{", SH | FISH, STATE_START },
	{ "begin", FISH, STATE_START },
	{ "and", FISH, STATE_START },
	{ "or", FISH, STATE_START },
	{ "not", FISH, STATE_START },
	{ "exec", SH | FISH, STATE_START },
	{ "command", SH | FISH, STATE_START },
	{ "builtin", SH | FISH, STATE_START },
};

static bool is_name_char(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

static bool is_name(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!is_name_char(s.data[i], i == 0))
			return false;
	return s.len > 0;
}

/* $A, ${A}, ${A:-x}, but not $AB and not \$A. */
static bool refers(struct span value, struct span name)
{
	for (size_t i = 0; i < value.len; i++) {
		size_t from = i + 1 + (assign_at(value, i + 1) == '{');

		if (value.data[i] == '\\')
			i++;
		else if (value.data[i] == '$' && from <= value.len &&
			 value.len - from >= name.len &&
			 memcmp(value.data + from, name.data, name.len) == 0 &&
			 !is_name_char(assign_at(value, from + name.len), false))
			return true;
	}
	return false;
}

static void fill(const struct assign_reader *r, struct span name, struct span value,
		 struct assign *ret)
{
	char quote = quote_strip(&value);

	*ret = (struct assign){
		.dialect = r->dialect,
		.name = name,
		.value = value,
		.has_value = true,
		.exported = r->exports,
		.one_shot = r->one_shot,
		.appends = quote != '\'' && r->dialect != ASSIGN_SYSTEMD && refers(value, name),
	};
}

/* A=b and A+=b. */
static bool divide(struct span word, struct span *ret_name, struct span *ret_value, bool *ret_plus)
{
	struct span name;

	if (!span_cut(&word, '=', &name) || (word.len == 0 && name.data + name.len == word.data))
		return false;
	*ret_plus = span_ends(name, "+");
	name.len -= *ret_plus;
	if (!is_name(name))
		return false;
	*ret_name = name;
	*ret_value = word;
	return true;
}

static bool read_assignment(const struct assign_reader *r, struct span word, struct assign *ret)
{
	struct span name, value;
	bool plus;

	if (!divide(word, &name, &value, &plus))
		return false;
	fill(r, name, value, ret);
	ret->appends |= plus;
	return true;
}

static bool is_assignment(struct span word)
{
	struct span name, value;
	bool plus;

	return divide(word, &name, &value, &plus);
}

static bool command_follows(struct assign_reader r)
{
	struct span word;
	enum assign_token token;

	do
		token = assign_next_token(&r, &word);
	while (token == ASSIGN_TOKEN_WORD && is_assignment(word));
	return token == ASSIGN_TOKEN_WORD;
}

static const struct shell_word *find_command(enum assign_dialect dialect, struct span word)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if ((commands[i].dialects & 1u << dialect) && span_is(word, commands[i].word))
			return &commands[i];
	return NULL;
}

static bool read_start(struct assign_reader *r, struct span word, struct assign *ret)
{
	const struct shell_word *command = find_command(r->dialect, word);

	if (command) {
		r->state = command->state;
		r->exports = r->state == STATE_EXPORT || r->state == STATE_SETENV;
		r->one_shot = r->state == STATE_ENV;
		r->appends = false;
		return false;
	}
	if (r->dialect == ASSIGN_CSH || !is_assignment(word)) {
		r->state = STATE_SKIP;
		return false;
	}
	if (r->state == STATE_START)
		r->one_shot = command_follows(*r);
	r->state = STATE_PREFIX;
	r->exports = false;
	return read_assignment(r, word, ret);
}

static bool has_letter(struct span word, const char *letters)
{
	for (size_t i = 1; i < word.len; i++)
		if (word.data[i] != '\0' && strchr(letters, word.data[i]))
			return true;
	return false;
}

/* -x exports, +x and export -n do not; -f and -p set no variable at all. */
static bool read_argument(struct assign_reader *r, struct span word, struct assign *ret)
{
	if (r->state != STATE_LIST && (assign_at(word, 0) == '-' || assign_at(word, 0) == '+')) {
		if (has_letter(word, "fFp"))
			r->state = STATE_SKIP;
		else if (r->state == STATE_DECLARE && has_letter(word, "x"))
			r->exports = word.data[0] == '-';
		else if (r->state == STATE_EXPORT && has_letter(word, "n"))
			r->exports = false;
		return false;
	}
	if (r->state == STATE_LIST)
		quote_strip(&word);
	if (read_assignment(r, word, ret))
		return true;
	if (r->state == STATE_LIST || !r->exports || !is_name(word))
		return false;
	*ret = (struct assign){ .dialect = r->dialect, .name = word, .exported = true };
	return true;
}

static bool read_env(struct assign_reader *r, struct span word, struct assign *ret)
{
	if (read_assignment(r, word, ret))
		return true;
	if (assign_at(word, 0) != '-')
		r->state = STATE_SKIP;
	return false;
}

/* setenv A alone sets A to nothing. */
static bool read_setenv(struct assign_reader *r, struct span name, struct assign *ret)
{
	struct assign_reader ahead = *r;
	struct span value = { 0 };

	r->state = STATE_SKIP;
	if (!is_name(name))
		return false;
	if (assign_next_token(&ahead, &value) == ASSIGN_TOKEN_WORD)
		r->rest = ahead.rest;
	fill(r, name, value, ret);
	return true;
}

enum set_option {
	SET_EXPORT,
	SET_KEEP_IN,
	SET_APPEND,
	SET_NOTHING,
};

static const struct {
	char letter;
	const char *word;
	enum set_option means;
} set_options[] = {
	{ 'x', "--export", SET_EXPORT }, { 'u', "--unexport", SET_KEEP_IN },
	{ 'a', "--append", SET_APPEND }, { 'p', "--prepend", SET_APPEND },
	{ 'e', "--erase", SET_NOTHING }, { 'q', "--query", SET_NOTHING },
	{ 'n', "--names", SET_NOTHING }, { 'S', "--show", SET_NOTHING },
};

static bool has_option(struct span word, enum set_option option)
{
	bool is_long = span_starts(word, "--");

	for (size_t i = 0; i < sizeof(set_options) / sizeof(set_options[0]); i++) {
		char letter[] = { set_options[i].letter, '\0' };

		if (set_options[i].means == option &&
		    (is_long ? span_is(word, set_options[i].word) : has_letter(word, letter)))
			return true;
	}
	return false;
}

/* All words up to the end of the statement. */
static struct span take_values(struct assign_reader *r)
{
	struct assign_reader ahead = *r;
	struct span all = { 0 }, word;

	while (assign_next_token(&ahead, &word) == ASSIGN_TOKEN_WORD) {
		if (!all.data)
			all.data = word.data;
		all.len = (size_t)(word.data + word.len - all.data);
		r->rest = ahead.rest;
	}
	return all;
}

static bool read_set(struct assign_reader *r, struct span word, struct assign *ret)
{
	if (assign_at(word, 0) == '-') {
		if (has_option(word, SET_NOTHING))
			r->state = STATE_SKIP;
		if (has_option(word, SET_EXPORT))
			r->exports = true;
		if (has_option(word, SET_KEEP_IN))
			r->exports = false;
		r->appends |= has_option(word, SET_APPEND);
		return false;
	}
	r->state = STATE_SKIP;
	if (!is_name(word))
		return false;
	fill(r, word, take_values(r), ret);
	ret->appends |= r->appends;
	return true;
}

/* ENV A b c: everything after the name. */
static bool read_pair(struct assign_reader *r, struct span name, struct assign *ret)
{
	struct span value = span_trim(r->rest);

	r->state = STATE_SKIP;
	assign_drop(&r->rest, r->rest.len);
	if (!is_name(name) || value.len == 0)
		return false;
	fill(r, name, value, ret);
	return true;
}

/* pam_env takes a leading "export " in /etc/environment. */
static bool read_whole(struct assign_reader *r, struct assign *ret)
{
	struct span line = span_trim(r->rest), name;

	assign_drop(&r->rest, r->rest.len);
	if (span_starts(line, "export "))
		assign_drop(&line, sizeof("export ") - 1);
	if (!span_cut(&line, '=', &name) || (line.len == 0 && name.data + name.len == line.data))
		return false;
	name = span_trim(name);
	if (!is_name(name))
		return false;
	fill(r, name, span_trim(line), ret);
	return true;
}

/* Environment=A=b "C=d e"; the same word in front with File or Pass after it sets nothing. */
static void start_systemd(struct assign_reader *r)
{
	struct span key;

	r->state = STATE_LIST;
	if (!span_cut(&r->rest, '=', &key))
		return;
	key = span_trim(key);
	if (!span_is(key, "Environment") && !span_is(key, "DefaultEnvironment"))
		r->rest.len = 0;
}

static void start_docker(struct assign_reader *r)
{
	struct span word, peek;

	r->state = STATE_LIST;
	peek = r->rest;
	if (!span_word(&peek, &word) || word.len != 3 || strncasecmp(word.data, "ENV", 3) != 0) {
		r->rest.len = 0;
		return;
	}
	r->rest = peek;
	if (span_word(&peek, &word) && !memchr(word.data, '=', word.len))
		r->state = STATE_PAIR;
}

struct assign_reader assign_start(enum assign_dialect dialect, struct span line)
{
	struct assign_reader r = { .dialect = dialect, .rest = line, .state = STATE_START };

	r.exports = !assign_is_shell(dialect);
	if (dialect == ASSIGN_SYSTEMD)
		start_systemd(&r);
	else if (dialect == ASSIGN_DOCKER)
		start_docker(&r);
	else if (dialect == ASSIGN_PLAIN)
		r.state = STATE_WHOLE;
	return r;
}

bool assign_next(struct assign_reader *reader, struct assign *ret)
{
	static bool (*const readers[])(struct assign_reader *, struct span, struct assign *) = {
		[STATE_START] = read_start,     [STATE_PREFIX] = read_start,
		[STATE_EXPORT] = read_argument, [STATE_DECLARE] = read_argument,
		[STATE_LIST] = read_argument,   [STATE_ENV] = read_env,
		[STATE_SETENV] = read_setenv,   [STATE_SET] = read_set,
		[STATE_PAIR] = read_pair,       [STATE_SKIP] = NULL,
	};
	struct span word;

	if (reader->state == STATE_WHOLE)
		return read_whole(reader, ret);
	for (;;) {
		switch (assign_next_token(reader, &word)) {
		case ASSIGN_TOKEN_END:
			return false;
		case ASSIGN_TOKEN_BREAK:
			reader->state = STATE_START;
			reader->one_shot = false;
			break;
		case ASSIGN_TOKEN_REDIRECT:
			reader->state = STATE_SKIP;
			break;
		case ASSIGN_TOKEN_WORD:
			if (readers[reader->state] && readers[reader->state](reader, word, ret))
				return true;
			break;
		}
	}
}
