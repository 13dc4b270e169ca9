#include "log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_fd = -1;

void log_open(void)
{
	log_fd = (int)syscall(SYS_openat, AT_FDCWD, MODEL_DIRECTORY "/log",
			      O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* One write() a line: several processes append to the same file. */
void log_line(const char *format, ...)
{
	char text[512];
	va_list list;
	int head, body;

	if (log_fd < 0)
		return;
	head = snprintf(text, sizeof(text), "%d ", (int)getpid());
	va_start(list, format);
	body = vsnprintf(text + head, sizeof(text) - (size_t)head - 1, format, list);
	va_end(list);
	if (body > (int)sizeof(text) - head - 2)
		body = (int)sizeof(text) - head - 2;
	text[head + body] = '\n';
	if (write(log_fd, text, (size_t)(head + body + 1)) < 0)
		log_fd = -1;
}
