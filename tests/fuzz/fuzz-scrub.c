/*
 * Whatever a snapshot holds: scrubbed it is a snapshot again, with a record
 * for every record, and the three names and the secrets planted in it are gone.
 * The names are cut from the input where it has something like a name.
 */

#include "scrub/scrub.h"

#include <ctype.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"
#include "door/record.h"
#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME_MIN 6
#define NAME_MAX 14

/*
 * Eight letters or so that nothing else here is spelled with: a name taken as
 * it is could be a word of the format itself.
 */
static void name_of(struct span input, size_t at, const char *mark, char ret[static 32])
{
	size_t n = strlen(mark);

	memcpy(ret, mark, n);
	for (size_t i = 0; i < NAME_MAX - n && at + i < input.len; i++)
		if (isalpha((unsigned char)input.data[at + i]))
			ret[n++] = (char)tolower((unsigned char)input.data[at + i]);
	while (n < NAME_MIN)
		ret[n++] = 'q';
	ret[n] = '\0';
}

/* An escape is no letter: "\\x20bob" is bob behind a blank. */
static bool is_letter_before(struct span text, size_t at)
{
	if (at >= 4 && text.data[at - 4] == '\\' && text.data[at - 3] == 'x' &&
	    isxdigit((unsigned char)text.data[at - 2]) &&
	    isxdigit((unsigned char)text.data[at - 1]))
		return false;
	return at > 0 && isalnum((unsigned char)text.data[at - 1]);
}

static bool holds(struct span text, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i + n <= text.len; i++)
		if (strncasecmp(text.data + i, name, n) == 0 && !is_letter_before(text, i) &&
		    (i + n == text.len || !isalnum((unsigned char)text.data[i + n])))
			return true;
	return false;
}

static size_t count_records(struct span text)
{
	struct record r;
	size_t count = 0;

	while (record_next(&text, &r) > 0)
		count += r.kind != RECORD_UNKNOWN;
	return count;
}

/* The text, and each base64 body decoded. */
static void must_be_without(struct span text, const char *name)
{
	struct record r;

	must(!holds(text, name));
	while (record_next(&text, &r) > 0) {
		struct buf content BUF_SCOPED = { 0 };

		if (r.flags & RECORD_BASE64 && record_content(&r, &content))
			must(!holds(buf_get(&content), name));
	}
}

#define SECRET "zq7kj5wv3"

static void plant(struct buf *text, const char *user, const char *other, const char *host)
{
	buf_addf(text,
		 "ask identity\n\tuid 1000\n\tuser %s\n\thome /home/%s\n"
		 "file /proc/sys/kernel/hostname\n\t%s.example.org\n"
		 "ask environment\n\tLD_LIBRARY_PATH=/home/%s/lib:/opt/%s/x\n"
		 "ask kernel-log\n\t. - 1 6 amdgpu: %s on %s by (%s)\n"
		 "dir /opt\n\tof\\x20%s/\n\t%s@\n"
		 "link /opt/%s ../home/%s\n",
		 user, user, host, user, host, user, host, other, user, other, user, other);
	buf_addf(text,
		 "ask environment\n\tHF_TOKEN=" SECRET "a\n\t--api-key " SECRET
		 "b --secretKey '" SECRET "c'\n\t{\"password\": \"" SECRET
		 "d\"}\n\tcurl -u %s:" SECRET "e x\n\tAuthorization: Bearer " SECRET
		 "f\n\tC:\\Users\\" SECRET "g\\x\n",
		 user);
	buf_addf(text, "file /etc/profile base64\n\t");
	base64_write(text, span_of(user));
	buf_text(text, "\n");
	buf_addf(text, "file /etc/%s noeol\n\tin the home /home/%s\n", host, other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span input = { (const char *)data, size };
	struct buf text BUF_SCOPED = { 0 };
	struct buf once BUF_SCOPED = { 0 };
	struct buf twice BUF_SCOPED = { 0 };
	char user[32], other[32], host[32];

	name_of(input, 0, "uu", user);
	name_of(input, size / 3, "oo", other);
	name_of(input, size / 2, "hh", host);
	buf_text(&text, RECORD_MAGIC "\n");
	buf_span(&text, input);
	buf_char(&text, '\n');
	plant(&text, user, other, host);

	must(scrub(buf_get(&text), (struct span){ "", 0 }, "key", &once) == 0);
	must(span_starts(buf_get(&once), RECORD_MAGIC "\nnote scrubbed\n"));
	must(count_records(buf_get(&once)) == count_records(buf_get(&text)) + 1);
	must_be_without(buf_get(&once), user);
	must_be_without(buf_get(&once), other);
	must_be_without(buf_get(&once), host);
	must(span_find(buf_get(&once), SPAN_LITERAL(SECRET)) == SIZE_MAX ||
	     span_find(input, SPAN_LITERAL(SECRET)) != SIZE_MAX);
	must(once.len <= 16 * text.len + 1024);

	must(scrub(buf_get(&once), (struct span){ "", 0 }, "key", &twice) == 0);
	must(twice.len <= 3 * once.len + 1024); /* pseudonyms do not grow into each other */
	return 0;
}
