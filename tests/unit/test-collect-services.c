#include "check-facts.h"

#define SLICE   "/sys/fs/cgroup/system.slice"
#define ETC     "/etc/systemd/system"
#define NO_V1   "dir /sys/fs/cgroup/systemd/system.slice !ENOENT\n"
#define RUNNING "dir " SLICE "\n\tssh.service/\n\tollama.service/\n\tdocker-ab.scope/\n"
#define PROCESS                                                                \
	"file " SLICE "/ollama.service/cgroup.procs\n\t812\n\t813\n"           \
	"file /proc/812/status\n\tName:\tollama\n\tUid:\t997\t997\t997\t997\n" \
	"\tGid:\t997\t997\t997\t997\n\tGroups:\t44 992 997 \n"
#define UNIT(lines)          "file " ETC "/ollama.service excerpt\n" lines
#define PLAIN_UNIT           UNIT("\t7:User=ollama\n\t8:Group=ollama\n")
#define DROP_IN(name, lines) "file " ETC "/ollama.service.d/" name " excerpt\n" lines

#define ALL     "SELECT unit, pid, uid, user, groups, group_name, source FROM service"
#define VALUES  "SELECT name, value, source FROM env WHERE subject = 'ollama.service'"
#define SETTERS "SELECT name, value, scope, source FROM env_setter"
#define GAPS    "SELECT topic, subject, standing FROM gap WHERE topic LIKE 'service%'"

