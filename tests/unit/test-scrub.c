#include "scrub/scrub.h"

#include "base/base64.h"
#include "check.h"
#include "door/record.h"

static struct buf scrubbed;

/* Valid until the next call. */
static const char *scrub_of(const char *records, const char *key)
{
	buf_done(&scrubbed);
	CHECK(scrub(span_of(records), span_of(""), key, &scrubbed) == 0);
	return scrubbed.data;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

#define PERSON                                                         \
	"ask identity\n\tuid 1000\n\tuser alice\n\thome /home/alice\n" \
	"file /proc/sys/kernel/hostname\n\tgpu01.lab.example.org\n"

/* Each row: a record beside alice on gpu01, a secret that has to go, and why. */
static const struct {
	const char *why;
	const char *record;
	const char *secret;
} gone[] = {
	{ "the user itself", "", "alice" },
	{ "behind an escaped end of a line",
	  "file /etc/profile\n\ttool --password \\\n\thunter22 --verbose\n", "hunter22" },
	{ "the fifth field of .pgpass", "file /etc/profile\n\tdb:5432:*:app:hunter22\n",
	  "hunter22" },
	{ "the third word behind a program",
	  "file /etc/profile\n\thtpasswd -bB /srv/x app hunter22\n", "hunter22" },
	{ "the host", "", "gpu01" },
	{ "its domain", "ask kernel-file\n\t- - - - nfs: server nas.lab.example.org\n",
	  "lab.example" },
	{ "a path", "file /opt/alice/x\n\t1\n", "alice" },
	{ "a name behind an escaped blank", "dir /opt\n\tof\\x20alice/\n", "alice" },
	{ "a mount point behind an escaped blank",
	  "file /proc/self/mountinfo\n\t1 1 8:1 / /mnt/of\\040alice rw - ext4 /dev/sda rw\n",
	  "alice" },
	{ "the target of a link", "link /opt/x ../home/alice/x\n", "alice" },
	{ "a question", "ask acl /home/alice/x\n\tuser::rw-\n", "alice" },
	{ "capitals", "ask environment\n\tX=/opt/ALICE/GPU01\n", "ALICE" },
	{ "the host in capitals", "ask environment\n\tX=/opt/ALICE/GPU01\n", "GPU01" },
	{ "a process", "ask drm-clients\n\tprocess 12 1000 alice-train\n", "alice" },
	{ "between underscores", "file /proc/cmdline\n\troot=/dev/mapper/vg_gpu01-root\n",
	  "gpu01" },
	{ "another user's home", "file /etc/profile excerpt\n\t3:. /home/bob/env.sh\n", "bob" },
	{ "a name with a blank", "ask environment\n\tPATH=/mnt/c/Users/Ada Lovelace/bin:/bin\n",
	  "Lovelace" },
	{ "a home of Windows in small letters", "ask environment\n\tX=C:\\users\\bob\\venv\n",
	  "bob" },
	{ "a name of a machine with Windows",
	  "file /reg/HKLM/SYSTEM/CurrentControlSet/Control/ComputerName/ActiveComputerName/ComputerName\n\tGREYBOX\n",
	  "GREYBOX" },
	{ "a user of Windows whose name has a blank and is not ASCII",
	  "ask environments\n\tenv venv C:/users/J\xc3\xb6rg\\x20\xce\x9c\xce\xb5\xce\xb3\xce\xb1/venv 3.12\n",
	  "\xce\x9c\xce\xb5\xce\xb3\xce\xb1" },
	{ "the same, as the judged user",
	  "ask identity\n\tuser Ada Lovelace\n\nask environments\n\tenv venv D:/Ada\\x20Lovelace/venv 3.12\n",
	  "Lovelace" },
	{ "a secret in the registry",
	  "file /reg/HKCU/Environment/ROCM_API_KEY\n\tplain-words-alone\n", "plain-words-alone" },
	{ "the serial number of a function on the bus",
	  "file /reg/HKLM/SYSTEM/CurrentControlSet/Enum/PCI/VEN_1002&DEV_747E&REV_C8/A85E45FFFFE3C4A100/Service\n\tamdwddmg\n",
	  "A85E45FFFFE3C4A100" },
	{ "an account of Windows",
	  "ask environment\n\tX=S-1-5-21-1111111111-2222222222-3333333333-1001\n", "3333333333" },
	{ "a stick",
	  "file /proc/self/mountinfo\n\t1 1 8:1 / /run/media/bob/KEYS rw - vfat /dev/sdb rw\n",
	  "bob" },
	{ "whom a unit runs as",
	  "file /etc/systemd/system/train.service excerpt\n\t4:User=jsmith\n", "jsmith" },
	{ "a share",
	  "file /proc/self/mountinfo\n\t1 1 0:9 / /d rw - cifs //filer/x rw,username=carol\n",
	  "filer" },
	{ "who mounted it",
	  "file /proc/self/mountinfo\n\t1 1 0:9 / /d rw - cifs //filer/x rw,username=carol\n",
	  "carol" },
	{ "a cluster's nodes", "ask environment\n\tSLURM_JOB_NODELIST=hgx[01-04]\n", "hgx" },
	{ "a disk", "file /proc/cmdline\n\troot=/dev/disk/by-id/ata-Samsung_S5Y1NX0R123456-part1\n",
	  "S5Y1NX0R123456" },
	{ "a serial",
	  "file /sys/x/serial_number\n\t692210001234\nask kernel-log\n\t. - 1 6 amdgpu: board 692210001234\n",
	  "692210001234" },
	{ "a password of the command line",
	  "file /proc/cmdline\n\tquiet luks.password=hunter2 ro\n", "hunter2" },
	{ "a network card of PXE", "file /proc/cmdline\n\tBOOTIF=01-00-11-22-aa-bb-cc\n",
	  "22-aa-bb" },
	{ "a network card in its name", "ask environment\n\tNCCL_SOCKET_IFNAME=enx001122aabbcc\n",
	  "001122aabbcc" },
	{ "a mail address", "ask kernel-log\n\t. - 1 6 amdgpu: ask Zoe.L@lab.example.com!\n",
	  "Zoe.L" },
	{ "an address of a site", "ask kernel-log\n\t. - 1 6 amdgpu: 192.168.7.5 is down\n",
	  "192.168.7.5" },
	{ "an address that is called so", "ask kernel-log\n\t. - 1 6 amdgpu: from 10.1.2.3\n",
	  "10.1.2.3" },
	{ "one with a port", "ask kernel-log\n\t. - 1 6 amdgpu: 10.1.2.3:29500\n", "10.1.2.3" },
	{ "a long address", "ask kernel-log\n\t. - 1 6 amdgpu: at fe80::1c2:3%eth0\n", "1c2:3" },
	{ "a serial that is called so", "ask kernel-log\n\t. - 1 6 amdgpu: S/N: XQ55001\n",
	  "XQ55001" },
	{ "a home on Windows", "ask kernel-file\n\t- - - - C:\\Users\\bob\\venv\n", "bob" },
	{ "a home on Windows with a blank",
	  "ask kernel-file\n\t- - - - C:\\Users\\Ada Lovelace\\venv\n", "Lovelace" },
	{ "an address within a longer one", "ask kernel-log\n\t. - 1 6 amdgpu: ::ffff:10.1.2.3 x\n",
	  "10.1.2.3" },
	{ "a GUID of InfiniBand", "ask kernel-log\n\t. - 1 6 amdgpu: 0002:c903:00ab:cdef up\n",
	  "00ab:cdef" },
	{ "a GUID as one number", "ask kernel-log\n\t. - 1 6 Node GUID: 0x0002c90300abcdef\n",
	  "c90300abcdef" },
	{ "an escaped header", "dir /opt\n\tAuthorization:\\x20Bearer\\x20hunter2\n", "hunter2" },
	{ "the user in the name of a variable", "ask environment\n\talice_token=hunter2\n",
	  "alice" },
	{ "one line out of many files", "files /home/alice\n\t.profile . /opt/gpu01\n", "gpu01" },
};

static void check_gone(void)
{
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
		struct buf text BUF_SCOPED = { 0 };

		buf_addf(&text, "%s%s", PERSON, gone[i].record);
		check_note(!has(scrub_of(text.data, NULL), gone[i].secret), __FILE__, __LINE__,
			   gone[i].why);
	}
}

