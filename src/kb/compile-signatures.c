#define PCRE2_CODE_UNIT_WIDTH 8
#include <errno.h>
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "facts/column.h"
#include "facts/select.h"
#include "kb/compile-internal.h"
#include "kb/words.h"

#define LITERAL_MIN    10 /* what the prefilter leaps by: parse/needle.h */
#define LITERAL_MAX    100
#define SIGNATURES_MAX 400
#define DEFECTS_MAX    400
#define GROUPS_MAX     12
#define WEIGHT_DEFAULT 14 /* of a defect that gives none */

static const struct field file_fields[] = {
	{ .key = "signatures", .type = FIELD_SLUG },
	{ .key = "written-by", .type = FIELD_WORD, .optional = true, .words = words_writer },
	{ .key = "list", .type = FIELD_LIST, .most = SIGNATURES_MAX },
};

static const struct field signature_fields[] = {
	{ .key = "id", .type = FIELD_SLUG },
	{ .key = "kind", .type = FIELD_WORD, .words = words_line },
	{ .key = "program", .type = FIELD_LINE, .optional = true, .most = 40 },
	{ .key = "written-by", .type = FIELD_WORD, .optional = true, .words = words_writer },
	{ .key = "says", .type = FIELD_LINE, .most = 300 },
	{ .key = "class", .type = FIELD_SLUGS, .optional = true, .most = 40 },
	{ .key = "literals", .type = FIELD_TEXTS, .optional = true, .most = 12 },
	{ .key = "pattern", .type = FIELD_LINE, .optional = true, .most = 1000 },
	{ .key = "below", .type = FIELD_LINE, .optional = true, .most = 300 },
	{ .key = "group", .type = FIELD_SLUG, .optional = true },
	{ .key = "suggests", .type = FIELD_MAP, .optional = true, .most = 16 },
	{ .key = "against", .type = FIELD_MAP, .optional = true, .most = 16 },
	{ .key = "states", .type = FIELD_MAP, .optional = true, .most = 8 },
	{ .key = "examples", .type = FIELD_TEXTS, .optional = true, .most = 12 },
	{ .key = "near", .type = FIELD_TEXTS, .optional = true, .most = 12 },
	{ .key = "sources", .type = FIELD_LIST, .optional = true, .most = 12 },
};

static const struct field defects_fields[] = {
	{ .key = "defects", .type = FIELD_SLUG },
	{ .key = "list", .type = FIELD_LIST, .most = DEFECTS_MAX },
};

static const struct field defect_fields[] = {
	{ .key = "id", .type = FIELD_SLUG },
	{ .key = "component", .type = FIELD_LINE, .most = 60 },
	{ .key = "cause", .type = FIELD_SLUG },
	{ .key = "title", .type = FIELD_LINE, .most = 200 },
	{ .key = "cure", .type = FIELD_TEXT, .most = 600 },
	{ .key = "cures", .type = FIELD_SLUGS, .most = COMPILE_CURES },
	{ .key = "fixed-in", .type = FIELD_LINE, .optional = true, .most = 100 },
	{ .key = "weight", .type = FIELD_LINE, .optional = true, .most = 20 },
	{ .key = "when", .type = FIELD_MAP, .optional = true, .most = 8 },
	{ .key = "signatures", .type = FIELD_SLUGS, .optional = true, .most = 12 },
	{ .key = "unchecked", .type = FIELD_LINE, .optional = true, .most = 200 },
	{ .key = "source", .type = FIELD_LINE, .most = 400 },
};

/* ---- a pattern and its examples ---- */

struct patterns {
	pcre2_code *line, *below; /* NULL: any */
	struct kernel_lines kernel;
};

static pcre2_code *compile_pattern(struct compiler *c, const struct yaml_node *node,
				   const char *pattern)
{
	PCRE2_UCHAR why[120];
	PCRE2_SIZE at;
	int error;
	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
			      PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
			      &error, &at, NULL);

	if (code)
		return code;
	pcre2_get_error_message(error, why, sizeof(why));
	compile_fault(c, node, "pattern:", (const char *)why);
	return NULL;
}

/* The first entry of a list, or NULL. */
static const struct yaml_node *list_of(const struct yaml_node *signature, const char *key)
{
	const struct yaml_node *list = yaml_find(signature, key);

	return list ? list->children : NULL;
}

