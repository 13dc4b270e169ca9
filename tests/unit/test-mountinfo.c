#include "parse/mountinfo.h"

#include "check-span.h"

static const struct {
	const char *line;
	const char *shown; /* root point fstype source super, divided by '|'; NULL: refused */
	const char *why;
} rows[] = {
	{ "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue",
	  "/mnt1|/mnt2|ext3|/dev/root|rw,errors=continue", "one optional field" },
	{ "25 30 0:23 / /sys rw,nosuid shared:7 propagate_from:2 - sysfs sysfs rw",
	  "/|/sys|sysfs|sysfs|rw", "two of them" },
	{ "719 718 0:93 / / rw,relatime - overlay overlay rw,lowerdir=/a",
	  "/|/|overlay|overlay|rw,lowerdir=/a", "none, as in a container" },
	{ "40 1 8:1 / /media/my\\040disk ro - ext4 /dev/sda1 ro",
	  "/|/media/my\\040disk|ext4|/dev/sda1|ro", "raw fields keep their escapes" },
	{ "50 1 0:50 / /x rw - tmpfs  rw", "/|/x|tmpfs||rw", "an empty source" },
	{ "50 1 0:50 / /x rw - tmpfs tmpfs", "/|/x|tmpfs|tmpfs|", "no super options" },
	{ "36 35 98:0 /mnt1 /mnt2 rw ext3 /dev/root rw", NULL, "no dash" },
	{ "36 35 98 /mnt1 /mnt2 rw - ext3 /dev/root rw", NULL, "no minor" },
	{ "a 35 98:0 /mnt1 /mnt2 rw - ext3 /dev/root rw", NULL, "no number" },
	{ "36 35 4294967296:0 / /m rw - ext3 /dev/root rw", NULL, "major too large" },
	{ "36 35", NULL, "cut off" },
	{ "", NULL, "empty" },
};

static void test_next(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf shown BUF_SCOPED = { 0 };
		struct span rest = span_of(rows[i].line);
		struct mount m;
		bool good = mountinfo_next(&rest, &m);

		ROW_CHECK(good == (rows[i].shown != NULL), rows[i].why);
		if (!good || !rows[i].shown)
			continue;
		buf_addf(&shown, "%.*s|%.*s|%.*s|%.*s|%.*s", (int)m.root.len, m.root.data,
			 (int)m.point.len, m.point.data, (int)m.fstype.len, m.fstype.data,
			 (int)m.source.len, m.source.data, (int)m.super_options.len,
			 m.super_options.data);
		ROW_SPAN(buf_get(&shown), rows[i].shown, rows[i].why);
	}
}

static void test_fields(void)
{
	struct span rest = span_of("broken\n36 35 98:1 / / rw,size=64k,noexec - a b c\n");
	struct mount m;

	CHECK(mountinfo_next(&rest, &m)); /* the first line is skipped */
	CHECK_INT(m.id, 36);
	CHECK_INT(m.parent, 35);
	CHECK_INT(m.major, 98);
	CHECK_INT(m.minor, 1);
	CHECK_SPAN(m.options, "rw,size=64k,noexec");
	CHECK(!mountinfo_next(&rest, &m));
}

static const struct {
	const char *field;
	const char *path;
	const char *why;
} escapes[] = {
	{ "/media/my\\040disk", "/media/my disk", "blank" },
	{ "\\011\\012\\134", "\t\n\\", "tab, newline, backslash" },
	{ "a\\04", "a\\04", "cut off" },
	{ "a\\089", "a\\089", "not octal" },
	{ "a\\400", "a\\400", "more than a byte" },
	{ "a\\", "a\\", "backslash at the end" },
	{ "", "", "empty" },
};

static void test_decode(void)
{
	for (size_t i = 0; i < COUNT_OF(escapes); i++) {
		struct buf path BUF_SCOPED = { 0 };

		mountinfo_decode(&path, span_of(escapes[i].field));
		ROW_SPAN(buf_get(&path), escapes[i].path, escapes[i].why);
	}
}

int main(void)
{
	test_next();
	test_fields();
	test_decode();
	return check_end();
}
