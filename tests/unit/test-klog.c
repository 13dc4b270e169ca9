#include "parse/klog.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "check.h"
#include "source-file.h"

static void check_refusals(void)
{
	static const struct {
		const char *text;
		unsigned int line;
		const char *why;
	} cases[] = {
		{ "a\tinfo\tnothing\tlong enough text\n", 1, "four columns" },
		{ "a\tinfo\tnothing\tlong enough text\tx\ty\n", 1, "six columns" },
		{ "a\tinfo\tnothing\tlong enough text\tx\t\n", 1,
		  "six columns, the last one empty" },
		{ "a\tinfo\tnothing\tlong enough text\t\n", 1, "no source" },
		{ "# c\n\na\tfatal\tnote\tlong enough text\tx\n", 3,
		  "no such severity; comments count" },
		{ "a\tproblem\tpray\tlong enough text\tx\n", 1, "no such action" },
		{ "a\tinfo\tnote\tlong enough text\tx\n", 1, "an info that asks for something" },
		{ "a\twarning\tnothing\tlong enough text\tx\n", 1,
		  "a warning that asks for nothing" },
		{ "a\tproblem\tnote\tlong enough text\tx\na\tproblem\tdrain\tanother long text\tx\n",
		  2, "a class of two actions" },
		{ "A\tinfo\tnothing\tlong enough text\tx\n", 1, "a class in upper case" },
		{ "a--b\tinfo\tnothing\tlong enough text\tx\n", 1,
		  "a class with two hyphens together" },
		{ "a-\tinfo\tnothing\tlong enough text\tx\n", 1, "a class that ends in a hyphen" },
		{ "a\tinfo\tnothing\tninebytes\tx\n", 1, "a literal of nine bytes alone" },
		{ "a\tinfo\tnothing\t{x}abcdef{y}ghijklm\tx\n", 1,
		  "two literals of thirteen together" },
		{ "a\tinfo\tnothing\tabcde{x}fghij{y}klmno\tx\n", 1,
		  "three short ones do not add up" },
		{ "a\tinfo\tnothing\tlong enough {text\tx\n", 1, "an open hole" },
		{ "a\tinfo\tnothing\tlong enough text}\tx\n", 1, "a hole that was not opened" },
		{ "a\tinfo\tnothing\tlong enough {}text\tx\n", 1, "a hole without a name" },
		{ "a\tinfo\tnothing\tlong enough {Text}\tx\n", 1, "a name in upper case" },
		{ "a\tinfo\tnothing\tlong enough {x}{y}\tx\n", 1, "two holes that touch" },
		{ "a\tinfo\tnothing\tlong enough {x} and {x}\tx\n", 1, "one name twice" },
		{ "a\tinfo\tnothing\tlong enough {a} {b} {c} {d} {e} {f} {g} {h} {i}\tx\n", 1,
		  "nine holes" },
		{ "a\tinfo\tnothing\tlong enough text\tx\nb\tinfo\tnothing\tlong enough text\tx\n",
		  2, "a pattern that can never win" },
		{ "a\tinfo\tnothing\tlong enough text\tx\na\tproblem\tnote\tanother long text\tx\n",
		  2, "a class of two severities" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct klog_table *table = NULL;
		struct klog_flaw flaw = { 0 };
		struct arena arena = { 0 };
		int r = klog_table_parse(&arena, span_of(cases[i].text), &table, &flaw);

		if (!CHECK(r == -EINVAL && !table && flaw.why && flaw.line == cases[i].line))
			printf("  %s: %d, line %u, %s\n", cases[i].why, r, flaw.line,
			       flaw.why ? flaw.why : "no reason");
		arena_done(&arena);
	}
}

static void check_size(void)
{
	struct klog_table *table = NULL;
	struct arena arena = { 0 };
	struct buf text = { 0 };

	for (int i = 0; i < KLOG_ROWS_MAX; i++)
		buf_addf(&text, "a\tinfo\tnothing\tlong enough text %d\tx\n", i);
	CHECK_INT(klog_table_parse(&arena, buf_get(&text), &table, NULL), 0);
	buf_text(&text, "a\tinfo\tnothing\tone row too many\tx\n");
	CHECK_INT(klog_table_parse(&arena, buf_get(&text), &table, NULL), -E2BIG);
	buf_done(&text);
	arena_done(&arena);
}

static void check_holes(void)
{
	static const struct {
		const char *line, *class, *hole, *value, *why;
	} cases[] = {
		{ "he did something good", "first", "who", "he", "a first hole begins the line" },
		{ "he did something good", "first", "what", "good", "a last hole ends it" },
		{ " did something ", "first", "what", "", "holes may be empty" },
		{ "he did something\ngood", NULL, NULL, NULL, "nothing behind a newline counts" },
		{ "x did something else", "first", "what", "else", "the earlier row wins" },
		{ "something else", "late", "what", NULL, "a hole of another row" },
		{ "abcdefghijklmn", "pair", "x", "", "two literals of seven side by side" },
		{ "abcdefg hijklmn hijklmn", "pair", "x", " ", "the shortest run" },
		{ "hijklmn abcdefg", NULL, NULL, NULL, "the order matters" },
		{ "abcdefg abcdefg hijklmn", "pair", "x", " abcdefg ", "from the first place" },
		{ "ended by a thing x", NULL, NULL, NULL, "the last literal is missing" },
		{ "ended by a thing x.y", "late", "x", "x", "text may follow" },
		{ "", NULL, NULL, NULL, "an empty line" },
		{ "abc", NULL, NULL, NULL, "shorter than any literal" },
	};
	struct klog_table *table;
	struct arena arena = { 0 };
	struct klog_flaw flaw = { 0 };
	struct klog_match match;

	CHECK_INT(klog_table_parse(&arena, span_of(""), &table, &flaw), 0);
	CHECK(!klog_class(table, span_of("anything at all, long enough to be looked at"), &match));
	CHECK_INT(klog_table_parse(&arena,
				   span_of("first\tinfo\tnothing\t{who} did something {what}\tx\n"
					   "pair\tinfo\tnothing\tabcdefg{x}hijklmn\tx\n"
					   "late\twarning\tnote\tsomething else\tx\n"
					   "late\twarning\tnote\tended by a thing {x}.\tx\n"),
				   &table, &flaw),
		  0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool hit = klog_class(table, span_of(cases[i].line), &match);
		bool good = hit == (cases[i].class != NULL);

		if (good && hit) {
			struct span value = klog_value(&match, cases[i].hole);

			good = span_is(match.row->class, cases[i].class) &&
			       (cases[i].value ? value.data && span_is(value, cases[i].value)
					       : value.data == NULL);
		}
		if (!CHECK(good))
			printf("  %s\n", cases[i].why);
	}
	arena_done(&arena);
}

/* What klog_class must answer, found the slow way: every row, every literal. */
static const struct klog_row *search_slowly(const struct klog_table *table, struct span line)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct klog_row *row = &table->rows[i];
		struct span rest = line;
		unsigned int k = 0;

		for (; k <= row->holes; k++) {
			size_t at = span_find(rest, row->literals[k]);

			if (at == SIZE_MAX)
				break;
			rest.data += at + row->literals[k].len;
			rest.len -= at + row->literals[k].len;
		}
		if (k > row->holes)
			return row;
	}
	return NULL;
}

