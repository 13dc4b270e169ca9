#include "diagnose/steps.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/names.h"
#include "facts/select.h"

extern const char data_windows_programs[];

static const char *const names[] = { "bash", "fish", "powershell", "dockerfile" };

bool steps_shell(const char *name, enum shell *ret)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum shell)i;
			return true;
		}
	return false;
}

static bool has_row(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = select_kept(db, sql);
	bool some = select_next(stmt);

	select_done(stmt);
	return some;
}

enum system steps_system(sqlite3 *db)
{
	/* A log of Linux may hold a path of Windows: workflows and models of others carry theirs. */
	if (has_row(db,
		    "SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value = 'windows'"
		    " AND (w.origin = 'stated' OR NOT EXISTS (SELECT 1 FROM main.statement l"
		    "  WHERE l.name = 'system' AND l.value IN ('linux', 'wsl')"
		    "  UNION ALL SELECT 1 FROM main.event e WHERE e.text GLOB '*File \"/*'"
		    "  OR e.text GLOB '*/dev/kfd*' OR e.text GLOB '*/dev/dri*'))"))
		return SYSTEM_WINDOWS;
	if (has_row(db, "SELECT 1 FROM main.statement WHERE name = 'system' AND value = 'wsl'"
			" UNION ALL SELECT 1 FROM main.container WHERE wsl_version IS NOT NULL"))
		return SYSTEM_WSL;
	return SYSTEM_LINUX;
}

enum shell steps_stated(sqlite3 *db)
{
	return steps_system(db) == SYSTEM_WINDOWS ? SHELL_POWERSHELL : SHELL_BASH;
}

/* ---- NAME=VALUE ---- */

struct assignment {
	struct span name;
	struct span value; /* as bash reads it: without its quotes */
};

/* Up to a blank outside of quotes. */
static struct span cut_word(struct span *rest)
{
	struct span word = *rest;
	char quote = '\0';
	size_t n = 0;

	for (; n < rest->len; n++) {
		char c = rest->data[n];

		if (quote == '\0' && c == ' ')
			break;
		if (c == quote)
			quote = '\0';
		else if (quote == '\0' && (c == '\'' || c == '"'))
			quote = c;
	}
	word.len = n;
	rest->data += n;
	rest->len -= n;
	*rest = span_trim(*rest);
	return word;
}

static bool split(struct span word, struct assignment *ret)
{
	size_t n = 0;
	struct span value;

	while (n < word.len && (isupper((unsigned char)word.data[n]) ||
				isdigit((unsigned char)word.data[n]) || word.data[n] == '_'))
		n++;
	if (n == 0 || n == word.len || word.data[n] != '=')
		return false;
	value = (struct span){ word.data + n + 1, word.len - n - 1 };
	if (value.len >= 2 && (value.data[0] == '\'' || value.data[0] == '"') &&
	    value.data[value.len - 1] == value.data[0])
		value = (struct span){ value.data + 1, value.len - 2 };
	*ret = (struct assignment){ { word.data, n }, value };
	return true;
}

/* In single quotes; a quote within is doubled by PowerShell, and behind a backslash elsewhere. */
static void add_quoted(struct buf *out, struct span value, enum shell shell)
{
	buf_char(out, '\'');
	for (size_t i = 0; i < value.len; i++) {
		if (value.data[i] == '\'')
			buf_text(out, shell == SHELL_POWERSHELL ? "'" : "\\");
		else if (value.data[i] == '\\' && shell == SHELL_FISH)
			buf_char(out, '\\');
		buf_char(out, value.data[i]);
	}
	buf_char(out, '\'');
}

static void add_set(struct buf *out, const struct assignment *a, enum shell shell)
{
	static const char *const before[] = { "export ", "set -gx ", "$env:", "ENV " };
	static const char *const between[] = { "=", " ", " = ", "=" };

	buf_text(out, before[shell]);
	buf_span(out, a->name);
	buf_text(out, between[shell]);
	add_quoted(out, a->value, shell);
}

static void add_unset(struct buf *out, struct span name, enum shell shell)
{
	static const char *const before[] = { "unset ", "set -e ",
					      "Remove-Item Env:", "# take away the line: ENV " };

	buf_text(out, before[shell]);
	buf_span(out, name);
}

/* ---- a command ---- */

/*
 * Whether Windows has the program as it is called here, or it is the job, which ran there;
 * rocsteady for Windows has few commands.
 */
static bool is_everywhere(struct span command, const char *job)
{
	struct span rest = command, list = span_of(data_windows_programs);
	struct span program, name, commands, word = { "", 0 };

	if (span_find(command, SPAN_LITERAL("--for-this-machine")) != SIZE_MAX)
		return false; /* nothing for Windows asks the machine */
	if (job && span_starts(command, job))
		return true;
	if (!span_word(&rest, &program))
		return false;
	span_word(&rest, &word);
	while (names_next(&list, &name, &commands))
		if (span_same(name, program))
			return commands.len == 0 || span_lists_word(commands, word);
	return false;
}

