/*
 * The door on recorded text and on trees: what every question answers, and
 * that no link and no file of a tree leads out of it.
 */

#include "root/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "check-scratch.h"
#include "check-span.h"
#include "door/door.h"
#include "door/standing.h"

static struct root *text_root(const char *records)
{
	struct buf text = { 0 };
	struct root *root = NULL;

	buf_text(&text, "rocsteady-snapshot 1\n");
	buf_text(&text, records);
	CHECK(root_new_text(&text, &root) == 0 && text.data == NULL);
	return root;
}

/* ---- links ---- */

static const char links[] =
	"link /opt/rocm /etc/alternatives/rocm\n"
	"link /etc/alternatives/rocm /opt/rocm-6.2.0\n"
	"file /opt/rocm-6.2.0/.info/version\n\t6.2.0-66\n"
	"link /sys/class/drm/card0 ../../devices/pci0000:00/0000:03:00.0/drm/card0\n"
	"link /sys/devices/pci0000:00/0000:03:00.0/drm/card0/device ../../../0000:03:00.0\n"
	"file /sys/devices/pci0000:00/0000:03:00.0/vendor\n\t0x1002\n"
	"link /loop/a b\nlink /loop/b a\n"
	"link /self /self/x\n"
	"link /up ../../../../etc\nfile /etc/x\n\t1\n"
	"link /home/u/.bashrc /proc/self/environ\nfile /proc/self/environ\n\tSECRET=1\n"
	"link /etc/out /sys/kernel/debug/dri/0/x\nfile /sys/kernel/debug/dri/0/x\n\t1\n"
	"link /sys/class/x/y /etc/x\n"
	"link /dev/z /etc/x\n"
	"link /refused !EACCES\nlink /plain !EINVAL\nfile /plain\n\t1\n"
	"link /bad \\xq0\n"
	"link /blank to\\x20me\nfile /to\\x20me\n\t1\n"
	"link /empty \\x2e\n"
	"dir /opt\n\trocm@\n\trocm-6.2.0/\n";

static const struct {
	const char *why;
	const char *path;
	int error;
	const char *text;
} followed[] = {
	{ "absolute, through two", "/opt/rocm/.info/version", 0, "6.2.0-66\n" },
	{ "relative, through sysfs", "/sys/class/drm/card0/device/vendor", 0, "0x1002\n" },
	{ "dots and double slashes", "/opt/./rocm//x/../.info/version", 0, "6.2.0-66\n" },
	{ "a loop of two", "/loop/a", -ELOOP, NULL },
	{ "a link into itself", "/self", -ELOOP, NULL },
	{ "above the top is the top", "/up/x", 0, "1\n" },
	{ "from a home into /proc", "/home/u/.bashrc", -EXDEV, NULL },
	{ "into debugfs", "/etc/out", -EXDEV, NULL },
	{ "debugfs by its name", "/sys/kernel/debug/dri/0/x", -EXDEV, NULL },
	{ "out of sysfs", "/sys/class/x/y", -EXDEV, NULL },
	{ "out of /dev", "/dev/z", -EXDEV, NULL },
	{ "a link that may not be read", "/refused/x", -EACCES, NULL },
	{ "asked, and it was none", "/plain", 0, "1\n" },
	{ "a malformed target", "/bad/x", -EBADMSG, NULL },
	{ "a target with a blank", "/blank", 0, "1\n" },
	{ "nowhere", "/opt/nothing", -ENOENT, NULL },
	{ "a directory that nobody listed", "/var/x", DOOR_UNASKED, NULL },
};

static void check_links(void)
{
	struct root *root = text_root(links);
	const char *real = NULL;
	struct span text;

	for (size_t i = 0; i < COUNT_OF(followed); i++) {
		int r = root_read(root, followed[i].path, &text);

		if (!ROW_CHECK(r == followed[i].error, followed[i].why))
			printf("  got %s\n", standing_error_name(r));
		else if (r == 0)
			ROW_SPAN(text, followed[i].text, followed[i].why);
	}
	CHECK_INT(root_real(root, "/opt/rocm", &real), 0);
	CHECK_TEXT(real, "/opt/rocm-6.2.0");
	CHECK_INT(root_link(root, "/opt/rocm", &text), 0);
	CHECK_SPAN(text, "/etc/alternatives/rocm");
	CHECK_INT(root_link(root, "/blank", &text), 0);
	CHECK_SPAN(text, "to me");
	CHECK_INT(root_link(root, "/plain", &text), -EINVAL);
	root_free(root);
}

