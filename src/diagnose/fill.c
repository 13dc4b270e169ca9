#include "diagnose/fill.h"

#include <string.h>

#include "base/buf.h"
#include "base/text.h"

#define USER  "{user}"
#define GROUP "{group}"

const char *fill_clean(struct arena *a, struct span bytes, size_t limit, bool keep_lines)
{
	struct buf clean BUF_SCOPED = { 0 };
	struct span kept = bytes;
	size_t n = 0;

	if (bytes.len > limit) {
		while (n < limit) {
			size_t step = text_utf8((struct span){ bytes.data + n, bytes.len - n });

			n += step ? step : 1;
		}
		kept.len = n;
	}
	if (kept.len == bytes.len && text_is_clean(kept, keep_lines))
		return arena_text(a, kept);
	text_clean(&clean, kept, keep_lines);
	buf_text(&clean, kept.len < bytes.len ? "..." : "");
	return arena_text(a, buf_get(&clean));
}

/* What stands for the hole at the front of the text, or NULL. */
static const char *hole(const char *text, const struct fill *with, size_t *ret_len)
{
	const struct {
		const char *name;
		const char *value;
	} holes[] = {
		{ "{subject}", with->subject && with->subject[0] ? with->subject : "this machine" },
		{ "{value}", with->value ? with->value : "" },
		{ "{source}", with->source ? with->source : "" },
		{ "{home}", with->home ? with->home : "" },
		{ USER, with->user ? with->user : "USER" },
		{ GROUP, with->group ? with->group : "GROUP" },
	};

	for (size_t i = 0; i < sizeof(holes) / sizeof(holes[0]); i++)
		if (strncmp(text, holes[i].name, strlen(holes[i].name)) == 0) {
			*ret_len = strlen(holes[i].name);
			return holes[i].value;
		}
	return NULL;
}

static bool has(struct span sentence, const char *name)
{
	return span_find(sentence, span_of(name)) < sentence.len;
}

bool fill_lacks(struct span sentence, const struct fill *with)
{
	return (!with->user && has(sentence, USER)) || (!with->group && has(sentence, GROUP));
}

const char *fill_text(struct arena *a, const char *sentence, const struct fill *with)
{
	struct buf out BUF_SCOPED = { 0 };
	size_t len;

	while (*sentence) {
		size_t plain = strcspn(sentence, "{");
		const char *value;

		buf_add(&out, sentence, plain);
		sentence += plain;
		if (!*sentence)
			break;
		value = hole(sentence, with, &len);
		if (value) {
			buf_text(&out, value);
			sentence += len;
		} else {
			buf_char(&out, *sentence++);
		}
	}
	return arena_text(a, buf_get(&out));
}
