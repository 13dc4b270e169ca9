#include "mcp/request.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

#define ARGV_MAX 72 /* words of a command; 64 paths among them */

enum place {
	AS_TEXT,   /* becomes standard input */
	AS_FILE,   /* a path that becomes standard input */
	AS_PATHS,  /* a list of paths that become words */
	AS_WORD,   /* becomes a word */
	AS_OPTION, /* becomes the value of an option */
	AS_SWITCH, /* true becomes an option */
};

struct argument {
	const char *name;
	enum place place;
	const char *option;
	bool alone; /* with it the command does not look at this machine */
};

struct tool {
	const char *name;
	const char *command[3];
	struct argument arguments[9];
	const char *needs; /* one of these, blanks between; NULL: it may have none */
	bool looks;        /* at this machine */
};

/* data/mcp/tools.json says the same to the client; a test compares them. */
static const struct tool tools[] = {
	{ "check",
	  { "check", "--json" },
	  { { "snapshot_path", AS_FILE, "--from=-", true }, { "detail", AS_SWITCH, "--verbose" } },
	  NULL,
	  true },
	{ "explain",
	  { "explain", "--json" },
	  { { "text", AS_TEXT, "-" },
	    { "path", AS_FILE, "-" },
	    { "text_only", AS_SWITCH, "--no-machine", true },
	    { "gpu", AS_OPTION, "--set=gpu=" },
	    { "rocm", AS_OPTION, "--set=rocm=" },
	    { "os", AS_OPTION, "--set=os=" },
	    { "framework", AS_OPTION, "--set=framework=" },
	    { "detail", AS_SWITCH, "--verbose" } },
	  "text path",
	  true },
	{ "targets",
	  { "targets", "--json" },
	  { { "require", AS_OPTION, "--require=" }, { "paths", AS_PATHS, NULL } },
	  "paths" },
	{ "advise",
	  { "advise", "--json" },
	  { { "gpu", AS_OPTION, "--gpu=" },
	    { "for", AS_OPTION, "--for=" },
	    { "os", AS_OPTION, "--os=" },
	    { "python", AS_OPTION, "--python=" } },
	  NULL },
	{ "facts", { "facts", "--json" }, { { "topic", AS_WORD, NULL } }, NULL, true },
	{ "query", { "query", "--json" }, { { "sql", AS_WORD, NULL } }, "sql", true },
	{ "kb_show", { "kb", "show" }, { { "name", AS_WORD, NULL } }, "name" },
	{ "snapshot", { "snapshot" }, { { "brief", AS_SWITCH, "--brief" } }, NULL, true },
};

struct builder {
	const char *argv[ARGV_MAX];
	size_t count;
	const char *words[ARGV_MAX]; /* stand behind all options */
	size_t word_count;
	struct arena *arena;
	const struct allowed *allowed;
	struct request *request;
};

static const char *refuse(struct builder *b, const struct argument *a, const char *why)
{
	return arena_format(b->arena, "\"%s\" %s", a->name, why);
}

/* NULL, or why there is no such file. */
static const char *path_error(struct builder *b, const char *path, int error)
{
	if (!b->allowed)
		return "This server may not open files. Give the content as text, or start it with "
		       "--allow DIR.";
	if (error == EACCES)
		return arena_format(b->arena,
				    "%s is not a file below a directory that --allow names.", path);
	if (error == EINVAL)
		return arena_format(b->arena, "%s is not a regular file.", path);
	return arena_format(b->arena, "%s: %s", path, strerror(error));
}

static const char *add_file(struct builder *b, const struct argument *a, const char *path)
{
	int fd = b->allowed ? -EEXIST : -EACCES;

	if (b->allowed && b->request->input < 0)
		fd = allowed_open(b->allowed, path);

	if (fd == -EEXIST)
		return refuse(b, a, "is one input too many: give one.");
	if (fd < 0)
		return path_error(b, path, -fd);
	b->request->input = fd;
	b->request->looks &= !a->alone;
	b->argv[b->count++] = a->option;
	return NULL;
}

