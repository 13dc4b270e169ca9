#include "probe/devices.h"

#include "check-span.h"

static struct device *read_devices(struct arena *a, const struct probe_options *o,
				   const char *lines, size_t *ret_count)
{
	struct answer answer = { 0 };
	struct span rest = span_of(lines), line;
	struct device *all;

	while (span_line(&rest, &line))
		answer_line(&answer, line);
	answer_end(&answer, 0);
	all = devices_read(a, o, &answer, ret_count);
	answer_done(&answer);
	return all;
}

static const struct {
	const char *lines, *addresses, *why;
} cases[] = {
	{ "value 0 0000:03:00.0\nvalue 1 0001:43:00.0\nanswered\n",
	  "0=0000:03:00.0 1=0001:43:00.0 ", "plain" },
	{ "value 3 0000:03:00.0/p1\nanswered\n", "3=0000:03:00.0/p1 ", "a partition, by its name" },
	{ "value 0 0000:03:00.0\nvalue 1 0000:04:00.0\nvalue 2 0000:03:00.0\nvalue 3 0000:03:00.0\n"
	  "answered\n",
	  "0=0000:03:00.0/p0 1=0000:04:00.0 2=0000:03:00.0/p1 3=0000:03:00.0/p2 ",
	  "partitions that were not told apart" },
	{ "value 0 here\nvalue x 0000:03:00.0\nvalue 999 0000:03:00.0\nvalue 1 ../../etc/passwd\n"
	  "value 2\nvalue agents 2\nanswered\n",
	  "0=- ", "none of these is a device" },
	{ "value 0 0000:03:00.0\nrefused 3\n", "0=- ", "not answered" },
	{ "answered\n", "0=- ", "no device" },
};

static void check_reading(struct arena *a)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct probe_options o = { 0 };
		struct buf got BUF_SCOPED = { 0 };
		size_t count;
		struct device *all = read_devices(a, &o, cases[i].lines, &count);

		for (size_t j = 0; j < count; j++)
			buf_addf(&got, "%d=%s ", all[j].index, all[j].address);
		ROW_SPAN(buf_get(&got), cases[i].addresses, cases[i].why);
	}
}

static void check_choice(struct arena *a)
{
	static const char lines[] = "value 0 0000:03:00.0\nvalue 1 0000:43:00.0/p1\nanswered\n";
	const struct probe_gpu gpus[] = { { "0000:43:00.0", true, false },
					  { "0000:03:00.0", false, true },
					  { "0000:43:00.0/p1", false, false } };
	struct probe_options o = { .device = "1", .gpus = gpus, .gpu_count = 3 };
	struct device *all;
	size_t count;

	all = read_devices(a, &o, lines, &count);
	CHECK(count == 2 && !all[0].chosen && all[1].chosen);
	CHECK_TEXT(all[0].barred, "the GPU drives a display");
	CHECK_TEXT(all[1].barred, "the GPU is in use by another process");
	o.force = true;
	o.device = "0000:03:00.0";
	all = read_devices(a, &o, lines, &count);
	CHECK(count == 2 && all[0].chosen && !all[1].chosen && !all[0].barred && !all[1].barred);
	o.device = "7";
	all = read_devices(a, &o, lines, &count);
	CHECK(count == 3 && all[2].is_none && all[2].chosen && all[2].unasked);
}

static void check_stand_in(struct arena *a)
{
	struct probe_options o = { 0 };
	struct device *all;
	size_t count;

	all = read_devices(a, &o, "refused 100\n", &count);
	CHECK(count == 1 && all[0].is_none && all[0].unasked);
	o.keep_going = true;
	all = read_devices(a, &o, "refused 100\n", &count);
	CHECK(count == 1 && all[0].is_none && !all[0].unasked && all[0].index == 0);
}

static void check_bounds(struct arena *a)
{
	struct probe_options o = { 0 };
	struct buf lines BUF_SCOPED = { 0 };
	struct answer told = { 0 };
	size_t count;

	for (int i = 0; i < 2000; i++)
		buf_addf(&lines, "value %d 0000:%02x:00.0\n", i % 256, i % 256);
	buf_text(&lines, "answered\n");
	answer_line(&told, SPAN_LITERAL("answered"));
	for (int i = 0; i < 300; i++)
		buf_addf(&told.lines, " value %d 0000:%02x:00.0\n", i, i % 256);
	(void)devices_read(a, &o, &told, &count);
	CHECK(count == DEVICES_MAX);
	CHECK_TEXT(told.said.data, " said (more than 256 devices: the others are not tested)\n");
	answer_done(&told);
	(void)read_devices(a, &o, lines.data, &count);
	CHECK(count == DEVICES_MAX);
}

int main(void)
{
	struct arena a = { 0 };

	check_reading(&a);
	check_choice(&a);
	check_stand_in(&a);
	check_bounds(&a);
	arena_done(&a);
	return check_end();
}
