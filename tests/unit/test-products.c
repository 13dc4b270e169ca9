#include "facts/products.h"

#include <stdlib.h>

#include "check.h"
#include "parse/gfx.h"

static const char *text(struct span s)
{
	static char copies[4][128];
	static int next;
	char *copy = copies[next++ % 4];

	snprintf(copy, sizeof(copies[0]), "%.*s", (int)s.len, s.data ? s.data : "");
	return copy;
}

/* Every line of the shipped table is a comment or a row, no row stands twice, no name is odd. */
static void check_shipped_table(void)
{
	struct span rest = span_of(data_products);
	struct span line;
	struct product row;
	struct product other;
	uint32_t version;
	char before[16] = "";
	size_t count = 0;

	while (span_line(&rest, &line)) {
		struct span copy = line;

		if (span_starts(line, "#"))
			continue;
		count++;
		if (!CHECK(products_next(&copy, &row))) {
			printf("  %s\n", text(line));
			continue;
		}
		CHECK(span_is(row.gfx, "-") || gfx_version(row.gfx, &version));
		CHECK(products_find(span_of(data_products), row.device, row.revision, &other));
		CHECK(other.name.data == row.name.data);
		CHECK(strcmp(before, text(row.device)) <= 0);
		snprintf(before, sizeof(before), "%s", text(row.device));
		for (size_t i = 0; i < line.len; i++)
			if (line.data[i] != '\t' && (line.data[i] < ' ' || line.data[i] > '~'))
				CHECK_INT(line.data[i], ' '); /* not printable */
	}
	CHECK(count > 700);
}

static void check_known(void)
{
	static const struct {
		const char *device, *revision, *name, *gfx;
		int integrated, virtual_function;
		const char *why;
	} cases[] = {
		{ "744c", "c8", "AMD Radeon RX 7900 XTX", "gfx1100", 0, 0,
		  "one id, four products" },
		{ "744c", "cc", "AMD Radeon RX 7900 XT", "gfx1100", 0, 0, "the revision tells" },
		{ "744c", "01", "Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M]", "gfx1100", 0,
		  0, "a revision nobody listed" },
		{ "74a1", "00", "AMD Instinct MI300X", "gfx942", 0, 0, "physical function" },
		{ "74b5", "00", "AMD Instinct MI300X VF", "gfx942", 0, 1, "virtual function" },
		{ "7410", "00", "Instinct MI210 VF", "gfx90a", 0, 1, "virtual function" },
		{ "74a0", "00", "AMD Instinct MI300A", "gfx942", 1, 0,
		  "an APU among accelerators" },
		{ "1586", "c1", "Radeon 8060S Graphics", "gfx1151", 1, 0, "an APU" },
		{ "7362", "c3", "AMD Radeon Pro V520", "gfx1011", 0, -1, "sold both ways" },
		{ "73ff", "df", "AMD Radeon RX 6750 GRE 10GB", "-", 0, 0,
		  "its chip is not certain" },
	};
	struct product row;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!CHECK(products_find(span_of(data_products), span_of(cases[i].device),
					 span_of(cases[i].revision), &row)))
			continue;
		CHECK_TEXT(text(row.name), cases[i].name);
		CHECK_TEXT(text(row.gfx), cases[i].gfx);
		CHECK_INT(row.integrated, cases[i].integrated);
		CHECK_INT(row.virtual_function, cases[i].virtual_function);
	}
	CHECK(!products_find(span_of(data_products), span_of("ffff"), span_of("00"), &row));
	CHECK(!products_find(span_of(data_products), span_of(""), span_of("-"), &row));
}

static void check_malformed(void)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "", "empty" },
		{ "744c\tc8\tname\tgfx1100\t0\t0", "a column is missing" },
		{ "744c\tc8\tname\tgfx1100\t0\t0\tx\ty", "a column too many" },
		{ "744C\tc8\tname\tgfx1100\t0\t0\tx", "upper case" },
		{ "744\tc8\tname\tgfx1100\t0\t0\tx", "three digits" },
		{ "744c\tc\tname\tgfx1100\t0\t0\tx", "one digit" },
		{ "744c\tc8\t\tgfx1100\t0\t0\tx", "no name" },
		{ "744c\tc8\tname\tgfx1100\t2\t0\tx", "neither yes nor no" },
		{ "744c\tc8\tname\tgfx1100\t0\tyes\tx", "a word" },
	};
	struct product row;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct span rest = span_of(cases[i].line);

		if (!CHECK(!products_next(&rest, &row)))
			printf("  %s\n", cases[i].why);
	}
}

int main(void)
{
	check_shipped_table();
	check_known();
	check_malformed();
	return check_end();
}