static const struct facts_case cases[] = {
	{ "a service that runs, among others that are nobody's business",
	  RUNNING PROCESS PLAIN_UNIT, ALL,
	  "ollama.service|812|997|ollama|997 44 992|ollama|" SLICE "/ollama.service" },
	{ "version 1 of the groups",
	  "dir " SLICE " !ENOENT\ndir /sys/fs/cgroup/systemd/system.slice\n\tvllm-serve.service/\n"
	  "file /sys/fs/cgroup/systemd/system.slice/vllm-serve.service/cgroup.procs\n\t9\n",
	  "SELECT unit, pid FROM service", "vllm-serve.service|9" },
	{ "an instance stands a level deeper, its file is the template's",
	  "dir " SLICE "\n\tsystem-vllm.slice/\n\tsystem-getty.slice/\n"
	  "dir " SLICE "/system-vllm.slice\n\tvllm@7b.service/\n"
	  "file " SLICE "/system-vllm.slice/vllm@7b.service/cgroup.procs\n\t10\n"
	  "file " ETC "/vllm@7b.service !ENOENT\nfile " ETC "/vllm@.service excerpt\n\t3:User=ml\n",
	  "SELECT unit, pid, user FROM service", "vllm@7b.service|10|ml" },
	{ "installed and not running", "dir " SLICE "\n\tssh.service/\n" PLAIN_UNIT, ALL,
	  "ollama.service|-|-|ollama|-|ollama|" ETC "/ollama.service" },
	{ "its processes are all in groups of their own",
	  RUNNING PLAIN_UNIT "file " SLICE "/ollama.service/cgroup.procs\n",
	  "SELECT topic, standing FROM gap WHERE topic LIKE 'service.%'", "service.pid|absent" },
	{ "it ended while we looked",
	  RUNNING PLAIN_UNIT "file " SLICE "/ollama.service/cgroup.procs\n\t812\n"
			     "file /proc/812/status !ESRCH\n",
	  "SELECT pid, uid FROM service", "812|-" },

	{ "what systemd was told about its devices",
	  UNIT("\t3:PrivateDevices=yes\n\t4:DevicePolicy=closed\n\t5:DeviceAllow=/dev/kfd rw\n"
	       "\t6:DeviceAllow=char-drm rw\n\t7:SupplementaryGroups=render video\n"
	       "\t8:LimitMEMLOCK=infinity\n"),
	  "SELECT private_devices, device_policy, device_allow, supplementary, memlock FROM service",
	  "1|closed|/dev/kfd rw char-drm rw|render video|infinity" },
	{ "an empty line takes back what was said",
	  UNIT("\t3:SupplementaryGroups=render\n\t4:SupplementaryGroups=\n\t5:PrivateDevices=no\n"),
	  "SELECT supplementary, private_devices FROM service", "-|0" },

	{ "variables of the unit and of its drop-ins, the last one wins",
	  UNIT("\t5:Environment=\"HSA_OVERRIDE_GFX_VERSION=10.3.0\" OLLAMA_DEBUG=1\n") "dir " ETC "/ollama.service.d\n\t20-b.conf\n\t10-a.conf\n\tnote.txt\n" DROP_IN(
		  "10-a.conf", "\t2:Environment=HSA_OVERRIDE_GFX_VERSION=11.0.0\n")
		  DROP_IN("20-b.conf", "\t2:Environment=HSA_OVERRIDE_GFX_VERSION=11.0.1\n"),
	  VALUES,
	  "HSA_OVERRIDE_GFX_VERSION|11.0.1|" ETC "/ollama.service.d/20-b.conf:2\n"
	  "OLLAMA_DEBUG|1|" ETC "/ollama.service:5" },
	{ "every line that sets one is known",
	  UNIT("\t5:Environment=HSA_XNACK=0\n") "dir " ETC "/ollama.service.d\n\ta.conf\n" DROP_IN(
		  "a.conf", "\t2:Environment=HSA_XNACK=1\n"),
	  SETTERS,
	  "HSA_XNACK|0|ollama.service|" ETC "/ollama.service:5\n"
	  "HSA_XNACK|1|ollama.service|" ETC "/ollama.service.d/a.conf:2" },
	{ "an empty Environment= begins anew",
	  UNIT("\t5:Environment=HSA_XNACK=0\n\t6:Environment=\n\t7:Environment=HSA_X=1\n"), VALUES,
	  "HSA_X|1|" ETC "/ollama.service:7" },
	{ "the second line of a long one comes without its key",
	  UNIT("\t5:Environment=\"HSA_XNACK=0\" \\\n\t6:  \"HSA_X=1\"\n\t7:  HSA_Y=2\n"), VALUES,
	  "HSA_XNACK|0|" ETC "/ollama.service:5\nHSA_X|1|" ETC "/ollama.service:6\n"
	  "HSA_Y|2|" ETC "/ollama.service:7" },
	{ "a file of variables wins over the unit",
	  UNIT("\t4:EnvironmentFile=-/etc/default/ollama\n\t5:Environment=HSA_XNACK=0\n") "file /etc/default/ollama excerpt\n\t1:HSA_XNACK=1\n",
	  VALUES, "HSA_XNACK|1|/etc/default/ollama:1" },
	{ "one that nobody may read leaves the environment open",
	  UNIT("\t4:EnvironmentFile=/srv/secret\n"),
	  "SELECT subject, standing, source FROM gap WHERE topic = 'env' AND subject LIKE 'oll%'",
	  "ollama.service|unasked|/srv/secret" },

	{ "a unit file that is closed", RUNNING PROCESS "file " ETC "/ollama.service !EACCES\n",
	  "SELECT topic, standing FROM gap WHERE subject = 'ollama.service'",
	  "service|denied\nenv|denied\nenv_setter|denied" },
	{ "it runs and its file was not asked for", RUNNING PROCESS,
	  "SELECT topic, standing FROM gap WHERE subject = 'ollama.service'",
	  "service|unasked\nenv|unasked\nenv_setter|unasked" },
	{ "a container has no system.slice", "dir " SLICE " !ENOENT\n" NO_V1,
	  "SELECT count(*) FROM gap WHERE topic = 'service' AND source LIKE '%slice'", "0" },
	{ "nobody asked", "note brief\n", GAPS, "service||unasked\nservice||unasked" },
	{ "the list hangs", "dir " SLICE " !STUCK\n",
	  "SELECT standing FROM gap WHERE topic = 'service' AND source LIKE '%slice'", "stuck" },
	{ "a name that would lead elsewhere", "dir " SLICE "\n\tollama\\x2f..\\x2fx.service/\n",
	  "SELECT count(*) FROM service", "0" },
};

