#include "parse/pcie.h"

#include "check-span.h"

static char config[PCIE_CONFIG_MAX];

static void put(size_t at, size_t n, uint32_t value)
{
	for (size_t i = 0; i < n; i++)
		config[at + i] = (char)(value >> (8 * i) & 0xff);
}

/*
 * A downstream port made after the layout of the specification: power
 * management at 0x48, PCI Express at 0x64, AER at 0x100, ACS at 0x150,
 * resizable BAR at 0x200.
 */
static void make_port(void)
{
	memset(config, 0, sizeof(config));
	put(0x00, 2, 0x1002);
	put(0x02, 2, 0x1479);
	put(0x06, 2, 0x0010);
	put(0x0e, 1, 0x01);
	put(0x34, 1, 0x48);
	put(0x48, 2, 0x6401);            /* id 01, next 64 */
	put(0x64, 2, 0x0010);            /* id 10, last */
	put(0x66, 2, 0x0062);            /* version 2, downstream port */
	put(0x64 + 0x0c, 4, 0x00400104); /* x16 at 16 GT/s */
	put(0x64 + 0x12, 2, 0x7083);     /* x8 at 8 GT/s */
	put(0x64 + 0x24, 4, 0x000003c0); /* routing, 32, 64, 128 */
	put(0x64 + 0x28, 2, 0x0080);     /* egress blocked */
	put(0x100, 4, 0x15020001);
	put(0x150, 4, 0x2001000d);
	put(0x154, 2, 0x005f);
	put(0x156, 2, 0x001d);
	put(0x200, 4, 0x00010015);
}

static struct pcie_registers parse(size_t size)
{
	struct pcie_registers r = { 0 };

	CHECK(pcie_registers_parse((struct span){ config, size }, &r));
	return r;
}

static void test_whole(void)
{
	struct pcie_registers r;

	make_port();
	r = parse(sizeof(config));
	CHECK_INT(r.vendor, 0x1002);
	CHECK_INT(r.device, 0x1479);
	CHECK(r.capabilities_reached && r.has_pcie && r.has_devcap2 && r.extended_reached);
	CHECK_INT(r.port, PCIE_DOWNSTREAM_PORT);
	CHECK_INT(r.version, 2);
	CHECK_INT(r.max_speed, 4);
	CHECK_INT(r.max_width, 16);
	CHECK_INT(r.speed, 3);
	CHECK_INT(r.width, 8);
	CHECK(r.devcap2 & PCIE_DEVCAP2_ATOMIC_ROUTING);
	CHECK(r.devcap2 & PCIE_DEVCAP2_ATOMIC_128);
	CHECK(r.devctl2 & PCIE_DEVCTL2_ATOMIC_BLOCK);
	CHECK(!(r.devctl2 & PCIE_DEVCTL2_ATOMIC_REQUEST));
	CHECK(r.has_acs && r.acs_cap == 0x5f && r.acs_ctl == 0x1d);
	CHECK(r.acs_ctl & PCIE_ACS_REQUEST_REDIRECT);
	CHECK(r.has_resizable_bar);
}

static const struct {
	size_t size;
	bool capabilities;
	bool pcie;
	bool devcap2;
	bool extended;
	bool acs;
	const char *why;
} cuts[] = {
	{ 64, false, false, false, false, false, "all that a user may read" },
	{ 0x64, false, false, false, false, false, "ends before the capability" },
	{ 0x66, false, false, false, false, false, "it is there, its registers are not" },
	{ 0x78, false, true, false, false, false, "the first half of it" },
	{ 0x8e, true, true, true, false, false, "all of it" },
	{ 256, true, true, true, false, false, "an older kernel, or no extended space" },
	{ 0x156, true, true, true, false, false, "ends inside ACS" },
	{ 0x158, true, true, true, false, true, "ends before the last one" },
	{ 0x204, true, true, true, true, true, "just enough" },
};

static void test_cuts(void)
{
	make_port();
	for (size_t i = 0; i < COUNT_OF(cuts); i++) {
		struct pcie_registers r = parse(cuts[i].size);

		ROW_CHECK(r.capabilities_reached == cuts[i].capabilities, cuts[i].why);
		ROW_CHECK(r.has_pcie == cuts[i].pcie, cuts[i].why);
		ROW_CHECK(r.has_devcap2 == cuts[i].devcap2, cuts[i].why);
		ROW_CHECK(r.extended_reached == cuts[i].extended, cuts[i].why);
		ROW_CHECK(r.has_acs == cuts[i].acs, cuts[i].why);
	}
}

static const struct {
	size_t at;
	size_t n;
	uint32_t value;
	bool capabilities;
	bool extended;
	const char *why;
} edits[] = {
	{ 0x65, 1, 0x48, false, true, "a loop back to the first capability" },
	{ 0x65, 1, 0x64, false, true, "a capability that follows itself" },
	{ 0x49, 1, 0x10, false, true, "a pointer into the header" },
	{ 0x48, 1, 0xff, false, true, "an id of all ones: the device is gone" },
	{ 0x06, 2, 0x0000, true, true, "no list at all is known to be none" },
	{ 0x34, 1, 0x00, true, true, "an empty list too" },
	{ 0x0e, 1, 0x02, false, true, "CardBus keeps its pointer elsewhere" },
	{ 0x200, 4, 0x10010015, true, false, "a loop back to 0x100" },
	{ 0x200, 4, 0x20010015, true, false, "an extended one that follows itself" },
	{ 0x100, 4, 0x00000000, true, true, "no extended capabilities" },
	{ 0x100, 4, 0xffffffff, true, false, "extended space that nobody answers" },
	{ 0x200, 4, 0x04010015, true, true, "a pointer below 0x100 ends the list" },
};

static void test_edits(void)
{
	for (size_t i = 0; i < COUNT_OF(edits); i++) {
		struct pcie_registers r;

		make_port();
		put(edits[i].at, edits[i].n, edits[i].value);
		r = parse(sizeof(config));
		ROW_CHECK(r.capabilities_reached == edits[i].capabilities, edits[i].why);
		ROW_CHECK(r.extended_reached == edits[i].extended, edits[i].why);
	}
}

/* Longer than config space can be: the rest is not looked at. */
static void test_too_long(void)
{
	static char more[PCIE_CONFIG_MAX + 8];
	struct pcie_registers r;

	make_port();
	put(0x200, 4, 0xffc10015);
	memcpy(more, config, sizeof(config));
	memset(more + 0xffc, 0xff, sizeof(more) - 0xffc);
	CHECK(pcie_registers_parse((struct span){ more, sizeof(more) }, &r));
	CHECK(r.has_resizable_bar && !r.extended_reached);
}

static void test_refused(void)
{
	struct pcie_registers r;

	make_port();
	CHECK(!pcie_registers_parse((struct span){ config, 63 }, &r));
	CHECK(!pcie_registers_parse((struct span){ NULL, 0 }, &r));
	put(0, 2, 0xffff);
	CHECK(!pcie_registers_parse((struct span){ config, sizeof(config) }, &r));
	make_port();
	put(0x66, 2, 0x0061);
	CHECK(!parse(sizeof(config)).has_devcap2); /* version 1 */
}

int main(void)
{
	test_whole();
	test_cuts();
	test_edits();
	test_too_long();
	test_refused();
	return check_end();
}
