/* The loader's rule: every documented case, with what documents it. */

#include "code/runs.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "facts/facts.h"

/* Sources, as the rows below cite them. */
#define ISA_CPP  "ROCR isa.cpp, Isa::IsCompatible"
#define REGISTRY "ROCR isa.cpp, registry"
#define CLR_TAGS "ROCm/clr tags 5.6.0 to 6.2.2"
#define HIP_643  "Debian source rocm-hipamd 6.4.3"
#define HIP_724  "Debian's HIP 7.2.4"
#define LLVM     "LLVM AMDGPUUsage"

static const struct {
	const char *code, *device, *hip, *want;
	const char *why, *source;
} cases[] = {
	/* The same processor */
	{ "gfx1100", "gfx1100", "", "exact", "no features at all", ISA_CPP },
	{ "gfx1100", "gfx1101", "", NULL, "a sibling is another processor", ISA_CPP },
	{ "gfx1100", "gfx110", "", NULL, "a prefix is no match", ISA_CPP },
	{ "gfx110", "gfx1100", "", NULL, "nor the other way round", ISA_CPP },
	{ "gfx90a", "gfx90c", "", NULL, "hexadecimal digits count", ISA_CPP },
	{ "gfx1100", "gfx1100", "5.2.21153", NULL, "HIP 5.2 does not know it", REGISTRY },
	{ "gfx1100", "gfx1100", "5.7.31921", "exact", "HIP 5.7 does", REGISTRY },
	{ "gfx1151", "gfx1151", "5.7.31921", NULL, "unknown before 6.1", REGISTRY },
	{ "gfx1151", "gfx1151", "6.0.32830", NULL, "CLR 6.0 knows it, ROCR 6.0 does not",
	  REGISTRY },
	{ "gfx1151", "gfx1151", "6.1.40091-a8dbc0c19", "exact", "6.1 does", REGISTRY },
	{ "gfx1201", "gfx1201", "6.1.40091", NULL, "RDNA4 came with 6.2", CLR_TAGS },
	{ "gfx1201", "gfx1201", "6.2.41134-65d174c3e", "exact", "so it runs here", CLR_TAGS },
	{ "gfx1201", "gfx1201", "6.10.0", "exact", "6.10 is newer than 6.2", CLR_TAGS },
	{ "gfx942", "gfx942:sramecc+:xnack-", "5.6.31061", NULL, "5.7 is the first with it",
	  CLR_TAGS },
	{ "gfx942", "gfx942:sramecc+:xnack-", "5.7.0", "exact", "and here it is", CLR_TAGS },
	{ "gfx950", "gfx950:sramecc+:xnack-", "6.4.43484", NULL, "HIP 6.4.3 does not know it",
	  HIP_643 },
	{ "gfx950", "gfx950:sramecc+:xnack-", "7.0.51831", "exact", "7.x does", HIP_724 },
	{ "gfx1153", "gfx1153", "6.4.43484", "exact", "6.4.3 knows it", HIP_643 },
	{ "gfx1152", "gfx1152", "6.2.41134", NULL, "tags up to 6.2.4 do not", CLR_TAGS },
	{ "gfx1250", "gfx1250", "7.2", "exact", "no row: not judged", "data/loader.tsv" },
	{ "gfx1100", "gfx1100", "unknown", "exact", "a version that is none is not known",
	  "runs.h" },

	/* Features: what the object states must be the device's */
	{ "gfx90a:xnack-", "gfx90a:sramecc+:xnack-", "", "exact", "stated and equal", ISA_CPP },
	{ "gfx90a:xnack+", "gfx90a:sramecc+:xnack-", "", NULL, "stated and other", ISA_CPP },
	{ "gfx90a:xnack+", "gfx90a:sramecc+:xnack+", "", "exact", "HSA_XNACK=1", ISA_CPP },
	{ "gfx90a", "gfx90a:sramecc+:xnack+", "", "exact", "not stated fits both", ISA_CPP },
	{ "gfx90a", "gfx90a:sramecc-:xnack-", "", "exact", "not stated fits both", ISA_CPP },
	{ "gfx90a:sramecc+", "gfx90a:sramecc+:xnack-", "", "exact", "equal", ISA_CPP },
	{ "gfx90a:sramecc-", "gfx90a:sramecc+:xnack-", "", NULL, "ECC is on here", ISA_CPP },
	{ "gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", "", "exact", "both equal", ISA_CPP },
	{ "gfx90a:sramecc+:xnack+", "gfx90a:sramecc+:xnack-", "", NULL, "one of two differs",
	  ISA_CPP },
	{ "gfx942:sramecc+", "gfx942:sramecc+:xnack-", "", "exact", "an MI300X", ISA_CPP },
	{ "gfx942:sramecc-", "gfx942:sramecc+:xnack-", "", NULL, "an MI300X has ECC on", ISA_CPP },
	{ "gfx906:xnack-", "gfx906:sramecc-:xnack-", "", "exact", "a Radeon VII", ISA_CPP },
	{ "gfx908:xnack-", "gfx908:sramecc+:xnack-", "", "exact", "an MI100", ISA_CPP },
	{ "gfx900:xnack-", "gfx900:xnack-", "", "exact", "Debian 12's rocRAND on a Vega 10",
	  ISA_CPP },
	{ "gfx1010:xnack-", "gfx1010:xnack-", "", "exact", "RDNA1 has xnack", REGISTRY },
	{ "gfx1030:xnack-", "gfx1030", "", NULL, "RDNA2 has none; such an id is wrong", REGISTRY },
	{ "gfx1030", "gfx1030:xnack-", "", "exact", "the object states nothing", ISA_CPP },
	{ "gfx90a:xnack-", "gfx90a", "", "exact", "left open by the device, though it has it",
	  "runs.h" },
	{ "gfx90a:xnack+", "gfx90a", "", "exact", "left open: fits both", "runs.h" },
	{ "gfx90c:xnack-", "gfx90c", "", "exact", "a Renoir's default varies by kernel",
	  "linux amdgpu_gmc.c" },
	{ "gfx900:sramecc+", "gfx900:xnack-", "", NULL, "Vega 10 has no SRAM ECC", REGISTRY },

	/* Generic targets */
	{ "gfx9-generic", "gfx900:xnack-", "6.4", "generic", "", REGISTRY },
	{ "gfx9-generic", "gfx902", "6.4", "generic", "", REGISTRY },
	{ "gfx9-generic", "gfx904:xnack-", "6.4", "generic", "", REGISTRY },
	{ "gfx9-generic:xnack-", "gfx906:sramecc+:xnack-", "6.4", "generic",
	  "its sramecc plays no part", REGISTRY },
	{ "gfx9-generic:xnack+", "gfx906:sramecc+:xnack-", "6.4", NULL,
	  "features count for generics", REGISTRY },
	{ "gfx9-generic", "gfx909", "6.4", "generic", "", REGISTRY },
	{ "gfx9-generic", "gfx90c", "6.4", "generic", "", REGISTRY },
	{ "gfx9-generic", "gfx908:sramecc+:xnack-", "", NULL, "CDNA1 has no generic", REGISTRY },
	{ "gfx9-generic", "gfx90a:sramecc+:xnack-", "", NULL, "CDNA2 has no generic", REGISTRY },
	{ "gfx9-generic", "gfx942:sramecc+:xnack-", "", NULL, "CDNA3 has its own", REGISTRY },
	{ "gfx9-4-generic", "gfx942:sramecc+:xnack-", "6.4", "generic", "", REGISTRY },
	{ "gfx9-4-generic:sramecc+:xnack-", "gfx942:sramecc+:xnack-", "7.0", "generic", "",
	  REGISTRY },
	{ "gfx9-4-generic:sramecc-", "gfx942:sramecc+:xnack-", "7.0", NULL, "", REGISTRY },
	{ "gfx9-4-generic", "gfx950:sramecc+:xnack-", "7.0", "generic", "", REGISTRY },
	{ "gfx9-4-generic", "gfx950:sramecc+:xnack-", "6.4", NULL, "HIP 6.4 drops the device",
	  HIP_643 },
	{ "gfx10-1-generic", "gfx1010:xnack-", "6.4", "generic", "", REGISTRY },
	{ "gfx10-1-generic", "gfx1013:xnack-", "6.4", "generic", "", REGISTRY },
	{ "gfx10-1-generic", "gfx1030", "6.4", NULL, "another generation", REGISTRY },
	{ "gfx10-3-generic", "gfx1030", "6.4", "generic", "", REGISTRY },
	{ "gfx10-3-generic", "gfx1032", "6.4", "generic", "an RX 6600", REGISTRY },
	{ "gfx10-3-generic", "gfx1036", "6.4.43484", "generic", "an integrated one", REGISTRY },
	{ "gfx10-3-generic", "gfx1036", "6.3.42131-fa1d09cbd", NULL, "6.3 knows no generics",
	  CLR_TAGS },
	{ "gfx11-generic", "gfx1100", "6.4", "generic", "", HIP_643 },
	{ "gfx11-generic", "gfx1103", "6.4", "generic", "a Radeon 780M", HIP_643 },
	{ "gfx11-generic", "gfx1151", "6.4", "generic", "RDNA3.5 is covered", HIP_643 },
	{ "gfx11-generic", "gfx1151", "6.2.41134", NULL, "not before 6.4", CLR_TAGS },
	{ "gfx11-generic", "gfx1152", "6.4", NULL, "CLR 6.4.3 leaves it out", HIP_643 },
	{ "gfx11-generic", "gfx1152", "7.0", "generic", "added in 7", REGISTRY },
	{ "gfx11-generic", "gfx1153", "7.2.53211", "generic", "added in 7", REGISTRY },
	{ "gfx11-generic", "gfx1200", "7.0", NULL, "another generation", REGISTRY },
	{ "gfx12-generic", "gfx1200", "6.4", "generic", "", REGISTRY },
	{ "gfx12-generic", "gfx1201", "", "generic", "unknown runtime: the newest rules",
	  "runs.h" },
	{ "gfx12-generic", "gfx1250", "", NULL, "it has its own generic", LLVM },
	{ "gfx12-5-generic", "gfx1250", "7.14.0", "generic", "", LLVM },
	{ "gfx12-5-generic", "gfx1251", "", "generic", "", LLVM },
	{ "gfx12-5-generic", "gfx1201", "", NULL, "", LLVM },
	{ "gfx13-generic", "gfx1310", "", NULL, "no row: nobody says what it covers",
	  "data/loader.tsv" },

	/* Families of AOTriton's directories */
	{ "gfx11xx", "gfx1100", "", "generic", "", "ROCm/TheRock#1925" },
	{ "gfx11xx", "gfx1103", "", NULL, "not among its targets", "ROCm/TheRock#1925" },
	{ "gfx120x", "gfx1201", "", "generic", "", "ROCm/TheRock#1925" },

	/* SPIR-V */
	{ "amdgcnspirv", "gfx1100", "6.4.43484", "spirv", "", HIP_643 },
	{ "amdgcnspirv", "gfx942:sramecc+:xnack-", "7.2", "spirv", "", HIP_724 },
	{ "amdgcnspirv", "gfx1100", "6.3.42131", NULL, "before 6.4 it is skipped", CLR_TAGS },
	{ "amdgcnspirv", "gfx1201", "6.1", NULL, "", CLR_TAGS },

	/* What is no id */
	{ "", "gfx1100", "", NULL, "nothing", "runs.h" },
	{ "gfx1100", "", "", NULL, "nothing", "runs.h" },
	{ "gfx1100:", "gfx1100", "", NULL, "an empty feature", "runs.h" },
	{ "gfx90a:xnack", "gfx90a", "", NULL, "a feature without a state", "runs.h" },
	{ "gfx90a:xnack-:xnack-", "gfx90a:xnack-", "", NULL, "a feature twice", "runs.h" },
	{ "gfx1250:gfx1250-b0-specific+", "gfx1250", "", NULL, "a feature we do not know",
	  "runs.h" },
	{ "amdgcnspirv", "x86_64", "", NULL, "not a GPU", "runs.h" },
	{ "x86_64", "x86_64", "", NULL, "not a GPU", "runs.h" },
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

static void test_cases(void)
{
	for (size_t i = 0; i < CASES; i++) {
		const char *got = runs_name(gfx_runs(
			span_of(cases[i].code), span_of(cases[i].device), span_of(cases[i].hip)));
		bool good = got == cases[i].want ||
			    (got && cases[i].want && !strcmp(got, cases[i].want));

		if (!good)
			fprintf(stderr, "%s on %s, HIP %s: %s (%s)\n", cases[i].code,
				cases[i].device, cases[i].hip, got ? got : "not", cases[i].source);
		CHECK(good);
		CHECK(cases[i].source[0] != '\0');
	}
}

/* ---- what holds for all ---- */

static const char *const processors[] = {
	"gfx803",  "gfx900",  "gfx902",  "gfx906",  "gfx908",  "gfx90a",  "gfx90c",
	"gfx942",  "gfx950",  "gfx1010", "gfx1030", "gfx1036", "gfx1100", "gfx1103",
	"gfx1151", "gfx1153", "gfx1200", "gfx1201", "gfx1250",
};

#define PROCESSORS (sizeof(processors) / sizeof(processors[0]))

static enum runs run(const char *code, const char *device)
{
	return gfx_runs(span_of(code), span_of(device), span_of(""));
}

/* Whatever a device calls itself, code of that very id runs, and bare code does. */
static void test_reflexive(void)
{
	char id[TARGET_ID_MAX];

	for (size_t p = 0; p < PROCESSORS; p++)
		for (int sramecc = -1; sramecc <= 1; sramecc++)
			for (int xnack = -1; xnack <= 1; xnack++) {
				CHECK(gfx_device(span_of(processors[p]), sramecc, xnack, id));
				CHECK(run(id, id) == RUNS_EXACT);
				CHECK(run(processors[p], id) == RUNS_EXACT);
				for (size_t q = 0; q < PROCESSORS; q++)
					CHECK(p == q || run(processors[q], id) == RUNS_NOT);
			}
}

/* Of a stated feature exactly one state runs where the device states it, and both where not. */
static void test_features(void)
{
	static const char *const stated[2][2] = { { ":sramecc+", ":sramecc-" },
						  { ":xnack+", ":xnack-" } };
	char id[TARGET_ID_MAX], code[TARGET_ID_MAX * 2];

	for (size_t p = 0; p < PROCESSORS; p++)
		for (int f = 0; f < 2; f++)
			for (int state = -1; state <= 1; state++) {
				int fits = 0;
				bool has;

				gfx_device(span_of(processors[p]), 1, 1, id);
				has = strstr(id, stated[f][0]) != NULL;
				gfx_device(span_of(processors[p]), f == 0 ? state : 1,
					   f == 1 ? state : 1, id);
				for (int s = 0; s < 2; s++) {
					snprintf(code, sizeof(code), "%s%s", processors[p],
						 stated[f][s]);
					fits += run(code, id) == RUNS_EXACT;
				}
				CHECK(fits == (!has                                         ? 0
					       : strstr(id, f == 0 ? ":sramecc" : ":xnack") ? 1
											    : 2));
			}
}

/* A newer runtime never takes away what an older one ran. */
static void test_newer_runs_more(void)
{
	static const char *const versions[] = { "4.1", "5.3", "5.7", "6.0", "6.1",  "6.2",
						"6.3", "6.4", "7.0", "7.2", "7.14", "10.1" };

	for (size_t i = 0; i < CASES; i++) {
		bool ran = false;

		for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++) {
			bool runs = gfx_runs(span_of(cases[i].code), span_of(cases[i].device),
					     span_of(versions[v])) != RUNS_NOT;

			CHECK(runs || !ran);
			ran = runs;
		}
	}
}