/* The child gets its directory open, as descriptor 3 and so on. */
static void add_root(struct builder *b, const char *real)
{
	struct request *r = b->request;

	for (size_t i = 0; i < r->root_count; i++)
		if (r->roots[i] == real)
			return;
	r->roots = arena_grow(b->arena, r->roots, r->root_count, sizeof(*r->roots));
	r->roots[r->root_count++] = real;
}

static const char *add_path(struct builder *b, const struct argument *a, struct span text)
{
	const char *path = arena_text(b->arena, text), *real = NULL;
	const struct allowed_root *root;

	if (b->word_count == ARGV_MAX - 8)
		return refuse(b, a, "has more than 64 paths.");
	root = b->allowed && path[0] == '/' ? allowed_find(b->allowed, path, b->arena, &real)
					    : NULL;
	if (!root)
		return path_error(b, path, EACCES);
	add_root(b, root->real);
	b->words[b->word_count++] = real;
	return NULL;
}

static const char *allow_option(struct builder *b)
{
	struct buf option BUF_SCOPED = { 0 };

	buf_text(&option, "--allow=");
	for (size_t i = 0; i < b->request->root_count; i++)
		buf_addf(&option, "%s/proc/self/fd/%zu", i > 0 ? ":" : "", i + 3);
	return arena_text(b->arena, buf_get(&option));
}

static bool is_text(const struct json_node *n)
{
	return n->kind == JSON_TEXT && !memchr(n->text.data, '\0', n->text.len);
}

static const char *add_paths(struct builder *b, const struct argument *a,
			     const struct json_node *value)
{
	const char *why = NULL;

	if (value->kind != JSON_LIST)
		return refuse(b, a, "must be a list of paths.");
	for (const struct json_node *n = value->children; n && !why; n = n->next)
		why = is_text(n) ? add_path(b, a, n->text) : refuse(b, a, "must hold texts.");
	if (!why && b->request->root_count > 0)
		b->argv[b->count++] = allow_option(b);
	return why;
}

static const char *add_text(struct builder *b, const struct argument *a,
			    const struct json_node *value)
{
	const char *text;

	if (a->place == AS_TEXT) {
		b->request->text = value->text;
		b->argv[b->count++] = a->option;
		return NULL;
	}
	if (!is_text(value))
		return refuse(b, a, "has a NUL in it.");
	text = arena_text(b->arena, value->text);
	if (a->place == AS_FILE)
		return add_file(b, a, text);
	if (a->place == AS_WORD)
		b->words[b->word_count++] = text;
	else
		b->argv[b->count++] = arena_format(b->arena, "%s%s", a->option, text);
	return NULL;
}

static const char *add_argument(struct builder *b, const struct argument *a,
				const struct json_node *value)
{
	if (a->place == AS_PATHS)
		return add_paths(b, a, value);
	if (a->place == AS_SWITCH) {
		if (value->kind == JSON_TRUE) {
			b->argv[b->count++] = a->option;
			b->request->looks &= !a->alone;
		}
		return value->kind == JSON_TRUE || value->kind == JSON_FALSE
			       ? NULL
			       : refuse(b, a, "must be true or false.");
	}
	return value->kind == JSON_TEXT ? add_text(b, a, value) : refuse(b, a, "must be a text.");
}

static const struct tool *find_tool(struct span name)
{
	for (size_t i = 0; i < COUNT(tools); i++)
		if (span_is(name, tools[i].name))
			return &tools[i];
	return NULL;
}

static const struct argument *find_argument(const struct tool *t, struct span name)
{
	for (size_t i = 0; i < COUNT(t->arguments) && t->arguments[i].name; i++)
		if (span_is(name, t->arguments[i].name))
			return &t->arguments[i];
	return NULL;
}

