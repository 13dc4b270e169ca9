/* A step that sends to `rocsteady advise`, with what the text and the machine say of the GPU. */

#include "diagnose/finish.h"

#include "check-kb.h"
#include "facts/facts.h"
#include "kb/kb.h"

#define ANSWER   "\nOutput, last checked 20"
#define USUAL    "\nWithout rocsteady: this is its answer for most GPUs, "
#define ADVISE   "Print it:\n    rocsteady advise"
#define TWO_GPUS "('gfx', 'gfx1100', 'stated'), ('gfx', 'gfx1030', 'stated')"

static const struct {
	const char *why, *stated, *steps, *begins;
	bool answered; /* what the command prints stands below it */
} cases[] = {
	/* It fires. */
	{ "a GPU", "('gfx', 'gfx1100', 'log')", ADVISE, ADVISE " --gpu gfx1100\n", true },
	{ "what is stated goes before the text",
	  "('gfx', 'gfx1030', 'log'), ('gfx', 'gfx1100', 'stated')", ADVISE " --for torch",
	  ADVISE " --for torch --gpu gfx1100\n", true },
	{ "Windows", "('gfx', 'gfx1100', 'stated'), ('system', 'windows', 'stated')", ADVISE,
	  ADVISE " --gpu gfx1100 --os windows\n", true },
	{ "in the place of NAME", "('gfx', 'gfx1100', 'stated')",
	  ADVISE " --gpu NAME --for torch\nWrite your GPU in the place of NAME.\nRestart.",
	  ADVISE " --gpu gfx1100 --for torch\n", true },
	/* Near misses: the command is finished, and its answer is not told. */
	{ "several are printed", "('gfx', 'gfx1100', 'stated')", ADVISE " --verbose",
	  ADVISE " --verbose --gpu gfx1100", false },
	{ "another GPU is named", "('gfx', 'gfx1100', 'stated')", ADVISE " --gpu gfx942",
	  ADVISE " --gpu gfx942", false },
	{ "another system is named", "('gfx', 'gfx1100', 'stated')", ADVISE " --os wsl",
	  ADVISE " --os wsl --gpu gfx1100", false },
	{ "nothing is known for that program", "('gfx', 'gfx1100', 'stated')",
	  ADVISE " --for nosuchprogram", ADVISE " --for nosuchprogram --gpu gfx1100", false },
	/* Near misses: nothing is changed. */
	{ "a sentence", "('gfx', 'gfx1100', 'stated')", "Ask rocsteady advise.", NULL, false },
	{ "another command", "('gfx', 'gfx1100', 'stated')", "Look:\n    rocsteady check", NULL,
	  false },
	{ "two GPUs", TWO_GPUS, ADVISE, NULL, false },
	{ "a GPU of no table", "('gfx', 'gfx9999', 'stated')", ADVISE, NULL, false },
	/* Undecided: the target is left open, where the command names one. */
	{ "no GPU", "('rocm', '6.4', 'stated')", ADVISE,
	  ADVISE USUAL
	  "with what rocminfo | grep gfx prints in the place of gfxNNNN:\n    python3 -m venv",
	  true },
	{ "no GPU on Windows", "('system', 'windows', 'stated')", ADVISE,
	  ADVISE USUAL "with the target of yours in the place of gfxNNNN:\n    py -3", true },
	{ "no GPU, and an answer without targets", "('rocm', '6.4', 'stated')",
	  ADVISE " --for vllm", NULL, false },
};

static struct facts *with_knowledge(const char *stated)
{
	struct facts *f = facts_new();
	struct kb_info info;
	struct span bytes;
	char *sql = sqlite3_mprintf("WITH n(name, value, origin) AS (VALUES %s)"
				    " INSERT INTO statement (name, value, source, origin)"
				    " SELECT name, value, 's', origin FROM n",
				    stated);

	CHECK_INT(kb_read(NULL, NULL, &bytes), 0);
	CHECK_INT(kb_attach(facts_db(f), bytes, &info), 0);
	CHECK_INT(sqlite3_exec(facts_db(f), sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(sql);
	return f;
}

static size_t count_of(const char *text, const char *words)
{
	size_t n = 0;

	while ((text = strstr(text, words))) {
		text += strlen(words);
		n++;
	}
	return n;
}

static void check_case(size_t i)
{
	struct facts *f = with_knowledge(cases[i].stated);
	const char *begins = cases[i].begins ? cases[i].begins : cases[i].steps;
	struct arena arena = { 0 };
	struct rules rules = { 0 };
	struct gaps gaps = { 0 };
	struct asker asker;
	const char *done;

	CHECK_INT(gaps_load(facts_db(f), &arena, &gaps), 0);
	asker_init(&asker, facts_db(f), NULL, &rules, &gaps, &arena);
	CHECK(!finish_steps(&asker, NULL));
	done = finish_steps(&asker, cases[i].steps);
	if (!CHECK(strncmp(done, begins, strlen(begins)) == 0))
		printf("  %s: %s\n", cases[i].why, done);
	if (!cases[i].answered && !CHECK(strcmp(done, begins) == 0))
		printf("  %s: %s\n", cases[i].why, done);
	CHECK_INT(count_of(done, ANSWER) + count_of(done, USUAL), cases[i].answered);
	CHECK_INT(count_of(done, "in the place of NAME"), 0);
	CHECK(!strstr(cases[i].steps, "\nRestart.") || strstr(done, "\nRestart."));
	asker_done(&asker);
	gaps_done(&gaps);
	arena_done(&arena);
	facts_free(f);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(i);
	return check_end();
}
