#include "parse/pci.h"

#include "check-span.h"

static const struct {
	const char *text;
	const char *back; /* NULL: refused */
	const char *why;
} addresses[] = {
	{ "0000:03:00.0", "0000:03:00.0", "plain" },
	{ "0001:C2:1f.7", "0001:c2:1f.7", "largest device and function, upper case" },
	{ "10000:e0:06.0", "10000:e0:06.0", "a domain of five digits, behind VMD" },
	{ "03:00.0", NULL, "lspci leaves the domain out; sysfs never" },
	{ "0000:03:20.0", NULL, "device 32" },
	{ "0000:03:00.8", NULL, "function 8" },
	{ "0000:03:00.0 ", NULL, "trailing byte" },
	{ "0000:03:00", NULL, "no function" },
	{ "0000:003:00.0", NULL, "three digits of bus" },
	{ "0x00:03:00.0", NULL, "no prefix" },
	{ "000000000:03:00.0", NULL, "nine digits" },
	{ "pci0000:00", NULL, "a host bridge" },
	{ "", NULL, "empty" },
};

static void test_addresses(void)
{
	for (size_t i = 0; i < COUNT_OF(addresses); i++) {
		struct pci_address address;
		char back[PCI_ADDRESS_MAX];
		bool good = pci_address_parse(span_of(addresses[i].text), &address);

		ROW_CHECK(good == (addresses[i].back != NULL), addresses[i].why);
		if (!good || !addresses[i].back)
			continue;
		pci_address_write(&address, back);
		ROW_SPAN(span_of(back), addresses[i].back, addresses[i].why);
	}
}

static const struct {
	uint64_t domain;
	uint64_t location;
	const char *address; /* NULL: refused */
	const char *why;
} locations[] = {
	{ 0, 34304, "0000:86:00.0", "RX 7900 XTX" },
	{ 0, 18176, "0000:47:00.0", "MI300X" },
	{ 0, 49664, "0000:c2:00.0", "Radeon 8060S" },
	{ 0, 31232, "0000:7a:00.0", "Raphael" },
	{ 0, 9991, "0000:27:00.7", "seventh partition, in the function" },
	{ 2, 0x70002700, "0002:27:00.0", "seventh partition, in the high bits" },
	{ 0, 0x10000, NULL, "bits that mean nothing" },
	{ 0, UINT64_MAX, NULL, "too large" },
	{ UINT64_MAX, 0, NULL, "domain too large" },
};

static void test_locations(void)
{
	for (size_t i = 0; i < COUNT_OF(locations); i++) {
		struct pci_address address;
		char text[PCI_ADDRESS_MAX];
		bool good = pci_address_from_location(locations[i].domain, locations[i].location,
						      &address);

		ROW_CHECK(good == (locations[i].address != NULL), locations[i].why);
		if (!good || !locations[i].address)
			continue;
		pci_address_write(&address, text);
		ROW_SPAN(span_of(text), locations[i].address, locations[i].why);
	}
}

static const struct {
	const char *path;
	const char *address; /* NULL: none */
	const char *why;
} paths[] = {
	{ "../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:03:00.0/drm/card0",
	  "0000:03:00.0", "the last of several" },
	{ "0000:03:00.0", "0000:03:00.0", "alone" },
	{ "/sys/devices/0000:03:00.0/", "0000:03:00.0", "slash at the end" },
	{ "/sys/devices/platform/vgem", NULL, "none" },
	{ "", NULL, "empty" },
};

static void test_paths(void)
{
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		struct pci_address address;
		char text[PCI_ADDRESS_MAX];
		bool good = pci_address_find_last(span_of(paths[i].path), &address);

		ROW_CHECK(good == (paths[i].address != NULL), paths[i].why);
		if (!good || !paths[i].address)
			continue;
		pci_address_write(&address, text);
		ROW_SPAN(span_of(text), paths[i].address, paths[i].why);
	}
}

static const struct {
	const char *text;
	uint32_t tenths; /* 0: refused */
	const char *why;
} speeds[] = {
	{ "16.0 GT/s PCIe\n", 160, "Gen 4" },
	{ "2.5 GT/s PCIe\n", 25, "Gen 1" },
	{ "8 GT/s\n", 80, "older kernels" },
	{ "64.0 GT/s PCIe\n", 640, "Gen 6" },
	{ "Unknown\n", 0, "no link" },
	{ "Unknown speed\n", 0, "older kernels, no link" },
	{ "16.0\n", 0, "no unit" },
	{ "16.00 GT/s\n", 0, "hundredths are not written" },
	{ "0.0 GT/s\n", 0, "no speed" },
	{ ".5 GT/s\n", 0, "no number" },
	{ "99999999999 GT/s\n", 0, "nonsense" },
	{ "", 0, "empty" },
};

static void test_speeds(void)
{
	for (size_t i = 0; i < COUNT_OF(speeds); i++) {
		uint32_t tenths = 0;

		ROW_CHECK(pci_link_speed(span_of(speeds[i].text), &tenths) ==
				  (speeds[i].tenths > 0),
			  speeds[i].why);
		ROW_CHECK(tenths == speeds[i].tenths, speeds[i].why);
	}
}

static void test_resource(void)
{
	struct span text = span_of("0x0000007800000000 0x0000007fffffffff 0x000000000014220c\n"
				   "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
				   "0x0000000000000000 0xffffffffffffffff 0x0000000000000000\n"
				   "0x00000000fcb00000 0x00000000fcafffff 0x0000000000040200\n"
				   "bogus\n");
	struct pci_resource r;

	CHECK(pci_resource_find(text, 0, &r));
	CHECK(r.start == 0x7800000000 && r.size == (uint64_t)32 << 30 && r.flags == 0x14220c);
	CHECK(pci_resource_find(text, 1, &r));
	CHECK(r.size == 0); /* unused */
	CHECK(pci_resource_find(text, 2, &r));
	CHECK(r.size == 0); /* would be 2^64 */
	CHECK(pci_resource_find(text, 3, &r));
	CHECK(r.size == 0); /* ends before it begins */
	CHECK(!pci_resource_find(text, 4, &r));
	CHECK(!pci_resource_find(text, 99, &r));
}

static void test_compare(void)
{
	struct pci_address a = { 0, 3, 0, 0 }, b = { 0, 3, 0, 1 }, c = { 1, 0, 0, 0 };

	CHECK(pci_address_compare(&a, &b) < 0);
	CHECK(pci_address_compare(&c, &b) > 0);
	CHECK(pci_address_compare(&a, &a) == 0);
}

int main(void)
{
	test_addresses();
	test_locations();
	test_paths();
	test_speeds();
	test_resource();
	test_compare();
	return check_end();
}