/* The same as scan does: a literal without a pattern is met as whole words. */
static bool has_literal(const struct yaml_node *signature, const struct kernel_lines *kernel,
			struct span line, bool as_words)
{
	for (size_t i = 0; kernel && i < kernel->count; i++)
		if (span_find(line, span_of(kernel->literals[i])) != SIZE_MAX)
			return true;
	for (const struct yaml_node *n = list_of(signature, "literals"); n; n = n->next)
		if (as_words ? span_has_words(line, span_of(n->text))
			     : span_find(line, span_of(n->text)) != SIZE_MAX)
			return true;
	return false;
}

static bool is_met(const struct yaml_node *signature, const struct kernel_lines *kernel,
		   const pcre2_code *code, pcre2_match_data *match, const char *text)
{
	struct span line = { text, strcspn(text, "\n") }; /* an example may have the line below */

	if (!has_literal(signature, kernel, line, !code))
		return false;
	return !code || pcre2_match(code, (PCRE2_SPTR)line.data, line.len, 0, 0, match, NULL) >= 0;
}

/* The same with the line below, where the signature asks for one. */
static bool is_met_whole(const struct yaml_node *signature, const struct patterns *p,
			 pcre2_match_data *match, const char *text)
{
	const char *next = strchr(text, '\n');

	if (!p->below)
		return is_met(signature, &p->kernel, p->line, match, text);
	return next && is_met(signature, &p->kernel, p->line, match, text) &&
	       pcre2_match(p->below, (PCRE2_SPTR)(next + 1), strlen(next + 1), 0, 0, match, NULL) >=
		       0;
}

/*
 * A name in the middle of the sentence that took no part in the match is printed as "?".
 * One behind a colon at the end is left out, and {gfx} becomes "this GPU".
 */
static bool fills_sentence(const char *says, pcre2_match_data *match)
{
	const char *end = says;

	for (const char *at = strchr(says, '{'); at && (end = strchr(at, '}'));
	     at = strchr(end, '{')) {
		bool left_out = !end[1] && at - says > 2 && strncmp(at - 2, ": ", 2) == 0;
		char name[64];
		size_t len;

		snprintf(name, sizeof(name), "%.*s", (int)(end - at - 1), at + 1);
		if (!left_out && strcmp(name, "gfx") != 0 &&
		    pcre2_substring_length_byname(match, (PCRE2_SPTR)name, &len) != 0)
			return false;
	}
	return true;
}

static void try_examples(struct compiler *c, const struct yaml_node *signature,
			 const struct patterns *p)
{
	const char *says = fields_text(signature, "says");
	pcre2_match_data *match = pcre2_match_data_create(GROUPS_MAX + 4, NULL);

	for (const struct yaml_node *n = list_of(signature, "examples"); n; n = n->next)
		if (!is_met_whole(signature, p, match, n->text))
			compile_fault(c, n, "the example is not met:", n->text);
		else if (says && p->line && !p->below && !fills_sentence(says, match))
			compile_fault(c, n, "a name in says is not in the example:", n->text);
	for (const struct yaml_node *n = list_of(signature, "near"); n; n = n->next)
		if (is_met_whole(signature, p, match, n->text))
			compile_fault(c, n, "the near miss is met:", n->text);
	pcre2_match_data_free(match);
}

/* ---- names in braces ---- */

static bool has_group(const pcre2_code *code, struct span name)
{
	uint32_t count = 0, size = 0;
	PCRE2_SPTR table = NULL;

	if (!code)
		return false;
	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < count; i++, table += size)
		if (span_is(name, (const char *)table + 2))
			return true;
	return false;
}

static void check_groups(struct compiler *c, const struct yaml_node *node, const struct patterns *p)
{
	const char *at = node->text;

	while ((at = strchr(at, '{'))) {
		const char *end = strchr(++at, '}');
		struct span name = { at, end ? (size_t)(end - at) : 0 };

		if (!end || (!has_group(p->line, name) && !has_group(p->below, name))) {
			compile_fault(c, node,
				      "the pattern has no group for a name in braces:", node->text);
			return;
		}
	}
}

/* ---- one signature ---- */

static void take_literals(struct compiler *c, const struct yaml_node *signature, const char *id,
			  const struct kernel_lines *lines)
{
	int position = 0;

	if (!list_of(signature, "literals") && lines->count == 0)
		compile_fault(c, signature, "at least one literal", NULL);
	if (list_of(signature, "literals") && lines->count > 0 && !yaml_find(signature, "pattern"))
		compile_fault(c, signature, "literals beside classes need a pattern:", id);
	for (const struct yaml_node *n = list_of(signature, "literals"); n; n = n->next) {
		if (strlen(n->text) < LITERAL_MIN || strlen(n->text) > LITERAL_MAX)
			compile_fault(c, n, "a literal has 10 to 100 bytes:", n->text);
		compile_insert(c, "literal", "sis", id, position++, n->text);
	}
	for (size_t i = 0; i < lines->count; i++) {
		if (strlen(lines->literals[i]) < LITERAL_MIN)
			compile_fault(c, signature, "a kernel line has no literal of 10 bytes:",
				      lines->literals[i]);
		compile_insert(c, "literal", "sis", id, position++, lines->literals[i]);
	}
}

