#include "kb/compile.h"

#include "check-kb.h"
#include "check-sql.h"

#include <sqlite3.h>

/* One spoilt place, and what the compiler says of it. */
static const struct {
	int file;
	const char *from, *to, *says;
} cases[] = {
	{ FILE_CAUSE, "cause: too-hot", "cause: too-cold",
	  "causes/too-hot.yaml:1: cause is too-cold, but the file is too-hot.yaml" },
	{ FILE_CAUSE, "scope: gpu", "scope: planet",
	  "causes/too-hot.yaml:5: scope is one of: node gpu link nic environment job" },
	{ FILE_CAUSE, "severity: problem", "severity: grave",
	  "causes/too-hot.yaml:6: severity is one of: info warning problem" },
	{ FILE_CAUSE, "action: watch", "action: panic",
	  "causes/too-hot.yaml:7: action is one of: none watch reset-gpu reboot drain replace" },
	{ FILE_CAUSE, "action: watch\n", "", "causes/too-hot.yaml:1: action is missing" },
	{ FILE_CAUSE, "action: watch", "action: drain",
	  "causes/too-hot.yaml:1: a cause that takes a node out of service has a repair" },
	{ FILE_CAUSE, "action: watch", "action: watch\nrepair: reboot",
	  "causes/too-hot.yaml:1: a repair, though it takes no node out of service" },
	{ FILE_CAUSE, "action: watch", "action: drain\nrepair: pray",
	  "causes/too-hot.yaml:8: repair is one of: none drain reboot reseat replace fix-software" },
	{ FILE_CAUSE, "prior: -20", "prior: \"-20\"",
	  "causes/too-hot.yaml:8: prior is one of: rare usual; or exactly and a whole number from -60 to 10" },
	{ FILE_CAUSE, "prior: -20", "prior: 99",
	  "causes/too-hot.yaml:8: prior is one of: rare usual; or exactly and a whole number from -60 to 10" },
	{ FILE_CAUSE, "prior: -20", "prior: [1]",
	  "causes/too-hot.yaml:8: prior must be a text or a number" },
	{ FILE_CAUSE, "prior: -20", "prior: -20\npriority: 1",
	  "causes/too-hot.yaml:9: unknown key priority" },
	{ FILE_CAUSE, "prior: -20", "prior: -20\nprior: -10",
	  "causes/too-hot.yaml:9: key given twice: prior" },
	{ FILE_CAUSE, "weight: 30", "weight: strong",
	  "causes/too-hot.yaml:11: weight: strong has no number: row fact-strong of "
	  "tables/belief.yaml" },
	{ FILE_CAUSE, "weight: 30", "weight: \"exactly 30\"",
	  "causes/too-hot.yaml:11: weight is one of: weak fair strong proves; or exactly and a "
	  "whole number from 1 to 60" },
	{ FILE_CAUSE, "weight: 30", "weight: 26",
	  "causes/too-hot.yaml:1: its strongest evidence alone is never likely: raise its weight, or "
	  "say why in never-alone" },
	{ FILE_CAUSE, "prior: -20", "prior: -20\nnever-alone: heat is wanted in winter",
	  "causes/too-hot.yaml:9: never-alone, though one piece of evidence is enough" },
	{ FILE_CAUSE, "weight: 30", "weight: -30",
	  "causes/too-hot.yaml:11: weight is one of: weak fair strong proves; or exactly and a whole number from 1 to 60" },
	{ FILE_CAUSE, "evidence:", "rules-out:",
	  "causes/too-hot.yaml:11: weight is one of: weak fair strong proves; or exactly and a whole number from -60 to -1" },
	{ FILE_CAUSE, "prior: -20\n", "prior: -20\nshare: 99\n",
	  "causes/too-hot.yaml:9: share is one of: rare usual common; or exactly and a whole number from -60 to 10" },
	{ FILE_CAUSE, "undecided:",
	  "rules-out:\n  - {id: cold, weight: 5, says: x, when: \"SELECT 1\"}\nundecided:",
	  "causes/too-hot.yaml:16: weight is one of: weak fair strong proves; or exactly and a whole number from -60 to -1" },
	{ FILE_CAUSE, "undecided:",
	  "  - id: hot\n    weight: 3\n    says: again\n    when: SELECT address AS subject, value, "
	  "source, origin FROM sensor WHERE value > 90\nundecided:",
	  "causes/too-hot.yaml:15: id given twice: hot" },
	{ FILE_CAUSE, "id: hot", "id: Hot",
	  "causes/too-hot.yaml:10: id must be words-with-hyphens, lower case" },
	{ FILE_CAUSE, "{subject} is too hot", "{gpu} is too hot",
	  "causes/too-hot.yaml:2: title: a name in { } that nothing fills in" },
	{ FILE_CAUSE, "{value} degrees", "{value degrees",
	  "causes/too-hot.yaml:12: says: a name in { } that nothing fills in" },
	{ FILE_CAUSE, "It burns.", "It helps in 95 % of cases.",
	  "causes/too-hot.yaml:3: story: a percentage: who counted it?" },
	{ FILE_CAUSE, "remedies: [cool-it]", "remedies: [cool-it, freeze-it]",
	  "causes/too-hot.yaml:16: no remedy freeze-it" },
	{ FILE_REMEDY, "sources:", "unchecked: nobody opened it\nsources:",
	  "causes/too-hot.yaml:1: no remedy was checked, and one that was not is never the first "
	  "step: too-hot" },
	{ FILE_CAUSE, "remedies: [cool-it]\n", "",
	  "causes/too-hot.yaml:1: a warning or problem needs remedies" },
	{ FILE_CAUSE, "undecided: \"a look at it\"\n", "",
	  "causes/too-hot.yaml:1: a warning or problem says what would decide it: undecided" },
	{ FILE_CAUSE, "remedies:", "explained-by: [sun]\nremedies:",
	  "causes/too-hot.yaml:16: no other cause sun" },
	{ FILE_CAUSE, "remedies:", "explained-by: [too-hot]\nremedies:",
	  "causes/too-hot.yaml:16: no other cause too-hot" },
	{ FILE_CAUSE, "sources:\n  - {class: inferred, ref: \"this test\"}\n", "",
	  "causes/too-hot.yaml:1: sources is missing" },
	{ FILE_CAUSE, "  - {class: inferred, ref: \"this test\"}\n", "",
	  "causes/too-hot.yaml:17: sources must be a list" },
	{ FILE_CAUSE, "- {class: inferred,", "- {class: heard,",
	  "causes/too-hot.yaml:18: class is one of: source maintainer reporter inferred official" },
	{ FILE_CAUSE, "sensor WHERE", "sensors WHERE",
	  "causes/too-hot.yaml:13: hot: no such table: sensors" },
	{ FILE_CAUSE, "value > 100", "degrees > 100",
	  "causes/too-hot.yaml:13: hot: no such column: degrees" },
	{ FILE_CAUSE,
	  "SELECT address AS subject, value, source, origin FROM sensor WHERE value > 100",
	  "DELETE FROM sensor", "causes/too-hot.yaml:13: hot: may only SELECT" },
	{ FILE_CAUSE, "WHERE value > 100", "WHERE critical IS NULL",
	  "causes/too-hot.yaml:13: hot: concludes from something not being there: say absence: true" },
	{ FILE_CAUSE,
	  "SELECT address AS subject, value, source, origin FROM sensor WHERE value > 100",
	  "SELECT max(address) AS subject, max(value) AS value, max(source) AS source, max(origin) AS "
	  "origin FROM sensor",
	  "causes/too-hot.yaml:13: hot: says yes where nothing is known; if it concludes from absence, "
	  "say absence: true" },
	{ FILE_CAUSE,
	  "SELECT address AS subject, value, source, origin FROM sensor WHERE value > 100",
	  "SELECT 1 AS subject, 2 AS value, 3 AS source, 4 AS origin WHERE 0",
	  "causes/too-hot.yaml:13: hot: reads no fact" },
	{ FILE_CAUSE, "    weight: 30", "    weight: 30\n    gate: gpu",
	  "causes/too-hot.yaml:14: hot: its gate gpu is no table that it reads" },
	{ FILE_CAUSE, "    weight: 30", "    weight: 30\n    gate: sensor.critical x",
	  "causes/too-hot.yaml:14: hot: its gate sensor.critical x is no table that it reads" },
	{ FILE_CAUSE, "    weight: 30", "    weight: 30\n    gate: sensor.value",
	  "causes/too-hot.yaml:14: hot: its gate sensor.value is no table that it reads" },
	{ FILE_CAUSE, "    weight: 30", "    weight: 30\n    gate: sensor; gpu",
	  "causes/too-hot.yaml:14: hot: its gate sensor; gpu is no table that it reads" },
	{ FILE_CAUSE, "    weight: 30", "    weight: 30\n    absence: maybe",
	  "causes/too-hot.yaml:12: absence must be true or false" },
	{ FILE_REMEDY, "title: Cool it", "title: \"Cool it, works in 99%\"",
	  "remedies/cool-it.yaml:2: title: a percentage: who counted it?" },
	{ FILE_REMEDY, "Open a window.", "sudo rm -rf /opt/rocm",
	  "remedies/cool-it.yaml:8: steps: nothing destructive: rm -rf" },
	{ FILE_REMEDY, "risk: none", "risk: huge",
	  "remedies/cool-it.yaml:3: risk is one of: none low needs-root needs-reboot" },
	{ FILE_REMEDY, "undo: setting\n", "", "remedies/cool-it.yaml:1: undo is missing" },
	{ FILE_REMEDY, "undo: setting", "undo: fly",
	  "remedies/cool-it.yaml:5: no word of data/undo.txt: fly" },
	{ FILE_REMEDY, "changes: the air\n", "", "remedies/cool-it.yaml:1: changes is missing" },
	{ FILE_REMEDY, "verify: rocsteady check\n", "",
	  "remedies/cool-it.yaml:1: verify is missing" },
	{ FILE_REMEDY, "minutes: 1", "minutes: soon",
	  "remedies/cool-it.yaml:6: minutes is a whole number from 1 to 1440" },
	{ FILE_REMEDY, "remedy: cool-it", "remedy: warm-it",
	  "remedies/cool-it.yaml:1: remedy is warm-it, but the file is cool-it.yaml" },
	{ FILE_REMEDY, "minutes: 1", "acts: [fly]\nminutes: 1",
	  "remedies/cool-it.yaml:6: no act: fly" },
	{ FILE_PROGRAM, "program: fan", "program: heater",
	  "programs/fan.yaml:1: program is heater, but the file is fan.yaml" },
	{ FILE_PROGRAM, "uses-torch: 0\n", "", "programs/fan.yaml:1: uses-torch is missing" },
	{ FILE_PROGRAM, "2026-11-15", "lately",
	  "programs/fan.yaml:5: a day is YYYY-MM-DD: checked" },
	{ FILE_PROGRAM, "act: less-memory", "act: fly",
	  "programs/fan.yaml:8: act is one of: clear-cache debug-log found-setting go-back higher-precision less-memory on-processor one-gpu other-attention other-backend pick-gpu shorter-context supported-type update without-compile" },
	{ FILE_PROGRAM, "option: --low", "option: low",
	  "programs/fan.yaml:8: an option begins with a dash, or is NAME=VALUE: less-memory" },
	{ FILE_PROGRAM, "option: --low", "variable: FAN_LOW",
	  "programs/fan.yaml:8: a variable is NAME=VALUE: less-memory" },
	{ FILE_PROGRAM, "option: --low", "option: --low\n    variable: FAN=1",
	  "programs/fan.yaml:8: one of option, variable, command and none: less-memory" },
	{ FILE_PROGRAM, "    says: Turn it down\n", "",
	  "programs/fan.yaml:8: says is missing: less-memory" },
	{ FILE_PROGRAM, "option: --low", "command: sudo rm -rf /opt/rocm",
	  "programs/fan.yaml:8: nothing destructive: less-memory" },
	{ FILE_PROGRAM, "    source: this test\n", "", "programs/fan.yaml:8: source is missing" },
	{ FILE_TABLE, "is_read: 0, ", "", "tables/env_variable.yaml:3: is missing: is_read" },
	{ FILE_TABLE, "is_read: 0", "is_read: no",
	  "tables/env_variable.yaml:3: must be a whole number: is_read" },
	{ FILE_TABLE, ", source: \"this test\"", "",
	  "tables/env_variable.yaml:3: is missing: source" },
	{ FILE_TABLE, "real_name:", "realname:",
	  "tables/env_variable.yaml:3: a key that is no column of env_variable" },
	{ FILE_TABLE, "rows:\n",
	  "rows:\n  - {name: HSA_FOO, is_read: 1, class: source, checked: 2026-11-15, source: x}\n",
	  "tables/env_variable.yaml:4: UNIQUE constraint failed: env_variable.name" },
	{ FILE_TABLE, "class: inferred, ", "", "tables/env_variable.yaml:3: is missing: class" },
	{ FILE_TABLE, "class: inferred", "class: heard",
	  "tables/env_variable.yaml:3: class is one of: source maintainer reporter inferred official" },
	{ FILE_TABLE, "checked: 2026-11-15, ", "",
	  "tables/env_variable.yaml:3: is missing: checked" },
	{ FILE_TABLE, "checked: 2026-11-15", "checked: lately",
	  "tables/env_variable.yaml:3: a day is YYYY-MM-DD: checked" },
	{ FILE_TABLE, "table: env_variable", "table: cause",
	  "tables/env_variable.yaml:1: table is one of: gfx_target rocm_release gfx_override env_variable setting_effect atomics_rule kernel_floor adrenalin_floor wheel image device_package build python_package hipblaslt_support library_release program program_act belief tracker component status_code family label processor gpu_memory" },
	{ FILE_VERSION, "2026-11-15", "yesterday", "VERSION:1: version is a date, YYYY-MM-DD" },
	{ FILE_VERSION, "needs: 0.1.0", "needs: soon",
	  "VERSION:2: needs is a version of the program, 0.1.0" },
	{ FILE_VERSION, "needs: 0.1.0\n", "", "VERSION:1: needs is missing" },
};

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct faults faults = { 0 };
		struct buf db = { 0 };
		char *first;

		CHECK_INT(compile_spoilt(cases[i].file, cases[i].from, cases[i].to, &faults, &db),
			  -EBADMSG);
		CHECK(faults.count > 0);
		CHECK_INT(db.len, 0);
		first = strdup(buf_get(&faults.text).data);
		first[strcspn(first, "\n")] = '\0';
		CHECK_TEXT(first, cases[i].says);
		free(first);
		buf_done(&faults.text);
		buf_done(&db);
	}
}

