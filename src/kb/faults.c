#include "kb/faults.h"

void faults_add(struct faults *f, const char *file, unsigned int line, const char *format, ...)
{
	va_list args;

	if (++f->count > FAULTS_MAX)
		return;
	buf_addf(&f->text, "%s%s:%u: ", f->prefix ? f->prefix : "", file, line);
	va_start(args, format);
	buf_addv(&f->text, format, args);
	va_end(args);
	buf_char(&f->text, '\n');
}
