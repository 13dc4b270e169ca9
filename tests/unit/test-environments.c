/* Which environment is named first. */

#include "diagnose/environments.h"

#include "check-facts.h"

/* As kb/materialize makes it: a temporary table comes before the view of the same name. */
static void add(struct facts *f, const char *rows)
{
	char *error = NULL;
	char *sql = sqlite3_mprintf(
		"CREATE TEMP TABLE environment_fit AS SELECT * FROM main.environment_fit WHERE 0;"
		"INSERT INTO environment_fit (environment, framework, version, device, meant,"
		" verdict, why, used, libraries, served) VALUES %s;"
		"INSERT INTO main.framework (environment, name, source) VALUES ('/a', 'torch', '/a')",
		rows);

	sqlite3_exec(facts_db(f), sql, NULL, NULL, &error);
	CHECK_TEXT(error ? error : "", "");
	sqlite3_free(error);
	sqlite3_free(sql);
}

/* "framework prefix device verdict*" for each; the star is for one in use. */
static const char *told(const struct environments *all)
{
	static struct buf out;

	buf_clear(&out);
	for (size_t i = 0; i < all->count; i++) {
		const struct environment *e = &all->list[i];

		buf_addf(&out, "%s %s %s %s%s; ", e->framework, e->prefix, e->device,
			 environment_verdict_name(e->verdict), e->used ? "*" : "");
	}
	return out.data ? out.data : "";
}

static const struct {
	const char *why;
	const char *rows;
	const char *want;
	size_t working;
} cases[] = {
	{ "of two devices the better one counts",
	  "('/a', 'torch', '2', 'gfx1036', 1, 'not', 'no', 0, 9, 0),"
	  "('/a', 'torch', '2', 'gfx1100', 1, 'runs', 'yes', 0, 9, 9)",
	  "torch /a gfx1100 runs; ", 1 },
	{ "what works comes first, then what is in use, then how well",
	  "('/a', 'torch', '2', 'g', 1, 'not', 'w', 1, 9, 0),"
	  "('/b', 'torch', '2', 'g', 1, 'runs', 'w', 0, 9, 9),"
	  "('/c', 'torch', '2', 'g', 1, 'unknown', 'w', 0, 9, 9),"
	  "('/d', 'torch', '2', 'g', 1, 'partly', 'w', 1, 9, 9)",
	  "torch /d g partly*; torch /b g runs; torch /a g not*; torch /c g unknown; ", 2 },
	{ "what only helps another framework has no line",
	  "('/a', 'xformers', '1', 'g', 1, 'runs', 'w', 1, 1, 1),"
	  "('/a', 'vllm', '1', 'g', 1, 'runs', 'w', 1, 1, 1)",
	  "vllm /a g runs*; ", 1 },
	{ "a device that programs are not meant for counts for nobody",
	  "('/a', 'torch', NULL, 'gfx1036', 0, 'runs', 'w', 0, 1, 1)", "", 0 },
	{ "a framework without a version",
	  "('/usr/bin/ollama', 'ollama', NULL, 'g', 1, 'unknown', 'w', 0, 0, 0)",
	  "ollama /usr/bin/ollama g unknown; ", 0 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct facts *f = facts_new();
		struct arena a = { 0 };
		struct environments all;

		add(f, cases[i].rows);
		environments_rank(facts_db(f), &a, &all);
		if (!check_note(strcmp(told(&all), cases[i].want) == 0, __FILE__, __LINE__,
				cases[i].why))
			printf("  got  \"%s\"\n  want \"%s\"\n", told(&all), cases[i].want);
		CHECK_INT(all.working, cases[i].working);
		arena_done(&a);
		facts_free(f);
	}
	return check_end();
}