/* What a line speaks for, or with the sign -1 against. */
static void take_suggestions(struct compiler *c, const struct yaml_node *map, const char *id,
			     int sign)
{
	for (const struct yaml_node *n = map ? map->children : NULL; n; n = n->next) {
		int64_t number = 0;
		bool is_against = sign < 0 || (fields_number(n, &number) && number < 0);
		int weight = compile_strength(c, n, STRENGTH_LINE, is_against ? -1 : 1);

		if (compile_insert(c, "suggests", "ssi", id, n->key, weight) == -EEXIST)
			compile_fault(c, n, "given twice:", n->key);
	}
}

static void take_states(struct compiler *c, const struct yaml_node *signature, const char *id,
			const struct patterns *p)
{
	const struct yaml_node *map = yaml_find(signature, "states");

	for (const struct yaml_node *n = map ? map->children : NULL; n; n = n->next) {
		if (!words_has(words_stated, n->key))
			compile_fault(c, n, "nothing that can be stated:", n->key);
		check_groups(c, n, p);
		compile_insert(c, "states", "sss", id, n->key, n->text);
	}
}

/* A rule made from the failures it is measured on proves nothing. */
static void check_sources(struct compiler *c, const struct yaml_node *signature)
{
	const struct yaml_node *list = yaml_find(signature, "sources");

	for (const struct yaml_node *n = list->children; n; n = n->next) {
		const char *ref = n->kind == YAML_MAP ? fields_text(n, "ref") : NULL;

		if (ref && strncmp(ref, "corpus:", 7) != 0)
			return;
	}
	compile_fault(c, list, "a signature needs a source besides the corpus", NULL);
}

/* "person", or NULL: a program. What a sentence of a person proves is never sure enough to decide. */
static const char *writer_of(struct compiler *c, const struct yaml_node *top,
			     const struct yaml_node *n)
{
	const char *own = fields_text(n, "written-by");
	const char *writer = own ? own : fields_text(top, "written-by");

	if (!writer || strcmp(writer, "person") != 0)
		return NULL;
	if (strcmp(fields_text(n, "kind"), "hint") != 0 &&
	    strcmp(fields_text(n, "kind"), "remark") != 0)
		compile_fault(c, n,
			      "what a person writes is a hint or a remark:", fields_text(n, "id"));
	return writer;
}

/* Lines of the kernel's list have their examples and their source there. */
static void check_whole(struct compiler *c, const struct yaml_node *n)
{
	static const char *const needed[] = { "literals", "examples", "sources" };

	for (size_t i = 0; i < COUNT(needed); i++)
		if (!yaml_find(n, needed[i]) && !yaml_find(n, "class"))
			compile_fault(c, n, "missing key", needed[i]);
}

static void remember(struct compiler *c, const struct yaml_node *n, const char *pattern)
{
	struct known_signature *known = arena_alloc(&c->arena, sizeof(*known));

	*known = (struct known_signature){ n, c->file, pattern, c->signatures };
	c->signatures = known;
}

static void take_signature(struct compiler *c, const struct yaml_node *top,
			   const struct yaml_node *n)
{
	const struct yaml_node *below = yaml_find(n, "below");
	const struct yaml_node *pattern = yaml_find(n, "pattern") ? yaml_find(n, "pattern") : n;
	const char *program = fields_text(n, "program");
	const char *id = fields_text(n, "id");
	struct kernel_lines lines;
	struct patterns p;

	if (!compile_kernel_lines(c, n, &lines))
		return;
	p = (struct patterns){ lines.pattern ? compile_pattern(c, pattern, lines.pattern) : NULL,
			       below ? compile_pattern(c, below, below->text) : NULL, lines };
	if ((lines.pattern && !p.line) || (below && !p.below))
		return;
	if (compile_insert(c, "signature", "sssssssiss", id,
			   program ? program : fields_text(top, "signatures"),
			   fields_text(n, "kind"), fields_text(n, "says"), lines.pattern,
			   fields_text(n, "group"), c->file, (int)n->line, fields_text(n, "below"),
			   writer_of(c, top, n)) == -EEXIST)
		compile_fault(c, n, "id given twice:", id);
	remember(c, n, lines.pattern);
	check_whole(c, n);
	check_groups(c, yaml_find(n, "says"), &p);
	take_literals(c, n, id, &lines);
	take_suggestions(c, yaml_find(n, "suggests"), id, 1);
	take_suggestions(c, yaml_find(n, "against"), id, -1);
	take_states(c, n, id, &p);
	try_examples(c, n, &p);
	if (yaml_find(n, "sources")) {
		check_sources(c, n);
		compile_sources(c, n, id);
	}
	pcre2_code_free(p.line);
	pcre2_code_free(p.below);
}

