/* Which environment would work: the views over libraries, loads and devices. */

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "facts/facts.h"

/* One card, a wheel that fits it, one that does not, a processor build. */
static const char machine[] =
	"INSERT INTO gpu (address, vendor_id, driver, integrated, source) VALUES"
	" ('0000:03:00.0', '1002', 'amdgpu', 0, 's'), ('0000:7a:00.0', '1002', 'amdgpu', 1, 's');"
	"INSERT INTO agent (node, address, gfx, source) VALUES"
	" (1, '0000:03:00.0', 'gfx1100', 's'), (2, '0000:7a:00.0', 'gfx1036', 's');"
	"INSERT INTO environment (prefix, kind, python, active, source) VALUES"
	" ('/good', 'venv', '3.12', 0, 's'), ('/old', 'venv', '3.9', 0, 's'),"
	" ('/cpu', 'venv', '3.12', 0, 's'), ('/dark', 'venv', '3.12', 0, 's');"
	"INSERT INTO framework (environment, name, version, tag, build, hip, main, source) VALUES"
	" ('/good', 'torch', '2.9.1+rocm6.4', 'rocm6.4', 'rocm', '6.4.43484', '/good/hip.so', 's'),"
	" ('/old', 'torch', '1.12.1+rocm5.1', 'rocm5.1', 'rocm', '5.1.20532', '/old/hip.so', 's'),"
	" ('/cpu', 'torch', '2.9.1+cpu', 'cpu', 'cpu', NULL, NULL, 's');"
	"INSERT INTO library (path, name, environment, target_set, bundles, source) VALUES"
	" ('/good/hip.so', 'torch_hip', '/good', 1, 64, 's'),"
	" ('/good/rocblas.so', 'rocblas', '/good', 1, 64, 's'),"
	" ('/good/hip64.so', 'amdhip64', '/good', NULL, NULL, 's'),"
	" ('/old/hip.so', 'torch_hip', '/old', 2, 60, 's');"
	"INSERT INTO target_set (set_id, target, bundles, of_bundles, source) VALUES"
	" (1, 'gfx90a', 64, 64, 's'), (1, 'gfx1100', 63, 64, 's'), (2, 'gfx1030', 60, 60, 's'),"
	" (2, 'gfx10-3-generic', 60, 60, 's');"
	"INSERT INTO load (environment, framework, wanted, wanted_by, path, how, source) VALUES"
	" ('/good', 'torch', 'libtorch_hip.so', 'x', '/good/hip.so', 'rpath', 's'),"
	" ('/good', 'torch', 'librocblas.so.4', 'x', '/good/rocblas.so', 'rpath', 's'),"
	" ('/good', 'torch', 'librocblas.so.4', 'y', '/good/rocblas.so', 'loaded', 's'),"
	" ('/good', 'torch', 'libamdhip64.so.6', 'x', '/good/hip64.so', 'rpath', 's');"
	"INSERT INTO kernel_dir (path, kind, environment, gfx, indexed, tuned, fallback, source) VALUES"
	" ('/good/rocblas/library', 'rocblas', '/good', 'gfx1100', 1, 20, 55, 's'),"
	" ('/good/rocblas/library', 'rocblas', '/good', 'gfx90a', 1, 20, 55, 's');";

#define DARK                                                                                       \
	"INSERT INTO framework (environment, name, version, tag, build, hip, main, source) VALUES" \
	" ('/dark', 'torch', '2.8.0+rocm6.4', 'rocm6.4', 'rocm', '6.4.43484', '/dark/hip.so', 's');"

#define FIT(where)                                                                                  \
	"SELECT group_concat(line, '; ') FROM (SELECT environment || ' ' || verdict || ' ' || why " \
	"|| ' ' || coalesce(counts, '?') AS line FROM environment_fit WHERE " where                 \
	" ORDER BY environment)"