/* Forty are followed as the kernel does, one more is a loop. */
static void check_many_links(int count, int want)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span got;
	struct root *root;

	for (int i = 0; i < count; i++)
		buf_addf(&text, "link /l%d /l%d\n", i, i + 1);
	buf_addf(&text, "file /l%d\n\tend\n", count);
	root = text_root(text.data);
	CHECK_INT(root_read(root, "/l0", &got), want);
	root_free(root);
}

/* ---- everything else of a recorded machine ---- */

static const char machine[] =
	"ask identity\n\tuid 1000\n\thome /home/ada\n"
	"ask open /dev/kfd !EACCES\n"
	"ask empty\n"
	"file /home/ada/.bashrc excerpt\n\t3:export HSA_X=1\n"
	"file /etc/a\n\told\nfile /etc/a\n\tnew\n"
	"file /etc/b base64\n\tAAE=\n"
	"file /etc/c base64\n\t!\n"
	"file /etc/d noeol\n\tx\n"
	"file /stuck !STUCK\nfile /asleep !ASLEEP\nfile /skipped !SKIPPED\nfile /eio !EIO\n"
	"dir /n\n\t1\n\t2/\n\t10@\n\twith\\x20blank\n\todd\\x40\n"
	"node /dev/kfd char 0660 0:992 235:1\nnode /dev/x file 0644 1:2\nnode /dev/y nonsense\n"
	"node /dev/sda block 0600 0:6 8:0\nnode /s socket 0777 0:0\nnode /p fifo 0600 0:0\n"
	"note scrubbed\n";

static void check_errors(struct root *root)
{
	struct span text;

	CHECK_INT(root_read(root, "/stuck", &text), DOOR_STUCK);
	CHECK_INT(root_read(root, "/asleep", &text), DOOR_ASLEEP);
	CHECK_INT(root_read(root, "/skipped", &text), DOOR_SKIPPED);
	CHECK_INT(root_read(root, "/eio", &text), -EIO);
	CHECK_INT(root_read(root, "/etc/c", &text), -EBADMSG);
	CHECK_INT(root_ask(root, "open /dev/kfd", &text), -EACCES);
	CHECK_INT(root_ask(root, "open /dev/dri/renderD128", &text), DOOR_UNASKED);
}

static void check_answers(struct root *root)
{
	struct root_names names;
	struct door_node node;
	struct span text;

	CHECK(root_read(root, "/etc/a", &text) == 0 && text.data[text.len] == '\0');
	CHECK_SPAN(text, "new\n");
	CHECK(root_read(root, "/etc/b", &text) == 0 && text.len == 2 && text.data[1] == 1);
	CHECK(root_read(root, "/etc/d", &text) == 0);
	CHECK_SPAN(text, "x");
	CHECK(root_read(root, "~/.bashrc", &text) == 0);
	CHECK_SPAN(text, "3:export HSA_X=1\n");
	CHECK(root_ask(root, "empty", &text) == 0 && text.len == 0);
	CHECK(root_list(root, "/n", &names) == 0 && names.count == 5);
	CHECK_TEXT(names.names[1], "2");
	CHECK_TEXT(names.names[2], "10");
	CHECK_TEXT(names.names[3], "with blank");
	CHECK_TEXT(names.names[4], "odd@");
	CHECK(root_stat(root, "/dev/kfd", &node) == 0 && node.kind == 'c' && node.mode == 0660 &&
	      node.gid == 992 && node.major == 235 && node.minor == 1);
	CHECK(root_stat(root, "/dev/x", &node) == 0 && node.kind == '-' && node.uid == 1);
	CHECK_INT(root_stat(root, "/dev/y", &node), -EBADMSG);
	CHECK(root_stat(root, "/dev/sda", &node) == 0 && node.kind == 'b');
	CHECK(root_stat(root, "/s", &node) == 0 && node.kind == 's');
	CHECK(root_stat(root, "/p", &node) == 0 && node.kind == 'p');
	CHECK(root_kind(root) == DOOR_SNAPSHOT && root_record(root, NULL) == 0);
}

static void check_brief(void)
{
	struct root *root = text_root("file /proc/cmdline\n\tro\nfile /etc/profile excerpt\n\t1:x\n"
				      "ask identity\n\tuid 0\nask drm-clients\n\tdenied 0\n");
	struct span text;

	CHECK_INT(root_read(root, "/etc/profile", &text), 0);
	root_brief(root);
	CHECK_INT(root_read(root, "/proc/cmdline", &text), 0);
	CHECK_INT(root_read(root, "/etc/profile", &text), DOOR_UNASKED);
	CHECK_INT(root_ask(root, "identity", &text), 0);
	CHECK_INT(root_ask(root, "drm-clients", &text), DOOR_UNASKED);
	root_free(root);
}

