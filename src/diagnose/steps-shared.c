#include "diagnose/steps-shared.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

struct place {
	const char *line;
	size_t at;
	char quote; /* that it stands in, or 0 */
};

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || strchr("_-.", c);
}

/* Whole: neither behind nor before it a name goes on. */
static bool is_here(const struct place *p, struct span line, const char *word)
{
	size_t len = word ? strlen(word) : 0;

	if (len == 0 || p->at + len > line.len || memcmp(line.data + p->at, word, len) != 0)
		return false;
	return (p->at == 0 ||
		(!is_part_of_name(line.data[p->at - 1]) && line.data[p->at - 1] != '/')) &&
	       (p->at + len == line.len || !is_part_of_name(line.data[p->at + len]));
}

/* A tilde counts only where a word begins; in single quotes nothing does. */
static void add_variable(struct buf *out, const struct place *p, const char *name, bool is_home)
{
	bool begins = p->at == 0 || p->line[p->at - 1] == ' ';

	if (p->quote == '\'')
		buf_addf(out, "'\"$%s\"'", name);
	else if (p->quote == '"')
		buf_addf(out, "$%s", name);
	else if (is_home && begins)
		buf_char(out, '~');
	else
		buf_addf(out, is_home ? "$%s" : "\"$%s\"", name);
}

static void add_command(struct buf *out, struct span line, const struct steps_owner *owner)
{
	struct place p = { .line = line.data };

	while (p.at < line.len) {
		char c = line.data[p.at];

		if (owner->home && is_here(&p, line, owner->home)) {
			add_variable(out, &p, "HOME", true);
			p.at += strlen(owner->home);
			continue;
		}
		if (owner->user && is_here(&p, line, owner->user)) {
			add_variable(out, &p, "USER", false);
			p.at += strlen(owner->user);
			continue;
		}
		if (c == p.quote)
			p.quote = '\0';
		else if (!p.quote && (c == '\'' || c == '"'))
			p.quote = c;
		buf_char(out, c);
		p.at++;
	}
}

const char *steps_shared_command(struct arena *a, const char *command,
				 const struct steps_owner *owner)
{
	struct buf out BUF_SCOPED = { 0 };

	if (!owner->home && !owner->user)
		return command;
	add_command(&out, span_of(command), owner);
	return arena_text(a, buf_get(&out));
}

const char *steps_shared(struct arena *a, const char *steps, const struct steps_owner *owner)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span rest = span_of(steps), line;

	if (!owner->home && !owner->user)
		return steps;
	while (span_line(&rest, &line)) {
		if (span_starts(line, "    "))
			add_command(&out, line, owner);
		else
			buf_span(&out, line);
		buf_char(&out, '\n');
	}
	return arena_text(a, buf_get(&out));
}