/* ---- overrides ---- */

static void test_effective(void)
{
	static const struct {
		const char *device, *override, *want, *why;
	} rows[] = {
		{ "gfx1032", "10.3.0", "gfx1030", "the classic" },
		{ "gfx1103", "11.0.0", "gfx1100", "whether it is wise is another question" },
		{ "gfx1151", "11.5.1", "gfx1151", "itself" },
		{ "gfx90c", "9.0.0", "gfx900:xnack-", "the new processor's features" },
		{ "gfx90c:xnack+", "9.0.0", "gfx900:xnack+", "xnack is the process's" },
		{ "gfx1100", "9.0.10", "gfx90a:xnack-", "decimal: gfx90a" },
		{ "gfx942:sramecc+:xnack-", "9.0.10", "gfx90a:sramecc+:xnack-",
		  "ECC is the card's" },
		{ "gfx942:sramecc+:xnack-", "10.3.0", "gfx1030", "RDNA2 has no features" },
		{ "gfx1030", "0.0.0", "gfx1030", "ROCR takes zero for no override" },
		{ "gfx1030", "", NULL, "set and empty: no GPU is found" },
		{ "gfx1030", "10.3", NULL, "two numbers" },
		{ "gfx1030", "10.3.0 ", NULL, "a byte behind it" },
		{ "gfx1030", "gfx1030", NULL, "a name" },
		{ "gfx1030", "64.0.0", NULL, "major over 63" },
		{ "gfx1030", "11.16.0", NULL, "no such processor" },
		{ "", "11.0.0", NULL, "no device" },
	};
	char id[TARGET_ID_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool good = gfx_effective(span_of(rows[i].device), span_of(rows[i].override), id);

		if (good != (rows[i].want != NULL))
			fprintf(stderr, "%s: %s\n", rows[i].override, rows[i].why);
		CHECK(good == (rows[i].want != NULL));
		if (good && rows[i].want)
			CHECK_TEXT(id, rows[i].want);
	}
}

