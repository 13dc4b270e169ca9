#include "explain/headline.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/text.h"
#include "facts/column.h"
#include "facts/select.h"

#define WORD_MAX 48 /* bytes of one word: the name of a C++ symbol may fill a screen */

/* The program that the text names first. */
static const char *find_program(sqlite3 *db, struct arena *a)
{
	sqlite3_stmt *stmt = select_kept(
		db,
		"SELECT value FROM main.statement WHERE name = 'framework' ORDER BY rowid LIMIT 1");
	const char *name = select_next(stmt) ? column_copy(stmt, 0, a) : NULL;

	select_done(stmt);
	return name;
}

#define TELLS 10 /* decibans from which two versions that disagree say more than the error does */

/* What was seen itself comes before a guess which known bug it could be. */
static const char *find_seen(const struct explain_cause *c)
{
	for (size_t i = 0; i < c->sign_count; i++) {
		const struct sign *l = &c->signs[i];

		if (l->counted > 0 && (!l->describes || l->counted >= TELLS) && !l->in_doubt)
			return l->says;
	}
	return NULL;
}

/*
 * The sentence goes on after the program's name: "vLLM has a bug: it looks for ...". Where no
 * verb follows the name it is said again: "llama.cpp has a bug: llama.cpp before June 2026 ...".
 */
static const char *without_name(struct arena *a, const char *seen, const char *program)
{
	size_t len = program ? strlen(program) : 0, word;

	if (len == 0 || strncasecmp(seen, program, len) != 0 || seen[len] != ' ')
		return seen;
	word = strcspn(seen + len + 1, " ");
	return seen[len + word] == 's' ? arena_format(a, "it%s", seen + len) : seen;
}

static void add_shortened(struct buf *out, const char *text)
{
	while (*text) {
		size_t word = strcspn(text, " "), blanks = strspn(text + word, " ");
		size_t kept = text_cut((struct span){ text, word }, WORD_MAX).len;

		buf_add(out, text, kept);
		buf_text(out, kept < word ? "..." : "");
		buf_add(out, text + word, blanks);
		text += word + blanks;
	}
}

static const char *shortened(struct arena *a, const char *text)
{
	struct buf out BUF_SCOPED = { 0 };

	add_shortened(&out, text);
	return arena_text(a, buf_get(&out));
}

/* Names keep their letters: vLLM, hipBLASLt, libamdhip64.so. */
static void begin_large(struct buf *text)
{
	size_t n = 0;

	while (n < text->len && islower((unsigned char)text->data[n]))
		n++;
	if (n > 0 && (n == text->len || text->data[n] == ' '))
		text->data[0] = (char)toupper((unsigned char)text->data[0]);
}

static const char *fill(struct arena *a, const char *headline, const char *program,
			const char *seen)
{
	static const char program_hole[] = "{program}", seen_hole[] = "{seen}";
	bool named = strstr(headline, program_hole);
	struct buf out BUF_SCOPED = { 0 };

	while (*headline) {
		if (strncmp(headline, program_hole, sizeof(program_hole) - 1) == 0) {
			buf_text(&out, program        ? program
				       : out.len == 0 ? "The program"
						      : "the program");
			headline += sizeof(program_hole) - 1;
		} else if (strncmp(headline, seen_hole, sizeof(seen_hole) - 1) == 0) {
			size_t begins = out.len;

			add_shortened(&out,
				      begins > 0 && named ? without_name(a, seen, program) : seen);
			if (begins == 0)
				begin_large(&out);
			headline += sizeof(seen_hole) - 1;
		} else {
			buf_char(&out, *headline++);
		}
	}
	return arena_text(a, buf_get(&out));
}

/* "the program crashed" is said of the program that the text names. */
static const char *with_program(struct arena *a, const char *says, const char *program)
{
	static const char general[] = "the program ";

	if (!program || strncmp(says, general, sizeof(general) - 1) != 0)
		return says;
	return arena_format(a, "%s %s", program, says + sizeof(general) - 1);
}

/* What became of the failure, by the last line that tells it: "the reset succeeded". */
static const char *find_aftermath(sqlite3 *db, struct arena *a)
{
	sqlite3_stmt *stmt = select_kept(
		db, "SELECT s.value FROM main.statement s JOIN main.event e ON e.source = s.source"
		    " WHERE s.name = 'aftermath' ORDER BY e.last_line DESC LIMIT 1");
	const char *says = select_next(stmt) ? column_copy(stmt, 0, a) : NULL;

	select_done(stmt);
	return says;
}

/* Of a few lines without a failure: what speaks for the likeliest cause, or that nothing does. */
static const char *say_bare(struct explanation *e)
{
	const char *seen = e->spoken > 0 ? find_seen(e->causes) : NULL;

	return seen ? shortened(&e->arena, seen)
		    : "the text shows neither an error nor that anything worked";
}

void headline_find(sqlite3 *db, struct explanation *e)
{
	const char *program = find_program(db, &e->arena);
	const char *aftermath = find_aftermath(db, &e->arena);
	bool told = e->symptom && !e->is_symptom_of_line; /* a person's words, and no line's */

	for (size_t i = 0; i < e->spoken; i++) {
		struct explain_cause *c = &e->causes[i];
		const char *seen = find_seen(c);

		if (c->headline)
			c->headline = seen ? fill(&e->arena, c->headline, program, seen) : NULL;
	}
	if (told)
		e->first_says = e->symptom->title;
	else if (e->first)
		e->first_says =
			shortened(&e->arena, with_program(&e->arena, e->first->says, program));
	else if (e->failure && (e->failure->is_bare || !e->failure->counts))
		e->first_says = say_bare(e);
	if (!told && e->first && aftermath && !strstr(e->first_says, aftermath))
		e->first_says = arena_format(&e->arena, "%s; %s", e->first_says, aftermath);
}