static void check_no_snapshot(void)
{
	static const char *const texts[] = { "",
					     "rocsteady",
					     "rocsteady-snapshot 1",
					     "rocsteady-snapshot 2\n",
					     "Rocsteady-snapshot 1\n",
					     "\nrocsteady-snapshot 1\n" };
	struct root *root = NULL;

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct buf text BUF_SCOPED = { 0 };

		buf_text(&text, texts[i]);
		ROW_CHECK(root_new_text(&text, &root) == -EBADMSG && root == NULL, texts[i]);
	}
}

/* ---- trees ---- */

static void fill_tree(void)
{
	FILE *f;

	/* The host has an /etc/os-release too: its own must not be read. */
	scratch_put("/usr/lib/os-release", "ID=of-the-tree\n");
	scratch_link("/etc/os-release", "/usr/lib/os-release");
	scratch_put("/opt/rocm-6.2.0/.info/version", "6.2.0-of-the-tree\n");
	scratch_link("/opt/rocm", "/etc/alternatives/rocm");
	scratch_link("/etc/alternatives/rocm", "/opt/rocm-6.2.0");
	scratch_link("/etc/profile",
		     "../../../../../../../../../../etc/passwd"); /* stays in the tree */
	scratch_put("/etc/passwd", "export HSA_FROM=tree\n");
	scratch_link("/proc/version", "/etc/passwd");
	scratch_parents("/etc/zsh/x");
	CHECK(mkfifo(scratch_path("/etc/zsh/zshenv"), 0644) == 0);
	CHECK(mkfifo(scratch_path("/proc/cmdline"), 0644) == 0);
	scratch_parents("/etc/bash.bashrc/x"); /* a directory where a file is asked for */
	scratch_put("/etc/zsh/zshrc", "");
	f = fopen(scratch_path("/proc/modules"), "we");
	for (int i = 0; f && i < 2 << 20; i++)
		fputc('x', f);
	if (CHECK(f))
		fclose(f);
	scratch_put("/etc/bashrc", "export HIP_X=1\n");
	chmod(scratch_path("/etc/bashrc"), 0);
	scratch_put("/etc/environment", "a\nHSA_X=1\nb\nROCM_Y\n");
	scratch_put("/etc/shadow", "root:secret\n");
	for (int i = 8; i <= 12; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/etc/profile.d/%d.sh", i);
		scratch_put(path, "x\n");
	}
	mknod(scratch_path("/etc/csh.cshrc"), S_IFCHR | 0666, makedev(1, 3)); /* only root may */
}

static const struct {
	const char *why;
	const char *path;
	int error;
	const char *text;
} tree[] = {
	{ "an absolute link", "/etc/os-release", 0, "ID=of-the-tree\n" },
	{ "two absolute links", "/opt/rocm/.info/version", 0, "6.2.0-of-the-tree\n" },
	{ "a link above the top", "/etc/profile", 0, "1:export HSA_FROM=tree\n" },
	{ "from /proc to elsewhere", "/proc/version", -EXDEV, NULL },
	{ "a FIFO is not opened", "/etc/zsh/zshenv", -EINVAL, NULL },
	{ "a FIFO in /proc neither", "/proc/cmdline", -EINVAL, NULL },
	{ "a directory", "/etc/bash.bashrc", -EISDIR, NULL },
	{ "two MiB", "/proc/modules", -EFBIG, NULL },
	{ "only lines that name a variable", "/etc/environment", 0, "2:HSA_X=1\n4:ROCM_Y\n" },
	{ "an empty file", "/etc/zsh/zshrc", 0, "" },
	{ "not there", "/etc/zsh/zprofile", -ENOENT, NULL },
	{ "not in the table", "/etc/shadow", DOOR_UNASKED, NULL },
	{ "of a process", "/proc/self/limits", DOOR_UNASKED, NULL },
};

static void ask_tree(struct root *root)
{
	struct root_names names;
	struct door_node node;
	struct span text;

	for (size_t i = 0; i < COUNT_OF(tree); i++)
		(void)root_read(root, tree[i].path, &text);
	(void)root_read(root, "/etc/bashrc", &text);
	(void)root_read(root, "/etc/csh.cshrc", &text);
	(void)root_list(root, "/etc/profile.d", &names);
	(void)root_read(root, "/etc/profile.d/9.sh", &text);
	(void)root_stat(root, "/dev", &node);
	(void)root_ask(root, "open /dev/kfd", &text);
	(void)root_ask(root, "identity", &text);
}

