#include "facts/functions.h"

#include <strings.h>

#include "base/memory.h"
#include "code/runs.h"
#include "parse/gfx.h"

#define REASON_MAX 160

const char *const functions_names[] = { "gfx_runs",        "gfx_device",
					"gfx_effective",   "gfx_refusal",
					"gfx_of_override", "version_cmp",
					"word_fits",       NULL };

/* Empty for NULL. */
static struct span text_of(sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);

	return text ? (struct span){ text, (size_t)sqlite3_value_bytes(value) } : span_of("");
}

static bool is_null(sqlite3_value *value)
{
	return sqlite3_value_type(value) == SQLITE_NULL;
}

/* 1, 0, or -1 for NULL. */
static int state_of(sqlite3_value *value)
{
	return is_null(value) ? -1 : sqlite3_value_int(value) != 0;
}

static unsigned int number_of(sqlite3_value *value)
{
	int number = sqlite3_value_int(value);

	return number > 0 ? (unsigned int)number : 0;
}

static void call_runs(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct span hip = argc > 2 ? text_of(argv[2]) : span_of("");
	const char *name = runs_name(gfx_runs(text_of(argv[0]), text_of(argv[1]), hip));

	if (name)
		sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
}

static void call_device(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	char id[TARGET_ID_MAX];

	(void)argc;
	if (gfx_device(text_of(argv[0]), state_of(argv[1]), state_of(argv[2]), id))
		sqlite3_result_text(ctx, id, -1, SQLITE_TRANSIENT);
}

/* No override leaves the device as it is. */
static void call_effective(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	char id[TARGET_ID_MAX];

	(void)argc;
	if (is_null(argv[1]))
		sqlite3_result_value(ctx, argv[0]);
	else if (gfx_effective(text_of(argv[0]), text_of(argv[1]), id))
		sqlite3_result_text(ctx, id, -1, SQLITE_TRANSIENT);
}

/* 0.0.0 is how ROCR says that there is no override (code/runs.c). */
static void call_of_override(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct gfx_override version;
	char name[GFX_NAME_MAX];

	(void)argc;
	if (gfx_override_parse(text_of(argv[0]), &version) &&
	    (version.major > 0 || version.minor > 0 || version.stepping > 0) &&
	    gfx_override_name(&version, name) == 0)
		sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
}

static void call_refusal(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	char reason[REASON_MAX];

	(void)argc;
	if (runs_refusal(number_of(argv[0]), number_of(argv[1]), text_of(argv[2]), text_of(argv[3]),
			 reason, sizeof(reason)))
		sqlite3_result_text(ctx, reason, -1, SQLITE_TRANSIENT);
}

static void call_version_cmp(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	int order;

	(void)argc;
	if (version_cmp(text_of(argv[0]), text_of(argv[1]), &order))
		sqlite3_result_int(ctx, order);
}

/* 1 if the value begins with one of the words, whatever their case. */
static void call_word_fits(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct span words = text_of(argv[0]), value = text_of(argv[1]), word;
	bool fits = false;

	(void)argc;
	if (is_null(argv[0]) || is_null(argv[1]))
		return;
	while (!fits && span_word(&words, &word))
		fits = value.len >= word.len && strncasecmp(value.data, word.data, word.len) == 0;
	sqlite3_result_int(ctx, fits);
}

static const struct {
	const char *name;
	int arguments;
	void (*call)(sqlite3_context *ctx, int argc, sqlite3_value **argv);
} functions[] = {
	{ "gfx_runs", 2, call_runs },           { "gfx_runs", 3, call_runs },
	{ "gfx_device", 3, call_device },       { "gfx_effective", 2, call_effective },
	{ "gfx_refusal", 4, call_refusal },     { "gfx_of_override", 1, call_of_override },
	{ "version_cmp", 2, call_version_cmp }, { "word_fits", 2, call_word_fits },
};

sqlite3 *functions_open(void)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	sqlite3 *db = NULL;
	int r = sqlite3_open(":memory:", &db);

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && r == SQLITE_OK; i++)
		r = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments, flags,
					       NULL, functions[i].call, NULL, NULL, NULL);
	if (r != SQLITE_OK)
		memory_out();
	return db;
}
