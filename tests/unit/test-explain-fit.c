/* May this machine be joined to that log? */

#include "explain/fit.h"

#include "check-facts.h"

#define HERE                                                                                        \
	"INSERT INTO gpu (address, vendor_id, driver, integrated, source) VALUES ('0000:03:00.0', " \
	"'1002', 'amdgpu', 0, 's'); INSERT INTO agent (node, address, gfx, source) VALUES (1, "     \
	"'0000:03:00.0', 'gfx1100', 's'); INSERT INTO host (kernel, source) VALUES "                \
	"('6.8.0-60-generic', 's');"
#define SAY(name, value) \
	"INSERT INTO statement VALUES ('" name "', '" value "', NULL, 'a.log:1', 'log');"
#define TOTAL(value, bytes)                                                                      \
	"INSERT INTO event_value VALUES ('torch-out-of-memory', 0, 'total', '" value "', " bytes \
	", 'a.log:1', 'log');"
#define VRAM(bytes) "UPDATE gpu SET vram_total_bytes = " bytes ";"
#define APU(gtt)    "UPDATE gpu SET integrated = 1, gtt_total_bytes = " gtt ";"

static const struct {
	const char *why;
	const char *log, *machine;
	const char *want; /* the sentence; NULL: it fits */
} cases[] = {
	{ "a log that says nothing", "", HERE, NULL },
	{ "the same target", SAY("gfx", "gfx1100"), HERE, NULL },
	{ "another target", SAY("gfx", "gfx1151"), HERE,
	  "the log is from gfx1151, this machine has gfx1100" },
	{ "one of two is not here", SAY("gfx", "gfx1100") SAY("gfx", "gfx90a"), HERE,
	  "the log is from gfx90a, this machine has gfx1100" },
	{ "an override renames cards", SAY("gfx", "gfx1030"),
	  HERE "INSERT INTO env (subject, name, value, source) VALUES ('identity', "
	       "'HSA_OVERRIDE_GFX_VERSION', '10.3.0', 's');",
	  NULL },
	{ "the same kernel, shorter", SAY("kernel", "6.8.0"), HERE, NULL },
	{ "another kernel", SAY("kernel", "6.14.0-1018-oem"), HERE,
	  "the log is from kernel 6.14.0-1018-oem, this machine has 6.8.0-60-generic" },
	{ "Windows", SAY("system", "windows"), HERE,
	  "the log is from Windows, this machine is Linux" },
	{ "more memory than the card has", TOTAL("23.98 GiB", "25748344832"),
	  HERE VRAM("8589934592"),
	  "the log is from a GPU with 23.98 GiB, this machine has at most 8.00 GiB" },
	{ "the memory of the card", TOTAL("7.98 GiB", "8568459755"), HERE VRAM("8589934592"),
	  NULL },
	{ "less may be a partition", TOTAL("2.00 GiB", "2147483648"), HERE VRAM("8589934592"),
	  NULL },
	{ "nobody knows how much there is", TOTAL("23.98 GiB", "25748344832"), HERE, NULL },
	{ "an APU takes memory of the host", TOTAL("15.00 GiB", "16106127360"),
	  HERE VRAM("1073741824") APU("16106127360"), NULL },
	{ "an APU with less", TOTAL("29.98 GiB", "32190779883"),
	  HERE VRAM("1073741824") APU("8589934592"),
	  "the log is from a GPU with 29.98 GiB, this machine has at most 9.00 GiB" },
	{ "no GPU here", "", "", "this machine has no AMD GPU" },
	{ "WSL, which has no rows of its GPU", SAY("gfx", "gfx1100"),
	  "INSERT INTO device_node (path, source) VALUES ('/dev/dxg', 's');", NULL },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts *log = facts_new(), *machine = facts_new();
		struct buf why BUF_SCOPED = { 0 };
		char *error = NULL;
		bool fits;

		sqlite3_exec(facts_db(log), cases[i].log, NULL, NULL, &error);
		CHECK(!error);
		sqlite3_exec(facts_db(machine), cases[i].machine, NULL, NULL, &error);
		if (!CHECK(!error))
			printf("%s\n", error);
		fits = fit_machine(facts_db(log), facts_db(machine), "this machine", &why);
		if (!check_note(fits == !cases[i].want, __FILE__, __LINE__, cases[i].why) ||
		    (cases[i].want && !CHECK(strcmp(why.data, cases[i].want) == 0)))
			printf("  %s: \"%s\"\n", cases[i].why, why.len ? why.data : "");
		sqlite3_free(error);
		facts_free(log);
		facts_free(machine);
	}
	return check_end();
}
