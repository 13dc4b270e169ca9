#include "parse/cmdline.h"

#include "base/buf.h"
#include "check-span.h"

static const struct {
	const char *text;
	const char *shown; /* <name> or <name=value>, one after the other */
	const char *why;
} rows[] = {
	{ "BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=UUID=1-2 ro quiet\n",
	  "<BOOT_IMAGE=/vmlinuz-6.8.0-45-generic><root=UUID=1-2><ro><quiet>",
	  "as /proc gives it; the first '=' divides" },
	{ "amdgpu.gttsize=98304  ttm.pages_limit=29360128",
	  "<amdgpu.gttsize=98304><ttm.pages_limit=29360128>", "two blanks, no newline" },
	{ "dyndbg=\"file a.c +p\" x", "<dyndbg=file a.c +p><x>", "quotes around a value" },
	{ "\"dyndbg=file a.c +p\" x", "<dyndbg=file a.c +p><x>", "quotes around all of it" },
	{ "a= b", "<a=><b>", "an empty value is a value" },
	{ "=a b", "<=a><b>", "a '=' in front belongs to the name" },
	{ "a=\"", "<a=>", "a lone quote" },
	{ "\"", "<>", "nothing but a quote" },
	{ "a=\"b c", "<a=b c>", "never closed takes the rest" },
	{ "a=b\"c d\"e", "<a=b\"c d\"e>", "quotes in the middle stay" },
	{ "quiet -- single nomodeset", "<quiet>", "behind -- it is init's" },
	{ "quiet --x", "<quiet><--x>", "which is more than --" },
	{ "", "", "empty" },
	{ " \t\n", "", "blank" },
};

static void test_next(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf shown BUF_SCOPED = { 0 };
		struct span rest = span_of(rows[i].text);
		struct cmdline_param param;

		while (cmdline_next(&rest, &param)) {
			buf_char(&shown, '<');
			buf_span(&shown, param.name);
			if (param.has_value)
				buf_char(&shown, '=');
			buf_span(&shown, param.value);
			buf_char(&shown, '>');
		}
		ROW_SPAN(buf_get(&shown), rows[i].shown, rows[i].why);
	}
}

int main(void)
{
	test_next();
	return check_end();
}