/* All of them are said, not only the first. */
static void test_all_faults(void)
{
	struct compile_file files[] = {
		{ "VERSION", SPAN_LITERAL("version: 1\n") },
		{ "causes/a.yaml", SPAN_LITERAL("cause: b\n") },
		{ "causes/b.txt", SPAN_LITERAL("x") },
		{ "remedies/r.yaml", SPAN_LITERAL("- [") },
	};
	struct faults faults = { .prefix = "kb/" };
	struct buf db = { 0 };

	CHECK_INT(compile(files, 4, &faults, &db), -EBADMSG);
	CHECK(faults.count >= 9);
	CHECK(strstr(faults.text.data, "kb/VERSION:1: needs is missing") != NULL);
	CHECK(strstr(faults.text.data, "kb/causes/a.yaml:1: story is missing") != NULL);
	CHECK(strstr(faults.text.data, "kb/causes/b.txt:1: not knowledge") != NULL);
	CHECK(strstr(faults.text.data, "kb/remedies/r.yaml:") != NULL);
	buf_done(&faults.text);
}

static void test_rows(struct buf *bytes)
{
	sqlite3 *db = NULL;

	sqlite3_open(":memory:", &db);
	sqlite3_deserialize(db, "main", (unsigned char *)bytes->data, (sqlite3_int64)bytes->len,
			    (sqlite3_int64)bytes->len, SQLITE_DESERIALIZE_READONLY);
	CHECK_TEXT(sql_text(db, "SELECT format || version || needs FROM kb"), "12026-11-150.1.0");
	CHECK_TEXT(sql_text(db, "SELECT length(digest) FROM kb"), "64");
	CHECK_TEXT(sql_text(db, "SELECT slug || kind || story || prior FROM cause"),
		   "too-hotcauseIt burns.-20");
	CHECK_TEXT(sql_text(db, "SELECT reads FROM evidence"),
		   "sensor sensor.address sensor.origin sensor.source sensor.value");
	CHECK_TEXT(sql_text(db, "SELECT line || absence || position FROM evidence"), "1300");
	CHECK_TEXT(sql_text(db, "SELECT steps FROM remedy"), "Open a window.\n    rocsteady check");
	CHECK_TEXT(sql_text(db, "SELECT typeof(is_read) || real_name FROM env_variable"),
		   "integerHSA_BAR");
	CHECK_TEXT(sql_text(db, "SELECT count(*) FROM source"), "2");
	sqlite3_close(db);
}

