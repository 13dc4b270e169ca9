#include "parse/version-py.h"

#include "check-span.h"

/* As they stand in the wheels and packages named. */
static const char torch_241[] = "from typing import Optional\n\n"
				"__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n"
				"__version__ = '2.4.1+cu121'\n"
				"debug = False\n"
				"cuda: Optional[str] = '12.1'\n"
				"git_version = '38b96d3399a695e704ed39b60dac733c3fbf20e2'\n"
				"hip: Optional[str] = None\n";
static const char torch_old[] = "__version__ = '1.13.1+rocm5.2'\ndebug = False\n"
				"cuda = None\nhip = '5.2.21151-afdc89f8'\n";
static const char vllm_092[] = "version: str\n__version__: str\n\n"
			       "__version__ = version = '0.9.2'\n"
			       "__version_tuple__ = version_tuple = (0, 9, 2)\n";
static const char jax_092[] = "_version = \"0.9.2\"\n_release_version: str = '0.9.2'\n"
			      "  __version__ = \"indented\"\n__version__ = _get_version_string()\n";
static const char numpy_23[] = "version = \"2.3.0rc1\"\n__version__ = version\n"
			       "release = 'dev' not in version and '+' not in version\n";
static const char vision[] = "__version__ = '0.19.1+cu121'\nif x > 0:\n    cuda = x\n";

static const struct {
	const char *text;
	const char *name;
	const char *value; /* NULL: not there */
	bool quoted;
	const char *why;
} finds[] = {
	{ torch_241, "__version__", "2.4.1+cu121", true, "plain" },
	{ torch_241, "cuda", "12.1", true, "annotated" },
	{ torch_241, "hip", "None", false, "none" },
	{ torch_241, "debug", "False", false, "a word" },
	{ torch_241, "__all__", NULL, false, "a list is no literal" },
	{ torch_old, "hip", "5.2.21151-afdc89f8", true, "not annotated" },
	{ torch_old, "cuda", "None", false, "none, not annotated" },
	{ vllm_092, "__version__", "0.9.2", true, "two names for one value" },
	{ vllm_092, "version", "0.9.2", true, "the second name" },
	{ vllm_092, "version_tuple", NULL, false, "a tuple is no literal" },
	{ jax_092, "_release_version", "0.9.2", true, "jax" },
	{ jax_092, "__version__", NULL, false, "a call, and an indented line" },
	{ numpy_23, "version", "2.3.0rc1", true, "double quotes" },
	{ numpy_23, "release", NULL, false, "an expression that begins with a literal" },
	{ vision, "cuda", NULL, false, "inside a branch" },
	{ "x = 'a'\nx = 'b'\n", "x", "b", true, "the last one counts" },
	{ "x = 'a' # why\n", "x", "a", true, "a comment behind it" },
	{ "x = 'a'\r\n", "x", "a", true, "line ends of Windows" },
	{ "x = 'a\\'b'\n", "x", NULL, false, "an escape is not read" },
	{ "x = 'a\n", "x", NULL, false, "not closed" },
	{ "x == 'a'\n", "x", NULL, false, "a comparison" },
	{ "x: 'y' = \"a\"\n", "x", "a", true, "an annotation in quotes" },
	{ "x += 'a'\n", "x", NULL, false, "adds" },
	{ "1x = 'a'\n", "1x", NULL, false, "no name" },
	{ "x = ", "x", NULL, false, "nothing behind" },
	{ "", "x", NULL, false, "empty" },
};

/* tensorflow 2.22.0 of the registry, and a dictionary. */
static const struct {
	const char *text;
	const char *key;
	const char *value;
	const char *why;
} pairs[] = {
	{ "build_info = collections.OrderedDict([('is_cuda_build', True), ('is_rocm_build', False)])",
	  "is_rocm_build", "False", "a list of pairs" },
	{ "{\"rocm_version\" : \"6.1\", \"x\": None}", "rocm_version", "6.1", "a dictionary" },
	{ "{'a': [1]}", "a", NULL, "no literal" },
	{ "['is_rocm_build']", "is_rocm_build", NULL, "no value" },
	{ "'it''s', ('hip', '6.1')", "hip", "6.1", "quotes before" },
	{ "'a", "a", NULL, "not closed" },
	{ "'hip',", "hip", NULL, "ends" },
	{ "", "a", NULL, "empty" },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(finds); i++) {
		struct version_py v = { .value = SPAN_LITERAL("untouched") };
		bool found = version_py_find(span_of(finds[i].text), finds[i].name, &v);

		ROW_CHECK(found == (finds[i].value != NULL), finds[i].why);
		ROW_SPAN(v.value, finds[i].value ? finds[i].value : "untouched", finds[i].why);
		ROW_CHECK(v.quoted == finds[i].quoted, finds[i].why);
	}
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		struct span value = SPAN_LITERAL("untouched");
		bool found = version_py_pair(span_of(pairs[i].text), pairs[i].key, &value);

		ROW_CHECK(found == (pairs[i].value != NULL), pairs[i].why);
		ROW_SPAN(value, pairs[i].value ? pairs[i].value : "untouched", pairs[i].why);
	}
	return check_end();
}
