#include "explain/fit.h"

#include <string.h>

#include "diagnose/steps.h"
#include "facts/column.h"
#include "facts/select.h"

static bool first_text(sqlite3 *db, const char *sql, const char *bound, struct buf *ret)
{
	sqlite3_stmt *stmt = select_kept(db, sql);
	bool found = false;

	if (stmt) {
		if (bound)
			sqlite3_bind_text(stmt, 1, bound, -1, SQLITE_STATIC);
		found = select_next(stmt) && column_text_or_null(stmt, 0);
		if (found)
			buf_text(ret, column_text(stmt, 0));
	}
	select_done(stmt);
	return found;
}

static bool has(sqlite3 *db, const char *sql, const char *bound)
{
	struct buf ignored BUF_SCOPED = { 0 };

	return first_text(db, sql, bound, &ignored);
}

/* Windows lends it to WSL, which has no rows of it. */
static bool is_lent_gpu(sqlite3 *machine)
{
	return has(machine, "SELECT 1 FROM device_node WHERE path = '/dev/dxg'", NULL) &&
	       !has(machine, "SELECT 1 FROM agent", NULL);
}

/* A gfx that the log names and no GPU here has; an override may have renamed one. */
static bool other_gfx(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why)
{
	sqlite3_stmt *stmt = NULL;
	bool other = false;

	if (is_lent_gpu(machine) ||
	    has(machine, "SELECT 1 FROM env WHERE name LIKE 'HSA_OVERRIDE_GFX_VERSION%'", NULL))
		return false;
	stmt = select_kept(log,
			   "SELECT DISTINCT value FROM statement WHERE name = 'gfx' ORDER BY 1");
	if (stmt)
		while (!other && select_next(stmt)) {
			const char *gfx = column_text(stmt, 0);

			other = !has(machine, "SELECT 1 FROM agent WHERE gfx = ?1", gfx);
			if (other) {
				struct buf here BUF_SCOPED = { 0 };

				first_text(
					machine,
					"SELECT group_concat(gfx, ', ') FROM (SELECT DISTINCT gfx FROM agent ORDER BY gfx)",
					NULL, &here);
				buf_addf(ret_why, "the log is from %s, %s has %s", gfx, called,
					 here.len ? here.data : "no GPU");
			}
		}
	select_done(stmt);
	return other;
}

static bool other_kernel(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why)
{
	struct buf there BUF_SCOPED = { 0 }, here BUF_SCOPED = { 0 };

	if (!first_text(log, "SELECT value FROM statement WHERE name = 'kernel'", NULL, &there) ||
	    !first_text(machine, "SELECT kernel FROM host", NULL, &here))
		return false;
	if (strncmp(there.data, here.data, there.len < here.len ? there.len : here.len) == 0)
		return false;
	buf_addf(ret_why, "the log is from kernel %s, %s has %s", there.data, called, here.data);
	return true;
}

/* Which system the log is of, where it is another one than the machine's; else NULL. */
static const char *system_of_log(sqlite3 *log, sqlite3 *machine, bool on_windows)
{
	static const char said[] = "SELECT 1 FROM statement WHERE name = 'system' AND value = ?1";

	if (steps_system(log) == SYSTEM_WINDOWS)
		return on_windows ? NULL : "Windows";
	if (has(log, said, "macos"))
		return "macOS";
	if (on_windows && has(log, said, "wsl"))
		return "WSL";
	if (on_windows)
		return has(log, said, "linux") ? "Linux" : NULL;
	if (has(log, said, "wsl") && !is_lent_gpu(machine) &&
	    has(machine, "SELECT 1 FROM host WHERE kernel NOT LIKE '%microsoft%'", NULL))
		return "WSL";
	return NULL;
}

static bool other_system(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why)
{
	bool windows = has(machine, "SELECT 1 FROM host WHERE distribution = 'windows'", NULL);
	const char *system = system_of_log(log, machine, windows);

	if (!system)
		return false;
	buf_addf(ret_why, "the log is from %s, %s is %s%s", system, called,
		 windows ? "Windows" : "Linux",
		 strcmp(system, "WSL") != 0 ? ""
		 : windows                  ? "; a rocsteady in that WSL sees its ROCm"
					    : " without it");
	return true;
}

/*
 * torch names the memory of its GPU: the dedicated one, and of an APU what it may take of the host,
 * too. More than any GPU here has is another machine; less may be a partition or a limit.
 */
static bool other_memory(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why)
{
	struct buf most BUF_SCOPED = { 0 }, here BUF_SCOPED = { 0 }, there BUF_SCOPED = { 0 };

	if (!first_text(
		    machine,
		    "SELECT max(coalesce(vram_total_bytes, 1 << 60) + CASE coalesce(integrated, 1)"
		    " WHEN 0 THEN 0 ELSE coalesce(gtt_total_bytes, 1 << 60) END) FROM gpu",
		    NULL, &most) ||
	    !first_text(log,
			"SELECT value FROM event_value WHERE name = 'total' AND signature IN"
			" ('torch-out-of-memory', 'torch-out-of-memory-old')"
			" AND bytes * 10 > CAST(?1 AS INTEGER) * 11",
			most.data, &there))
		return false;
	first_text(machine, "SELECT printf('%.2f GiB', ?1 / 1073741824.0)", most.data, &here);
	buf_addf(ret_why, "the log is from a GPU with %s, %s has at most %s", there.data, called,
		 here.data);
	return true;
}

/* A host without a GPU wrote the log only if the log misses one. */
static bool misses_gpu(sqlite3 *log)
{
	return has(log,
		   "SELECT 1 FROM main.event e JOIN kb.suggests s ON s.signature = e.signature"
		   " WHERE s.cause = 'no-gpu'",
		   NULL);
}

bool fit_machine(sqlite3 *log, sqlite3 *machine, const char *called, struct buf *ret_why)
{
	if (!has(machine, "SELECT 1 FROM gpu", NULL) && !is_lent_gpu(machine) && !misses_gpu(log)) {
		buf_addf(ret_why, "%s has no AMD GPU", called);
		return false;
	}
	return !other_system(log, machine, called, ret_why) &&
	       !other_gfx(log, machine, called, ret_why) &&
	       !other_kernel(log, machine, called, ret_why) &&
	       !other_memory(log, machine, called, ret_why);
}