bool steps_exists(const char *command, const char *job, enum shell shell)
{
	return command && (shell != SHELL_POWERSHELL || is_everywhere(span_of(command), job));
}

/* "    NAME=VALUE COMMAND" */
static bool sets_variable(struct span line)
{
	size_t i = 4;

	if (!span_starts(line, "    "))
		return false;
	while (i < line.len && (isupper((unsigned char)line.data[i]) || line.data[i] == '_' ||
				isdigit((unsigned char)line.data[i])))
		i++;
	return i > 4 && i < line.len && line.data[i] == '=';
}

const char *steps_check_title(const char *steps)
{
	struct span rest = span_of(steps), line;

	while (span_line(&rest, &line))
		if (sets_variable(line))
			return "Then check, with the same variables:";
	return "Then check:";
}

static void add_plain(struct buf *out, struct span command, enum shell shell, const char *job)
{
	if (shell == SHELL_POWERSHELL && !is_everywhere(command, job))
		buf_text(out, "# on Linux: ");
	if (shell == SHELL_DOCKERFILE)
		buf_text(out, span_starts(command, "pip ") ? "RUN " : "# on the host: ");
	buf_span(out, command);
}

/* tag=$(python ...); rest: a variable of the shell alone. How long its name is, or 0. */
static size_t substituted(struct span command)
{
	size_t n = 0;

	while (n < command.len &&
	       (islower((unsigned char)command.data[n]) || command.data[n] == '_'))
		n++;
	return n > 0 && n + 2 < command.len && memcmp(command.data + n, "=$(", 3) == 0 ? n : 0;
}

/* fish and PowerShell have the same with other signs; what stands inside must exist there. */
static void add_substituted(struct buf *out, struct span command, size_t name, enum shell shell)
{
	struct span inside = { command.data + name + 3, command.len - name - 3 };

	buf_text(out, "    ");
	if (shell == SHELL_FISH) {
		buf_addf(out, "set %.*s (", (int)name, command.data);
		buf_span(out, inside);
	} else if (shell == SHELL_POWERSHELL && is_everywhere(inside, NULL)) {
		buf_addf(out, "$%.*s = $(", (int)name, command.data);
		buf_span(out, inside);
	} else {
		buf_text(out, "# in bash: ");
		buf_span(out, command);
	}
}

/* LIBPATH=/usr/lib/rocblas python train.py: such a path no Windows has. */
static bool sets_linux_path(struct span command)
{
	struct span rest = command;
	struct assignment a;

	while (rest.len > 0 && split(cut_word(&rest), &a))
		if (span_starts(a.value, "/"))
			return true;
	return false;
}

/* PowerShell has no variable for one command: what was set for it would stay for the next. */
static void add_removals(struct buf *out, struct span command)
{
	struct assignment a;

	while (command.len > 0 && split(cut_word(&command), &a)) {
		buf_text(out, "\n    ");
		add_unset(out, a.name, SHELL_POWERSHELL);
	}
}

/* One command may become several lines: PowerShell and Dockerfiles set before they run. */
static void add_command(struct buf *out, struct span command, enum shell shell, const char *job)
{
	struct span rest = command, before = command, word;
	struct assignment a;
	bool sets = span_starts(command, "export "), unsets = span_starts(command, "unset ");
	size_t count = 0, name = substituted(command);

	if (name > 0) {
		add_substituted(out, command, name, shell);
		return;
	}
	if (sets || unsets)
		cut_word(&rest);
	if (shell == SHELL_POWERSHELL && sets_linux_path(rest)) {
		buf_text(out, "    # on Linux: ");
		buf_span(out, command);
		return;
	}
	while (rest.len > 0) {
		before = rest;
		word = cut_word(&rest);
		if (!unsets && !split(word, &a))
			break;
		before = rest;
		buf_text(out, count++ > 0 ? "\n    " : "    ");
		if (unsets)
			add_unset(out, word, shell);
		else
			add_set(out, &a, shell);
	}
	if (before.len == 0)
		return;
	if (count > 0 && shell == SHELL_DOCKERFILE)
		return; /* the job's own command is in the image already */
	buf_text(out, count > 0 ? "\n    " : "    ");
	add_plain(out, before, shell, job);
	if (count > 0 && shell == SHELL_POWERSHELL)
		add_removals(out, command);
}

static const char *translate(struct arena *a, const char *steps, const char *job, enum shell shell)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span rest = span_of(steps), line;

	if (shell == SHELL_BASH)
		return steps;
	while (span_line(&rest, &line)) {
		if (out.len > 0)
			buf_char(&out, '\n');
		if (span_starts(line, "    "))
			add_command(&out, span_trim(line), shell, job);
		else
			buf_span(&out, line);
	}
	return arena_text(a, buf_get(&out));
}

const char *steps_for(struct arena *a, const char *steps, enum shell shell)
{
	return translate(a, steps, NULL, shell);
}

const char *steps_of(struct arena *a, const struct remedy *r, enum shell shell)
{
	return r->for_windows ? r->steps : translate(a, r->steps, r->job, shell);
}
