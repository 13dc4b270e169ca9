#include "parse/kmsg.h"

#include <errno.h>

#include "check.h"

static bool same(struct span s, const char *text)
{
	return span_is(s, text ? text : "");
}

static void check_good(void)
{
	static const struct {
		const char *record;
		unsigned int level, facility;
		uint64_t seq, usec;
		const char *text, *caller, *subsystem, *device, *pci;
		const char *why;
	} cases[] = {
		{ "6,1,0,-;Linux version 6.12\n", 6, 0, 1, 0, "Linux version 6.12", "", "", "", "",
		  "the first line of a boot" },
		{ "3,1042,123456789,-;amdgpu 0000:03:00.0: amdgpu: ring gfx timeout\n"
		  " SUBSYSTEM=pci\n DEVICE=+pci:0000:03:00.0\n",
		  3, 0, 1042, 123456789, "amdgpu 0000:03:00.0: amdgpu: ring gfx timeout", "", "pci",
		  "+pci:0000:03:00.0", "0000:03:00.0", "a device's line" },
		{ "6,5,7,-,caller=T87;x\n", 6, 0, 5, 7, "x", "T87", "", "", "",
		  "CONFIG_PRINTK_CALLER" },
		{ "6,5,7,c,new=1,caller=C3;x\n", 6, 0, 5, 7, "x", "C3", "", "", "",
		  "a field of a later kernel" },
		{ "30,5,7,-;systemd[1]: hello\n", 6, 3, 5, 7, "systemd[1]: hello", "", "", "", "",
		  "user space may write to kmsg" },
		{ "4,5,7,-;a;b,c;d\n", 4, 0, 5, 7, "a;b,c;d", "", "", "", "",
		  "only the first semicolon counts" },
		{ "4,5,7,-;a\\x0ab\\x5cc", 4, 0, 5, 7, "a\\x0ab\\x5cc", "", "", "", "",
		  "escapes stay, the newline may be missing" },
		{ "4,5,7,-;\n DEVICE=c235:0\n", 4, 0, 5, 7, "", "", "", "c235:0", "",
		  "an empty text, a character device" },
		{ "4,5,7,-;", 4, 0, 5, 7, "", "", "", "", "", "an empty text and no newline" },
		{ "4,5,18446744073709551615,-;x\nDEVICE=c1:2\n", 4, 0, 5, UINT64_MAX, "x", "", "",
		  "", "", "a line without its blank is no key" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kmsg got = { 0 };

		if (!CHECK(kmsg_parse(span_of(cases[i].record), &got) == 0))
			continue;
		CHECK_INT(got.level, cases[i].level);
		CHECK_INT(got.facility, cases[i].facility);
		CHECK(got.seq == cases[i].seq && got.since_boot_us == cases[i].usec);
		if (!CHECK(same(got.text, cases[i].text) && same(got.caller, cases[i].caller) &&
			   same(got.subsystem, cases[i].subsystem) &&
			   same(got.device, cases[i].device) &&
			   same(got.pci_address, cases[i].pci)))
			printf("  %s\n", cases[i].why);
	}
}

static void check_bad(void)
{
	static const char *const cases[] = {
		"",
		";",
		"6,1,0;text",    /* no flags */
		"6,1,0,-",       /* no text */
		"x,1,0,-;text",  /* no number */
		"-1,1,0,-;text", /* a sign */
		"2048,1,0,-;x",  /* more facility than there is */
		"6,,0,-;text",   /* an empty number */
		"6,1,18446744073709551616,-;overflow",
		"[    0.000000] Linux version",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kmsg got = { .level = 77 };

		if (!CHECK(kmsg_parse(span_of(cases[i]), &got) == -EBADMSG && got.level == 77))
			printf("  \"%s\"\n", cases[i]);
	}
}

static void check_addresses(void)
{
	static const struct {
		const char *device, *address;
	} cases[] = {
		{ "+pci:0000:03:00.0", "0000:03:00.0" },
		{ "+pci:10000:e1:00.0", "10000:e1:00.0" }, /* a domain behind Intel's VMD */
		{ "+pci:0000:03:00", "" },
		{ "+pci:0000:03:00.", "" },
		{ "+pci:0000:03:00.0x", "" },
		{ "+pci:0000:0x:00.0", "" },
		{ "+pci:000:03:00.0", "" },
		{ "+usb:1-2", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(same(kmsg_pci_address(span_of(cases[i].device)), cases[i].address));
}

int main(void)
{
	check_good();
	check_bad();
	check_addresses();
	return check_end();
}
