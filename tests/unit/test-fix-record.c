#include "fix/record.h"

#include <errno.h>

#include "check.h"
#include "fix/group.h"

/* ---- records ---- */

static const char head[] = "rocsteady-fix 1\nremedy join\nsubject =/dev/kfd\ncause c\nat 12\n"
			   "action join-group =ada:render - -\n"
			   "file =/etc/group f 640 0 42 -5 7 YWI=\n"
			   "file =/etc/group- - 0 0 0 0 0 -\n";

static const struct {
	const char *why;
	const char *tail;
	int want;
	bool done, applied, undoing;
} tails[] = {
	{ "a plan", "planned\n", 0, false, false, false },
	{ "no plan yet", "", -EBADMSG, false, false, false },
	{ "done", "planned\n\ndone 0\n", 0, true, false, false },
	{ "applied", "planned\n\ndone 0\n\napplied\n", 0, true, true, false },
	{ "a mark that was cut off", "planned\n\ndon", 0, false, false, false },
	{ "and made again", "planned\n\ndon\ndone 0\n", 0, true, false, false },
	{ "done before it is planned", "done 0\nplanned\n", -EBADMSG, false, false, false },
	{ "done with what is not there", "planned\n\ndone 7\n", 0, false, false, false },
	{ "undoing", "planned\n\nundoing\n", 0, false, false, true },
	{ "a word nobody knows", "shell =x\nplanned\n", -EBADMSG, false, false, false },
	{ "a kind nobody knows", "action shell =x - -\nplanned\n", -EBADMSG, false, false, false },
};

static void read_back(void)
{
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		struct buf text BUF_SCOPED = { 0 };
		struct fix_record r;

		buf_text(&text, head);
		buf_text(&text, tails[i].tail);
		if (!CHECK(fix_record_parse(buf_get(&text), &r) == tails[i].want))
			printf("  %s\n", tails[i].why);
		if (tails[i].want < 0)
			continue;
		CHECK(r.actions[0].done == tails[i].done && r.applied == tails[i].applied &&
		      r.undoing == tails[i].undoing);
		fix_record_done(&r);
	}
}

static void write_and_read(void)
{
	struct fix_record r = { .remedy = "x",
				.subject = "/a b\n",
				.cause = "c",
				.evidence = "one two",
				.at = 1,
				.count = 1 };
	struct buf text BUF_SCOPED = { 0 };
	struct fix_record back;

	r.actions[0] = (struct fix_record_action){
		.what = { APPLY_WRITE, "/etc/x", "a\nb \\ c\n", NULL },
		.files[0] = { "/etc/group",
			      { .kind = 'f', .mode = 0640, .gid = 42, .mtime_s = -5 },
			      { "\0\n\xff", 3 } },
		.file_count = 1,
		.dirs[0] = "/etc",
		.dir_count = 1,
	};
	fix_record_text(&r, &text);
	CHECK(fix_record_parse(buf_get(&text), &back) == 0);
	CHECK_TEXT(back.subject, r.subject);
	CHECK_TEXT(back.evidence, r.evidence);
	CHECK_TEXT(back.actions[0].what.content, r.actions[0].what.content);
	CHECK(!back.actions[0].what.place && back.actions[0].dir_count == 1);
	CHECK(back.actions[0].files[0].bytes.len == 3 &&
	      back.actions[0].files[0].old.mode == 0640 &&
	      back.actions[0].files[0].old.mtime_s == -5);
	fix_record_done(&back);
}

/* ---- group files ---- */

static const struct {
	const char *why, *old, *now;
	bool good;
} groups[] = {
	{ "the first member", "a:x:1:\nrender:x:9:\n", "a:x:1:\nrender:x:9:ada\n", true },
	{ "one more", "render:x:9:bob\n", "render:x:9:bob,ada\n", true },
	{ "nothing", "render:x:9:bob\n", "render:x:9:bob\n", true },
	{ "two groups", "render:x:9:\nvideo:x:4:b\n", "render:x:9:ada\nvideo:x:4:b,ada\n", true },
	{ "another user", "render:x:9:\n", "render:x:9:eve\n", false },
	{ "another group", "sudo:x:9:\n", "sudo:x:9:ada\n", false },
	{ "a name that ends so", "render:x:9:b\n", "render:x:9:b,xada\n", false },
	{ "a line more", "render:x:9:\n", "render:x:9:ada\nnew:x:10:\n", false },
	{ "a line less", "render:x:9:\na:x:1:\n", "render:x:9:ada\n", false },
	{ "another number", "render:x:9:\n", "render:x:8:ada\n", false },
	{ "a member gone", "render:x:9:bob,eve\n", "render:x:9:bob,ada\n", false },
	{ "gshadow", "render:!::\n", "render:!::ada\n", true },
};

/* What others did since stays as it is, byte for byte. */
static const struct {
	const char *why;
	const char *old;
	const char *now;
	const char *want;
} others[] = {
	{ "a group more", "render:x:9:\n", "render:x:9:ada\nnew:x:10:\n",
	  "render:x:9:\nnew:x:10:\n" },
	{ "a member behind", "render:x:9:bob\n", "render:x:9:bob,ada,eve\n",
	  "render:x:9:bob,eve\n" },
	{ "a member before", "render:x:9:\n", "render:x:9:eve,ada\n", "render:x:9:eve\n" },
	{ "another number", "render:x:9:\n", "render:x:8:ada\n", "render:x:8:\n" },
	{ "a password", "render:!::\n", "render:$6$x:adm:ada\n", "render:$6$x:adm:\n" },
	{ "a member of before", "video:x:4:ada\nrender:x:9:\n", "video:x:4:ada,b\nrender:x:9:ada\n",
	  "video:x:4:ada,b\nrender:x:9:\n" },
	{ "another group of ours", "a:x:1:\nrender:x:9:\n", "a:x:1:ada\nrender:x:9:ada\n",
	  "a:x:1:ada\nrender:x:9:\n" },
	{ "gone already", "render:x:9:\n", "render:x:9:eve\n", "render:x:9:eve\n" },
	{ "a name like it", "render:x:9:\n", "render:x:9:adam,xada\n", "render:x:9:adam,xada\n" },
	{ "the group is gone", "render:x:9:\n", "a:x:1:\n", "a:x:1:\n" },
	{ "no last newline", "render:x:9:\n", "# \n\nrender:x:9:ada", "# \n\nrender:x:9:" },
	{ "too few colons", "render:x:9:\n", "render:x:ada\nrender\nrender:\n:::\n",
	  "render:x:ada\nrender\nrender:\n:::\n" },
	{ "nothing at all", "", "", "" },
};

static void take_out(void)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct buf text BUF_SCOPED = { 0 };

		group_take_out(span_of(others[i].old), span_of(others[i].now), "ada",
			       "render,video", &text);
		CHECK_TEXT(text.len ? text.data : "", others[i].want);
	}
}

int main(void)
{
	struct arena a = { 0 };

	read_back();
	write_and_read();
	take_out();
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (!CHECK(group_only_added(span_of(groups[i].old), span_of(groups[i].now), "ada",
					    "render,video") == groups[i].good))
			printf("  %s\n", groups[i].why);
	CHECK_TEXT(fix_record_name(&a, "x", ""), "x");
	CHECK(strcmp(fix_record_name(&a, "x", "/a"), fix_record_name(&a, "x", "/b")) != 0);
	arena_done(&a);
	return check_end();
}
