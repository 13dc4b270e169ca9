#include "probe/answer.h"

#include <string.h>

#include "base/text.h"
#include "inside.h"
#include "parse/walk-text.h"
#include "probe/devices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came on descriptor 3, up to a 0 byte, and on standard error behind it. */
static void listen(struct answer *a, struct span input)
{
	struct span words, line;

	if (!span_cut(&input, '\0', &words))
		return;
	while (span_line(&words, &line))
		answer_line(a, line);
	answer_say_tail(a, input, a->ending == ANSWER_NONE);
}

/* Whatever a prober says, its text is one row, and reads as what was meant. */
static void look_at(const struct answer *a, struct span text)
{
	struct walk_answer row;
	struct span rest = text;

	must(text_is_clean(text, true));
	must(walk_next(&rest, &row));
	must(span_is(row.question, "hip.devices") && span_is(row.variant, "alone"));
	must(strcmp(walk_ending_name(row.ending), answer_word(a->ending)) == 0);
	must(!row.has_number || row.number == a->number);
	must(!walk_next(&rest, &row));
}

static void look_at_devices(struct answer *a)
{
	const struct probe_options options = { .device = "1" };
	struct arena arena = { 0 };
	size_t count, chosen = 0;
	const struct device *all = devices_read(&arena, &options, a, &count);

	must(count > 0 && count <= DEVICES_MAX + 1);
	for (size_t i = 0; i < count; i++) {
		must(strchr(all[i].address, ' ') == NULL && all[i].address[0] != '\0');
		chosen += all[i].chosen;
	}
	must(chosen > 0);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text BUF_SCOPED = { 0 };
	struct answer a = { 0 };

	listen(&a, (struct span){ (const char *)data, size });
	answer_end(&a, size % 3 == 0 ? 11 : 0);
	answer_write(&text, &a, "hip.devices", "-", true, size % 2 ? SIZE_MAX : 200);
	look_at(&a, buf_get(&text));
	look_at_devices(&a);
	answer_done(&a);
	return 0;
}