/* ---- forms of code ---- */

static void test_refusal(void)
{
	static const struct {
		unsigned int ccob, cov;
		const char *hip, *comgr, *want;
	} rows[] = {
		{ 0, 4, "5.7.31921", "2.5", NULL },
		{ 0, 5, "5.7.31921", "2.5", NULL },
		{ 2, 0, "6.1.40091", "", "compressed bundles need ROCm 6.2 or newer" },
		{ 2, 0, "6.2.41134", "2.8", NULL },
		{ 2, 0, "6.2.41134", "2.7", "compressed bundles need comgr 2.8 or newer" },
		{ 3, 0, "6.4.43484", "", "compressed bundles of version 3 need ROCm 7.0 or newer" },
		{ 3, 0, "", "2.9", "compressed bundles of version 3 need comgr 3 or newer" },
		{ 3, 0, "7.2.53211", "3.0", NULL },
		{ 0, 6, "6.2.41134", "", "code objects of version 6 need ROCm 6.4 or newer" },
		{ 0, 6, "6.4.43484", "2.9", NULL },
		{ 3, 6, "", "", NULL },
		{ 9, 99, "5.0", "1.0", NULL },
	};
	char reason[160];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool refused = runs_refusal(rows[i].ccob, rows[i].cov, span_of(rows[i].hip),
					    span_of(rows[i].comgr), reason, sizeof(reason));

		CHECK(refused == (rows[i].want != NULL));
		if (refused && rows[i].want)
			CHECK_TEXT(reason, rows[i].want);
	}
}