/* `count` times `each`, a %zu in it being the number, between two texts. */
static struct facts *facts_of_many(const char *before, const char *each, size_t count,
				   const char *behind)
{
	struct buf records BUF_SCOPED = { 0 };

	buf_text(&records, before);
	for (size_t i = 0; i < count; i++) {
		const char *number = strstr(each, "%zu");

		buf_addf(&records, "%.*s%zu%s", (int)(number - each), each, i, number + 3);
	}
	buf_text(&records, behind);
	return facts_of(records.data);
}

static const struct {
	const char *why;
	const char *before, *each;
	size_t count;
	const char *behind;
	const char *sql;
	const char *want;
} many[] = {
	{ "a hub has a unit for each user", "dir " SLICE "\n", "\tjupyter-%zu.service/\n", 300, "",
	  "SELECT count(*) FROM service", "300" },
	{ "too many are a gap in what they would have told", "dir " SLICE "\n",
	  "\tjupyter-%zu.service/\n", 5000, "",
	  "SELECT topic, subject, standing FROM gap WHERE detail = 'too many services'",
	  "service||unasked\nenv||unasked\nenv_setter||unasked" },
	{ "variables of one unit", "file " ETC "/ollama.service excerpt\n",
	  "\t9:Environment=HSA_%zu=1\n", 300, "",
	  "SELECT count(*) FROM env WHERE subject = 'ollama.service'", "300" },
	{ "too many of them", "file " ETC "/ollama.service excerpt\n",
	  "\t9:Environment=HSA_%zu=1\n", 1025, "",
	  "SELECT topic, subject, standing FROM gap WHERE detail = 'too many variables'",
	  "env|ollama.service|unasked" },
	{ "files of variables: the last one wins", "file " ETC "/ollama.service excerpt\n",
	  "\t9:EnvironmentFile=-/etc/default/%zu\n", 40,
	  "file /etc/default/39 excerpt\n\t1:HSA_XNACK=1\n", VALUES,
	  "HSA_XNACK|1|/etc/default/39:1" },
	{ "too many of them", "file " ETC "/ollama.service excerpt\n",
	  "\t9:EnvironmentFile=-/etc/default/%zu\n", 1025, "",
	  "SELECT topic, subject FROM gap WHERE detail = 'too many files of variables'",
	  "env|ollama.service" },
	{ "drop-ins: the last one wins", PLAIN_UNIT "dir " ETC "/ollama.service.d\n",
	  "\t1%zu.conf\n", 100, "\t2.conf\n" DROP_IN("2.conf", "\t2:User=last\n"),
	  "SELECT user FROM service", "last" },
	{ "too many of them", PLAIN_UNIT "dir " ETC "/ollama.service.d\n", "\t1%zu.conf\n", 1025,
	  "", "SELECT topic, subject FROM gap WHERE detail = 'too many drop-ins'",
	  "service|ollama.service\nenv|ollama.service" },
	{ "a long list of devices is cut, and said to be", "file " ETC "/ollama.service excerpt\n",
	  "\t9:DeviceAllow=/dev/nvidia%zu rw\n", 1000, "",
	  "SELECT length(device_allow) > 8000, substr(device_allow, 1, 15),"
	  " (SELECT standing FROM gap WHERE topic = 'service.device_allow') FROM service",
	  "1|/dev/nvidia0 rw|broken" },
};

static void test_many(void)
{
	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		struct facts *facts =
			facts_of_many(many[i].before, many[i].each, many[i].count, many[i].behind);
		const char *got = answer_of(facts, many[i].sql);

		if (!check_note(strcmp(got, many[i].want) == 0, __FILE__, __LINE__, many[i].why))
			printf("  got  \"%s\"\n  want \"%s\"\n", got, many[i].want);
		facts_free(facts);
	}
	answer_of(NULL, NULL);
}

int main(void)
{
	test_many();
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
