#include "parse/expect.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

#define WORD_MAX    64
#define SETTING_MAX 128

enum form { WHOLE, TENTHS, WORD, SETTING };

static const struct {
	const char *name; /* `*` stands for the rest of it */
	enum form form;
	bool may_be_again;
} names[] = {
	{ "gpus", WHOLE, false },
	{ "vram_gib", WHOLE, false },
	{ "memory_gib", WHOLE, false },
	{ "compute_partition", WORD, false },
	{ "memory_partition", WORD, false },
	{ "pcie_width", WHOLE, false },
	{ "pcie_gts", TENTHS, false },
	{ "driver", WORD, false },
	{ "kernel", WORD, false },
	{ "vbios", WORD, false },
	{ "firmware.*", WORD, false },
	{ "nics", WHOLE, false },
	{ "nic", WORD, true },
	{ "nic_gbps", TENTHS, false },
	{ "kernel_arg.*", SETTING, false },
	{ "sysctl.kernel.*", SETTING, false },
	{ "sysctl.vm.*", SETTING, false },
	{ "sysctl.fs.*", SETTING, false },
};

/* "8", and of what has tenths "2.5". */
static bool read_number(struct span text, bool tenths, uint64_t *ret)
{
	uint64_t whole, part = 0;
	struct span rest = text, front;

	if (tenths && span_find(text, SPAN_LITERAL(".")) != SIZE_MAX) {
		span_cut(&rest, '.', &front);
		if (rest.len != 1 || !span_u64(rest, &part))
			return false;
		text = front;
	}
	if (!span_u64(text, &whole) || whole > EXPECT_MAX)
		return false;
	*ret = 10 * whole + part;
	return true;
}

static bool is_word(struct span text)
{
	if (text.len == 0 || text.len > WORD_MAX)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) &&
		    !memchr("._:+-~", text.data[i], strlen("._:+-~")))
			return false;
	return true;
}

/* "pt", "realloc=off", "4096 87380 6291456": what a kernel argument or a sysctl is. */
static bool is_setting(struct span text)
{
	if (text.len == 0 || text.len > SETTING_MAX)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) &&
		    !memchr("._:+-~=,/@% ", text.data[i], strlen("._:+-~=,/@% ")))
			return false;
	return true;
}

/* A sysctl of these three directories, and of none below them. */
static bool is_name(struct span name)
{
	struct span rest = name, part;

	if (!is_word(name))
		return false;
	if (!span_starts(name, "sysctl."))
		return true;
	for (size_t parts = 0; span_cut(&rest, '.', &part); parts++)
		if (parts == 3 || part.len == 0)
			return false;
	return true;
}

static bool reads_as(enum form form, struct span text, uint64_t *ret_tenths)
{
	if (form == WORD)
		return is_word(text);
	if (form == SETTING)
		return is_setting(text);
	return read_number(text, form == TENTHS, ret_tenths);
}

static struct expect read_line(struct span line)
{
	struct expect e = { .line = line };
	struct span text = line, name;

	if (!span_cut(&text, '=', &name))
		return e;
	name = span_trim(name);
	e.text = span_trim(text);
	for (size_t i = 0; i < COUNT(names); i++) {
		if (!is_name(name) || !span_fits(name, span_of(names[i].name)))
			continue;
		e.is_number = names[i].form == WHOLE || names[i].form == TENTHS;
		e.may_be_again = names[i].may_be_again;
		if (reads_as(names[i].form, e.text, &e.tenths))
			e.name = name;
	}
	return e;
}

bool expect_next(struct span *rest, struct expect *ret)
{
	struct span line;

	while (span_line(rest, &line)) {
		line = span_trim(line);
		if (line.len == 0 || line.data[0] == '#')
			continue;
		*ret = read_line(line);
		return true;
	}
	return false;
}

static bool stands_before(struct span text, const struct expect *e)
{
	struct expect earlier;

	while (expect_next(&text, &earlier) && earlier.line.data < e->line.data)
		if (span_same(earlier.name, e->name))
			return true;
	return false;
}

bool expect_check(struct span text, struct span *ret_line, const char **ret_why)
{
	struct span rest = text;
	const char *why = NULL;
	struct expect e;
	size_t count = 0;

	while (!why && expect_next(&rest, &e)) {
		if (e.name.len == 0)
			why = "not NAME = VALUE of a name that is known";
		else if (!e.may_be_again && stands_before(text, &e))
			why = "the same name stands above";
		else if (++count > EXPECT_LINES_MAX)
			why = "more lines than a node class has";
	}
	if (!why)
		return true;
	*ret_line = e.line;
	*ret_why = why;
	return false;
}
