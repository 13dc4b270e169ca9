#include "root/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "check-span.h"
#include "door/store.h"
#include "facts/collect.h"

static char work[256];

static const char *in_work(const char *name)
{
	static char path[4][512];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", work, name);
	return path[turn];
}

static const char small[] =
	"rocsteady-snapshot 1\n# a comment stays\nfile /a\n\t1\n\nquux /b\n\t2\nfile /a\n\t3\n";

static struct root *root_of(const char *text)
{
	struct buf copy = { 0 };
	struct root *root = NULL;

	buf_text(&copy, text);
	CHECK(root_new_text(&copy, &root) == 0);
	return root;
}

/* ---- files ---- */

static struct buf why;

static void check_round_trip(const char *name, bool gzip)
{
	struct buf text BUF_SCOPED = { 0 };
	struct stat st;
	unsigned char magic[2] = { 0 };
	int fd;

	CHECK_INT(snapshot_write(in_work(name), span_of(small), &why), 0);
	CHECK(stat(in_work(name), &st) == 0 && (st.st_mode & 07777) == 0600);
	fd = open(in_work(name), O_RDONLY);
	CHECK(read(fd, magic, 2) == 2 && (magic[0] == 0x1f && magic[1] == 0x8b) == gzip);
	close(fd);
	CHECK_INT(snapshot_read(in_work(name), &text), 0);
	CHECK_SPAN(buf_get(&text), small);
}

static void check_same_gzip(void)
{
	struct stat a, b;
	char command[1200];

	CHECK(snapshot_write(in_work("x.gz"), span_of(small), &why) == 0);
	sleep(1); /* a time in the header would show */
	CHECK(snapshot_write(in_work("y.gz"), span_of(small), &why) == 0);
	CHECK(stat(in_work("x.gz"), &a) == 0 && stat(in_work("y.gz"), &b) == 0 &&
	      a.st_size == b.st_size);
	snprintf(command, sizeof(command), "cmp -s '%s' '%s'", in_work("x.gz"), in_work("y.gz"));
	CHECK(system(command) == 0);
}

static void write_bytes(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(in_work(name), "we");

	if (CHECK(f)) {
		CHECK(fwrite(bytes, 1, n, f) == n);
		fclose(f);
	}
}

static void check_damage(void)
{
	char bytes[4096];
	FILE *f = fopen(in_work("x.gz"), "re");
	size_t n = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	struct buf text BUF_SCOPED = { 0 };

	CHECK(n > 40);
	if (f)
		fclose(f);
	for (size_t cut = 1; cut < n;
	     cut += 7) { /* cut short anywhere behind the two magic bytes */
		write_bytes("cut.gz", bytes, cut);
		buf_clear(&text);
		if (cut > 2)
			CHECK_INT(snapshot_read(in_work("cut.gz"), &text), -EBADMSG);
	}
	bytes[n - 6] ^= 1; /* the checksum */
	write_bytes("sum.gz", bytes, n);
	CHECK_INT(snapshot_read(in_work("sum.gz"), &text), -EBADMSG);
	bytes[n - 6] ^= 1;
	bytes[14] ^= 0x55;
	write_bytes("body.gz", bytes, n);
	CHECK_INT(snapshot_read(in_work("body.gz"), &text), -EBADMSG);
}

/* 65 MiB of nothing, plain and as 65 kB of gzip. */
static void check_too_large(const char *name)
{
	static char block[1 << 20];
	gzFile file = gzopen(in_work(name), strstr(name, ".gz") ? "wb9" : "wT");
	struct buf text BUF_SCOPED = { 0 };

	for (int i = 0; file && i < 65; i++)
		CHECK(gzwrite(file, block, sizeof(block)) == sizeof(block));
	CHECK(file && gzclose(file) == Z_OK);
	CHECK_INT(snapshot_read(in_work(name), &text), -EFBIG);
	CHECK(text.cap <= (size_t)256 << 20);
	unlink(in_work(name));
}

static void check_places(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct stat st;

	CHECK_INT(snapshot_read(in_work("nowhere"), &text), -ENOENT);
	CHECK_INT(snapshot_read(work, &text), -EISDIR);
	CHECK_INT(snapshot_write(in_work("no/where"), span_of(small), &why), -ENOENT);
	CHECK_INT(snapshot_write(work, span_of(small), &why), -EISDIR);
	CHECK_INT(mkfifo(in_work("fifo"), 0600), 0);
	close(open(in_work("fifo"), O_RDONLY | O_NONBLOCK));
	if (symlink("/dev/null", in_work("null")) == 0) {
		CHECK_INT(snapshot_write(in_work("null"), span_of(small), &why), 0);
		CHECK(stat(in_work("null"), &st) == 0 &&
		      S_ISCHR(st.st_mode)); /* and not replaced */
	}
	CHECK_INT(snapshot_read("/dev/null", &text), 0);
	CHECK_INT(text.len, 0);
}

/* ---- text ---- */

static void check_identity(void)
{
	struct snapshot_options options = { .no_scrub = true };
	struct buf text BUF_SCOPED = { 0 };
	struct root *root = root_of(small);

	CHECK_INT(snapshot_of(root, &options, &text), 0);
	CHECK_SPAN(buf_get(&text), small); /* byte by byte, comments and unknown kinds too */
	CHECK_INT(root_store(root)->unknown, 1);

	/* A recording that was not scrubbed is, before it is written again. */
	options.no_scrub = false;
	buf_clear(&text);
	CHECK_INT(snapshot_of(root, &options, &text), 0);
	CHECK(strstr(text.data, "note scrubbed") != NULL);
	root_free(root);
}

