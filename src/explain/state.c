#include "explain/state.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/names.h"
#include "explain/own-gfx.h"
#include "explain/pasted.h"
#include "facts/select.h"
#include "kb/gpu-names.h"
#include "kb/words.h"

extern const char data_spoken_names[];

struct state_row {
	const char *name;
	struct span value;
	const char *source;
	const char *origin;
	struct state_row *next;
};

#define ROWS_MAX 400 /* a log may state things without end */

bool state_version(struct span text, struct span *ret)
{
	size_t from = 0;

	while (from < text.len) {
		size_t end = from;

		while (end < text.len && (isdigit((unsigned char)text.data[end]) ||
					  (text.data[end] == '.' && end > from)))
			end++;
		while (end > from && text.data[end - 1] == '.')
			end--;
		if (end > from && memchr(text.data + from, '.', end - from)) {
			*ret = (struct span){ text.data + from, end - from };
			return true;
		}
		from = end > from ? end : from + 1;
	}
	/* "rocm 7" has no point and still says something */
	for (from = 0; from < text.len; from++)
		if (isdigit((unsigned char)text.data[from])) {
			size_t end = from;

			while (end < text.len && isdigit((unsigned char)text.data[end]))
				end++;
			*ret = (struct span){ text.data + from, end - from };
			return end - from <= 4;
		}
	return false;
}

static const struct state_row *find_said(const struct state *s, const char *name, struct span value)
{
	for (const struct state_row *r = s->rows; r; r = r->next)
		if (strcmp(r->name, name) == 0 && span_same(r->value, value))
			return r;
	return NULL;
}

static bool is_said(struct state *s, const char *name, struct span value)
{
	if (find_said(s, name, value))
		return true;
	if (s->row_count < ROWS_MAX)
		return false;
	if (!s->cut)
		facts_gap_said(s->facts, "statement", "", "unasked", "too many statements", NULL);
	return s->cut = true;
}

static void add_variable(struct state *s, const struct said *said)
{
	struct row r = row_of("env");

	row_string(&r, "subject", "identity");
	row_string(&r, "name", said->name + 4);
	row_text(&r, "value", said->value);
	row_string(&r, "source", said->source);
	row_string(&r, "origin", said->origin);
	facts_add(s->facts, &r);
}

static void add_statement(struct state *s, const struct said *said)
{
	struct row r = row_of("statement");
	struct span version;

	row_string(&r, "name", said->name);
	row_text(&r, "value", said->value);
	if (state_version(said->value, &version))
		row_text(&r, "version", version);
	row_string(&r, "source", said->source);
	row_string(&r, "origin", said->origin);
	facts_add(s->facts, &r);
}

static void say_one(struct state *s, const struct said *said)
{
	struct span value = span_trim(said->value);
	struct state_row *row;

	/* a variable that is set and empty is something else than one that is not set */
	if ((value.len == 0 && strncmp(said->name, "env:", 4) != 0) ||
	    is_said(s, said->name, value))
		return;
	row = arena_alloc(&s->arena, sizeof(*row));
	*row = (struct state_row){ .name = arena_text(&s->arena, span_of(said->name)),
				   .value = arena_span(&s->arena, value),
				   .source = arena_text(&s->arena, span_of(said->source)),
				   .origin = said->origin,
				   .next = s->rows };
	s->rows = row;
	s->row_count++;
	if (strncmp(said->name, "env:", 4) == 0)
		add_variable(s, said);
	else
		add_statement(s, said);
}

/* The next target in what people write: "gfx1100, gfx1036", "gfx1030 (by override)". */
static bool next_target(struct span *rest, struct span *ret)
{
	size_t at;

	while ((at = span_find(*rest, SPAN_LITERAL("gfx"))) != SIZE_MAX) {
		size_t end = at + 3;

		while (end < rest->len && isxdigit((unsigned char)rest->data[end]))
			end++;
		*ret = (struct span){ rest->data + at, end - at };
		*rest = (struct span){ rest->data + end, rest->len - end };
		if (ret->len >= 6 && !(rest->len > 0 && isalpha((unsigned char)rest->data[0])))
			return true;
	}
	return false;
}

