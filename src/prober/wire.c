#include "prober/wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/exit-status.h"

#define LINE_MAX_BYTES 4000

void wire_raw(const char *bytes, unsigned long size)
{
	ssize_t done;

	do
		done = write(WIRE_DESCRIPTOR, bytes, size);
	while (done < 0 && errno == EINTR);
}

/* word, a blank, the text, a line feed; a text that is too long is cut. */
static void say(const char *word, const char *text)
{
	char line[LINE_MAX_BYTES];
	size_t used = (size_t)snprintf(line, sizeof(line), "%s", word);

	if (*text)
		line[used++] = ' ';
	for (; *text && used + sizeof("\\xNN\n") < sizeof(line); text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c == 0x7f)
			used += (size_t)snprintf(line + used, sizeof("\\xNN"), "\\x%02x", c);
		else
			line[used++] = (char)c;
	}
	line[used++] = '\n';
	wire_raw(line, used);
}

static void say_formatted(const char *word, const char *format, va_list list)
{
	char text[LINE_MAX_BYTES];

	vsnprintf(text, sizeof(text), format, list);
	say(word, text);
}

void wire_usage(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	dprintf(STDERR_FILENO, "rocsteady-probe: ");
	vdprintf(STDERR_FILENO, format, list);
	dprintf(STDERR_FILENO, "\n");
	va_end(list);
	_exit(EXIT_USAGE);
}

void wire_file(const char *path)
{
	say("file", path);
}

void wire_call(const char *name)
{
	say("call", name);
}

void wire_value(const char *name, const char *format, ...)
{
	char word[128];
	va_list list;

	snprintf(word, sizeof(word), "value %s", name);
	va_start(list, format);
	say_formatted(word, format, list);
	va_end(list);
}

void wire_answered(void)
{
	say("answered", "");
	_exit(0);
}

void wire_refused(long status)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", status);
	say("refused", text);
	_exit(0);
}

void wire_wrong(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	say_formatted("wrong", format, list);
	va_end(list);
	_exit(0);
}

void wire_missing(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	say_formatted("missing", format, list);
	va_end(list);
	_exit(0);
}

void wire_accept(long status)
{
	if (status != 0)
		wire_refused(status);
}
