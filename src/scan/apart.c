#include "scan/apart.h"

#include <ctype.h>
#include <string.h>

#define HEAD      8   /* bytes by which lines are compared */
#define TEXT_KEPT 400 /* of a line */

static uint64_t head_of(struct span line)
{
	unsigned char bytes[HEAD] = { 0 };
	uint64_t head;

	for (size_t i = 0; i < HEAD && i < line.len; i++)
		bytes[i] = isdigit((unsigned char)line.data[i]) ? '0' : (unsigned char)line.data[i];
	memcpy(&head, bytes, sizeof(head));
	return head;
}

/* Most lines begin like the one before; -1: there is no room for another beginning. */
static long find_shape(struct apart *a, uint64_t head)
{
	if (a->shape_count > 0 && a->shapes[a->last].head == head)
		return (long)a->last;
	for (size_t i = 0; i < a->shape_count; i++)
		if (a->shapes[i].head == head)
			return (long)i;
	if (a->shape_count == APART_SHAPES)
		return -1;
	a->shapes[a->shape_count] = (struct apart_shape){ .head = head };
	return (long)a->shape_count++;
}

static void keep(struct apart *a, struct span line, uint64_t number, size_t shape)
{
	size_t len = line.len < TEXT_KEPT ? line.len : TEXT_KEPT;

	a->kept[a->kept_count].line = number;
	a->kept[a->kept_count].shape = shape;
	a->kept[a->kept_count].at = a->text.len;
	a->kept[a->kept_count++].len = len;
	buf_add(&a->text, line.data, len);
}

static void take_line(struct apart *a, struct span line, uint64_t number)
{
	long shape;

	if (line.len == 0 || isspace((unsigned char)line.data[0]))
		return; /* it goes on with the line before, or says nothing */
	shape = find_shape(a, head_of(line));
	if (shape < 0) {
		a->is_over = true;
		return;
	}
	a->last = (size_t)shape;
	if (a->shapes[shape].count++ < APART_SAME)
		keep(a, line, number, (size_t)shape);
}

void apart_take(struct apart *a, struct span lines, uint64_t number)
{
	while (lines.len > 0 && !a->is_over) {
		const char *end = memchr(lines.data, '\n', lines.len);
		size_t len = end ? (size_t)(end - lines.data) : lines.len;

		take_line(a, (struct span){ lines.data, len }, number++);
		len += end != NULL;
		lines = (struct span){ lines.data + len, lines.len - len };
	}
}

size_t apart_lines(const struct apart *a, struct apart_line ret[APART_LINES])
{
	size_t count = 0;

	for (size_t i = 0; i < a->kept_count && !a->is_over; i++) {
		if (a->shapes[a->kept[i].shape].count > APART_SAME)
			continue;
		if (count == APART_LINES)
			return 0;
		ret[count++] =
			(struct apart_line){ a->kept[i].line,
					     { a->text.data + a->kept[i].at, a->kept[i].len } };
	}
	return count;
}

void apart_again(struct apart *a)
{
	a->shape_count = a->last = a->kept_count = 0;
	a->is_over = false;
	buf_clear(&a->text);
}

void apart_done(struct apart *a)
{
	buf_done(&a->text);
}
