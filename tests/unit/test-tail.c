#include "run/tail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rules.h"
#include "check.h"
#include "run/resumed.h"

static char directory[] = "/tmp/rocsteady-tail-XXXXXX";
/* The payloads of the records, one behind the other. */
static void written(void (*write)(const void *what, struct run_journal *j), const void *what,
		    struct buf *ret)
{
	struct buf bytes BUF_SCOPED = { 0 };
	struct run_journal_record r;
	struct run_journal j;
	char path[128];
	struct span rest;
	int dir = open(directory, O_RDONLY | O_DIRECTORY);

	CHECK_INT(run_journal_open(&j, dir, 1), 0);
	write(what, &j);
	CHECK_INT(run_journal_read(&j, &bytes), 0);
	rest = buf_get(&bytes);
	CHECK(run_journal_begins(&rest));
	while (run_journal_next(&rest, &r))
		buf_span(ret, r.payload);
	CHECK_INT(rest.len, 0);
	close(j.fd);
	close(dir);
	snprintf(path, sizeof(path), "%s/journal", directory);
	unlink(path);
}

static void write_tail(const void *what, struct run_journal *j)
{
	tail_write(*(const struct span *)what, "out", j);
}

static void write_resumed(const void *what, struct run_journal *j)
{
	resumed_write(what, j);
}

static size_t count(const struct buf *text, const char *word)
{
	size_t n = 0;

	for (const char *at = text->data; at && (at = strstr(at, word)); at++)
		n++;
	return n;
}

static void the_last_lines_are_kept(void)
{
	static char flood[65536];
	struct buf lines BUF_SCOPED = { 0 }, text BUF_SCOPED = { 0 }, none BUF_SCOPED = { 0 };
	struct buf full BUF_SCOPED = { 0 };
	struct span s = { "", 0 };

	written(write_tail, &s, &none);
	CHECK_INT(none.len, 0);
	for (int i = 1; i <= 500; i++)
		buf_addf(&lines, "step %d\n", i);
	buf_text(&lines, "  File x\n 1%| \r 2%| \r 3%|\r\nlast");
	s = buf_get(&lines);
	written(write_tail, &s, &text);
	CHECK_INT(count(&text, "out "), TAIL_LINES);
	CHECK(strstr(text.data, "out step\\x20304\n") && !strstr(text.data, "step\\x20303\n"));
	CHECK(strstr(text.data, "out \\x20\\x20File\\x20x\nout \\x203%|\nout last\n"));
	for (size_t i = 0; i < sizeof(flood); i++) /* each byte is escaped, and lines are cut */
		flood[i] = i % 5000 == 4999 ? '\n' : '\x01';
	s = (struct span){ flood, sizeof(flood) };
	written(write_tail, &s, &full);
	CHECK_INT(count(&full, "out "), 14);
	CHECK_INT(full.len, 13 * 4005 + 536 * 4 + 5);
}

static void a_checkpoint_is_quoted(void)
{
	static const struct {
		const char *line;
		bool tells;
	} rows[] = {
		{ "Resuming from checkpoint checkpoint-500", true },
		{ "INFO - Resumed from checkpoint: out/step_20", true },
		{ "Resuming training from snapshot at Epoch 3", true },
		{ "  Continuing training from global step 500", true },
		{ "Loading states from out/step_20", true },
		{ "Restored all states from the checkpoint at last.ckpt", true },
		{ "Resuming download of model.safetensors", false },
		{ "Saving model checkpoint to out/checkpoint-500", false },
		{ "step 20/40 loss 0.5", false },
		{ "", false },
	};
	static struct resumed r;
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK_INT(resumed_tells(span_of(rows[i].line)), rows[i].tells);
	resumed_bytes(&r, 0, span_of("torch 2.6\nResuming from "));
	resumed_bytes(&r, 1, span_of("a warning\n"));
	resumed_bytes(&r, 0, span_of("checkpoint a b\nstep 1\n"));
	written(write_resumed, &r, &text);
	CHECK_TEXT(text.data, "resumed Resuming\\x20from\\x20checkpoint\\x20a\\x20b\n");
}

static void rules_are_read(void)
{
	static const char table[] = "# a comment\nnumber\tmost\t12\nclass\tone\ta+!b\tsays {x}\n"
				    "class\ttwo\ta+b | c\tx\n";
	struct rules_found r = { .flag_count = 0 };
	struct arena a = { 0 };
	struct span row;

	rules_flag(&r, "a");
	rules_value(&r, "x", "it");
	CHECK(rules_hold(&r, span_of("a")) && rules_hold(&r, span_of("-")));
	CHECK(rules_hold(&r, span_of("b | a+!b")) && !rules_hold(&r, span_of("a+b | c")));
	CHECK_INT(rules_number(table, "most"), 12);
	CHECK_INT(rules_number(table, "least"), 0);
	CHECK(rules_row(table, "class", 1, &row) && span_starts(row, "two\t"));
	CHECK(!rules_row(table, "class", 2, &row));
	CHECK_TEXT(rules_fill(&r, span_of("{x}, {y} and {"), &a), "it, {y} and {");
	arena_done(&a);
}

int main(void)
{
	CHECK(mkdtemp(directory) != NULL);
	the_last_lines_are_kept();
	a_checkpoint_is_quoted();
	rules_are_read();
	rmdir(directory);
	return check_end();
}
