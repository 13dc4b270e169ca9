#include "facts/sql-trace.h"

#include <string.h>

#include "check.h"

/* Two words whose lengths together pass the end of the line at every place. */
static void test_every_length(void)
{
	char sql[3 * SQL_LINE_MAX], guarded[SQL_LINE_MAX + 8];

	for (size_t first = 1; first < SQL_LINE_MAX + 8; first++) {
		for (size_t second = 1; second < 16; second++) {
			memset(sql, 'a', first);
			sql[first] = '\n';
			memset(sql + first + 1, 'b', second);
			strcpy(sql + first + 1 + second, "\tc");
			memset(guarded, '#', sizeof(guarded));
			sql_line(sql, guarded);
			CHECK(memchr(guarded, '\0', SQL_LINE_MAX));
			CHECK(guarded[SQL_LINE_MAX] == '#');
			CHECK(strcmp(guarded + strlen(guarded) - 1, "c") == 0 ||
			      strstr(guarded, "..."));
		}
	}
}

static void test_one_line(void)
{
	char line[SQL_LINE_MAX];

	CHECK(strcmp(sql_line("SELECT 1\n\t FROM  gpu", line), "SELECT 1 FROM gpu") == 0);
	CHECK(strcmp(sql_line("", line), "") == 0);
}

int main(void)
{
	test_every_length();
	test_one_line();
	return check_end();
}
