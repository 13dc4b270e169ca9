#include <string.h>

#include "base/array.h"
#include "kb/compile-internal.h"
#include "kb/words.h"

/*
 * Weights are words, and the number behind a word is a row of tables/belief.yaml: of
 * "strong" on the scale of lines the row line-strong. A number that no word stands for is
 * written "exactly 12".
 */
static const struct scale {
	const char *name;
	const char *const *words; /* the weakest first */
	int low, high;            /* of the numbers behind them */
} scales[] = {
	[STRENGTH_LINE] = { "line", words_strength, 1, 10 },
	[STRENGTH_SAID] = { "line", words_strength, 1, 60 }, /* evidence of the same words */
	[STRENGTH_FACT] = { "fact", words_strength, 1, 60 },
	[STRENGTH_DEFECT] = { "defect", words_strength, 1, 30 },
	[STRENGTH_SHARE] = { "share", words_share, -60, 10 },
	[STRENGTH_PRIOR] = { "prior", words_prior, -60, 10 },
};

#define BELIEF  "tables/belief.yaml"
#define EXACTLY "exactly "
#define UNHEARD "unheard-"

/* Of belief, what is no word's number: explain/belief.c reads these. */
static const char *const other_rows[] = {
	"sharpness", "echo",           "unknown",       "bare",           "decided",    "certain",
	"family",    "warning-speaks", "warning-noted", "warning-founds", "hint-leads", "ruled-out",
	NULL
};

/* ---- the numbers behind the words ---- */

/* The word of a scale that a row is named by, or SIZE_MAX. */
static size_t word_of(const struct scale *scale, const char *row)
{
	size_t n = strlen(scale->name);

	for (size_t i = 0; strncmp(row, scale->name, n) == 0 && row[n] == '-' && scale->words[i];
	     i++)
		if (strcmp(row + n + 1, scale->words[i]) == 0)
			return i;
	return SIZE_MAX;
}

static void load_row(struct compiler *c, const struct yaml_node *row)
{
	const struct yaml_node *name = yaml_find(row, "name"), *value = yaml_find(row, "value");
	int64_t number;

	if (!name || name->kind != YAML_SCALAR || !value || !fields_number(value, &number))
		return;
	for (size_t i = 0; i < COUNT(scales); i++) {
		size_t word = word_of(&scales[i], name->text);

		if (word != SIZE_MAX && number >= scales[i].low && number <= scales[i].high)
			c->strengths[i][word] = (struct strength){ (int)number, true };
	}
}

/* The table is read before all else, since causes come first; its faults are reported in its turn. */
void compile_load_strengths(struct compiler *c)
{
	struct yaml_error error = { 0 };
	struct yaml_node *top;

	for (size_t i = 0; i < c->count; i++) {
		const struct yaml_node *rows;

		if (strcmp(c->files[i].path, BELIEF) != 0 ||
		    yaml_parse(c->files[i].text, &c->arena, &top, &error) < 0)
			continue;
		rows = yaml_find(top, "rows");
		for (const struct yaml_node *n = rows ? rows->children : NULL; n; n = n->next)
			load_row(c, n);
	}
}

static bool is_other_row(struct compiler *c, const char *name)
{
	if (strncmp(name, UNHEARD, strlen(UNHEARD)) == 0)
		return compile_exists(c, "causes", name + strlen(UNHEARD));
	return words_has(other_rows, name);
}

/* A stronger word counts more, and a commoner one too. */
static void check_scale(struct compiler *c, const struct yaml_node *row, size_t at, size_t word)
{
	const struct strength *own = c->strengths[at];
	const struct scale *scale = &scales[at];

	if (!own[word].known)
		faults_add(c->faults, c->file, row->line, "%s-%s is a whole number from %d to %d",
			   scale->name, scale->words[word], scale->low, scale->high);
	else if (word > 0 && own[word - 1].known && own[word].number <= own[word - 1].number)
		faults_add(c->faults, c->file, row->line, "%s-%s must be greater than %s-%s",
			   scale->name, scale->words[word], scale->name, scale->words[word - 1]);
}

void compile_check_belief(struct compiler *c, const struct yaml_node *row)
{
	const char *name = fields_text(row, "name");

	if (!name || !yaml_find(row, "value"))
		return;
	for (size_t i = 0; i < COUNT(scales); i++) {
		size_t word = word_of(&scales[i], name);

		if (word == SIZE_MAX)
			continue;
		check_scale(c, row, i, word);
		return;
	}
	if (!is_other_row(c, name))
		compile_fault(c, row, "no number of belief:", name);
}

/* ---- one weight ---- */

static bool says_number(const struct yaml_node *node, int64_t *ret)
{
	if (fields_number(node, ret))
		return true;
	return node->kind == YAML_SCALAR && node->plain &&
	       strncmp(node->text, EXACTLY, strlen(EXACTLY)) == 0 &&
	       span_i64(span_of(node->text + strlen(EXACTLY)), ret);
}

static void tell_kinds(struct compiler *c, const struct yaml_node *node, const struct scale *scale,
		       int sign)
{
	struct buf words BUF_SCOPED = { 0 };
	int low = sign < 0 ? -scale->high : scale->low;
	int high = sign < 0 ? -scale->low : scale->high;

	words_tell(scale->words, &words);
	faults_add(c->faults, c->file, node->line,
		   "%s is one of:%s; or exactly and a whole number from %d to %d", node->key,
		   words.data, low, high);
}

/* The place of a word in its scale; where the words end, if it is none of them. */
static size_t place_of(const struct scale *scale, const char *word)
{
	size_t i = 0;

	while (scale->words[i] && strcmp(scale->words[i], word) != 0)
		i++;
	return i;
}

/* The number of a word or as it is given; 0, with a fault, if it is neither. */
int compile_strength(struct compiler *c, const struct yaml_node *node, enum strength_scale of,
		     int sign)
{
	const struct scale *scale = &scales[of];
	size_t place = node->kind == YAML_SCALAR ? place_of(scale, node->text) : 0;
	bool is_word = node->kind == YAML_SCALAR && scale->words[place];
	int64_t number;

	if (is_word && c->strengths[of][place].known)
		return sign * c->strengths[of][place].number;
	if (is_word)
		faults_add(c->faults, c->file, node->line, "%s: %s has no number: row %s-%s of %s",
			   node->key, node->text, scale->name, node->text, BELIEF);
	else if (!says_number(node, &number) || sign * number < scale->low ||
		 sign * number > scale->high)
		tell_kinds(c, node, scale, sign);
	else
		return (int)number;
	return 0;
}

/* The word that a cause need not say. */
int compile_usual(struct compiler *c, const struct yaml_node *map, const char *key,
		  enum strength_scale of, int otherwise)
{
	const struct yaml_node *node = yaml_find(map, key);
	const struct strength *usual;

	if (node)
		return compile_strength(c, node, of, 1);
	usual = &c->strengths[of][place_of(&scales[of], "usual")];
	return usual->known ? usual->number : otherwise;
}