struct seen {
	unsigned char good, near;
};

static void check_example(const struct klog_table *table, struct span example, struct seen *rows)
{
	struct span class = { 0 }, mark = { 0 }, line = example;
	struct klog_match match = { 0 };
	bool known = false, want, hit;

	CHECK(span_cut(&line, '\t', &class) && span_cut(&line, '\t', &mark));
	want = span_is(mark, "+");
	CHECK(want || span_is(mark, "-"));
	hit = klog_class(table, line, &match);
	CHECK((hit ? match.row : NULL) == search_slowly(table, line));
	if (hit)
		hit = match.row->class.len == class.len &&
		      memcmp(match.row->class.data, class.data, class.len) == 0;
	if (!CHECK(hit == want))
		printf("  %.*s\n", (int)example.len, example.data);
	if (hit && want)
		rows[match.row - table->rows].good = 1;
	for (size_t i = 0; i < table->count; i++) {
		if (table->rows[i].class.len == class.len &&
		    memcmp(table->rows[i].class.data, class.data, class.len) == 0) {
			known = true;
			rows[i].near |= !want;
		}
	}
	CHECK(known);
}

/* Every row has a line that it wins, and every class a near miss. */
static void check_examples(void)
{
	struct buf text = tree_file("data/kernel-log.tsv"),
		   examples = tree_file("tests/data/klog-examples.tsv");
	struct span rest = buf_get(&examples), line;
	static struct seen rows[KLOG_ROWS_MAX];
	struct klog_flaw flaw = { 0 };
	struct arena arena = { 0 };
	struct klog_table *table;

	if (!CHECK(klog_table_parse(&arena, buf_get(&text), &table, &flaw) == 0)) {
		printf("  data/kernel-log.tsv:%u: %s\n", flaw.line, flaw.why);
		return;
	}
	while (span_line(&rest, &line)) {
		if (line.len > 0 && line.data[0] != '#')
			check_example(table, line, rows);
	}
	for (size_t i = 0; i < table->count; i++) {
		if (!CHECK(rows[i].good && rows[i].near))
			printf("  no example or near miss: data/kernel-log.tsv:%u\n",
			       table->rows[i].line);
	}
	arena_done(&arena);
	buf_done(&text);
	buf_done(&examples);
}