/* Records of a machine that nobody would know again: not a byte changes. */
static const char *const ordinary[] = {
	"file /etc/os-release\n\tNAME=\"Ubuntu\"\n\tID=ubuntu\n\tHOME_URL=\"https://www.ubuntu.com/\"\n",
	"file /proc/sys/kernel/osrelease\n\t6.8.0-45-generic\n",
	"file /sys/module/amdgpu/srcversion\n\t533BB7E5866E52F63B9ACCB\n",
	"file /proc/cmdline\n\tBOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/mapper/ubuntu--vg-root ro amdgpu.vm_size=1024\n",
	"link /sys/class/drm/card0 ../../devices/pci0000:00/0000:00:01.1/0000:03:00.0/drm/card0\n",
	"node /dev/kfd char 0660 0:992 235:0\n",
	"file /sys/class/kfd/kfd/topology/nodes/1/gpu_id\n\t29811\n",
	"file /sys/class/kfd/kfd/topology/nodes/1/properties\n\tmax_waves_per_simd 16\n\tdevice_id 29772\n\tunique_id 0\n",
	"file /sys/fs/cgroup/memory.max\n\tmax\n",
	"link /opt/rocm /opt/rocm-6.2.0\n",
	"ask environment\n\tHSA_OVERRIDE_GFX_VERSION=11.0.0\n\tVLLM_MAX_TOKENS=4096\n\tPATH=/usr/local/bin:/usr/bin\n",
	"ask kernel-log\n\t. 1700000000 1234567 6 [drm] amdgpu kernel modesetting enabled.\n",
	"ask pcie 0000:03:00.0\n\tport 4\n\tdevcap2 0x70993\n",
	"file /sys/x/serial_number\n\t0000000000000000\nfile /sys/x/mask\n\t0000000000000000\n",
	"ask open /dev/kfd !EACCES\n",
	"ask kernel-log\n\t. - 1 6 amdgpu 0000:03:00.0: rocm 6.4.1.2 curand 10.3.9.90 driver 31.0.24002.92 1.203.0.113.7 203.0.113.7-1\n",
	"ask kernel-log\n\t. - 1 6 at 12:34:56.789 user@1000.service memcpy@GLIBC_2.14 x@1.2.3 c10::add version 192.168.1.5 127.0.0.1\n",
	"ask kernel-log\n\t. - 1 6 serial8250: ttyS0, serial console 12345, serial: 00000000, 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\n",
};

