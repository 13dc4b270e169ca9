#include "parse/journal.h"

#include <errno.h>

#include "base/buf.h"
#include "check.h"
#include "extents.h"
#include "source-file.h"

#define DATA "tests/data/journal/"

/* As a line of kernel.expected, which journalctl's answers were written to. */
static void show(struct buf *out, const struct journal_entry *e)
{
	buf_addf(out, "%llu\t%llu\t%llu\t", (unsigned long long)e->seqnum,
		 (unsigned long long)e->realtime_us, (unsigned long long)e->since_boot_us);
	for (int i = 0; i < 16; i++)
		buf_addf(out, "%02x", e->boot_id[i]);
	buf_addf(out, "\t%d\t%.*s\t", e->priority, (int)e->device.len, e->device.data);
	for (size_t i = 0; i < e->message.len; i++) {
		if (e->message.data[i] == '\n')
			buf_text(out, "\\n");
		else
			buf_char(out, e->message.data[i]);
	}
	buf_char(out, '\n');
}

/* The last lines of the expected text; what systemd compressed, we leave out. */
static struct buf want_tail(struct span expected, uint64_t last)
{
	static const char mark[] = "(compressed)";
	struct span rest = expected, line;
	struct buf out = { 0 };
	uint64_t total = 0;

	while (span_line(&rest, &line))
		total++;
	for (uint64_t i = 0; span_line(&expected, &line); i++) {
		if (total - i > last)
			continue;
		if (span_ends(line, mark))
			line.len -= sizeof(mark) - 1;
		buf_span(&out, line);
		buf_char(&out, '\n');
	}
	return out;
}

static void check_tail(struct journal *j, struct span expected, uint64_t last)
{
	struct buf want = want_tail(expected, last), got = { 0 };
	struct journal_entry e;
	int r;

	CHECK_INT(journal_seek_kernel(j, last), 0);
	while ((r = journal_next(j, &e)) > 0)
		show(&got, &e);
	CHECK_INT(r, 0);
	CHECK(got.len > 0 || last == 0);
	if (last > 0)
		CHECK_TEXT(got.data, want.data);
	CHECK_INT(j->broken, 0);
	buf_done(&want);
	buf_done(&got);
}

static void check_file(const char *name, bool compact, bool keyed)
{
	static const uint64_t tails[] = { UINT64_MAX, 30, 29, 5, 4, 1, 0 };
	struct buf bytes = tree_file(name), expected = tree_file(DATA "kernel.expected");
	struct extents x = { buf_get(&bytes) };
	struct journal j;

	CHECK_INT(journal_init(&j, extents_read_at, &x), 0);
	CHECK_INT(j.compact, compact);
	CHECK_INT(j.keyed, keyed);
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		check_tail(&j, buf_get(&expected), tails[i]);
	CHECK(j.compressed > 0);
	buf_done(&bytes);
	buf_done(&expected);
}

/* A visit to the newest entry must not cost a visit to the others. */
static void check_cost(void)
{
	struct buf bytes = tree_file(DATA "compact-siphash.extents");
	struct extents x = { buf_get(&bytes) };
	struct journal_entry e;
	struct journal j;

	CHECK_INT(journal_init(&j, extents_read_at, &x), 0);
	CHECK_INT(journal_seek_kernel(&j, 1), 0);
	CHECK_INT(j.total, 30);
	CHECK_INT(journal_next(&j, &e), 1);
	CHECK_INT(journal_next(&j, &e), 0);
	CHECK(j.objects < 20);
	buf_done(&bytes);
}

/* Cut off anywhere, the file still gives what is left, in order, and ends. */
static void check_cuts(const char *name)
{
	struct buf bytes = tree_file(name);
	size_t most = 0, fewer = 0;

	for (size_t len = 0; len <= bytes.len; len += 37) {
		struct extents x = { { bytes.data, len } };
		struct journal_entry e;
		struct journal j;
		uint64_t seqnum = 0;
		size_t count = 0;
		int r;

		if (journal_init(&j, extents_read_at, &x) < 0 ||
		    journal_seek_kernel(&j, UINT64_MAX) < 0)
			continue;
		while ((r = journal_next(&j, &e)) > 0) {
			CHECK(e.seqnum > seqnum);
			seqnum = e.seqnum;
			count++;
		}
		CHECK_INT(r, 0);
		fewer += count > 0 && count < 30;
		most = count > most ? count : most;
	}
	CHECK(fewer > 10);
	CHECK(most >= 29);
	buf_done(&bytes);
}