/* The same files in another order are the same bytes; another letter is another digest. */
static void test_same_bytes(void)
{
	struct faults faults = { 0 };
	struct buf one = { 0 }, two = { 0 }, other = { 0 };

	CHECK_INT(compile_spoilt(-1, NULL, NULL, &faults, &one), 0);
	CHECK_INT(compile_spoilt(-1, NULL, NULL, &faults, &two), 0);
	CHECK_INT(compile_spoilt(FILE_CAUSE, "It burns.", "It burns!", &faults, &other), 0);
	CHECK_INT(faults.count, 0);
	CHECK(one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
	CHECK(one.len != other.len || memcmp(one.data, other.data, one.len) != 0);
	test_rows(&one);
	buf_done(&one);
	buf_done(&two);
	buf_done(&other);
}

static void test_order(void)
{
	struct compile_file files[] = {
		{ "remedies/cool-it.yaml", SPAN_LITERAL(KB_REMEDY) },
		{ "causes/too-hot.yaml", SPAN_LITERAL(KB_CAUSE) },
		{ "tables/env_variable.yaml", SPAN_LITERAL(KB_TABLE) },
		{ "programs/fan.yaml", SPAN_LITERAL(KB_PROGRAM) },
		{ "VERSION", SPAN_LITERAL(KB_VERSION) },
	};
	struct faults faults = { 0 };
	struct buf one = { 0 }, two = { 0 };

	CHECK_INT(compile(files, 5, &faults, &one), 0);
	CHECK_INT(compile_spoilt(-1, NULL, NULL, &faults, &two), 0);
	CHECK(one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
	CHECK_INT(compile(files, 4, &faults, &two), -EBADMSG);
	CHECK_TEXT(faults.text.data, "VERSION:1: is missing\n");
	buf_done(&faults.text);
	buf_done(&one);
	buf_done(&two);
}

int main(void)
{
	test_faults();
	test_all_faults();
	test_same_bytes();
	test_order();
	return check_end();
}
