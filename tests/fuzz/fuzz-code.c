#include "code/code.h"

#include <string.h>

#include "code/gather.h"
#include "flat.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ASKED_MAX ((uint64_t)256 << 20) /* for a file of 128 KB: every search passes once */

static void must_make_sense(const struct code *code)
{
	unsigned int forms = 0;

	for (int i = 0; i < CODE_FORMS; i++)
		forms += code->forms[i];
	must(forms == code->bundles);
	must(code->problem_count <= GATHER_PROBLEMS_MAX + 8);
	for (size_t i = 0; i < code->target_count; i++) {
		must(code->targets[i].in >= 1 && code->targets[i].in <= code->bundles);
		must(memchr(code->targets[i].id, 0, CODE_ID_MAX) && code->targets[i].id[0]);
		must(i == 0 || strcmp(code->targets[i - 1].id, code->targets[i].id) < 0);
		must(code_holds(code, span_of(code->targets[i].id)) == code->targets[i].in);
	}
	must(code->oldest_cov <= code->newest_cov && code->newest_cov <= 6);
}

/* The text is the whole answer: read back and written again it is the same. */
static void must_come_back(const struct code *code, struct arena *arena)
{
	struct buf text BUF_SCOPED = { 0 }, twice BUF_SCOPED = { 0 };
	struct code again;

	code_write(code, &text);
	must(code_parse(buf_get(&text), arena, &again));
	code_write(&again, &twice);
	must(text.len == twice.len && memcmp(text.data, twice.data, text.len) == 0);
}

static void look(struct source s)
{
	struct arena arena = { 0 };
	struct code code;

	code_read(&s, NULL, &arena, &code);
	must(s.asked < ASKED_MAX);
	must_make_sense(&code);
	must_come_back(&code, &arena);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flat flat = flat_make(data, size);

	look(flat_whole(&flat));
	look(flat_sieved(&flat));
	free(flat.data);
	return 0;
}