/* Where the extents hold a position of the file, or NULL. */
static char *byte_of(struct buf *bytes, uint64_t position)
{
	struct span rest = { bytes->data, bytes->len }, extent;
	uint64_t start;

	while (extents_next(&rest, &start, &extent)) {
		if (position >= start && position - start < extent.len)
			return bytes->data + (extent.data - bytes->data) + (position - start);
	}
	return NULL;
}

static void put(struct buf *bytes, uint64_t position, uint64_t value)
{
	value = htole64(value);
	for (int i = 0; i < 8; i++) {
		char *at = byte_of(bytes, position + (uint64_t)i);

		CHECK(at != NULL);
		if (at)
			*at = (char)(value >> 8 * i & 0xff);
	}
}

static void check_headers(void)
{
	static const struct {
		uint64_t position, value;
		int init, seek;
		const char *why;
	} cases[] = {
		{ 0, 0, -EBADMSG, 0, "another signature" },
		{ 8, UINT64_C(0x80) << 32, -EPROTONOSUPPORT, 0, "a flag nobody knows" },
		{ 88, 100, -EBADMSG, 0, "a header smaller than the oldest" },
		{ 112, 0, 0, 0, "a hash table without slots has nothing" },
		{ 112, 8, 0, 0, "nor has one with half a slot" },
		{ 104, UINT64_MAX, 0, -EBADMSG, "a hash table at the end of all offsets" },
		{ 104, UINT64_C(1) << 40, 0, -ENODATA, "a hash table past the end" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf bytes = tree_file(DATA "classic-jenkins.extents");
		struct extents x;
		struct journal_entry e;
		struct journal j;

		put(&bytes, cases[i].position, cases[i].value);
		x = (struct extents){ buf_get(&bytes) };
		CHECK_INT(journal_init(&j, extents_read_at, &x), cases[i].init);
		if (cases[i].init == 0) {
			CHECK_INT(journal_seek_kernel(&j, 10), cases[i].seek);
			CHECK_INT(journal_next(&j, &e), 0);
		}
		buf_done(&bytes);
	}
}

/* A chain that leads back must end, and with a word about it. */
static void check_loops(void)
{
	struct buf bytes = tree_file(DATA "classic-jenkins.extents");
	struct extents x = { buf_get(&bytes) };
	struct journal_entry e;
	struct journal j;

	CHECK_INT(journal_init(&j, extents_read_at, &x), 0);
	CHECK_INT(journal_seek_kernel(&j, 10), 0);
	CHECK(j.arrays_len > 1);
	put(&bytes, j.arrays[1].offset + 16, j.arrays[0].offset);
	CHECK_INT(journal_seek_kernel(&j, UINT64_MAX), 0);
	CHECK_INT(j.broken, 1);
	CHECK_INT(j.arrays_len, 2);
	CHECK(j.total < 30);
	CHECK_INT(journal_next(&j, &e), 1);
	buf_done(&bytes);
}

/* An array that claims a petabyte costs no more than the budget. */
static void check_budget(void)
{
	struct buf bytes = tree_file(DATA "classic-jenkins.extents");
	struct extents x = { buf_get(&bytes) };
	struct journal_entry e;
	struct journal j;
	int r;

	CHECK_INT(journal_init(&j, extents_read_at, &x), 0);
	CHECK_INT(journal_seek_kernel(&j, 10), 0);
	put(&bytes, j.arrays[0].offset + 8, UINT64_C(1) << 40);
	CHECK_INT(journal_seek_kernel(&j, 10), 0);
	j.total = j.arrays[0].count;
	j.objects = JOURNAL_OBJECTS_MAX - 1000;
	while ((r = journal_next(&j, &e)) > 0)
		;
	CHECK_INT(r, -E2BIG);
	buf_done(&bytes);
}

int main(void)
{
	check_file(DATA "classic-jenkins.extents", false, false);
	check_file(DATA "classic-siphash.extents", false, true);
	check_file(DATA "compact-jenkins.extents", true, false);
	check_file(DATA "compact-siphash.extents", true, true);
	check_cost();
	check_cuts(DATA "classic-siphash.extents");
	check_cuts(DATA "compact-jenkins.extents");
	check_headers();
	check_loops();
	check_budget();
	return check_end();
}
