#include "check-facts.h"

#define GROUPS "ask group render\n\t992\nask group video\n\t44\n"
#define ALICE                                                                              \
	"ask identity\n\thow this process\n\tprocess /proc/self\n\tuid 1000\n\tgid 1000\n" \
	"\tgroups 27 992\n\tuser alice\n\thome /home/alice\n"
#define IDENTITY "SELECT how, uid, gid, user, home, process FROM identity"
#define MEMBERS  "SELECT gid, name FROM identity_group"
#define KNOWN    "SELECT name, gid FROM known_group"
#define GAPS                                                       \
	"SELECT topic, subject, standing FROM gap WHERE topic IN " \
	"('identity', 'identity_group', 'known_group')"

static const struct facts_case cases[] = {
	{ "all of it", ALICE GROUPS, IDENTITY,
	  "this process|1000|1000|alice|/home/alice|/proc/self" },
	{ "the main group first; a name only where it matters", ALICE GROUPS, MEMBERS,
	  "1000|-\n27|-\n992|render" },
	{ "numbers as this system has them", ALICE GROUPS, KNOWN, "render|992\nvideo|44" },
	{ "nothing is left open", ALICE GROUPS, GAPS, "" },

	{ "a user whom only files know has no process",
	  "ask identity\n\thow user\n\tuid 1001\n\tgid 100\n\tgroups\n\tuser bob\n" GROUPS,
	  IDENTITY, "user|1001|100|bob|-|-" },
	{ "a group that stands twice is one",
	  "ask identity\n\thow process\n\tuid 0\n\tgid 0\n\tgroups 0 44 44\n" GROUPS, MEMBERS,
	  "0|-\n44|video" },

	{ "a system without render is an answer, not a gap",
	  ALICE "ask group render !ENOENT\nask group video\n\t44\n",
	  "SELECT name FROM known_group UNION ALL SELECT topic FROM gap WHERE topic = 'known_group'",
	  "video" },
	{ "/etc/group may be closed", ALICE "ask group render !EACCES\nask group video !EACCES\n",
	  GAPS, "known_group|render|denied\nknown_group|video|denied" },
	{ "then no group has a name", ALICE "ask group render !EACCES\nask group video !EACCES\n",
	  MEMBERS, "1000|-\n27|-\n992|-" },
	{ "a group number that is none", ALICE "ask group render\n\t-1\nask group video\n\t44\n",
	  GAPS, "known_group|render|broken" },

	{ "nobody asked", GROUPS, GAPS, "identity||unasked\nidentity_group||unasked" },
	{ "the directory service hangs", "ask identity !STUCK\n" GROUPS, GAPS,
	  "identity||stuck\nidentity_group||stuck" },
	{ "no such process", "ask identity !ESRCH\n" GROUPS, GAPS,
	  "identity||absent\nidentity_group||absent" },
	{ "without a number there is nobody",
	  "ask identity\n\thow user\n\tuid root\n\tgid 0\n" GROUPS,
	  "SELECT (SELECT count(*) FROM identity), standing FROM gap WHERE topic = 'identity'",
	  "0|broken" },
	{ "a huge number does not wrap",
	  "ask identity\n\thow user\n\tuid 18446744073709551617\n\tgid 0\n" GROUPS, GAPS,
	  "identity||broken\nidentity_group||broken" },
};

/* As many as the kernel gives a process; what is beyond is hostile, and a gap. */
static void test_many(size_t groups, const char *want, const char *why)
{
	struct buf records BUF_SCOPED = { 0 };
	struct facts *facts;
	const char *got;

	buf_text(&records, "ask identity\n\thow process\n\tuid 1000\n\tgid 1000\n\tgroups");
	for (size_t i = 0; i < groups; i++)
		buf_addf(&records, " %zu", 5000 + i);
	buf_text(&records, "\n" GROUPS);
	facts = facts_of(records.data);
	got = answer_of(facts, "SELECT count(*), (SELECT detail FROM gap WHERE"
			       " topic = 'identity_group') FROM identity_group");
	if (!check_note(strcmp(got, want) == 0, __FILE__, __LINE__, why))
		printf("  got  \"%s\"\n", got);
	facts_free(facts);
	answer_of(NULL, NULL);
}

int main(void)
{
	test_many(300, "301|-", "a directory service knows hundreds");
	test_many(65536, "65537|-", "NGROUPS_MAX");
	test_many(65537, "65537|too many groups", "more than there can be");
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