void state_say(struct state *s, const struct said *said)
{
	struct span rest = said->value, target;
	bool any = false;

	while (strcmp(said->name, "gfx") == 0 && next_target(&rest, &target)) {
		say_one(s, &(struct said){ said->name, target, said->source, said->origin });
		any = true;
	}
	if (!any)
		say_one(s, said);
}

void state_take_back(struct state *s, const char *name, const char *value)
{
	sqlite3_stmt *stmt = select_from(facts_db(s->facts),
					 "DELETE FROM main.statement"
					 " WHERE name = ?1 AND value = ?2 AND origin = 'log'");

	for (struct state_row **at = &s->rows; *at;)
		if (strcmp((*at)->name, name) == 0 && span_is((*at)->value, value) &&
		    strcmp((*at)->origin, "log") == 0) {
			*at = (*at)->next;
			s->row_count--;
		} else {
			at = &(*at)->next;
		}
	if (stmt) {
		sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC);
	}
	while (select_next(stmt))
		continue;
	sqlite3_finalize(stmt);
}

/* ---- JSON ---- */

/* Keys of a record of the corpus and of --facts, and what they are called here. */
static const struct {
	const char *key, *name;
} keys[] = {
	{ "gpu", "gpu" },
	{ "gfx", "gfx" },
	{ "gpu_count", "gpu_count" },
	{ "rocm", "rocm" },
	{ "hip", "hip" },
	{ "framework", "framework" },
	{ "framework_version", "version" },
	{ "torch", "torch" },
	{ "python", "python" },
	{ "os", "os" },
	{ "kernel", "kernel" },
	{ "driver", "driver" },
	{ "container", "container" },
	{ "image", "image" },
};

static bool is_value(const struct json_node *n)
{
	return n->kind == JSON_TEXT || n->kind == JSON_NUMBER;
}

bool state_takes(const struct json_node *n)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (span_is(n->key, keys[i].key))
			return is_value(n);
	return span_is(n->key, "env_vars") && (n->kind == JSON_MAP || n->kind == JSON_TEXT);
}

static void say_variable(struct state *s, struct span name, struct span value, const char *source)
{
	struct buf said BUF_SCOPED = { 0 };

	buf_addf(&said, "env:%.*s", (int)name.len, name.data);
	state_say(s, &(struct said){ said.data, value, source, "stated" });
}

/* "HIP_VISIBLE_DEVICES=0,1 NCCL_DEBUG=INFO"; other words are passed over. */
static void say_assignments(struct state *s, struct span text, const char *source)
{
	struct span word, name;

	while (span_word(&text, &word))
		if (span_find(word, SPAN_LITERAL("=")) != SIZE_MAX && span_cut(&word, '=', &name) &&
		    name.len > 0)
			say_variable(s, name, word, source);
}

/* "torch 2.7.1, torchaudio 2.8.0": of several packages each has its own version. */
static void say_packages(struct state *s, struct span value, const char *source)
{
	struct span part, word, name, version;

	if (value.len == 0 || !memchr(value.data, ',', value.len))
		return;
	while (span_cut(&value, ',', &part)) {
		char said[32];

		part = span_trim(part);
		if (!span_word(&part, &word) || !state_version(part, &version) ||
		    word.len >= sizeof(said))
			continue;
		for (size_t i = 0; i < word.len; i++)
			said[i] = (char)tolower((unsigned char)word.data[i]);
		said[word.len] = '\0';
		name = (struct span){ said, word.len };
		if (!words_has(words_stated, said) && !state_spoken(word, "framework", &name))
			continue;
		if (words_has(words_stated, arena_text(&s->arena, name)))
			state_say(s, &(struct said){ arena_text(&s->arena, name), version, source,
						     "stated" });
	}
}

