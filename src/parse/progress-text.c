#include "parse/progress-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t escape_length(struct span s)
{
	size_t n = 2;

	if (s.len < 2)
		return s.len;
	if (s.data[1] == '[') {
		while (n < s.len && (s.data[n] < '@' || s.data[n] > '~'))
			n++;
		return n < s.len ? n + 1 : s.len;
	}
	if (s.data[1] != ']')
		return 2;
	while (n < s.len && s.data[n] != '\a' && s.data[n] != '\033')
		n++;
	return n < s.len ? n + 1 : s.len;
}

/* Text before a carriage return is dropped; a character outside ASCII becomes PROGRESS_SIGN. */
void progress_flatten(struct span line, char text[PROGRESS_TEXT + 1])
{
	size_t out = 0;

	for (size_t i = 0; i < line.len && out < PROGRESS_TEXT; i++) {
		unsigned char c = (unsigned char)line.data[i];

		if (c == '\033')
			i += escape_length((struct span){ line.data + i, line.len - i }) - 1;
		else if (c == '\r' && i + 1 < line.len)
			out = 0;
		else if (c >= 0xc0)
			text[out++] = PROGRESS_SIGN;
		else if (c < 0x80)
			text[out++] = c < ' ' ? ' ' : (char)c;
	}
	text[out] = '\0';
}

bool progress_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

const char *progress_blanks(const char *s)
{
	return s + strspn(s, " ");
}

/* NULL: no whole number of at most 15 digits; "1.5", "3d" and "45%" are none. */
const char *progress_whole(const char *s, long *ret)
{
	size_t n = strspn(s, "0123456789");
	const char *end = s + n;

	if (n == 0 || n > 15 || progress_is_word(*end) || *end == '%' ||
	    (*end == '.' && isdigit((unsigned char)end[1])))
		return NULL;
	*ret = strtol(s, NULL, 10);
	return end;
}

const char *progress_decimal(const char *s, double *ret)
{
	char *end;
	double value;

	if (!isdigit((unsigned char)*s) && strncasecmp(s, "nan", 3) != 0 &&
	    strncasecmp(s, "inf", 3) != 0 && !(s[0] == '-' && isdigit((unsigned char)s[1])))
		return NULL;
	value = strtod(s, &end);
	if (end == s)
		return NULL;
	*ret = value;
	return end;
}

/* "10/ 500", "1 of 3". NULL: none, or a date, or more than there is. */
const char *progress_fraction(const char *s, long *ret_of, long *ret_all)
{
	const char *at;
	long of, all;

	at = progress_whole(progress_blanks(s), &of);
	if (!at)
		return NULL;
	at = progress_blanks(at);
	if (*at == '/')
		at++;
	else if (strncmp(at, "of ", 3) == 0)
		at += 3;
	else
		return NULL;
	at = progress_whole(progress_blanks(at), &all);
	if (!at || all == 0 || of > all || *at == '/')
		return NULL;
	*ret_of = of;
	*ret_all = all;
	return at;
}

/* The number that ends before `end`; NULL: none. */
const char *progress_number_before(const char *text, const char *end, double *ret)
{
	const char *s = end;

	while (s > text && (isdigit((unsigned char)s[-1]) || s[-1] == '.'))
		s--;
	if (s == end || (s > text && progress_is_word(s[-1])) || progress_decimal(s, ret) != end)
		return NULL;
	return s;
}

/* The next place after `from` where the word stands alone. */
const char *progress_find_word(const char *text, const char *from, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = from; (s = strcasestr(s, word)); s++)
		if ((s == text || !progress_is_word(s[-1])) && !progress_is_word(s[n]))
			return s;
	return NULL;
}
