#include "report/html.h"

#include <stdio.h>
#include <string.h>

extern const char report_style[];

/* ---- escaping: the one place ---- */

static void add_text(struct buf *out, struct span text)
{
	static const struct {
		char c;
		const char *entity;
	} special[] = { { '&', "&amp;" },
			{ '<', "&lt;" },
			{ '>', "&gt;" },
			{ '"', "&quot;" },
			{ '\'', "&#39;" } };
	size_t from = 0;

	for (size_t i = 0; i < text.len; i++)
		for (size_t k = 0; k < sizeof(special) / sizeof(special[0]); k++)
			if (text.data[i] == special[k].c) {
				buf_add(out, text.data + from, i - from);
				buf_text(out, special[k].entity);
				from = i + 1;
			}
	if (text.len > from)
		buf_add(out, text.data + from, text.len - from);
}

/* ---- a printf whose texts are escaped ---- */

#define SPEC_MAX 16 /* of a conversion: %-8.3llu */

/* One conversion: where it ends, and its letters for snprintf. */
static const char *cut_spec(const char *at, char ret[static SPEC_MAX])
{
	size_t n = 1 + strspn(at + 1, "-+ #0123456789.*hlzjt");

	if (n > SPEC_MAX - 2)
		n = SPEC_MAX - 2;
	memcpy(ret, at, n + 1);
	ret[n + 1] = '\0';
	return at + n + 1;
}

static void put_text(struct buf *out, const char *spec, va_list *args)
{
	int most = strcmp(spec, "%.*s") == 0 ? va_arg(*args, int) : -1;
	const char *text = va_arg(*args, const char *);

	add_text(out,
		 most < 0 ? span_of(text) : (struct span){ text, strnlen(text, (size_t)most) });
}

/* Numbers need no escape; what snprintf needs depends on the length that the spec names. */
static void put_number(struct buf *out, const char *spec, va_list *args)
{
	char last = spec[strlen(spec) - 1];

	/* NOLINTBEGIN(bugprone-branch-clone): the types differ */
	if (strchr("fge", last))
		buf_addf(out, spec, va_arg(*args, double));
	else if (strstr(spec, "ll"))
		buf_addf(out, spec, va_arg(*args, long long));
	else if (strchr(spec, 'l') || strchr(spec, 'z'))
		buf_addf(out, spec, va_arg(*args, long));
	else
		buf_addf(out, spec, va_arg(*args, int));
	/* NOLINTEND(bugprone-branch-clone) */
}

void html(struct buf *out, const char *format, ...)
{
	char spec[SPEC_MAX];
	const char *at;
	va_list args;

	va_start(args, format);
	while ((at = strchr(format, '%'))) {
		buf_add(out, format, (size_t)(at - format));
		format = cut_spec(at, spec);
		if (strcmp(spec, "%%") == 0)
			buf_char(out, '%');
		else if (spec[strlen(spec) - 1] == 's')
			put_text(out, spec, &args);
		else
			put_number(out, spec, &args);
	}
	va_end(args);
	buf_text(out, format);
}

/* ---- the page ---- */

void html_begin(struct buf *out, const char *title)
{
	buf_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"color-scheme\" content=\"light dark\">\n");
	html(out, "<title>%s</title>\n<style>\n", title);
	buf_text(out, report_style);
	buf_text(out, "</style>\n</head>\n<body>\n");
}

void html_end(struct buf *out)
{
	buf_text(out, "</body>\n</html>\n");
}

const char *html_kind(enum page_mark mark)
{
	static const char *const kinds[] = { [PAGE_GOOD] = "good",
					     [PAGE_PROBLEM] = "problem",
					     [PAGE_WARNING] = "warning",
					     [PAGE_UNDECIDED] = "undecided",
					     [PAGE_NOTE] = "note" };

	return kinds[mark];
}

void html_mark(struct buf *out, const char *kind, const char *word)
{
	html(out, "<span class=\"mark %s\">%s</span>", kind, word);
}