void state_json(struct state *s, const struct json_node *map, const char *source)
{
	const struct json_node *env = json_tree_find(map, "env_vars");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct json_node *n = json_tree_find(map, keys[i].key);

		if (n && is_value(n))
			state_say(s, &(struct said){ keys[i].name, n->text, source, "stated" });
		if (n && is_value(n) && strcmp(keys[i].name, "version") == 0)
			say_packages(s, n->text, source);
	}
	for (const struct json_node *n = env && env->kind == JSON_MAP ? env->children : NULL; n;
	     n = n->next)
		if (is_value(n))
			say_variable(s, n->key, n->text, source);
	if (env && env->kind == JSON_TEXT)
		say_assignments(s, env->text, source);
}

/* ---- what follows ---- */

static const struct state_row *find(const struct state *s, const char *name)
{
	const struct state_row *first = NULL;

	for (const struct state_row *r = s->rows; r; r = r->next)
		if (strcmp(r->name, name) == 0)
			first = r; /* the list is in reverse */
	return first;
}

static void follow(struct state *s, const char *name, struct span value,
		   const struct state_row *from)
{
	state_say(s, &(struct said){ name, value, from->source, from->origin });
}

/* Capitals or not. */
static bool contains(struct span text, struct span word)
{
	for (size_t i = 0; i + word.len <= text.len; i++)
		if (strncasecmp(text.data + i, word.data, word.len) == 0)
			return true;
	return false;
}

bool state_spoken(struct span text, const char *kind, struct span *ret)
{
	struct span rest = span_of(data_spoken_names), word, words, of;

	while (names_next(&rest, &word, &words))
		if (span_word(&words, &of) && span_is(of, kind) && contains(text, word))
			return span_word(&words, ret);
	return false;
}

bool state_has(const struct state *s, const char *name)
{
	return find(s, name);
}

bool state_has_version(const struct state *s, struct span program)
{
	struct span name;

	if (state_spoken(program, "framework", &name))
		for (const struct state_row *r = s->rows; r; r = r->next)
			if (span_is(name, r->name))
				return true;
	return false;
}

static void follow_system(struct state *s)
{
	static const char *const from[] = { "os", "kernel", "container" };

	for (size_t i = 0; i < 3; i++) {
		const struct state_row *r = find(s, from[i]);
		struct span name;

		if (r && !find(s, "system") && state_spoken(r->value, "system", &name))
			follow(s, "system", name, r);
	}
}

/* The version that stands beside a framework is that framework's. */
static void follow_framework(struct state *s)
{
	const struct state_row *framework = find(s, "framework");
	const struct state_row *version = find(s, "version");
	struct span name;

	if (framework && version && state_spoken(framework->value, "framework", &name))
		follow(s, arena_text(&s->arena, name), version->value, version);
}

/* "+rocm6.1", "rocm6.1 wheel", "+cu121", "+cpu" */
static void follow_tag(struct state *s)
{
	static const char *const from[] = { "torch", "version" };

	for (size_t i = 0; i < 2; i++) {
		const struct state_row *r = find(s, from[i]);
		size_t at = r ? span_find(r->value, SPAN_LITERAL("rocm")) : SIZE_MAX;
		struct span version;

		if (!r)
			continue;
		if (at != SIZE_MAX &&
		    state_version((struct span){ r->value.data + at, r->value.len - at },
				  &version)) {
			follow(s, "torch_rocm", version, r);
			follow(s, "torch_build", SPAN_LITERAL("rocm"), r);
		} else if (span_find(r->value, SPAN_LITERAL("+cu")) != SIZE_MAX) {
			follow(s, "torch_build", SPAN_LITERAL("cuda"), r);
		} else if (span_find(r->value, SPAN_LITERAL("+cpu")) != SIZE_MAX) {
			follow(s, "torch_build", SPAN_LITERAL("cpu"), r);
		}
	}
}