static void check_captures(void)
{
	static const struct {
		const char *line, *class, *hole, *value;
	} cases[] = {
		{ "kfd kfd: amdgpu: added device 1002:744c", "kfd-device-added", "device", "744c" },
		{ "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 0<509",
		  "kfd-pci-atomics-missing", "need", "509" },
		{ "kfd kfd: amdgpu: GC IP 0b0501  not supported in kfd", "kfd-gpu-unsupported",
		  "ip", "0b0501" },
		{ "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 "
		  "vmid:3 pasid:32770, for process python3 pid 4711 thread python3 pid 4711)",
		  "gpu-page-fault-gfx", "pid", "4711" },
		{ "amdgpu 0000:03:00.0: [gfxhub] page fault (src_id:0 ring:40 vmid:8 pasid:32773)",
		  "gpu-page-fault-gfx", "pasid", "32773" },
		{ "amdgpu 0000:05:00.0: amdgpu: {12}socket: 2, die: 1, 3 new uncorrectable hardware "
		  "errors detected in umc block",
		  "ras-uncorrectable", "count", "3" },
		{ "MES failed to respond to msg=MISC (WAIT_REG_MEM)", "mes-no-answer", "message",
		  "MISC (WAIT_REG_MEM)" },
		{ "Out of memory: Killed process 4711 (python3) total-vm:81264960kB, anon-rss:1kB",
		  "oom-killed", "process", "python3" },
	};
	struct buf text = tree_file("data/kernel-log.tsv");
	struct arena arena = { 0 };
	struct klog_table *table;

	CHECK_INT(klog_table_parse(&arena, buf_get(&text), &table, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct klog_match match;

		if (!CHECK(klog_class(table, span_of(cases[i].line), &match) &&
			   span_is(match.row->class, cases[i].class) &&
			   span_is(klog_value(&match, cases[i].hole), cases[i].value)))
			printf("  %s\n", cases[i].line);
	}
	arena_done(&arena);
	buf_done(&text);
}

int main(void)
{
	CHECK_TEXT(klog_severity_name(KLOG_WARNING), "warning");
	CHECK_TEXT(klog_action_name(KLOG_REPLACE), "replace");
	check_refusals();
	check_size();
	check_holes();
	check_examples();
	check_captures();
	return check_end();
}
