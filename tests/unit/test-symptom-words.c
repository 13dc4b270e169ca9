#include "explain/symptom-words.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "check.h"
#include "explain/sentence.h"

extern const char data_symptoms[];

/* ---- the table that the program carries ---- */

static bool names(const struct symptom_words *w, struct span line, struct span symptom)
{
	const struct symptom_rule *found = symptom_words_find(w, line, (struct span){ 0 });

	return found && span_same(found->symptom, symptom);
}

/* Each rule holds for its example, and for its near miss no rule does. */
static void lint(void)
{
	unsigned int line = 0;
	struct symptom_words *w = symptom_words_new(span_of(data_symptoms), &line);
	const struct symptom_rule *rules;
	size_t count;

	if (!CHECK(w)) {
		printf("  data/symptoms.tsv:%u: wrong\n", line);
		return;
	}
	rules = symptom_words_rules(w, &count);
	CHECK(count >= 16);
	for (size_t i = 0; i < count; i++) {
		if (!CHECK(names(w, rules[i].example, rules[i].symptom)))
			printf("  data/symptoms.tsv:%u: not its example\n", rules[i].line);
		if (!CHECK(rules[i].near_miss.len > 0 &&
			   !symptom_words_find(w, rules[i].near_miss, (struct span){ 0 })))
			printf("  data/symptoms.tsv:%u: its near miss\n", rules[i].line);
	}
	symptom_words_free(w);
}

/* ---- the form ---- */

static const char table[] = "sign\thang	hangs|is .. stuck|hang*ing\n"
			    "word	ranks	ranks|# gpus|rank #x\n"
			    "word	home	home\n"
			    "not	-	not|no\n"
			    "if	-	if\n"
			    "guard	-	detection\n"
			    "over	-	fixed\n"
			    "printed	-	info\n"
			    "part	-	but\n"
			    "points	-	here\n"
			    "ends	-	wide\n"
			    "rule	near	hang~ranks+!home	x	-\n"
			    "rule	behind	hang>home	x	-\n"
			    "rule	wide	hang	x	-\n";

static const struct {
	const char *line, *symptom, *why, *above;
} cases[] = {
	{ "it hangs", "wide", "a sign alone" },
	{ "It HANGS!", "wide", "large letters and a stop" },
	{ "it is hopelessly stuck", "wide", "a gap" },
	{ "it is at this very late hour stuck", NULL, "a gap that is too long" },
	{ "hangupping", "wide", "a star within" },
	{ "hangs with 2 gpus", "near", "a number" },
	{ "hangs with gpus", "wide", "no number" },
	{ "hangs on rank 7x", "near", "a number and its unit" },
	{ "ranks: it hangs", "near", "the other order" },
	{ "ranks a b c d e f g hangs", "wide", "too far away" },
	{ "the ranks at home hangs", "wide", "a word that must not be there" },
	{ "hangs at home", "behind", "in this order" },
	{ "home hangs", "wide", "and not in the other" },
	{ "no hangs", NULL, "denied" },
	{ "no luck, hangs", "wide", "denied in another clause" },
	{ "not mine but it hangs", "wide", "a word that parts clauses" },
	{ "no a b c d hangs", "wide", "denied too far away" },
	{ "if it hangs, call", NULL, "a condition" },
	{ "it hangs if called", "wide", "a condition behind it" },
	{ "if called, it hangs", "wide", "a condition of another clause" },
	{ "hangs detection", NULL, "a feature" },
	{ "fixed: it hangs", NULL, "mended" },
	{ "not fixed, hangs", "wide", "not mended" },
	{ "It is fixed. Now the other one hangs.", "wide", "another sentence" },
	{ "INFO it hangs", NULL, "a logger" },
	{ "[info] it hangs", NULL, "a logger" },
	{ "no info, hangs", "wide", "the word in a sentence" },
	{ "10:02:11 it hangs", NULL, "a clock" },
	{ "(hangs since 10:02)", "wide", "a clock in a remark" },
	{ "hangs: 3", NULL, "a setting" },
	{ "it “hangs”…", "wide", "quotes of other kinds" },
	{ "(hangs here)", "near", "a remark about the line above", "x\nusing 2 gpus\n" },
	{ "(hangs)", "wide", "a remark that does not point", "using 2 gpus" },
	{ "(hangs here)", "wide", "signs above do not count", "it is fixed" },
	{ "here", NULL, "no sign but above", "it hangs" },
	{ "", NULL, "empty" },
	{ "... ??? --", NULL, "no word" },
};

static void check_form(void)
{
	struct symptom_words *w = symptom_words_new(span_of(table), NULL);
	const struct symptom_rule *rules;
	size_t count;

	if (!CHECK(w))
		return;
	rules = symptom_words_rules(w, &count);
	CHECK(count == 3 && !rules[0].ends && rules[2].ends);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct symptom_rule *found =
			symptom_words_find(w, span_of(cases[i].line), span_of(cases[i].above));

		if (!CHECK(cases[i].symptom ? found && span_is(found->symptom, cases[i].symptom)
					    : !found))
			printf("  %s (%s)\n", cases[i].line, cases[i].why);
	}
	symptom_words_free(w);
}

static void check_flaws(void)
{
	static const char *const wrong[] = {
		"sign\tx\n",
		"kind	x	y\n",
		"sign\tx	a||b\n",
		"sign\tx	a\nrule	y	z	e	-\n",
		"sign\tx	a\nrule	y	x	e\n",
		"sign\tx	a\nrule	y	x~	e	-\n",
		"sign\tx	a\nrule	y	!z	e	-\n",
		"sign\tx	a\nrule	y		e	-\n",
	};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		unsigned int line = 0;

		if (!CHECK(!symptom_words_new(span_of(wrong[i]), &line) && line > 0))
			printf("  %s", wrong[i]);
	}
}

/* ---- sentences ---- */

/* No length of text loses what stands behind it. */
static void check_long(void)
{
	struct symptom_words *w = symptom_words_new(span_of(table), NULL);
	static char text[5000];

	for (size_t pad = 0; pad < sizeof(text) - 20; pad += 97) {
		memset(text, pad % 2 ? '-' : 'x', pad);
		for (size_t i = 7; i < pad && pad % 3 == 0; i += 8)
			text[i] = ' ';
		snprintf(text + pad, sizeof(text) - pad, " and hangs");
		if (!CHECK(symptom_words_find(w, span_of(text), span_of(NULL))))
			printf("  behind %zu bytes\n", pad);
	}
	symptom_words_free(w);
}

int main(void)
{
	lint();
	check_form();
	check_flaws();
	check_long();
	return check_end();
}
