#include "parse/expect.h"

#include <stdio.h>

#include "check-span.h"

static const struct {
	const char *text;
	const char *name; /* NULL: not even a line */
	uint64_t tenths;
	const char *why;
} rows[] = {
	{ "gpus=8", "gpus", 80, "as --expect has it" },
	{ "# a node\n\n gpus = 0 \n", "gpus", 0, "as the file has it; none is a number" },
	{ "gpus=8\r\n", "gpus", 80, "edited on another system" },
	{ "gpus=100000", "gpus", 1000000, "the most" },
	{ "gpus=100001", "", 0, "a slip of the finger" },
	{ "gpu=8", "", 0, "no such name" },
	{ "gpus", "", 0, "no number" },
	{ "gpus=", "", 0, "an empty number" },
	{ "gpus=-1", "", 0, "fewer than none" },
	{ "gpus=eight", "", 0, "a word" },
	{ "gpus=8 # two hives", "", 0, "a comment is a line of its own" },
	{ "=8", "", 0, "no name" },
	{ "gpus=99999999999999999999", "", 0, "more than 64 bits" },
	{ "gpus=8.0", "", 0, "half a GPU could be meant" },
	{ "pcie_gts = 2.5", "pcie_gts", 25, "a speed has tenths" },
	{ "pcie_gts = 32", "pcie_gts", 320, "and need not" },
	{ "nic_gbps = 2.55", "", 0, "no hundredths" },
	{ "nic_gbps = .5", "", 0, "nothing before the point" },
	{ "nic_gbps = 2.", "", 0, "nothing behind the point" },
	{ "firmware.smc = 0x00557d00", "firmware.smc", 0, "any firmware" },
	{ "firmware = 0x1", "", 0, "which one" },
	{ "compute_partition = CPX", "compute_partition", 0, "a word" },
	{ "driver = 6.10.5 6.12", "", 0, "two words" },
	{ "driver =", "", 0, "no word" },
	{ "vbios = \x1b[31m", "", 0, "what a terminal would obey" },
	{ "nic = 0000:51:00.0", "nic", 0, "a PCI address" },
	{ "kernel_arg.pci = realloc=off", "kernel_arg.pci", 0, "a value with a sign of its own" },
	{ "kernel_arg. = x", "kernel_arg.", 0, "no name: no machine has it" },
	{ "sysctl.kernel.numa_balancing = 0", "sysctl.kernel.numa_balancing", 0, "a sysctl" },
	{ "sysctl.vm.x = 4096 87380", "sysctl.vm.x", 0, "several numbers" },
	{ "sysctl.kernel.random.uuid = 1", "", 0, "not below its directory" },
	{ "sysctl.kernel..x = 1", "", 0, "no path" },
	{ "sysctl.net.core = 1", "", 0, "not one of the three directories" },
	{ "# gpus=8\n", NULL, 0, "a comment alone" },
	{ "", NULL, 0, "empty" },
};

static const struct {
	const char *text;
	const char *line; /* that spoils all of it; NULL: none */
	const char *why;
} files[] = {
	{ "gpus=8\nnics=8\n", NULL, "two names" },
	{ "nic=0000:51:00.0\nnic=0000:52:00.0\n", NULL, "several cards" },
	{ "gpus=8\ngpus=8\n", "gpus=8", "even the same" },
	{ "gpus=8\nnics=many\ndriver=1\n", "nics=many", "not a number" },
	{ "", NULL, "nothing is expected" },
};

static void check_whole(void)
{
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct span line = { NULL, 0 };
		const char *why = NULL;
		bool good = expect_check(span_of(files[i].text), &line, &why);

		ROW_CHECK(good == !files[i].line, files[i].why);
		ROW_SPAN(line, files[i].line ? files[i].line : "", files[i].why);
		ROW_CHECK(good == !why, files[i].why);
	}
}

static void check_long(void)
{
	static char text[(EXPECT_LINES_MAX + 1) * 32];
	struct span line;
	const char *why;
	size_t at = 0;

	for (int i = 0; i < EXPECT_LINES_MAX; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "nic=0000:%02x:00.0\n", i);
	CHECK(expect_check(span_of(text), &line, &why));
	snprintf(text + at, sizeof(text) - at, "gpus=8\n");
	CHECK(!expect_check(span_of(text), &line, &why));
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span rest = span_of(rows[i].text);
		struct expect e = { 0 };
		bool found = expect_next(&rest, &e);

		ROW_CHECK(found == (rows[i].name != NULL), rows[i].why);
		ROW_SPAN(e.name, rows[i].name ? rows[i].name : "", rows[i].why);
		ROW_CHECK(e.name.len == 0 || e.tenths == rows[i].tenths, rows[i].why);
	}
	check_whole();
	check_long();
	return check_end();
}