static void test_versions(void)
{
	static const struct {
		const char *a, *b;
		int want; /* 2: no answer */
	} rows[] = {
		{ "2.4.1+rocm6.1", "2.5", -1 },
		{ "2.5.0", "2.5", 0 },
		{ "2.10.0", "2.9.1", 1 },
		{ "6.2.41134-65d174c3e", "6.2.41134", 0 },
		{ "10.1", "7.14", 1 },
		{ "2.9.0a0+git1234", "2.9", 0 },
		{ "1.2.3.4.5.6.7", "1.2.3.4.5.6.8", 0 }, /* six numbers count */
		{ "99999999999999999999999999", "1000000000", 0 },
		{ "2..1", "2.0", 0 },
		{ "2.", "2", 0 },
		{ "v2", "2", 2 },
		{ "", "2", 2 },
		{ "2", "", 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int order = 2;

		CHECK(version_cmp(span_of(rows[i].a), span_of(rows[i].b), &order) ==
		      (rows[i].want != 2));
		CHECK_INT(order, rows[i].want);
	}
}

/* ---- the same in SQL ---- */

static void test_sql(void)
{
	static const struct {
		const char *sql, *want;
	} rows[] = {
		{ "gfx_runs('gfx1100', 'gfx1100')", "exact" },
		{ "gfx_runs('gfx11-generic', 'gfx1151', '6.2')", NULL },
		{ "gfx_runs('gfx11-generic', 'gfx1151', NULL)", "generic" },
		{ "gfx_runs(NULL, 'gfx1100')", NULL },
		{ "gfx_device('gfx942', 1, NULL)", "gfx942:sramecc+:xnack-" },
		{ "gfx_device('gfx942', NULL, 1)", "gfx942:xnack+" },
		{ "gfx_device('gfx1100', 0, 0)", "gfx1100" },
		{ "gfx_device(NULL, 0, 0)", NULL },
		{ "gfx_effective('gfx1032', NULL)", "gfx1032" },
		{ "gfx_effective('gfx1032', '10.3.0')", "gfx1030" },
		{ "gfx_effective('gfx1032', 'x')", NULL },
		{ "gfx_of_override('10.3.0')", "gfx1030" },
		{ "gfx_of_override('9.0.10')", "gfx90a" },
		{ "gfx_of_override('0.0.0')", NULL },
		{ "gfx_of_override('gfx1030')", NULL },
		{ "gfx_of_override(NULL)", NULL },
		{ "gfx_refusal(3, 6, '6.4', NULL)",
		  "compressed bundles of version 3 need ROCm 7.0 or newer" },
		{ "gfx_refusal(NULL, NULL, '6.4', NULL)", NULL },
		{ "version_cmp('2.4.1', '2.5')", "-1" },
		{ "version_cmp(NULL, '2.5')", NULL },
	};
	struct facts *f = facts_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *sql = sqlite3_mprintf("SELECT %s", rows[i].sql);
		sqlite3_stmt *stmt = NULL;
		const char *got;

		CHECK(sqlite3_prepare_v2(facts_db(f), sql, -1, &stmt, NULL) == SQLITE_OK);
		CHECK(sqlite3_step(stmt) == SQLITE_ROW);
		got = (const char *)sqlite3_column_text(stmt, 0);
		if (rows[i].want)
			CHECK_TEXT(got ? got : "NULL", rows[i].want);
		else
			CHECK(got == NULL);
		sqlite3_finalize(stmt);
		sqlite3_free(sql);
	}
	facts_free(f);
}

int main(void)
{
	CHECK(runs_table_fault() == NULL);
	test_cases();
	test_reflexive();
	test_features();
	test_newer_runs_more();
	test_effective();
	test_refusal();
	test_versions();
	test_sql();
	return check_end();
}