static bool is_stated(const struct state_row *r)
{
	return strcmp(r->origin, "stated") == 0;
}

/*
 * The gfx that is the GPU's: the stated one, that of the stated product, the one that the text
 * reports, that of the product in the text. What was taken back does not count as reported, even
 * if the text reports that of another GPU.
 */
static const struct state_row *follow_product(struct state *s, bool taken_back)
{
	const struct state_row *gpu = find(s, "gpu"), *gfx = find(s, "gfx");
	struct gpu_said p = { 0 };
	struct span rest, target;

	if (!gpu)
		return gfx;
	if (gpu_names_said(facts_db(s->facts), &s->arena, gpu->value, &p) && p.integrated)
		follow(s, "integrated", SPAN_LITERAL("1"), gpu);
	if (gfx && (is_stated(gfx) || (!is_stated(gpu) && !taken_back)))
		return gfx;
	rest = gpu->value;
	if (next_target(&rest, &target)) /* "gfx1151" for its name, or behind it */
		p.gfx = target;
	if (p.gfx.len == 0)
		return gfx;
	follow(s, "gfx", p.gfx, gpu);
	return find_said(s, "gfx", p.gfx);
}

/* "10.3.0 (in the systemd unit)": what stands in brackets is somebody's remark */
static void follow_override(struct state *s)
{
	const struct state_row *r = find(s, "env:HSA_OVERRIDE_GFX_VERSION");
	size_t cut = r ? span_find(r->value, SPAN_LITERAL(" (")) : SIZE_MAX;

	if (r)
		follow(s, "override",
		       (struct span){ r->value.data, cut != SIZE_MAX ? cut : r->value.len }, r);
}

/*
 * A GPU and a framework that were only said, as rows that rules and remedies
 * can join. Where a machine is there too its own rows stand, and these do not.
 */
static void add_said_gpu(struct state *s, const struct state_row *gfx)
{
	const struct state_row *gpu = find(s, "gpu");
	struct row agent = row_of("agent"), row = row_of("gpu");

	if (!gfx || s->has_gpu)
		return;
	row_int(&agent, "node", 1);
	row_string(&agent, "address", "the GPU");
	row_text(&agent, "gfx", gfx->value);
	row_string(&agent, "source", gfx->source);
	row_string(&agent, "origin", gfx->origin);
	facts_add(s->facts, &agent);
	row_string(&row, "address", "the GPU");
	row_string(&row, "vendor_id", "1002");
	row_text(&row, "gfx", gfx->value);
	if (gpu)
		row_text(&row, "product", gpu->value);
	row_string(&row, "source", gfx->source);
	row_string(&row, "origin", gfx->origin);
	facts_add(s->facts, &row);
}

static void add_said_framework(struct state *s)
{
	const struct state_row *torch = find(s, "torch"), *build = find(s, "torch_build");
	struct row r = row_of("framework");

	if (!torch || s->has_gpu)
		return;
	row_string(&r, "environment", "the environment");
	row_string(&r, "name", "torch");
	row_text(&r, "version", torch->value);
	if (build)
		row_text(&r, "build", build->value);
	row_string(&r, "source", torch->source);
	row_string(&r, "origin", torch->origin);
	facts_add(s->facts, &r);
}

void state_conclude(struct state *s)
{
	const struct state_row *gfx;

	pasted_products(s);
	follow_system(s);
	follow_override(s);
	gfx = follow_product(s, own_gfx(s));
	follow_framework(s);
	follow_tag(s);
	add_said_gpu(s, gfx);
	add_said_framework(s);
	pasted_rows(s);
	facts_asked(s->facts, "statement");
	facts_asked(s->facts, "env");
	facts_asked(s->facts, "setting");
}

void state_done(struct state *s)
{
	arena_done(&s->arena);
}
