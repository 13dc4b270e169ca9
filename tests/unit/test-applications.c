#include "survey/ask-environments.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "check-scratch.h"
#include "check-span.h"

extern const char data_applications[], data_libraries[];

/* The lines about applications alone. */
static void ask(struct buf *ret)
{
	struct door_options options = { 0 };
	struct buf answer BUF_SCOPED = { 0 };
	struct span rest, line;
	struct door d;

	CHECK_INT(door_init(&d, DOOR_TREE, scratch_top, &options), 0);
	d.beacon = beacon_new();
	CHECK_INT(ask_environments(&d, SPAN_LITERAL(""), &answer), 0);
	beacon_free(d.beacon);
	door_done(&d);
	for (rest = buf_get(&answer); span_line(&rest, &line);)
		if (span_starts(line, "app ") || span_starts(line, "library ") ||
		    span_starts(line, "kernels ")) {
			buf_span(ret, line);
			buf_char(ret, '\n');
		}
}

static void check_search(void)
{
	struct buf said BUF_SCOPED = { 0 };

	if (!scratch_begin())
		return;
	scratch_put("/usr/local/bin/ollama", "");
	scratch_put("/usr/local/lib/ollama/libggml-base.so", "");
	scratch_put("/usr/local/lib/ollama/rocm/libggml-hip.so", "");
	scratch_put("/usr/local/lib/ollama/rocm/librocblas.so.4", "");
	scratch_put("/usr/local/lib/ollama/rocm/rocblas/library/x.dat", "");
	scratch_put("/usr/local/lib/ollama/cuda_v12/libggml-cuda.so", "");
	scratch_put("/opt/built/llama-server", "");
	scratch_put("/opt/built/llama-server.txt", "");
	scratch_put("/opt/built/libggml-hip.so.0", "");
	scratch_put("/opt/koboldcpp-rocm", "");
	ask(&said);
	CHECK_TEXT(said.data, "app llama.cpp /opt/built/llama-server\n"
			      "library /opt/built/libggml-hip.so.0\n"
			      "app koboldcpp /opt/koboldcpp-rocm\n"
			      "app ollama /usr/local/bin/ollama\n"
			      "library /usr/local/lib/ollama/rocm/libggml-hip.so\n"
			      "library /usr/local/lib/ollama/rocm/librocblas.so.4\n"
			      "kernels /usr/local/lib/ollama/rocm/rocblas/library\n");
	scratch_end();
}

/* A line that nobody would understand is a mistake in the list, and would be silent. */
static void check_lists(void)
{
	static const char *const known[] = { "rocm",       "loaded",     "bundled",
					     "build=rocm", "build=cuda", NULL };
	struct span rest = span_of(data_libraries), name, words, word;

	while (names_next(&rest, &name, &words)) {
		size_t count = 0;

		for (; span_word(&words, &word); count++) {
			size_t i = 0;

			while (known[i] && !span_is(word, known[i]))
				i++;
			CHECK(known[i] != NULL);
		}
		CHECK(count > 0);
	}
	rest = span_of(data_applications);
	while (names_next(&rest, &name, &words)) {
		bool placed = memchr(name.data, '/', name.len) != NULL;

		CHECK(span_word(&words, &word));
		CHECK(span_word(&words, &word) == placed);
		CHECK(!placed || name.data[0] == '/' || span_starts(name, "~/"));
	}
}

static void check_libraries(void)
{
	static const struct {
		const char *name;
		bool rocm, loaded, bundled;
	} rows[] = {
		{ "librocblas.so.4.4.60401", true, true, true },
		{ "libamdhip64.so", true, true, true },
		{ "libamdxc64.so", false, true, false },
		{ "libggml-hip.so", true, true, true },
		{ "libggml-base.so", false, true, false },
		{ "libdevice_gemm_operations.so", true, false, false },
		{ "libstdc++.so.6", false, true, false },
		{ "libstdc++.so.60", false, false, false },
		{ "koboldcpp_hipblas.so", false, false, true },
		{ "libc.so.6", false, false, false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span name = span_of(rows[i].name);

		ROW_CHECK(names_has_as(data_libraries, name, "rocm") == rows[i].rocm, rows[i].name);
		ROW_CHECK(names_has_as(data_libraries, name, "loaded") == rows[i].loaded,
			  rows[i].name);
		ROW_CHECK(names_has_as(data_libraries, name, "bundled") == rows[i].bundled,
			  rows[i].name);
	}
}

int main(void)
{
	check_search();
	check_lists();
	check_libraries();
	return check_end();
}
