/*
 * Addresses of people and machines, and serial numbers that a text calls so.
 * What could as well be a version, a time or the place of a device is left.
 */

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "scrub/shapes.h"

#define LOCAL_MAX  64 /* bytes before the @ */
#define DOMAIN_MAX 253
#define PROMPT_MAX 160 /* of a host and the directory behind it */

static bool is_before(struct span text, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at >= n && strncasecmp(text.data + at - n, word, n) == 0 &&
	       (at == n || !shape_is_word(word[0]) || !shape_is_word(text.data[at - n - 1]));
}

/* ---- mail ---- */

/* A name with such an end is a unit or a library: user@1000.service, memcpy@libc.so */
static const char *const no_domains[] = { "service", "socket", "slice", "scope", "timer",
					  "target",  "mount",  "swap",  "path",  "device",
					  "so",      "conf",   "py" };

static bool is_domain_end(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalpha((unsigned char)p[i]))
			return false;
	for (size_t i = 0; i < COUNT(no_domains); i++)
		if (n == strlen(no_domains[i]) && strncasecmp(p, no_domains[i], n) == 0)
			return false;
	return n >= 2;
}

/* "lab.example.org": the length, 0 if it has no dot or a strange end. */
static size_t domain_length(struct span text, size_t at)
{
	struct span near = { text.data, text.len - at > DOMAIN_MAX ? at + DOMAIN_MAX : text.len };
	size_t n = shape_run(near, at, ".-");
	size_t last;

	while (n > 0 && !shape_is_word(text.data[at + n - 1]))
		n--;
	for (last = n; last > 0 && text.data[at + last - 1] != '.';)
		last--;
	return last > 1 && is_domain_end(text.data + at + last, n - last) ? n : 0;
}

/*
 * The host of a prompt, jane@node7:~$ or [jane@node7 work]#, and of scp,
 * jane@node7:/srv. Elsewhere a name behind an @ may be a version.
 */
static size_t shell_host(struct span text, size_t at, bool in_brackets)
{
	struct span near = { text.data, text.len - at > PROMPT_MAX ? at + PROMPT_MAX : text.len };
	size_t n = shape_run(near, at, "-.");
	char next = shape_byte(near, at + n), then = shape_byte(near, at + n + 1);

	if (n > 0 && next == ':' && (then == '~' || then == '/'))
		return n;
	return n > 0 && in_brackets && (next == ' ' || shape_escape(near, at + n)) &&
			       memchr(near.data + at, ']', near.len - at)
		       ? n
		       : 0;
}

size_t shape_mail(struct span text, size_t at)
{
	struct span near = { text.data,
			     text.len - at > LOCAL_MAX + 1 ? at + LOCAL_MAX + 1 : text.len };
	size_t n = shape_run(near, at, "._%+-");
	size_t domain;

	if (n == 0 || shape_byte(text, at + n) != '@')
		return 0;
	domain = domain_length(text, at + n + 1);
	if (domain == 0)
		domain = shell_host(text, at + n + 1, at > 0 && text.data[at - 1] == '[');
	return domain > 0 ? n + 1 + domain : 0;
}

/* ---- IPv4 ---- */

static size_t four_parts(struct span text, size_t at, int ret[static 4])
{
	size_t n = 0;

	for (int part = 0; part < 4; part++) {
		size_t start = n;

		for (ret[part] = 0;
		     n < start + 3 && isdigit((unsigned char)shape_byte(text, at + n));)
			ret[part] = ret[part] * 10 + (text.data[at + n++] - '0');
		if (n == start || ret[part] > 255 ||
		    (n > start + 1 && text.data[at + start] == '0'))
			return 0;
		if (part < 3 && shape_byte(text, at + n++) != '.')
			return 0;
	}
	return n;
}

static bool is_called_address(struct span text, size_t at, size_t end)
{
	static const char *const words[] = {
		"from ",    "to ",      "host ",     "ip ",    "addr ",  "address ", "server ",
		"inet ",    "via ",     "gateway ",  "peer ",  "host=",  "ip=",      "addr=",
		"address=", "server=",  "//",        "@",      "host: ", "ip: ",     "addr: ",
		"nfsroot=", "server: ", "address: ", "::ffff:"
	};

	if (shape_byte(text, end) == ':' && isdigit((unsigned char)shape_byte(text, end + 1)))
		return true;
	for (size_t i = 0; i < COUNT(words); i++)
		if (is_before(text, at, words[i]))
			return true;
	return false;
}

size_t shape_ipv4(struct span text, size_t at)
{
	int part[4];
	size_t n;

	if (at > 0 && shape_is_in(text.data[at - 1], ".-+_"))
		return 0;
	n = four_parts(text, at, part);
	if (n == 0 || part[0] == 0 || part[0] == 127)
		return 0; /* of every machine */
	if (shape_is_word(shape_byte(text, at + n)) ||
	    shape_is_in(shape_byte(text, at + n), "-+_") || is_before(text, at, "version ") ||
	    is_before(text, at, "version: ") || is_before(text, at, "=="))
		return 0;
	if (shape_byte(text, at + n) == '.' && shape_is_word(shape_byte(text, at + n + 1)))
		return 0;
	/* No version of anything begins with a number of 100 or more. */
	return part[0] >= 100 || is_called_address(text, at, at + n) ? n : 0;
}

