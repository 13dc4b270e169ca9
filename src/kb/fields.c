#include "kb/fields.h"

#include <string.h>

#include "base/did-you-mean.h"
#include "base/text.h"
#include "kb/words.h"

bool fields_number(const struct yaml_node *node, int64_t *ret)
{
	return node->kind == YAML_SCALAR && node->plain && span_i64(span_of(node->text), ret);
}

static const char *bad_text(const struct field *f, const char *text)
{
	if (text[strspn(text, " \n\t")] == '\0')
		return "is empty";
	if (strlen(text) > f->most)
		return "is too long";
	if (f->type == FIELD_LINE && strpbrk(text, "\n\t"))
		return "must be one line";
	return NULL;
}

static const char *bad_scalar(const struct yaml_node *node, const struct field *f)
{
	int64_t number;

	if (node->kind != YAML_SCALAR)
		return "must be a text or a number";
	switch (f->type) {
	case FIELD_SLUG:
		return text_is_slug(span_of(node->text)) ? NULL
							 : "must be words-with-hyphens, lower case";
	case FIELD_WORD:
		return words_has(f->words, node->text) ? NULL : "is none of its words";
	case FIELD_INT:
		if (!fields_number(node, &number))
			return "must be a whole number";
		return number >= f->low && number <= f->high ? NULL : "is out of its range";
	case FIELD_FLAG:
		if (node->plain &&
		    (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0))
			return NULL;
		return "must be true or false";
	default:
		return bad_text(f, node->text);
	}
}

static const char *bad_list(const struct yaml_node *node, const struct field *f)
{
	if (node->kind != YAML_LIST)
		return "must be a list";
	if (node->count > f->most)
		return "has too many entries";
	for (const struct yaml_node *n = node->children; n; n = n->next) {
		if (f->type == FIELD_LIST && n->kind != YAML_MAP)
			return "must be a list of maps";
		if (f->type == FIELD_SLUGS &&
		    (n->kind != YAML_SCALAR || !text_is_slug(span_of(n->text))))
			return "must be a list of words-with-hyphens, lower case";
		if (f->type == FIELD_TEXTS && (n->kind != YAML_SCALAR || n->text[0] == '\0'))
			return "must be a list of texts";
	}
	return NULL;
}

static const char *bad_map(const struct yaml_node *node, const struct field *f)
{
	if (node->kind != YAML_MAP)
		return "must be a map";
	if (node->count > f->most)
		return "has too many entries";
	for (const struct yaml_node *n = node->children; n; n = n->next)
		if (n->kind != YAML_SCALAR)
			return "must be a map of texts or numbers";
	return NULL;
}

static void tell_words(struct faults *faults, const char *file, const struct yaml_node *node,
		       const struct field *f)
{
	struct buf list BUF_SCOPED = { 0 };

	words_tell(f->words, &list);
	faults_add(faults, file, node->line, "%s is one of:%s", f->key, buf_get(&list).data);
}

static bool check_value(const struct yaml_node *node, const char *file, const struct field *f,
			struct faults *faults)
{
	bool is_list = f->type == FIELD_LIST || f->type == FIELD_SLUGS || f->type == FIELD_TEXTS;
	const char *bad = is_list                ? bad_list(node, f)
			  : f->type == FIELD_MAP ? bad_map(node, f)
			  : f->type == FIELD_BLOCK
				  ? (node->kind == YAML_MAP ? NULL : "must be a map")
				  : bad_scalar(node, f);

	if (!bad)
		return true;
	if (f->type == FIELD_WORD && node->kind == YAML_SCALAR)
		tell_words(faults, file, node, f);
	else if (f->type == FIELD_INT && node->kind == YAML_SCALAR)
		faults_add(faults, file, node->line, "%s is a whole number from %d to %d", f->key,
			   f->low, f->high);
	else
		faults_add(faults, file, node->line, "%s %s", f->key, bad);
	return false;
}

static const struct field *find_field(const struct field *fields, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(fields[i].key, key) == 0)
			return &fields[i];
	return NULL;
}

static void tell_unknown(struct faults *faults, const char *file, const struct yaml_node *node,
			 const struct field *fields, size_t count)
{
	struct did_you_mean near = did_you_mean(node->key);

	for (size_t i = 0; i < count; i++)
		did_you_mean_try(&near, span_of(fields[i].key));
	faults_add(faults, file, node->line, "unknown key %s%s%s", node->key,
		   near.best[0] ? "; did you mean " : "", near.best);
}

bool fields_check(const struct yaml_node *map, const char *file, const struct field *fields,
		  size_t count, struct faults *faults)
{
	size_t before = faults->count;

	if (map->kind != YAML_MAP) {
		faults_add(faults, file, map->line, "this must be a map of keys and values");
		return false;
	}
	for (const struct yaml_node *n = map->children; n; n = n->next) {
		const struct field *f = find_field(fields, count, n->key);

		if (!f)
			tell_unknown(faults, file, n, fields, count);
		else
			check_value(n, file, f, faults);
	}
	for (size_t i = 0; i < count; i++)
		if (!fields[i].optional && !yaml_find(map, fields[i].key))
			faults_add(faults, file, map->line, "%s is missing", fields[i].key);
	return faults->count == before;
}

const char *fields_text(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *node = yaml_find(map, key);

	return node ? node->text : NULL;
}

int fields_int(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *node = yaml_find(map, key);
	int64_t number = 0;

	return node && fields_number(node, &number) ? (int)number : 0;
}

bool fields_flag(const struct yaml_node *map, const char *key)
{
	const char *text = fields_text(map, key);

	return text && strcmp(text, "true") == 0;
}
