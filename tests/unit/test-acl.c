#include "parse/acl.h"

#include "check-span.h"

/* What logind leaves on /dev/dri/renderD128: user 1000 may read and write. */
static const char render[] = "\x02\x00\x00\x00"
			     "\x01\x00\x06\x00\xff\xff\xff\xff"
			     "\x02\x00\x06\x00\xe8\x03\x00\x00"
			     "\x04\x00\x06\x00\xff\xff\xff\xff"
			     "\x10\x00\x06\x00\xff\xff\xff\xff"
			     "\x20\x00\x00\x00\xff\xff\xff\xff";

static const char render_text[] = "user::rw-\n"
				  "user:1000:rw-\n"
				  "group::rw-\n"
				  "mask::rw-\n"
				  "other::---\n";

static void test_attribute(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span entries;
	struct acl_entry entry;

	CHECK(acl_parse(SPAN_LITERAL(render), &entries));
	while (acl_next(&entries, &entry))
		acl_text_write(&text, &entry);
	CHECK_INT(entries.len, 0);
	CHECK_SPAN(buf_get(&text), render_text);
}

static void test_there_and_back(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span rest = SPAN_LITERAL(render_text);
	struct acl_entry entry = { .tag = (enum acl_tag)3 };

	acl_text_write(&text, &entry); /* no such tag: writes nothing */
	while (acl_text_next(&rest, &entry))
		acl_text_write(&text, &entry);
	CHECK_SPAN(buf_get(&text), render_text);
}

static const struct {
	const char *bytes;
	size_t size;
	bool header;
	bool entry;
	const char *why;
} refused[] = {
	{ "\x02\x00\x00\x00", 4, true, false, "a header alone is an empty list" },
	{ "\x01\x00\x00\x00", 4, false, false, "another version" },
	{ "\x02\x00\x00", 3, false, false, "torn header" },
	{ "\x02\x00\x00\x00\x01\x00\x06\x00\xff", 9, false, false, "torn entry" },
	{ "\x02\x00\x00\x00\x03\x00\x06\x00\xff\xff\xff\xff", 12, true, false, "no such tag" },
	{ "\x02\x00\x00\x00\x00\x00\x06\x00\xff\xff\xff\xff", 12, true, false, "tag zero" },
	{ "\x02\x00\x00\x00\x01\x00\x08\x00\xff\xff\xff\xff", 12, true, false,
	  "no such permission" },
	{ "", 0, false, false, "empty" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct span entries = { 0 };
		struct acl_entry entry;

		ROW_CHECK(acl_parse((struct span){ refused[i].bytes, refused[i].size }, &entries) ==
				  refused[i].header,
			  refused[i].why);
		ROW_CHECK(acl_next(&entries, &entry) == refused[i].entry, refused[i].why);
	}
}

static const struct {
	const char *line;
	bool good;
	enum acl_tag tag;
	unsigned int perm;
	uint32_t id;
	const char *why;
} lines[] = {
	{ "user:1000:rw-", true, ACL_TAG_USER, 6, 1000, "a user by number" },
	{ "group::r--", true, ACL_TAG_GROUP_OBJ, 4, ACL_NO_ID, "the owning group" },
	{ "group:109:--x", true, ACL_TAG_GROUP, 1, 109, "another group" },
	{ "mask::rwx", true, ACL_TAG_MASK, 7, ACL_NO_ID, "mask" },
	{ "  other::---\r", true, ACL_TAG_OTHER, 0, ACL_NO_ID, "blanks around" },
	{ "user:0:r--", true, ACL_TAG_USER, 4, 0, "root is a user too" },
	{ "mask:5:rwx", false, 0, 0, 0, "a mask has no id" },
	{ "user:alice:rw-", false, 0, 0, 0, "names are not recorded" },
	{ "user:4294967296:rw-", false, 0, 0, 0, "id too large" },
	{ "user:1000:rwxx", false, 0, 0, 0, "four letters" },
	{ "user:1000:wr-", false, 0, 0, 0, "wrong order" },
	{ "user:1000", false, 0, 0, 0, "no permissions" },
	{ "owner::rw-", false, 0, 0, 0, "no such word" },
	{ "default:user::rwx", false, 0, 0, 0, "another kind of list" },
	{ "", false, 0, 0, 0, "empty" },
};

static void test_lines(void)
{
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct span rest = span_of(lines[i].line);
		struct acl_entry entry = { 0 };
		bool good = acl_text_next(&rest, &entry);

		ROW_CHECK(good == lines[i].good, lines[i].why);
		if (good)
			ROW_CHECK(entry.tag == lines[i].tag && entry.perm == lines[i].perm &&
					  entry.id == lines[i].id,
				  lines[i].why);
	}
}

int main(void)
{
	test_attribute();
	test_there_and_back();
	test_refused();
	test_lines();
	return check_end();
}
