/* What is said of a machine, and what follows from it. */

#include "explain/state.h"

#include "base/names.h"
#include "check-facts.h"
#include "kb/words.h"

extern const char data_spoken_names[];

#define SAID \
	"SELECT group_concat(name || '=' || value, ' ') FROM (SELECT * FROM statement ORDER BY rowid)"

/* A JSON object in, the answer of a statement out. */
struct state_case {
	const char *why;
	const char *json;
	const char *sql;
	const char *want;
};

static const struct state_case cases[] = {
	{ "nulls, lists and unknown keys are skipped",
	  "{\"gfx\": \"gfx1030\", \"rocm\": null, \"os\": [1], \"weather\": \"fine\"}", SAID,
	  "gfx=gfx1030" },
	{ "a number is a text", "{\"rocm\": 6.2}", "SELECT value, version FROM statement",
	  "6.2|6.2" },
	{ "the same twice is said once", "{\"gfx\": \"gfx90a\", \"gfx\": \"gfx90a\"}", SAID,
	  "gfx=gfx90a" },
	{ "a product names its gfx", "{\"gpu\": \"AMD Radeon RX 6750 XT\"}",
	  "SELECT value FROM statement WHERE name = 'gfx'", "gfx1031" },
	{ "the longest name counts: XTX is not XT", "{\"gpu\": \"Sapphire RX 7900 XTX Nitro+\"}",
	  "SELECT value FROM statement WHERE name = 'gfx'", "gfx1100" },
	{ "what is said of the gfx wins over the product",
	  "{\"gpu\": \"RX 6750 XT\", \"gfx\": \"gfx1030\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx1030" },
	{ "people leave the blank and RX out", "{\"gpu\": \"7900XTX\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx1100" },
	{ "and Graphics", "{\"gpu\": \"780M\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx1103" },
	{ "the chip's name does, too", "{\"gpu\": \"Ryzen AI MAX+ 395 (Strix Halo, 128 GB)\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx1151" },
	{ "a number alone may be a processor", "{\"gpu\": \"Ryzen 5 6600\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "-" },
	{ "MI25 is not in MI250X", "{\"gpu\": \"MI250X\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx90a" },
	{ "a name sold as two targets names none", "{\"gpu\": \"Vega 10\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "-" },
	{ "several targets in a text", "{\"gfx\": \"gfx1100, gfx1036 (integrated)\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx1100,gfx1036" },
	{ "features do not belong to it", "{\"gfx\": \"gfx90a:sramecc+:xnack-\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx90a" },
	{ "a family is no target", "{\"gfx\": \"gfx110X\"}",
	  "SELECT group_concat(value) FROM statement WHERE name = 'gfx'", "gfx110X" },
	{ "words behind an override are not its value",
	  "{\"env_vars\": {\"HSA_OVERRIDE_GFX_VERSION\": \"10.3.0 (in the unit)\"}}",
	  "SELECT value FROM statement WHERE name = 'override'", "10.3.0" },
	{ "nobody knows this product", "{\"gpu\": \"Voodoo 3\"}",
	  "SELECT count(*) FROM statement WHERE name = 'gfx'", "0" },
	{ "WSL goes before the Linux in it", "{\"os\": \"WSL2 Ubuntu 22.04\"}",
	  "SELECT value FROM statement WHERE name = 'system'", "wsl" },
	{ "Windows", "{\"os\": \"Win11 24H2\"}",
	  "SELECT value FROM statement WHERE name = 'system'", "windows" },
	{ "a kernel tells of WSL", "{\"kernel\": \"5.15.167.4-microsoft-standard-WSL2\"}",
	  "SELECT value FROM statement WHERE name = 'system'", "wsl" },
	{ "a distribution is Linux", "{\"os\": \"Arch\"}",
	  "SELECT value FROM statement WHERE name = 'system'", "linux" },
	{ "a wheel's tag tells its ROCm",
	  "{\"framework\": \"PyTorch\", \"framework_version\": \"2.5.1+rocm6.2\"}",
	  "SELECT name, value FROM statement WHERE name LIKE 'torch%' ORDER BY name",
	  "torch|2.5.1+rocm6.2\ntorch_build|rocm\ntorch_rocm|6.2" },
	{ "a build for CUDA", "{\"torch\": \"2.6.0+cu124\"}",
	  "SELECT value FROM statement WHERE name = 'torch_build'", "cuda" },
	{ "a build for the processor", "{\"torch\": \"2.6.0+cpu\"}",
	  "SELECT value FROM statement WHERE name = 'torch_build'", "cpu" },
	{ "another framework keeps its version to itself",
	  "{\"framework\": \"ollama\", \"framework_version\": \"0.3.6\"}",
	  "SELECT name, version FROM statement WHERE value = '0.3.6' ORDER BY name",
	  "ollama|0.3.6\nversion|0.3.6" },
	{ "people write it in capitals, and statements have no points in their names",
	  "{\"framework\": \"LLAMA.CPP b4000\", \"framework_version\": \"b4000\"}",
	  "SELECT name FROM statement WHERE value = 'b4000' ORDER BY name", "llama_cpp\nversion" },
	{ "torch is named together with what runs on it",
	  "{\"framework\": \"vLLM on PyTorch\", \"framework_version\": \"0.9.2\"}",
	  "SELECT name FROM statement WHERE value = '0.9.2' ORDER BY name", "version\nvllm" },
	{ "variables are facts of the environment",
	  "{\"env_vars\": {\"HSA_OVERRIDE_GFX_VERSION\": \"10.3.0\", \"A\": null}}",
	  "SELECT name, value, origin FROM env", "HSA_OVERRIDE_GFX_VERSION|10.3.0|stated" },
	{ "variables in one text",
	  "{\"env_vars\": \"HSA_XNACK=1 HIP_VISIBLE_DEVICES=0,1, and =2\"}",
	  "SELECT name, value, origin FROM env ORDER BY name",
	  "HIP_VISIBLE_DEVICES|0,1,|stated\nHSA_XNACK|1|stated" },
	{ "set and empty is not the same as not set",
	  "{\"env_vars\": {\"HIP_VISIBLE_DEVICES\": \"\"}, \"gfx\": \"\"}",
	  "SELECT name, length(value) FROM env UNION SELECT name, 0 FROM statement",
	  "HIP_VISIBLE_DEVICES|0" },
	{ "and the override is a statement too",
	  "{\"env_vars\": {\"HSA_OVERRIDE_GFX_VERSION\": \"10.3.0\"}}",
	  "SELECT value FROM statement WHERE name = 'override'", "10.3.0" },
	{ "what was said is asked and stated, never observed", "{\"gfx\": \"gfx1100\"}",
	  "SELECT DISTINCT origin FROM statement", "stated" },
};

static void check_case(const struct state_case *c)
{
	struct facts *facts = facts_new();
	struct state state = { .facts = facts };
	struct json_node *top;
	const char *got;

	if (!CHECK(json_tree_parse(span_of(c->json), &state.arena, &top, NULL) == 0))
		return;
	state_json(&state, top, "test");
	state_conclude(&state);
	facts_end(facts);
	got = answer_of(facts, c->sql);
	if (!check_note(strcmp(got, c->want) == 0, __FILE__, __LINE__, c->why))
		printf("  got  \"%s\"\n  want \"%s\"\n", got, c->want);
	answer_of(NULL, NULL);
	state_done(&state);
	facts_free(facts);
}

static void check_version(const char *text, const char *want)
{
	struct span version = { "", 0 };
	bool found = state_version(span_of(text), &version);

	CHECK_INT(found, want != NULL);
	if (found && want && !CHECK(span_is(version, want)))
		printf("  %s: got %.*s, want %s\n", text, (int)version.len, version.data, want);
}

/* A line that nobody understands, or a name that no statement has, would be silent. */
static void check_spoken(void)
{
	struct span rest = span_of(data_spoken_names), word, words, kind, name, more;

	while (names_next(&rest, &word, &words)) {
		size_t i = 0;

		if (!CHECK(span_word(&words, &kind) && span_word(&words, &name) &&
			   !span_word(&words, &more)))
			continue;
		CHECK(span_is(kind, "system") || span_is(kind, "framework"));
		while (words_stated[i] && !span_is(name, words_stated[i]))
			i++;
		CHECK(span_is(kind, "system") || words_stated[i]);
	}
}

/* A log may state things without end. */
static void check_flood(void)
{
	struct facts *facts = facts_new();
	struct state state = { .facts = facts };
	char value[32];

	for (int i = 0; i < 5000; i++) {
		snprintf(value, sizeof(value), "6.%d", i);
		state_say(&state, &(struct said){ "rocm", span_of(value), "log:1", "log" });
	}
	state_conclude(&state);
	CHECK_TEXT(answer_of(facts, "SELECT count(*) <= 400, (SELECT group_concat(topic || ' ' ||"
				    " detail) FROM gap) FROM statement"),
		   "1|statement too many statements");
	answer_of(NULL, NULL);
	state_done(&state);
	facts_free(facts);
}

/* What is stated, a line with the gfx and the override of the log, and the GPU's own gfx of it. */
static const struct {
	const char *why, *stated, *log_gpu, *log_gfx, *override, *said, *own;
} own_cases[] = {
	{ "the override's gfx is not that of the stated GPU", "RX 7700S", NULL, "gfx1100", "11.0.0",
	  "gfx1102", "gfx1102" },
	{ "nor that of the GPU that the log names", NULL, "AMD Radeon RX 6700 XT", "gfx1030",
	  "10.3.0", "gfx1031", "gfx1031" },
	{ "another GPU of the log stays", "RX 7700S", NULL, "gfx1100, gfx1036", "11.0.0",
	  "gfx1036,gfx1102", "gfx1102" },
	{ "it stays if the GPU has it", "RX 7900 XTX", NULL, "gfx1100", "11.0.0", "gfx1100",
	  "gfx1100" },
	{ "and if nobody knows the GPU", NULL, NULL, "gfx1100", "11.0.0", "gfx1100", "gfx1100" },
	{ "a stated product goes before what is read", "RX 7700S", NULL, "gfx1036", NULL,
	  "gfx1036,gfx1102", "gfx1102" },
	{ "one that was read does not", NULL, "Radeon RX 7700S", "gfx1036", NULL, "gfx1036",
	  "gfx1036" },
	{ "a stated gfx is kept, whatever the override", "gfx1100", "Radeon RX 7700S", "gfx1100",
	  "11.0.0", "gfx1100", "gfx1100" },
};

static void say(struct state *s, const char *name, const char *value, const char *origin)
{
	if (value)
		state_say(s, &(struct said){ name, span_of(value), "test:1", origin });
}

static void check_own(size_t i)
{
	struct facts *facts = facts_new();
	struct state state = { .facts = facts };
	const char *stated = own_cases[i].stated;

	say(&state, stated && span_starts(span_of(stated), "gfx") ? "gfx" : "gpu", stated,
	    "stated");
	say(&state, "gpu", own_cases[i].log_gpu, "log");
	say(&state, "gfx", own_cases[i].log_gfx, "log");
	say(&state, "override", own_cases[i].override, "log");
	state_conclude(&state);
	check_note(strcmp(answer_of(facts, "SELECT group_concat(value) FROM statement"
					   " WHERE name = 'gfx'"),
			  own_cases[i].said) == 0,
		   __FILE__, __LINE__, own_cases[i].why);
	CHECK_TEXT(answer_of(facts, "SELECT group_concat(gfx) FROM gpu"), own_cases[i].own);
	answer_of(NULL, NULL);
	state_done(&state);
	facts_free(facts);
}

int main(void)
{
	check_spoken();
	for (size_t i = 0; i < sizeof(own_cases) / sizeof(own_cases[0]); i++)
		check_own(i);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
	check_version("rocm6.1 wheel", "6.1");
	check_version("2.5.1+rocm6.2", "2.5.1");
	check_version("ROCm 7", "7");
	check_version("6.8.0-60-generic", "6.8.0");
	check_version("v1.", "1");
	check_version("20241016123", NULL); /* no version, a date or a number */
	check_version("latest", NULL);
	check_version("", NULL);
	check_flood();
	return check_end();
}
