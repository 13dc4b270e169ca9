#include "door/store.h"

#include "check-span.h"
#include "door/standing.h"

static const char machine[] = "rocsteady-snapshot 1\n"
			      "file /etc/a\n\told\n"
			      "future thing\n\tbody\n"
			      "another\n"
			      "dir /etc\n\ta\n\tsub/\n\tl@\n\todd\\x40\n\twith\\x20blank\n"
			      "dir /closed !EACCES\n"
			      "dir /gone !ENOENT\n"
			      "dir /\n\tetc/\n\tclosed/\n\topt/\n"
			      "files /opt/x\n\tv 1\n\tw !EIO\n"
			      "file /etc/a\n\tnew\n"
			      "file \\x2fetc/esc\n\t1\n"
			      "file /bad\\xzz\n\t1\n"
			      "note scrubbed\n";

static const struct {
	const char *why;
	const char *path;
	int want;
} missing[] = {
	{ "its directory was listed without it", "/etc/zz", -ENOENT },
	{ "it is in the listing and was not asked", "/etc/sub", DOOR_UNASKED },
	{ "below a listed directory that was not", "/etc/sub/x/y", DOOR_UNASKED },
	{ "below a name that the listing lacks", "/etc/zz/x/y", -ENOENT },
	{ "the root was listed", "/srv/x", -ENOENT },
	{ "below a refusal", "/closed/x/y", -EACCES },
	{ "below what is not there", "/gone/x", -ENOENT },
	{ "a name that looks marked", "/etc/odd@", DOOR_UNASKED },
	{ "a name with a blank", "/etc/with blank", DOOR_UNASKED },
	{ "the root itself", "/", DOOR_UNASKED },
};

static void check_missing(const struct store *s)
{
	for (size_t i = 0; i < COUNT_OF(missing); i++)
		ROW_CHECK(store_missing(s, span_of(missing[i].path)) == missing[i].want,
			  missing[i].why);
}

static void check_listed(const struct store *s)
{
	struct span etc = SPAN_LITERAL("/etc");

	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("a")), '.');
	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("sub")), '/');
	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("l")), '@');
	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("odd@")), '.');
	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("odd")), 0);
	CHECK_INT(store_listed(s, etc, SPAN_LITERAL("with blank")), '.');
	CHECK_INT(store_listed(s, SPAN_LITERAL("/closed"), SPAN_LITERAL("a")), -1);
	CHECK_INT(store_listed(s, SPAN_LITERAL("/var"), SPAN_LITERAL("a")), -1);
}

static void check_found(const struct store *s)
{
	struct buf content BUF_SCOPED = { 0 };
	const struct record *r = store_find(s, RECORD_FILE, SPAN_LITERAL("/etc/a"));

	CHECK(r && record_content(r, &content) && r->touched);
	CHECK_TEXT(content.data, "new\n"); /* the later one */
	CHECK(r && store_is_current(s, r) && !store_is_current(s, s->records[0]));
	CHECK(store_find(s, RECORD_DIR, SPAN_LITERAL("/etc/a")) == NULL);
	r = store_find(s, RECORD_FILE, SPAN_LITERAL("/opt/x/v"));
	CHECK(r && r->has_line);
	r = store_find(s, RECORD_FILE, SPAN_LITERAL("/opt/x/w"));
	CHECK(r && r->error == -EIO);
	CHECK(store_find(s, RECORD_FILE, SPAN_LITERAL("/etc/esc")) != NULL);
	CHECK(store_find(s, RECORD_FILE, SPAN_LITERAL("/bad\\xzz")) !=
	      NULL); /* kept as it stands */
	CHECK(store_find(s, RECORD_NOTE, SPAN_LITERAL("scrubbed")) != NULL);
	CHECK_INT(s->unknown, 2);
}

/* A long listing is kept otherwise, and answers the same; the later one counts. */
static void check_long_listing(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct store s = { 0 };
	struct span dir = SPAN_LITERAL("/d");

	buf_text(&text, "dir /d\n\tfirst/\n\tl@\n\todd\\x40\n");
	for (int i = 0; i < 2000; i++)
		buf_addf(&text, "\tname%d\n", i);
	store_load(&s, buf_get(&text));
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("first")), '/');
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("l")), '@');
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("odd@")), '.');
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("odd")), 0);
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("name1999")), '.');
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("name2000")), 0);
	store_load(&s, SPAN_LITERAL("dir /d\n\tonly/\n"));
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("first")), 0);
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("only")), '/');
	store_load(&s, SPAN_LITERAL("dir /d !EACCES\n"));
	CHECK_INT(store_listed(&s, dir, SPAN_LITERAL("only")), -1);
	store_done(&s);
}

/* Whoever asks about a path with a blank asks with its escape. */
static void check_question(void)
{
	struct store s = { 0 };

	store_load(&s,
		   SPAN_LITERAL("ask packages /home/ann/my\\x20venv/lib\n\tpackage torch 2.9 -\n"));
	CHECK(store_find(&s, RECORD_ASK, SPAN_LITERAL("packages /home/ann/my\\x20venv/lib")) !=
	      NULL);
	CHECK(store_find(&s, RECORD_ASK, SPAN_LITERAL("packages /home/ann/my venv/lib")) == NULL);
	store_done(&s);
}

static void check_paths(void)
{
	CHECK_SPAN(path_parent(SPAN_LITERAL("/a/b")), "/a");
	CHECK_SPAN(path_parent(SPAN_LITERAL("/a")), "/");
	CHECK_SPAN(path_parent(SPAN_LITERAL("/")), "/");
	CHECK_SPAN(path_name(SPAN_LITERAL("/a/b")), "b");
	CHECK_SPAN(path_name(SPAN_LITERAL("/")), "");
	CHECK_SPAN(path_name(SPAN_LITERAL("b")), "b");
}

int main(void)
{
	struct store s = { 0 };

	store_load(&s, span_of(machine));
	check_missing(&s);
	check_listed(&s);
	check_found(&s);
	check_long_listing();
	check_question();
	check_paths();
	store_done(&s);
	store_done(&s);
	return check_end();
}