/* JSON does not define which value of a repeated key counts. */
static bool is_repeated(const struct json_node *n)
{
	for (const struct json_node *other = n->next; other; other = other->next)
		if (span_same(other->key, n->key))
			return true;
	return false;
}

static bool has_one_of(const struct json_node *arguments, const char *names)
{
	struct span rest = span_of(names ? names : ""), name;

	while (span_word(&rest, &name))
		for (const struct json_node *n = arguments ? arguments->children : NULL; n;
		     n = n->next)
			if (span_same(n->key, name))
				return true;
	return !names;
}

/* Words that the client chose stand behind "--": none of them is an option. */
static const char *const *join(struct builder *b)
{
	const char **argv = arena_alloc(b->arena, (b->count + b->word_count + 2) * sizeof(*argv));
	size_t n = 0;

	for (size_t i = 0; i < b->count; i++)
		argv[n++] = b->argv[i];
	if (b->word_count > 0)
		argv[n++] = "--";
	for (size_t i = 0; i < b->word_count; i++)
		argv[n++] = b->words[i];
	return argv;
}

static void begin(struct builder *b, const char *const *command, size_t count)
{
	*b->request = (struct request){ .input = -1 };
	b->argv[b->count++] = "rocsteady";
	for (size_t i = 0; i < count && command[i]; i++)
		b->argv[b->count++] = command[i];
}

bool request_knows_tool(struct span name)
{
	return find_tool(name) != NULL;
}

const char *request_tool(struct span name, const struct json_node *arguments,
			 const struct allowed *allowed, struct arena *arena, struct request *ret)
{
	struct builder b = { .arena = arena, .allowed = allowed, .request = ret };
	const struct tool *t = find_tool(name);
	const char *why = NULL;

	begin(&b, t->command, COUNT(t->command));
	ret->looks = t->looks;
	if (!has_one_of(arguments, t->needs))
		return arena_format(arena, "%s needs one of: %s.", t->name, t->needs);
	for (const struct json_node *n = arguments ? arguments->children : NULL; n && !why;
	     n = n->next) {
		const struct argument *a = find_argument(t, n->key);

		if (!a)
			why = arena_format(arena, "%s has no argument \"%.*s\".", t->name,
					   (int)(n->key.len < 80 ? n->key.len : 80), n->key.data);
		else if (is_repeated(n)) /* which also bounds the words of the command */
			why = refuse(&b, a, "is given more than once.");
		else
			why = add_argument(&b, a, n);
	}
	if (!why && ret->text.data && ret->input >= 0)
		why = "Give one input: text or a path.";
	if (why && ret->input >= 0) {
		close(ret->input);
		ret->input = -1;
	}
	ret->argv = join(&b);
	return why;
}

/* ---- resources ---- */

static const struct resource {
	const char *uri; /* what follows one that ends in a slash is a word of the command */
	const char *command[4];
	bool looks;
} resources[] = {
	{ "rocsteady://causes", { "kb", "list", "--json" } },
	{ "rocsteady://tables",
	  { "query", "--json", "SELECT name, sql FROM sqlite_schema" },
	  true },
	{ "rocsteady://cause/", { "kb", "show" } },
};

const char *request_resource(struct span uri, struct arena *arena, struct request *ret)
{
	struct builder b = { .arena = arena, .request = ret };

	for (size_t i = 0; i < COUNT(resources); i++) {
		size_t n = strlen(resources[i].uri);
		bool open = resources[i].uri[n - 1] == '/';

		if (!(open ? span_starts(uri, resources[i].uri) && uri.len > n
			   : span_is(uri, resources[i].uri)) ||
		    memchr(uri.data, '\0', uri.len))
			continue;
		begin(&b, resources[i].command, COUNT(resources[i].command));
		ret->looks = resources[i].looks;
		ret->uri = arena_text(arena, uri);
		if (open)
			b.words[b.word_count++] = ret->uri + n;
		ret->argv = join(&b);
		return NULL;
	}
	return "There is no such resource; resources/list names them.";
}