static void check_ordinary(const char *user)
{
	struct buf text BUF_SCOPED = { 0 };
	const char *got;

	buf_addf(&text, "ask identity\n\tuser %s\n\thome /home/%s\n", user, user);
	for (size_t i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++)
		buf_text(&text, ordinary[i]);
	got = scrub_of(text.data, NULL);
	for (size_t i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++)
		if (!check_note(has(got, ordinary[i]), __FILE__, __LINE__, ordinary[i]))
			printf("  with the user %s\n", user);
	text.data[0] = '\0';
	buf_clear(&text);
	buf_addf(&text, "/home/%s", user);
	CHECK(!has(got, text.data)); /* its place shows that it is a name */
}

/* From "user-" on: the thirteen bytes of a pseudonym. */
static const char *pseudonym(const char *text, const char *behind, char ret[static 32])
{
	const char *at = strstr(text, behind);

	ret[0] = '\0';
	if (at)
		snprintf(ret, 32, "%.*s", (int)strcspn(at + strlen(behind), "/ \n:"),
			 at + strlen(behind));
	return ret;
}

static void check_equal(void)
{
	char a[32], b[32], c[32];
	const char *text = scrub_of("ask identity\n\tuser alice\n\thome /home/alice\n"
				    "ask environment\n\tX=ALICE:\n\tY=/home/bob/x\n",
				    NULL);

	pseudonym(text, "user ", a);
	pseudonym(text, "X=", b);
	pseudonym(text, "Y=/home/", c);
	CHECK_TEXT(a, b);
	CHECK(strcmp(a, c) != 0 && strncmp(c, "user-", 5) == 0);

	text = scrub_of("ask identity\n\tuser ubuntu\n\thome /home/ubuntu\n", NULL);
	CHECK_TEXT(pseudonym(text, "user ", a), pseudonym(text, "home /home/", b));
	text = scrub_of("ask identity\n\tuser root\n\thome /root\n", NULL);
	CHECK(has(text, "\tuser root\n\thome /root\n"));

	text = scrub_of(
		"file /a\n\tA=6b1f3a5c-1234-4abc-9def-0123456789ab\n\tB=6B1F3A5C12344abc9def0123456789ab\n",
		NULL);
	pseudonym(text, "B=", b);
	pseudonym(text, "A=", a);
	CHECK(strncmp(a, b, 8) == 0 && !has(text, "6b1f3a5c"));
	text = scrub_of("file /a\n\tM=00:11:22:aa:bb:cc\n\tN=01-00-11-22-AA-BB-CC\n", NULL);
	CHECK_TEXT(pseudonym(text, "M=", a), pseudonym(text, "N=", b));
}

static void check_numbers(void)
{
	unsigned long long kfd = 0, next = 0, drm = 0, upper = 0, prefixed = 0;
	const char *text = scrub_of(
		"file /sys/n/1/properties\n\tunique_id 9228626829707243384\n\thive_id 9228626829707243385\n"
		"file /sys/d/unique_id\n\t8012AB34CD56EF78\n"
		"file /sys/d/serial_number\n\t8012ab34cd56ef78\n"
		"ask kernel-log\n\t. - - - chip 0x8012ab34cd56ef78\n",
		NULL);

	CHECK_INT(sscanf(strstr(text, "unique_id "), "unique_id %llu", &kfd), 1);
	CHECK_INT(sscanf(strstr(text, "hive_id "), "hive_id %llu", &next), 1);
	CHECK_INT(sscanf(strstr(text, "serial_number\n"), "serial_number %llx", &drm), 1);
	CHECK_INT(sscanf(strstr(text, "d/unique_id\n"), "d/unique_id %llX", &upper), 1);
	CHECK_INT(sscanf(strstr(text, "chip "), "chip %llx", &prefixed), 1);
	CHECK(kfd != 9228626829707243384ULL && kfd > 1000000);
	CHECK(kfd == drm && kfd == upper && kfd == prefixed);
	CHECK(kfd != next && next != 0);
	CHECK(!has(text, "922862682970724338"));
}