static const struct {
	const char *change; /* of the machine above */
	const char *sql, *want, *why;
} cases[] = {
	{ "", FIT("environment = '/good' AND device = 'gfx1100'"),
	  "/good runs has code for gfx1100 in all 2 libraries it loads 1",
	  "a library that holds no code, and one that is asked for twice, do not count" },
	{ "", FIT("environment = '/good' AND device = 'gfx1036'"),
	  "/good not has no code for gfx1036 1", "the integrated one is another kind" },
	{ "", "SELECT count(*) FROM environment_fit WHERE meant AND device = 'gfx1036'", "0",
	  "and programs are not meant for it" },
	{ "", FIT("environment = '/old' AND meant"), "/old not has no code for gfx1100 0",
	  "a sibling works, so it does not count" },
	{ "UPDATE environment SET active = 1 WHERE prefix = '/old'",
	  FIT("environment = '/old' AND meant"), "/old not has no code for gfx1100 1",
	  "in use, so it counts" },
	{ "DELETE FROM framework WHERE environment = '/good'",
	  FIT("environment = '/old' AND meant"), "/old not has no code for gfx1100 1",
	  "no sibling that works" },
	{ "", FIT("environment = '/cpu' AND meant"), "/cpu not a build for processors 0", "" },
	{ DARK, FIT("environment = '/dark' AND meant"),
	  "/dark unknown its code could not be read 0", "no row of library for it" },
	{ DARK "DELETE FROM framework WHERE environment = '/good'",
	  FIT("environment = '/old' AND meant"), "/old not has no code for gfx1100 ?",
	  "whether another one works is not known" },
	{ "DELETE FROM framework WHERE environment = '/good'; INSERT INTO gap VALUES"
	  " ('framework', '/good', 'denied', NULL, NULL)",
	  FIT("environment = '/old' AND meant"), "/old not has no code for gfx1100 ?",
	  "what is in the other one is not known" },
	{ "DELETE FROM gpu WHERE integrated = 1",
	  "SELECT group_concat(DISTINCT device) FROM environment_fit WHERE meant", "gfx1100",
	  "a GPU of which nothing is known beside one that is" },
	{ "DELETE FROM gpu", "SELECT count(*) FROM environment_fit WHERE meant", "0",
	  "which of two it is meant for is not known" },
	{ "DELETE FROM gpu; DELETE FROM agent WHERE node = 1; INSERT INTO gap VALUES"
	  " ('agent', '1', 'busy', NULL, NULL)",
	  "SELECT count(*) FROM environment_fit WHERE meant", "0",
	  "there may be another, which could not be read" },
	{ "DELETE FROM gpu; DELETE FROM agent WHERE node = 2",
	  "SELECT group_concat(DISTINCT device) FROM environment_fit WHERE meant", "gfx1100",
	  "there is no other" },
	{ "UPDATE kernel_dir SET gfx = 'gfx1101' WHERE gfx = 'gfx1100'",
	  FIT("environment = '/good' AND meant"),
	  "/good not its rocBLAS has no kernels for gfx1100 1", "its Tensile files are gone" },
	{ "UPDATE kernel_dir SET tuned = 0", FIT("environment = '/good' AND meant"),
	  "/good partly its rocBLAS has only slow kernels for gfx1100 1", "fallback only" },
	{ "UPDATE kernel_dir SET indexed = 0", FIT("environment = '/good' AND meant"),
	  "/good not its rocBLAS has no kernels for gfx1100 1", "files that no index names" },
	{ "UPDATE library SET target_set = 2 WHERE name = 'rocblas'",
	  FIT("environment = '/good' AND meant"), "/good partly rocblas has no code for gfx1100 1",
	  "" },
	{ "INSERT INTO load (environment, framework, wanted, wanted_by, how, source)"
	  " VALUES ('/good', 'torch', 'libroctx64.so.4', 'x', 'missing', 's')",
	  FIT("environment = '/good' AND meant"), "/good not lacks the library libroctx64.so.4 1",
	  "" },
	{ "INSERT INTO env (subject, name, value, source)"
	  " VALUES ('identity', 'HSA_OVERRIDE_GFX_VERSION', '10.3.0', 's')",
	  FIT("environment = '/old'"), "/old runs has code for gfx1030 1",
	  "taken for a gfx1030, which it was built for" },
	{ "UPDATE library SET target_set = NULL, kpack_missing = 1 WHERE name = 'torch_hip'",
	  FIT("environment = '/good' AND meant"), "/good not has no code for gfx1100 1",
	  "archives of kernels that are not there" },
};

static void run(sqlite3 *db, const char *sql)
{
	CHECK(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts *f = facts_new();
		sqlite3_stmt *stmt = NULL;
		const char *got;

		run(facts_db(f), machine);
		run(facts_db(f), cases[i].change);
		CHECK(sqlite3_prepare_v2(facts_db(f), cases[i].sql, -1, &stmt, NULL) == SQLITE_OK);
		CHECK(sqlite3_step(stmt) == SQLITE_ROW);
		got = (const char *)sqlite3_column_text(stmt, 0);
		CHECK_TEXT(got ? got : "nothing", cases[i].want);
		sqlite3_finalize(stmt);
		facts_free(f);
	}
}

int main(void)
{
	test_cases();
	return check_end();
}
