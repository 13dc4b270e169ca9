/* Sizes in logs, and what a scan leaves in the tables. */

#include "explain/log.h"

#include "check-diagnose.h"

static void check_size(const char *text, unsigned long long want)
{
	uint64_t got = 0;
	bool is_size = log_size(span_of(text), &got);

	if (!CHECK(is_size == (want > 0)) || (is_size && !CHECK(got == want)))
		printf("  %s: got %llu, want %llu\n", text, (unsigned long long)got, want);
}

static void sizes(void)
{
	check_size("2.00 GiB", 2147483648ull);
	check_size("7889485824 bytes", 7889485824ull);
	check_size("1.50 MiB", 1572864);
	check_size("7.35G", 7892002406ull); /* as allocators of TensorFlow write: binary */
	check_size("512K", 524288);
	check_size("24 GB", 24000000000ull);
	check_size("3kB", 3000);
	check_size("12", 0); /* of what? */
	check_size("GiB", 0);
	check_size("", 0);
	check_size("1.2.3 GiB", 0);
	check_size("-1 GiB", 0);
	check_size("1 parsec", 0);
	check_size("99999999999999999999 GiB", 0);
	check_size("1e3 MiB", 0);
}

static const char knowledge[] =
	"INSERT INTO signature (id, program, kind, says, pattern, \"group\", file, line) VALUES"
	" ('oom', 'torch', 'failure', 'wanted {tried}', 'Tried to allocate (?<tried>[\\d.]+ [KMG]iB)',"
	"  NULL, 'f', 1),"
	" ('card', 'hip', 'context', 'a {gfx}', 'card: (?<gfx>gfx\\w+)( of (?<os>\\w+))?', NULL, 'f', 2);"
	"INSERT INTO literal VALUES ('oom', 0, 'Tried to allocate'), ('card', 0, 'the only card');"
	"INSERT INTO states VALUES ('card', 'gfx', '{gfx}'), ('card', 'os', '{os}');";

static void rows(void)
{
	struct facts *facts = facts_new();
	unsigned char *bytes = kb_with(facts, knowledge);
	struct state state = { .facts = facts };
	struct log_signatures signatures;
	struct scan *scan;

	if (!CHECK(log_signatures_load(facts_db(facts), &signatures) == 0))
		exit(1);
	CHECK_INT(signatures.count, 2);
	scan = scan_new(signatures.list, signatures.count);
	scan_feed(scan,
		  SPAN_LITERAL("the only card: gfx1100\nTried to allocate 2.00 GiB\n"
			       "fine\nTried to allocate 2.00 GiB\nTried to allocate 5.00 MiB"));
	scan_end(scan);
	log_events(&state, &signatures, scan, "a.log");
	state_conclude(&state);
	CHECK_TEXT(answer_of(facts, "SELECT signature, nth, kind, line, last_line, count, source"
				    " FROM event ORDER BY line"),
		   "card|0|context|1|1|1|a.log:1\noom|0|failure|2|5|3|a.log:2\n"
		   "oom|1|failure|5|5|3|a.log:5");
	CHECK_TEXT(answer_of(facts, "SELECT nth, value, bytes FROM event_value"
				    " WHERE name = 'tried' ORDER BY nth"),
		   "0|2.00 GiB|2147483648\n1|5.00 MiB|5242880");
	/* A group that took no part makes no statement. */
	CHECK_TEXT(answer_of(facts, "SELECT name, value, source, origin FROM statement"),
		   "gfx|gfx1100|a.log:1|log");
	answer_of(NULL, NULL);
	scan_free(scan);
	log_signatures_done(&signatures);
	state_done(&state);
	facts_free(facts);
	sqlite3_free(bytes);
}

int main(void)
{
	sizes();
	rows();
	return check_end();
}