static void check_brief_is_brief(void)
{
	struct snapshot_options options = { .key = "k" };
	struct buf text BUF_SCOPED = { 0 };
	struct buf out BUF_SCOPED = { 0 };
	struct root *root;

	/* Pseudonyms are longer than a name of three letters. */
	buf_text(
		&text,
		"rocsteady-snapshot 1\nask identity\n\tuser bob\n\thome /home/bob\nask environment\n");
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "\tHIP_X%d=/home/bob/bob\n", i);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "file /sys/class/drm/bob%d/dev\n\t/home/bob\n", i);
	buf_text(&text, "file /proc/cmdline\n\tcut at the end");
	root = root_of(text.data);
	root_brief(root);
	collect_questions(root);
	CHECK_INT(snapshot_of(root, &options, &out), 0);
	CHECK(out.len <= 32768 && !strstr(out.data, "bob"));
	CHECK(strstr(out.data, "cut at the end\n") != NULL);
	CHECK(out.data[out.len - 1] == '\n');
	root_free(root);
}

/* ---- unpacking what a stranger sent ---- */

static const char hostile[] =
	"rocsteady-snapshot 1\n"
	"link /a /etc\nfile /a/passwd\n\towned\n"
	"link /b ../../../..\nfile /b/tmp/x\n\towned\n"
	"link /c ..\nlink /c/d /etc\nlink /c/d/e x\n"
	"file /../../escape\n\towned\nfile /x/../../escape\n\towned\nfile /x/..\n\towned\nfile /..\n\towned\n"
	"file /./here\n\tok\nfile //double//slash\n\tok\nfile /tail/\n\towned\nfile /\n\towned\n"
	"file relative\n\towned\nfile ../relative\n\towned\nlink relative2 /etc\nlink ../r3 /etc\n"
	"file /nul\\x00l\n\towned\nlink /nul\\x00l2 /etc\nfile /new\\x0aline\n\tok\nfile /esc\\x1b[31m\n\tok\n"
	"file /conflict\n\tfile\nfile /conflict/below\n\tfile\nlink /conflict /etc\n"
	"file /deep/file\n\t1\nlink /deep /etc\nfile /deep/again\n\t2\n"
	"files /../..\n\tescape owned\nfiles /dir\n\t../../escape owned\n\tfine ok\n"
	"file /.rocsteady-snapshot\n\tfalse\nlink /.rocsteady-snapshot /etc/passwd\n"
	"file /twice\n\told\nfile /twice\n\tnew\n"
	"node /dev/mem char 0666 0:0 1:1\n"
	"link /empty-target \n";

static void check_hostile(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf sidecar BUF_SCOPED = { 0 };
	char longest[700];
	struct root *root;
	struct stat st;
	struct dirent *entry;
	DIR *dir;
	int names = 0;

	buf_text(&text, hostile);
	memset(longest, 'n', 400);
	snprintf(longest + 400, sizeof(longest) - 400, "/../../../escape");
	buf_addf(&text, "file /%s\n\towned\nlink /%s /etc\n", longest, longest);
	CHECK(mkdir(in_work("outer"), 0755) == 0);
	root = root_of(text.data);
	CHECK_INT(snapshot_unpack(root, in_work("outer/tree")), 0);
	CHECK_INT(snapshot_unpack(root, in_work("outer/tree")), -ENOTEMPTY);
	root_free(root);

	dir = opendir(in_work("outer"));
	while (dir && (entry = readdir(dir)))
		names++;
	if (dir)
		closedir(dir);
	CHECK_INT(names, 3); /* ".", ".." and the tree */
	CHECK(access(in_work("escape"), F_OK) < 0 && access("/tmp/x.rocsteady", F_OK) < 0);
	CHECK(lstat(in_work("outer/tree/here"), &st) == 0 && S_ISREG(st.st_mode));
	CHECK(lstat(in_work("outer/tree/double/slash"), &st) == 0);
	CHECK(lstat(in_work("outer/tree/nul"), &st) < 0);
	CHECK(lstat(in_work("outer/tree/dev"), &st) < 0); /* no node is ever made */
	CHECK(lstat(in_work("outer/tree"), &st) == 0 && (st.st_mode & 07777) == 0700);
	CHECK(lstat(in_work("outer/tree/.rocsteady-snapshot"), &st) == 0 && S_ISREG(st.st_mode));
	CHECK_INT(snapshot_read(in_work("outer/tree/.rocsteady-snapshot"), &sidecar), 0);
	CHECK(span_starts(buf_get(&sidecar), "rocsteady-snapshot 1\nnote unpacked\n"));
	CHECK(strstr(sidecar.data, "node /dev/mem char 0666 0:0 1:1") != NULL);
	root = root_of(small);
	CHECK_INT(snapshot_unpack(root, in_work("x.gz")), -ENOTDIR);
	root_free(root);
}

int main(void)
{
	char remove[300];

	snprintf(work, sizeof(work), "%s/rocsteady-test-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!CHECK(mkdtemp(work)))
		return check_end();
	check_round_trip("plain.snap", false);
	check_round_trip("small.snap.gz", true);
	check_same_gzip();
	check_damage();
	check_too_large("large.snap");
	check_too_large("bomb.snap.gz");
	check_places();
	check_identity();
	check_brief_is_brief();
	check_hostile();
	snprintf(remove, sizeof(remove), "rm -rf '%s'", work);
	CHECK(system(remove) == 0);
	return check_end();
}