static void check_tree(enum door_kind kind)
{
	struct door_options options = { 0 };
	struct root_names names;
	struct root *root = NULL;
	struct span text;
	struct stat st;

	if (!CHECK(root_new_dir(kind, scratch_top, &options, &root) == 0))
		return;
	CHECK_INT(root_record(root, ask_tree), 0);
	for (size_t i = 0; i < COUNT_OF(tree); i++) {
		int r = root_read(root, tree[i].path, &text);

		if (kind == DOOR_MOUNTED && strcmp(tree[i].path, "/proc/cmdline") == 0)
			continue; /* a mounted host has a real /proc, which is not looked at twice */
		if (!ROW_CHECK(r == tree[i].error, tree[i].why))
			printf("  got %s\n", standing_error_name(r));
		else if (r == 0)
			ROW_SPAN(text, tree[i].text, tree[i].why);
	}
	CHECK_INT(root_read(root, "/etc/bashrc", &text), geteuid() == 0 ? 0 : -EACCES);
	if (stat(scratch_path("/etc/csh.cshrc"), &st) == 0)
		CHECK_INT(root_read(root, "/etc/csh.cshrc", &text), -EINVAL);
	CHECK(root_list(root, "/etc/profile.d", &names) == 0 && names.count == 5);
	CHECK_TEXT(names.names[1], "9.sh"); /* natural order: 8, 9, 10 */
	CHECK_TEXT(names.names[2], "10.sh");
	CHECK_INT(root_ask(root, "open /dev/kfd", &text), DOOR_UNASKED);
	CHECK_INT(root_ask(root, "identity", &text), DOOR_UNASKED);
	root_free(root);
}

/* Records beside the files: with the note, what is in neither was not asked. */
static void check_sidecar(bool unpacked)
{
	struct door_options options = { 0 };
	struct buf text BUF_SCOPED = { 0 };
	struct root *root = NULL;
	struct span got;

	buf_addf(&text,
		 "rocsteady-snapshot 1\n%sask identity\n\tuid 1\nfile /etc/environment !EACCES\n",
		 unpacked ? "note unpacked\n" : "");
	scratch_put("/.rocsteady-snapshot", text.data);
	if (!CHECK(root_new_dir(DOOR_TREE, scratch_top, &options, &root) == 0))
		return;
	CHECK_INT(root_record(root, ask_tree), 0);
	CHECK(root_kind(root) == (unpacked ? DOOR_SNAPSHOT : DOOR_TREE));
	CHECK_INT(root_ask(root, "identity", &got), 0);
	CHECK_INT(root_read(root, "/etc/environment", &got), -EACCES); /* the record counts */
	CHECK_INT(root_read(root, "/etc/zsh/zprofile", &got), unpacked ? DOOR_UNASKED : -ENOENT);
	root_free(root);
	unlink(scratch_path("/.rocsteady-snapshot"));
}

static void check_no_tree(void)
{
	struct door_options options = { 0 };
	struct root *root = NULL;

	CHECK_INT(root_new_dir(DOOR_TREE, scratch_path("/nowhere"), &options, &root), -ENOENT);
	CHECK_INT(root_new_dir(DOOR_TREE, scratch_path("/etc/environment"), &options, &root),
		  -ENOTDIR);
	CHECK(root == NULL && root_free(NULL) == NULL);
}

/* As a file system answers that does not keep types beside the names. */
static void check_types(void)
{
	static const struct {
		const char *name;
		unsigned char want;
	} names[] = { { "types", DT_DIR }, { "types/file", DT_REG }, { "types/link", DT_LNK } };
	int dir = open(scratch_top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	scratch_put("/types/file", "x");
	scratch_link("/types/link", "file");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct dirent e = { .d_type = DT_UNKNOWN };

		strcpy(e.d_name, names[i].name);
		CHECK_INT(door_type(dir, &e), names[i].want);
	}
	close(dir);
}

int main(void)
{
	struct root *root;

	check_links();
	check_many_links(40, 0);
	check_many_links(41, -ELOOP);
	check_many_links(200, -ELOOP);
	root = text_root(machine);
	check_errors(root);
	check_answers(root);
	root_free(root);
	check_brief();
	check_no_snapshot();

	if (scratch_begin()) {
		fill_tree();
		check_tree(DOOR_TREE);
		check_tree(DOOR_MOUNTED);
		check_sidecar(false);
		check_sidecar(true);
		check_no_tree();
		check_types();
		scratch_end();
	}
	return check_end();
}
