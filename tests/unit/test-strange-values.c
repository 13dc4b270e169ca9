/* What a machine tells is foreign: any number of a snapshot may be any other text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "check.h"
#include "facts/collect.h"
#include "facts/select.h"
#include "root/root.h"
#include "root/snapshot.h"

#define EVERY 97 /* so many numbers are left as they are */

static const char *const strange[] = {
	"9223372036854775808", "18446744073709551616", "-1", "0", "4294967296", "", "1e9", "x",
};

static void read_machine(const char *name, struct buf *ret)
{
	const char *source = getenv("ROCSTEADY_SOURCE");
	char path[4096], piece[65536];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/machines/%s.snap", source ? source : ".", name);
	f = fopen(path, "rb");
	CHECK(f != NULL);
	while (f && (n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(ret, piece, n);
	if (f)
		fclose(f);
}

static void collect(const struct buf *text)
{
	struct buf copy = { 0 };
	struct root *root = NULL;
	struct facts *facts = facts_new();

	buf_add(&copy, text->data, text->len);
	if (root_new_text(&copy, &root) == 0) {
		collect_all(root, facts);
		root_free(root);
	}
	CHECK_INT(select_error(), 0);
	facts_free(facts);
}

/* The number at `at`, replaced. */
static void try_at(const struct buf *machine, size_t at, size_t end, const char *value)
{
	struct buf text BUF_SCOPED = { 0 };

	buf_add(&text, machine->data, at);
	buf_text(&text, value);
	buf_add(&text, machine->data + end, machine->len - end);
	collect(&text);
}

static void test_machine(const char *name)
{
	struct buf machine BUF_SCOPED = { 0 };
	size_t nth = 0;

	read_machine(name, &machine);
	for (size_t at = 21, end; at < machine.len; at = end) {
		for (end = at; end < machine.len && isdigit((unsigned char)machine.data[end]);)
			end++;
		if (end > at && nth++ % EVERY == 0)
			try_at(&machine, at, end,
			       strange[nth / EVERY % (sizeof(strange) / sizeof(strange[0]))]);
		end += end == at;
	}
	CHECK(nth > 1000);
}

/* The value that ended the program: more than a column can hold where a row must have one. */
static void test_group(void)
{
	struct buf text = { 0 };
	struct root *root = NULL;
	struct facts *facts = facts_new();

	buf_text(&text, "rocsteady-snapshot 1\nask group render\n\t9223372036854775808\n");
	CHECK_INT(root_new_text(&text, &root), 0);
	collect_all(root, facts);
	CHECK_INT((long)select_count(facts_db(facts),
				     "SELECT count(*) FROM known_group WHERE name = 'render'"),
		  0);
	CHECK((long)select_count(facts_db(facts),
				 "SELECT count(*) FROM gap WHERE topic LIKE 'known_group%'") > 0);
	facts_free(facts);
	root_free(root);
}

/* Two rows of one name, and a value that is missing: no row, and a gap. */
static void test_refused(void)
{
	struct facts *facts = facts_new();
	struct row r = row_of("service");

	facts_add(facts, &r);
	CHECK_INT((long)select_count(facts_db(facts), "SELECT count(*) FROM service"), 0);
	CHECK_INT((long)select_count(facts_db(facts),
				     "SELECT count(*) FROM gap WHERE topic = 'service'"),
		  1);
	CHECK_INT(select_error(), 0);
	facts_free(facts);
}

int main(void)
{
	test_group();
	test_refused();
	test_machine("gfx90c-ubuntu2404-k68-healthy");
	test_machine("mi210-ubuntu2204-rocm62-hot");
	return check_end();
}