static void check_key(void)
{
	struct buf first BUF_SCOPED = { 0 };

	buf_text(&first, scrub_of(PERSON, "site"));
	CHECK_TEXT(scrub_of(PERSON, "site"), first.data);
	CHECK(strcmp(scrub_of(PERSON, "another"), first.data) != 0);
	CHECK(strcmp(scrub_of(PERSON, NULL), first.data) != 0);
	buf_clear(&first);
	buf_text(&first, scrub_of(PERSON, NULL));
	CHECK(strcmp(scrub_of(PERSON, NULL), first.data) != 0);
}

static void check_base64(void)
{
	struct buf text BUF_SCOPED = { 0 };
	struct buf content BUF_SCOPED = { 0 };
	struct record r;
	struct span rest;

	buf_text(&text, PERSON "file /etc/of\\x20alice base64 head\n\t");
	base64_write(&text, SPAN_LITERAL("\001alice on gpu01, /home/carol\n"));
	buf_text(&text, "\nask environment\n\tX=carol\n");
	rest = span_of(scrub_of(text.data, NULL));
	CHECK(!has(scrubbed.data, "carol"));
	while (record_next(&rest, &r) > 0)
		if (r.flags & RECORD_BASE64)
			CHECK(record_content(&r, &content) && r.flags & RECORD_HEAD);
	CHECK(content.len > 0 && content.data[0] == 1 && !has(content.data, "alice") &&
	      !has(content.data, "gpu01") && !has(content.data, "carol"));
	CHECK(has(scrubbed.data, "file /etc/of\\x20user-"));
}

/* A brief snapshot lacks the file that tells the serial. */
static void check_what_is_known_otherwise(void)
{
	struct buf out BUF_SCOPED = { 0 };

	CHECK(scrub(span_of("ask kernel-log\n\t. - - - board 692210001234 of alice\n"),
		    span_of(PERSON "file /sys/x/serial_number\n\t692210001234\n"), NULL,
		    &out) == 0);
	CHECK(!has(out.data, "692210001234") && !has(out.data, "alice") &&
	      !has(out.data, "serial_number"));
}

static void check_note_of_kinds(void)
{
	CHECK(strncmp(scrub_of("file /a\n\t1\n", NULL), RECORD_MAGIC "\nnote scrubbed\nfile", 39) ==
	      0);
	CHECK(has(scrub_of(PERSON, NULL), "note scrubbed\n\tuser\n\thost\nask"));
	CHECK(has(scrub_of("file /sys/d/unique_id\n\t8012ab34cd56ef78\n", NULL),
		  "note scrubbed\n\tid\nfile"));
	CHECK(has(scrub_of("", NULL), "note scrubbed\n"));
	CHECK(has(scrub_of("file /etc/cut noeol\n\tno newline", NULL), "\tno newline"));
}

/* A cluster names thousands of homes in its logs and mounts: the last one must go, too. */
static void test_many(void)
{
	struct buf records BUF_SCOPED = { 0 };

	for (int i = 0; i < 3000; i++)
		buf_addf(&records, "file /opt/%d\n\t/home/kollege%d/x\n", i, i);
	buf_text(&records, "ask environment\n\tWHO=kollege2999 kollege7 kollege600\n");
	CHECK(!has(scrub_of(records.data, "k"), "kollege"));
}

/* Names that begin alike are found without trying each of them for each word. */
static void test_many_alike(void)
{
	struct buf records BUF_SCOPED = { 0 };

	for (int i = 0; i < 30000; i++)
		buf_addf(&records, "file /opt/%d\n\t/home/kol-%d/x kol-%d\n", i, i, i);
	CHECK(!has(scrub_of(records.data, "k"), "kol-"));
}

int main(void)
{
	test_many();
	test_many_alike();
	check_gone();
	check_ordinary("ubuntu");
	check_ordinary("max");
	check_ordinary("amdgpu");
	check_ordinary("hsa");
	check_ordinary("char");
	check_equal();
	check_numbers();
	check_key();
	check_base64();
	check_what_is_known_otherwise();
	check_note_of_kinds();
	buf_done(&scrubbed);
	return check_end();
}
