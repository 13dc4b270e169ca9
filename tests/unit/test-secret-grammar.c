/*
 * Secrets made by a grammar: each name, behind it each separator, each wrapper around the key, in each
 * surrounding. A list of examples proves the examples; this finds the pair that nobody thought of.
 * With an argument every form that survives is printed; without one, the counts by separator and wrapper.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "check.h"
#include "scrub/find-secret.h"

static const char *const names[] = {
	"api_key",       "HF_TOKEN",  "password",  "OPENAI_API_KEY", "secretAccessKey",
	"hf-token",      "apiKey",    "passwd",    "client_secret",  "DB_PASS",
	"wandb_api_key", "authToken", "password2", "Passphrase",     "access_token",
};

/* N is the name. What begins with a quote needs no other around it. */
static const char *const separators[] = {
	"N=",
	"N = ",
	"N: ",
	"N:",
	"N : ",
	"N => ",
	"\"N\": ",
	"\"N\":",
	"'N': ",
	"\"N\" : ",
	"'N' => ",
	"N := ",
	"N -> ",
	"--N=",
	"\\\"N\\\": \\\"\\\", \\\"N\\\": ",
	"[\"N\"] = ",
	"&quot;N&quot;: ",
	"N\302\240=\302\240",
	"N\357\274\232",
	"N\357\274\235",
	"N &#61; ",
};

/* K is the key. */
static const char *const wrappers[] = {
	"K",
	"'K'",
	"\"K\"",
	"b'K'",
	"r\"K\"",
	"['K']",
	"[\"K\"]",
	"[ \"K\" ]",
	"('K',)",
	"('K')",
	"{'K'}",
	"['first', 'K']",
	"[\"K\", \"second\"]",
	"[\"one\", \"K\", \"two\"]",
	"SecretStr('K')",
	"SecretStr(\"K\")",
	"Some(\"K\")",
	"Some( \"K\" )",
	"SecretBytes(b'K')",
	"Some(Secret(\"K\"))",
	"[SecretStr('K')]",
	"(SecretStr('K'),)",
	"Token(\"K\")",
	"!vault K",
	"!vault 'K'",
	"&anchor K",
	"[[\"K\"]]",
	"`K`",
	"\342\200\234K\342\200\235",
	"\342\200\230K\342\200\231",
	"&quot;K&quot;",
	"&#39;K&#39;",
	"\\\"K\\\"",
	"\\u0022K\\u0022",
	"str('K')",
	"bytes(b'K', 'utf-8')",
	"Some(\n        \"K\",\n    )",
	"[\n  \"K\"\n]",
	"[K]",
	"\"\"\"K\"\"\"",
};

static const char *const surroundings[] = {
	"F",
	"INFO 10-02 12:00:42 Namespace(host=None, port=8000, F, model='x')",
	"{\"host\": null, F, \"model\": \"x\"}",
	"Args { model_id: \"x\", F, port: 80 }",
};

/* Chosen as people choose, random, and digits alone of base 16. */
static const char *const keys[] = { "Zq7Xw2Lm9Tb4Rv6Kd8Pn", "hunter22",
				    "5f3ac91d7be04c62a8d19e7735bc40fe" };

static struct secret_rules rules;

static void add_with(struct buf *out, const char *form, char hole, const char *what)
{
	for (; *form; form++)
		if (*form == hole)
			buf_span(out, span_of(what));
		else
			buf_add(out, form, 1);
}

static bool survives(struct span text, const char *key)
{
	struct secret_found found;
	struct buf out = { 0 };
	size_t at = 0;
	bool is;

	while (find_secret(&rules, NULL, text, at, &found)) {
		buf_add(&out, text.data + at, found.start - at);
		buf_span(&out, span_of("(withheld)"));
		at = found.start + found.len;
	}
	buf_add(&out, text.data + at, text.len - at);
	is = span_find((struct span){ out.data, out.len }, span_of(key)) != SIZE_MAX;
	buf_done(&out);
	return is;
}

/* environ["NAME"] = x is a variable of a program. */
static bool is_code(const char *separator, const char *wrapper)
{
	return separator[0] == '[' && !strpbrk(wrapper, "\"'`;\342");
}

static size_t made, left, by_separator[COUNT(separators)], by_wrapper[COUNT(wrappers)];

static void try_form(size_t name, size_t separator, size_t wrapper, size_t around, const char *key,
		     bool print)
{
	struct buf pair = { 0 }, wrapped = { 0 }, text = { 0 };

	add_with(&pair, separators[separator], 'N', names[name]);
	add_with(&wrapped, wrappers[wrapper], 'K', key);
	buf_add(&pair, wrapped.data, wrapped.len);
	buf_add(&pair, "", 1);
	add_with(&text, surroundings[around], 'F', pair.data);
	if (is_code(separators[separator], wrappers[wrapper]))
		goto done;
	made++;
	if (survives((struct span){ text.data, text.len }, key)) {
		left++;
		by_separator[separator]++;
		by_wrapper[wrapper]++;
		if (print)
			printf("%.*s\n", (int)text.len, text.data);
	}
done:
	buf_done(&pair);
	buf_done(&wrapped);
	buf_done(&text);
}

int main(int argc, char **argv)
{
	(void)argv;
	CHECK(secret_rules_load(&rules));
	for (size_t n = 0; n < COUNT(names); n++)
		for (size_t s = 0; s < COUNT(separators); s++)
			for (size_t w = 0; w < COUNT(wrappers); w++)
				for (size_t a = 0; a < COUNT(surroundings); a++)
					for (size_t k = 0; k < COUNT(keys); k++)
						try_form(n, s, w, a, keys[k], argc > 1);
	printf("%zu forms made, %zu survive\n", made, left);
	for (size_t s = 0; s < COUNT(separators); s++)
		printf("%6zu  %s\n", by_separator[s], separators[s]);
	for (size_t w = 0; w < COUNT(wrappers); w++)
		printf("%6zu  %s\n", by_wrapper[w], wrappers[w]);
	CHECK(made >= 5000);
	CHECK(left == 0);
	secret_rules_done(&rules);
	return 0;
}