/* ---- IPv6 ---- */

/* Global, site and link-local addresses begin so; other text with colons does not. */
static bool is_ipv6_start(unsigned int group)
{
	return (group >= 0x2000 && group < 0x4000) || (group >= 0xfc00 && group < 0xfe00) ||
	       (group >= 0xfe80 && group < 0xfec0);
}

/* ::ffff:c0a8:0105 is an IPv4 address. */
static bool is_mapped_start(struct span text, size_t at, unsigned int group)
{
	return group == 0xffff && at >= 2 && memcmp(text.data + at - 2, "::", 2) == 0 &&
	       shape_byte(text, at + 4) == ':' && isxdigit((unsigned char)shape_byte(text, at + 5));
}

static size_t hex_digits(struct span text, size_t at, unsigned int *ret)
{
	size_t n = 0;

	for (*ret = 0; n < 5 && isxdigit((unsigned char)shape_byte(text, at + n)); n++) {
		int c = tolower((unsigned char)text.data[at + n]);

		*ret = *ret * 16 + (unsigned int)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return n;
}

size_t shape_ipv6(struct span text, size_t at)
{
	unsigned int value;
	size_t groups = 1;
	size_t n = hex_digits(text, at, &value);
	bool gap = false;

	if (n != 4 || (!is_ipv6_start(value) && !is_mapped_start(text, at, value)))
		return 0;
	gap = value == 0xffff; /* "::" stands before it */
	while (groups < 8 && shape_byte(text, at + n) == ':') {
		size_t skip = shape_byte(text, at + n + 1) == ':' ? 2 : 1;
		size_t digits = hex_digits(text, at + n + skip, &value);

		if (digits > 4 || (digits == 0 && skip == 1) || (skip == 2 && gap))
			break;
		gap = gap || skip == 2;
		n += skip + digits;
		groups += digits > 0;
		if (digits == 0)
			break;
	}
	if (shape_is_word(shape_byte(text, at + n)) || (!gap && groups != 8))
		return 0;
	if (value < 0x1000 && shape_byte(text, at + n) == '.')
		return 0; /* ::ffff:10.1.2.3, which shape_ipv4 takes */
	return n;
}

/* ---- serials ---- */

/* ABC-123, 0x0002c9030045f120, 0002:c903:0045:f120: three digits at least, and not only zeros. */
static size_t serial_length(struct span text, size_t start)
{
	struct span near = { text.data, text.len - start > 65 ? start + 65 : text.len };
	size_t n = shape_run(near, start, "-:");
	size_t digits = 0, others = 0;

	while (n > 0 && !shape_is_word(text.data[start + n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		digits += isdigit((unsigned char)text.data[start + i]) != 0;
		others += !shape_is_in(text.data[start + i], "0xX:");
	}
	return n < 5 || n > 64 || digits < 3 || others == 0 ? 0 : n;
}

/* A label at a place, its blanks escaped or not: the bytes it takes, or 0. */
static size_t label_length(const struct secret_rule *r, struct span text, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < r->text.len; i++) {
		if (r->text.data[i] == ' ' && text.len - at - n > 4 &&
		    memcmp(text.data + at + n, "\\x20", 4) == 0)
			n += 4;
		else if (tolower((unsigned char)shape_byte(text, at + n)) == r->text.data[i])
			n++;
		else
			return 0;
	}
	return n;
}

static size_t behind_label(struct span text, size_t at)
{
	for (;;) {
		if (shape_is_in(shape_byte(text, at), " :=#\"'"))
			at++;
		else if (text.len - at > 4 && memcmp(text.data + at, "\\x20", 4) == 0)
			at += 4;
		else
			return at;
	}
}

size_t shape_label(const struct secret_rules *rules, struct span text, size_t at, size_t *ret_start,
		   enum secret_kind *ret_kind)
{
	const struct secret_rule *r = rules->by_first[tolower((unsigned char)text.data[at])];

	for (; r; r = r->next) {
		size_t len = r->form == RULE_LABEL ? label_length(r, text, at) : 0;
		size_t start = len > 0 ? behind_label(text, at + len) : 0;
		size_t n;

		if (len == 0 || start == at + len)
			continue;
		n = serial_length(text, start);
		if (n == 0)
			continue;
		*ret_start = start;
		*ret_kind = r->kind;
		return n;
	}
	return 0;
}

/* ---- InfiniBand ---- */

/* Vendors of PCI, with which four groups are vendor, device and those of the board. */
static bool is_pci_vendor(unsigned int group)
{
	return group == 0x1002 || group == 0x1022 || group == 0x10de || group == 0x8086;
}

size_t shape_guid(struct span text, size_t at)
{
	unsigned int first = 0, all = 0, value;
	size_t n = 0;

	if (at > 0 && text.data[at - 1] == ':')
		return 0;
	for (int group = 0; group < 4; group++, n += 4) {
		if (group > 0 && shape_byte(text, at + n++) != ':')
			return 0;
		if (hex_digits(text, at + n, &value) != 4)
			return 0;
		first = group == 0 ? value : first;
		all |= value;
	}
	if (shape_is_word(shape_byte(text, at + n)) || shape_is_in(shape_byte(text, at + n), ":.-"))
		return 0;
	return all == 0 || is_pci_vendor(first) ? 0 : n;
}