void compile_signatures(struct compiler *c, const struct yaml_node *top)
{
	if (!fields_check(top, c->file, file_fields, COUNT(file_fields), c->faults))
		return;
	compile_check_name(c, top, "signatures");
	for (const struct yaml_node *n = yaml_find(top, "list")->children; n; n = n->next)
		if (fields_check(n, c->file, signature_fields, COUNT(signature_fields), c->faults))
			take_signature(c, top, n);
}

/* ---- defects ---- */

static bool is_version(struct span s)
{
	return s.len > 0 && s.data[0] >= '0' && s.data[0] <= '9';
}

/* Whether a text has a version as a whole number: 7.1.1 is neither in 7.1.10 nor in 17.1.1. */
static bool names_version(const char *text, struct span version)
{
	for (const char *at = text; at && (at = strstr(at, version.data)); at++) {
		char before = at == text ? ' ' : at[-1], after = at[version.len];

		if (!strchr("0123456789.", before) && (after < '0' || after > '9'))
			return true;
	}
	return false;
}

/*
 * "6.2 .. 6.2.4" (the second excluded, and fixed-in names it), "6.2 ..? 6.2.4" (seen before
 * 6.2.4, not known since), "6.2 ..", ".. 6.2.4", or words: "gfx1100 gfx1101".
 */
static void take_condition(struct compiler *c, const struct yaml_node *n, const char *id,
			   const char *fixed_in)
{
	struct span text = span_of(n->text);
	size_t open = span_find(text, SPAN_LITERAL("..? "));
	size_t dots = open != SIZE_MAX ? open : span_find(text, SPAN_LITERAL(".. "));
	struct span low, high;
	const char *none = NULL; /* typed: a bare NULL may be an int to a variadic function */

	if (!words_has(words_stated, n->key))
		compile_fault(c, n, "nothing that can be stated:", n->key);
	if (dots == SIZE_MAX && span_ends(text, " .."))
		dots = strlen(n->text) - 2;
	if (dots == SIZE_MAX) {
		compile_insert(c, "defect_when", "ssssis", id, n->key, none, none, 1, n->text);
		return;
	}
	low = span_trim((struct span){ n->text, dots });
	high = span_trim(span_of(n->text + dots + (open != SIZE_MAX ? 3 : 2)));
	if ((low.len > 0 && !is_version(low)) || (high.len > 0 && !is_version(high)) ||
	    low.len + high.len == 0)
		compile_fault(c, n, "bounds are versions, as 6.2 .. 6.2.4:", n->text);
	if (high.len > 0 && open == SIZE_MAX &&
	    !(fixed_in && names_version(fixed_in, span_of(arena_text(&c->arena, high)))))
		compile_fault(c, n,
			      "an end that fixed-in does not name is not known, as 6.2 ..? 6.2.4:",
			      n->text);
	compile_insert(c, "defect_when", "ssssis", id, n->key,
		       low.len > 0 ? arena_text(&c->arena, low) : none,
		       high.len > 0 ? arena_text(&c->arena, high) : none, open == SIZE_MAX, none);
}

static void take_defect(struct compiler *c, const struct yaml_node *n)
{
	const struct yaml_node *when = yaml_find(n, "when");
	const struct yaml_node *signatures = yaml_find(n, "signatures");
	const char *id = fields_text(n, "id");
	const struct yaml_node *strength = yaml_find(n, "weight");
	int weight = strength ? compile_strength(c, strength, STRENGTH_DEFECT, 1) : WEIGHT_DEFAULT;

	if (compile_insert(c, "defect", "ssssssis", id, fields_text(n, "component"),
			   fields_text(n, "cause"), fields_text(n, "title"),
			   compile_text(c, n, "cure"), fields_text(n, "fixed-in"), weight,
			   fields_text(n, "source")) == -EEXIST)
		compile_fault(c, n, "id given twice:", id);
	if ((!when || when->count == 0) && (!signatures || signatures->count == 0))
		compile_fault(c, n, "a defect asks for something: when, or signatures", NULL);
	for (const struct yaml_node *w = when ? when->children : NULL; w; w = w->next)
		take_condition(c, w, id, fields_text(n, "fixed-in"));
	for (const struct yaml_node *s = signatures ? signatures->children : NULL; s; s = s->next)
		compile_insert(c, "defect_signature", "ss", id, s->text);
	compile_cures(c, n, id);
	compile_unchecked(c, n, id);
}

