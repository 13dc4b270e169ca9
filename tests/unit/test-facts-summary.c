/*
 * The machine on one screen: every sentence is valid SQL over the schema, says
 * its line where it applies and nothing where it does not. The printers are
 * compiled in here, for their tables of sentences and topics.
 */

#include "report/facts-summary.c"
#include "report/facts-topic.c"

#include "check-facts.h"

static struct buf out;

static const char *summary_of(struct facts *f)
{
	buf_clear(&out);
	facts_summary(f, &out, 80);
	return out.data;
}

static void run(struct facts *f, const char *sql)
{
	char *error = NULL;

	if (!check_note(sqlite3_exec(facts_db(f), sql, NULL, NULL, &error) == SQLITE_OK, __FILE__,
			__LINE__, sql))
		printf("  %s\n", error);
	sqlite3_free(error);
}

/* facts_summary() skips a sentence that cannot be prepared; here it is a fault. */
static void check_sentences(void)
{
	struct facts *f = facts_of("");

	summary_of(f); /* makes bytes() and ago() known */
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		run(f, sentences[i].sql);
	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++) {
		if (topics[i].sql)
			run(f, topics[i].sql);
		buf_clear(&out);
		check_note(facts_topic(f, topics[i].name, &out, 80) == 0, __FILE__, __LINE__,
			   topics[i].name);
	}
	CHECK_INT(facts_topic(f, "nothing", &out, 80), -ENOENT);
	CHECK_INT(facts_topic_json(f, "x\"; DROP TABLE gpu", &out), -ENOENT);
	buf_clear(&out);
	facts_topics(f, &out);
	CHECK(strstr(out.data, "gpus ") && strstr(out.data, " kernel_log "));
	facts_free(f);
}

static const struct {
	const char *why;
	const char *sql; /* on the tables of an empty machine */
	const char *line;
} lines[] = {
	{ "no GPU",
	  "DELETE FROM gap; DELETE FROM host; INSERT INTO host (pci_functions, source) VALUES (6, '')",
	  "no AMD GPU among 6 PCI functions\n" },
	{ "two of a kind",
	  "INSERT INTO gpu (address, product, gfx, vendor_id, device_id, source) VALUES ('0000:03:00.0', 'Radeon X', 'gfx1100', '1002', '744c', ''), ('0000:04:00.0', 'Radeon X', 'gfx1100', '1002', '744c', '')",
	  "2 × Radeon X (gfx1100)" },
	{ "the integrated one comes last",
	  "INSERT INTO gpu (address, product, gfx, integrated, vendor_id, device_id, source) VALUES ('0000:01:00.0', 'APU', 'gfx1036', 1, '1002', '744c', ''), ('0000:03:00.0', 'Big', 'gfx1100', 0, '1002', '744c', '')",
	  "Big (gfx1100) + APU (gfx1036, integrated)" },
	{ "a sleeping one",
	  "INSERT INTO gpu (address, driver, power_state, vendor_id, device_id, source) VALUES ('0000:03:00.0', 'amdgpu', 'suspended', '1002', '744c', '')",
	  "asleep" },
	{ "no driver",
	  "INSERT INTO gpu (address, vendor_id, device_id, source) VALUES ('0000:03:00.0', '1002', '744c', '')",
	  "no driver" },
	{ "one that hangs",
	  "INSERT INTO gap (topic, subject, standing, detail, source) VALUES ('gpu.x', '', 'stuck', 'STUCK', '/sys/x')",
	  "stuck      /sys/x did not answer\n" },
	{ "a blacklist",
	  "INSERT INTO module_rule (kind, module, source) VALUES ('blacklist', 'amdgpu', '/etc/modprobe.d/x.conf')",
	  "blacklist amdgpu (/etc/modprobe.d/x.conf)\n" },
	{ "more variables than lines for them",
	  "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 29) "
	  "INSERT INTO env (subject, name, value, source) SELECT 'identity', 'HSA_' || i, '1', '' FROM n",
	  "           HSA_17=1\n           and 12 more (rocsteady facts env)\n" },
	{ "more services than lines for them",
	  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7) "
	  "INSERT INTO service (unit, source) SELECT i || '.service', '' FROM n",
	  "and 2 more (rocsteady facts service)\n" },
	{ "outside of the groups",
	  "DELETE FROM identity; INSERT INTO identity (user, uid, how, source) VALUES ('ada', 1000, 'this process', '')",
	  "judged     ada (1000), in none of the groups video, render\n" },
};

static void check_lines(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct facts *f = facts_of("");

		run(f, lines[i].sql);
		if (!check_note(strstr(summary_of(f), lines[i].line) != NULL, __FILE__, __LINE__,
				lines[i].why))
			printf("%s", out.data);
		facts_free(f);
	}
}

/* A product, a variable and a host that would like to drive a terminal. */
static void check_escapes(void)
{
	struct facts *f = facts_of("ask identity\n\tuid 1000\n\tuser \033]0;x\007\n"
				   "ask environment\n\tHSA_X=\033[31mred\n\tROCM_Y=\xe2\x80\xae\n"
				   "file /proc/sys/kernel/hostname\n\t\033c\n");
	const char *text = summary_of(f);

	CHECK(!strchr(text, 033) && !strchr(text, 7) && strstr(text, "HSA_X=\\x1b[31mred"));
	CHECK(strstr(text, "ROCM_Y=\\xe2\\x80\\xae") != NULL);
	buf_clear(&out);
	facts_json(f, &out);
	CHECK(!strchr(out.data, 033) && strstr(out.data, "\\\\x1b[31mred"));
	facts_free(f);
}

int main(void)
{
	check_sentences();
	check_lines();
	check_escapes();
	answer_of(NULL, NULL);
	buf_done(&out);
	return check_end();
}
