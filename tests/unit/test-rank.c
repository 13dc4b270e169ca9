#include "parse/rank.h"

#include <string.h>

#include "check.h"

static long rank_of(const char *line, const char **ret_rest)
{
	static char text[256];
	struct span rest;
	long rank;

	*ret_rest = "";
	if (!rank_parse(span_of(line), &rank, &rest))
		return -1;
	memcpy(text, rest.data, rest.len);
	text[rest.len] = '\0';
	*ret_rest = text;
	return rank;
}

int main(void)
{
	static const struct {
		const char *line;
		long rank;
		const char *rest;
	} rows[] = {
		{ "[rank1]: torch.OutOfMemoryError: HIP", 1, "torch.OutOfMemoryError: HIP" },
		{ "[rank12]:[E1115 10:59] Watchdog", 12, "[E1115 10:59] Watchdog" },
		{ "[default0]:Epoch 1/3", 0, "Epoch 1/3" },
		{ "[default1]:[rank1]:     main()", 1, "    main()" },
		{ "[trainer3]:[rank11]: x", 11, "x" },
		{ "[rank1]:", 1, "" },
		{ "E1115 api.py:869] failed (exitcode: -9) local_rank: 1 (pid: 2050) of binary: python",
		  1,
		  "E1115 api.py:869] failed (exitcode: -9) local_rank: 1 (pid: 2050) of binary: python" },
		{ "failed (exitcode: 1) local_rank:", -1, "" },
		{ "local_rank: 1 (pid: 2)", -1, "" },
		{ "[0]:", -1, "" },
		{ "[rank]: x", -1, "" },
		{ "[rank1] x", -1, "" },
		{ "[rank99999999999999999999]: x", -1, "" },
		{ "[a b1]: x", -1, "" },
		{ "Epoch [rank1]: x", -1, "" },
		{ "", -1, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *rest;

		CHECK_INT(rank_of(rows[i].line, &rest), rows[i].rank);
		CHECK_TEXT(rest, rows[i].rest);
	}
	return check_end();
}