void compile_defects(struct compiler *c, const struct yaml_node *top)
{
	if (!fields_check(top, c->file, defects_fields, COUNT(defects_fields), c->faults))
		return;
	compile_check_name(c, top, "defects");
	for (const struct yaml_node *n = yaml_find(top, "list")->children; n; n = n->next)
		if (fields_check(n, c->file, defect_fields, COUNT(defect_fields), c->faults))
			take_defect(c, n);
}

/* ---- what they take from each other ---- */

/* Where the match ends, or 0. */
static size_t match_end(const struct yaml_node *signature, const pcre2_code *code,
			pcre2_match_data *match, const char *line)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(match);

	if (!is_met(signature, NULL, code, match, line))
		return 0;
	return ends[1] > ends[0] ? ends[1] : 0;
}

/*
 * hipErrorInvalidDevice is not said by a line with hipErrorInvalidDeviceFunction.
 * A literal alone is met as whole words; a pattern must see to it itself.
 */
static void check_words(struct compiler *c, const struct known_signature *own,
			const pcre2_code *code, pcre2_match_data *match)
{
	for (const struct known_signature *k = c->signatures; k; k = k->next)
		for (const struct yaml_node *n = list_of(k->node, "examples"); n; n = n->next) {
			if (k == own ||
			    !span_inside_word(span_of(n->text),
					      match_end(own->node, code, match, n->text)))
				continue;
			c->file = own->file;
			compile_fault(c, yaml_find(own->node, "pattern"),
				      "the pattern ends inside a word of an example of",
				      fields_text(k->node, "id"));
			return;
		}
}

static void check_all_words(struct compiler *c)
{
	pcre2_match_data *match = pcre2_match_data_create(GROUPS_MAX + 4, NULL);

	for (const struct known_signature *k = c->signatures; k; k = k->next) {
		bool own = yaml_find(k->node, "pattern") && !yaml_find(k->node, "class");
		pcre2_code *code = own ? compile_pattern(c, k->node, k->pattern) : NULL;

		if (code)
			check_words(c, k, code, match);
		pcre2_code_free(code);
	}
	pcre2_match_data_free(match);
}

/* ---- what they refer to ---- */

static void check_reference(struct compiler *c, const char *sql, const char *what)
{
	sqlite3_stmt *stmt = select_from(c->db, sql);

	while (select_next(stmt))
		faults_add(c->faults, column_text(stmt, 0),
			   (unsigned int)sqlite3_column_int(stmt, 1), "%s %s", what,
			   column_text(stmt, 2));
	sqlite3_finalize(stmt);
}

void compile_check_references(struct compiler *c)
{
	check_reference(c,
			"SELECT s.file, s.line, g.cause FROM suggests g JOIN signature s ON s.id = "
			"g.signature WHERE g.cause NOT IN (SELECT slug FROM cause)",
			"no cause");
	check_reference(c,
			"SELECT 'defects/' || id, 1, cause FROM defect WHERE cause NOT IN (SELECT "
			"slug FROM cause)",
			"no cause");
	check_reference(
		c,
		"SELECT file, 1, slug FROM cause WHERE kind <> 'symptom' AND slug NOT IN (SELECT cause FROM evidence "
		"UNION SELECT cause FROM suggests UNION SELECT cause FROM defect)",
		"nothing speaks for");
	check_reference(c,
			"SELECT 'defects/' || defect, 1, signature FROM defect_signature WHERE "
			"signature NOT IN (SELECT id FROM signature)",
			"no signature");
	check_reference(
		c,
		"SELECT file, 1, slug FROM cause WHERE slug IN (SELECT cause FROM cause_remedy)"
		" AND slug NOT IN (SELECT cause FROM cause_remedy WHERE remedy NOT IN"
		" (SELECT owner FROM unchecked))",
		"no remedy was checked, and one that was not is never the first step:");
	check_reference(
		c,
		"SELECT 'remedies/' || owner || '.yaml', 1, owner FROM unchecked"
		" WHERE owner IN (SELECT remedy FROM apply UNION SELECT remedy FROM workaround"
		" UNION SELECT remedy FROM family)",
		"not checked, and so neither carried out by itself nor the look of a family:");
	check_all_words(c);
	compile_check_kernel_lines(c);
	compile_check_seen(c);
}
