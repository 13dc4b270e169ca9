#include "kb/threads.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-';
}

/* Where "owner/repository" begins that ends before `end`; `end` if there is none. */
static size_t name_before(struct span text, size_t end)
{
	size_t slash = end, from;

	while (slash > 0 && is_name(text.data[slash - 1]))
		slash--;
	if (slash == end || slash == 0 || text.data[slash - 1] != '/')
		return end;
	from = slash - 1;
	while (from > 0 && is_name(text.data[from - 1]))
		from--;
	return from == slash - 1 ? end : from;
}

/* Bytes between the repository and the number: "#", "/issues/", "/pull/"; 0: none here. */
static size_t mark_at(struct span text, size_t at)
{
	static const char *const marks[] = { "#", "/issues/", "/pull/", "/discussions/" };
	struct span rest = { text.data + at, text.len - at };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (span_starts(rest, marks[i]))
			return strlen(marks[i]);
	return 0;
}

bool threads_next(struct span *text, struct thread *ret)
{
	for (size_t i = 0; i < text->len; i++) {
		size_t mark = mark_at(*text, i), from = mark ? name_before(*text, i) : i;
		size_t end = i + mark;

		while (end < text->len && isdigit((unsigned char)text->data[end]))
			end++;
		if (mark == 0 || from == i || end == i + mark)
			continue;
		ret->repository = (struct span){ text->data + from, i - from };
		ret->number = (struct span){ text->data + i + mark, end - i - mark };
		*text = (struct span){ text->data + end, text->len - end };
		return true;
	}
	return false;
}

void threads_digest(struct span repository, struct span number, char ret_hex[SHA256_HEX])
{
	struct sha256 s;

	sha256_init(&s);
	for (size_t i = 0; i < repository.len; i++) {
		char small = (char)tolower((unsigned char)repository.data[i]);

		sha256_add(&s, (struct span){ &small, 1 });
	}
	sha256_add(&s, span_of("#"));
	sha256_add(&s, number);
	sha256_end(&s, ret_hex);
}
