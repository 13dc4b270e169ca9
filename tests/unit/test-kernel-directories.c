#include "code/kernel-directories.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "check-scratch.h"
#include "check-span.h"
#include "code/kernels.h"
#include "survey/ask-environments.h"
#include "survey/ask-libraries.h"
#include "survey/ask-packages.h"

extern const char data_kernel_directories[];

/* The lines about kernels alone. */
static void ask(int (*question)(struct door *d, struct span argument, struct buf *ret),
		const char *argument, struct buf *ret)
{
	struct door_options options = { 0 };
	struct buf answer BUF_SCOPED = { 0 };
	struct span rest, line;
	struct door d;

	CHECK_INT(door_init(&d, DOOR_TREE, scratch_top, &options), 0);
	d.beacon = beacon_new();
	CHECK_INT(question(&d, span_of(argument), &answer), 0);
	beacon_free(d.beacon);
	door_done(&d);
	buf_text(ret, "");
	for (rest = buf_get(&answer); span_line(&rest, &line);)
		if (span_starts(line, "kernels ")) {
			buf_span(ret, line);
			buf_char(ret, '\n');
		}
}

/* A word that nobody knows would be silent, and so would a kind. */
static void check_table(void)
{
	struct span rest = span_of(data_kernel_directories), ending, words, kind, place, more;
	size_t count, lines = 0;

	(void)kernel_directories(&count);
	for (; names_next(&rest, &ending, &words); lines++) {
		struct buf path BUF_SCOPED = { 0 };
		const char *known;

		buf_text(&path, "/any/");
		for (size_t i = 0; i < ending.len; i++)
			if (ending.data[i] == '*')
				buf_text(&path, "7.2.4");
			else
				buf_char(&path, ending.data[i]);
		known = kernels_kind(buf_get(&path));
		CHECK(span_word(&words, &kind) && known && span_is(kind, known));
		if (span_word(&words, &place))
			CHECK(span_is(place, "lib") || span_is(place, "share"));
		CHECK(!span_word(&words, &more));
	}
	CHECK_INT(lines, count);
}

#define THREE(dir)                                                                       \
	"kernels " dir "rocblas/library\nkernels " dir "hipblaslt/library\nkernels " dir \
	"hipsparselt/library\n"

static void put_kernels(const char *lib, const char *share)
{
	static const char *const names[] = { "rocblas/library", "hipblaslt/library",
					     "hipsparselt/library", "aotriton.images" };
	char path[256];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		snprintf(path, sizeof(path), "%s/%s/x", lib, names[i]);
		scratch_put(path, "");
	}
	snprintf(path, sizeof(path), "%s/miopen/db/x", share);
	scratch_put(path, "");
}

static void check_install(void)
{
	struct buf said BUF_SCOPED = { 0 }, versioned BUF_SCOPED = { 0 };

	scratch_put("/opt/rocm/lib/librocblas.so.5", "");
	put_kernels("/opt/rocm/lib", "/opt/rocm/share");
	ask(ask_libraries, "/opt/rocm/lib", &said);
	CHECK_TEXT(said.data, THREE("/opt/rocm/lib/") "kernels /opt/rocm/share/miopen/db\n"
						      "kernels /opt/rocm/lib/aotriton.images\n");
	scratch_put("/usr/lib/librocblas.so.5", "");
	scratch_put("/usr/lib/rocblas/4.4.1/library/x", "");
	scratch_put("/usr/lib/hipsparselt/0.2/library/x", "");
	scratch_put("/usr/lib/hipblaslt/library/x", "");
	scratch_put("/usr/lib/hipblaslt/1.0/library/x", "");
	ask(ask_libraries, "/usr/lib", &versioned);
	CHECK_TEXT(versioned.data, "kernels /usr/lib/rocblas/4.4.1/library\n"
				   "kernels /usr/lib/hipblaslt/library\n"
				   "kernels /usr/lib/hipsparselt/0.2/library\n");
}

static void check_application(void)
{
	struct buf said BUF_SCOPED = { 0 };

	scratch_put("/usr/local/bin/ollama", "");
	put_kernels("/usr/local/lib/ollama/rocm", "/usr/local/lib/ollama/share");
	ask(ask_environments, "", &said);
	CHECK_TEXT(
		said.data,
		THREE("/usr/local/lib/ollama/rocm/") "kernels /usr/local/lib/ollama/rocm/aotriton.images\n");
}

#define SITE "/home/ann/venv/lib/python3.11/site-packages"
#define INFO SITE "/torch-2.4.1.dist-info/"

/* By the list of its files, and by its directories where it has none. */
static void check_package(void)
{
	static const char files[] = "torch/lib/hipblaslt/library/x,,\n"
				    "torch/lib/hipsparselt/library/gfx942/x,,\n"
				    "torch/lib/rocblas/library/x,,\ntorch/share/miopen/db/x,,\n"
				    "torch/lib/aotriton.images/amd-gfx90a/flash/x,,\n";
	struct buf listed BUF_SCOPED = { 0 }, there BUF_SCOPED = { 0 };

	scratch_put(INFO "METADATA", "Name: torch\nVersion: 2.4.1\n");
	scratch_put(INFO "RECORD", files);
	ask(ask_packages, SITE, &listed);
	CHECK_TEXT(listed.data, "kernels torch torch/lib/hipblaslt/library\n"
				"kernels torch torch/lib/hipsparselt/library\n"
				"kernels torch torch/lib/rocblas/library\n"
				"kernels torch torch/share/miopen/db\n"
				"kernels torch torch/lib/aotriton.images\n");
	CHECK_INT(unlink(scratch_path(INFO "RECORD")), 0);
	put_kernels(SITE "/torch/lib", SITE "/torch/share");
	ask(ask_packages, SITE, &there);
	CHECK_TEXT(there.data,
		   THREE("torch torch/lib/") "kernels torch torch/share/miopen/db\n"
					     "kernels torch torch/lib/aotriton.images\n");
}

int main(void)
{
	check_table();
	if (!scratch_begin())
		return check_end();
	check_install();
	check_application();
	check_package();
	scratch_end();
	return check_end();
}
