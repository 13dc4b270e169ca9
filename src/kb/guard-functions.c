#include "kb/guard-functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"

#define BYTES_A_STEP 64 /* what a searching function is charged */

struct guard_meter {
	uint64_t *charged;  /* NULL: the guard is off */
	unsigned int users; /* the guard, and every function that stays */
};

static void charge(sqlite3_context *ctx, uint64_t bytes)
{
	struct guard_meter *meter = sqlite3_user_data(ctx);

	if (meter->charged)
		*meter->charged += bytes / BYTES_A_STEP;
}

/* False for NULL, which makes the result NULL. */
static bool take(sqlite3_value *value, struct span *ret)
{
	if (sqlite3_value_type(value) == SQLITE_NULL)
		return false;
	ret->data = (const char *)sqlite3_value_text(value);
	ret->len = (size_t)sqlite3_value_bytes(value);
	if (!ret->data)
		*ret = span_of("");
	return true;
}

static void match(sqlite3_context *ctx, int argc, sqlite3_value **argv, bool glob)
{
	struct span pattern, text, escape = { "", 0 };

	if (!take(argv[0], &pattern) || !take(argv[1], &text) ||
	    (argc > 2 && !take(argv[2], &escape)))
		return;
	if (pattern.len > GUARD_PATTERN_MAX) {
		sqlite3_result_error(ctx, "LIKE or GLOB pattern too complex", -1);
		return;
	}
	if (argc > 2 && (escape.len != 1 || (unsigned char)escape.data[0] > 127)) {
		sqlite3_result_error(ctx, "ESCAPE takes one ASCII character", -1);
		return;
	}
	charge(ctx, (uint64_t)pattern.len * text.len);
	if (glob)
		sqlite3_result_int(ctx, sqlite3_strglob(pattern.data, text.data) == 0);
	else
		sqlite3_result_int(ctx, sqlite3_strlike(pattern.data, text.data,
							(unsigned char)escape.data[0]) == 0);
}

static void call_like(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	match(ctx, argc, argv, false);
}

static void call_glob(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	match(ctx, argc, argv, true);
}

/* In characters, from 1; 0 if it is not there. */
static void call_instr(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct span text, part;
	const char *at;
	int position = 1;

	(void)argc;
	if (!take(argv[0], &text) || !take(argv[1], &part))
		return;
	charge(ctx, text.len + part.len);
	at = memmem(text.data, text.len, part.data, part.len);
	for (const char *c = text.data; at && c < at; c++)
		position += (*c & 0xc0) != 0x80;
	sqlite3_result_int(ctx, at ? position : 0);
}

static void call_replace(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span text, part, with;
	const char *at;

	(void)argc;
	if (!take(argv[0], &text) || !take(argv[1], &part) || !take(argv[2], &with))
		return;
	charge(ctx, text.len + part.len);
	while (part.len > 0 && (at = memmem(text.data, text.len, part.data, part.len)) &&
	       out.len <= GUARD_VALUE_MAX) {
		buf_add(&out, text.data, (size_t)(at - text.data));
		buf_span(&out, with);
		text.len -= (size_t)(at - text.data) + part.len;
		text.data = at + part.len;
	}
	buf_span(&out, text);
	if (out.len > GUARD_VALUE_MAX)
		sqlite3_result_error_toobig(ctx);
	else
		sqlite3_result_text(ctx, buf_get(&out).data, (int)out.len, SQLITE_TRANSIENT);
}

/* SQLite compares every character with every one of the set. */
static void refuse_set(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
	(void)argc;
	(void)argv;
	sqlite3_result_error(ctx, "trim takes one argument here", -1);
}

static const struct {
	const char *name;
	int arguments;
	void (*call)(sqlite3_context *ctx, int argc, sqlite3_value **argv);
} ours[] = {
	{ "like", 2, call_like },   { "like", 3, call_like },       { "glob", 2, call_glob },
	{ "instr", 2, call_instr }, { "replace", 3, call_replace }, { "trim", 2, refuse_set },
	{ "ltrim", 2, refuse_set }, { "rtrim", 2, refuse_set },
};

#define OURS (sizeof(ours) / sizeof(ours[0]))

static void let_go(void *ctx)
{
	struct guard_meter *meter = ctx;

	if (--meter->users == 0)
		free(meter);
}

/* Each function holds the meter; SQLite lets go for one that it could not take. */
struct guard_meter *guard_functions_on(sqlite3 *db, uint64_t *charged)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	struct guard_meter *meter = memory_new(1, sizeof(*meter));
	bool whole = true;

	*meter = (struct guard_meter){ .charged = charged, .users = 1 };
	for (size_t i = 0; i < OURS; i++) {
		meter->users++;
		whole = sqlite3_create_function_v2(db, ours[i].name, ours[i].arguments, flags,
						   meter, ours[i].call, NULL, NULL,
						   let_go) == SQLITE_OK &&
			whole;
	}
	if (whole)
		return meter;
	guard_functions_off(meter);
	return NULL;
}

void guard_functions_off(struct guard_meter *meter)
{
	if (!meter)
		return;
	meter->charged = NULL;
	let_go(meter);
}
