#include "parse/pnp.h"

#include "check-span.h"

static const struct {
	const char *text;
	bool good;
	struct pnp_id id;
	const char *why;
} ids[] = {
	{ "PCI\\VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8",
	  true,
	  { 0x1002, 0x744c, true, 0x1002, 0x0e3b, true, 0xc8 },
	  "a hardware id" },
	{ "VEN_1002&DEV_164E&SUBSYS_88771043&REV_C1",
	  true,
	  { 0x1002, 0x164e, true, 0x1043, 0x8877, true, 0xc1 },
	  "a key below Enum\\PCI" },
	{ "pci\\ven_1002&dev_744c&rev_c8",
	  true,
	  { 0x1002, 0x744c, false, 0, 0, true, 0xc8 },
	  "a matching id in lower case" },
	{ "PCI\\VEN_10DE&DEV_2684", true, { 0x10de, 0x2684 }, "no more than the device" },
	{ "PCI\\VEN_1002", false, { 0x1002 }, "no device" },
	{ "PCI\\VEN_1002&DEV_744", false, { 0x1002 }, "three digits" },
	{ "ROOT\\BasicDisplay", false, { 0 }, "no PCI function" },
	{ "", false, { 0 }, "empty" },
};

static const struct {
	const char *text;
	const char *address; /* NULL: refused */
} places[] = {
	{ "@System32\\drivers\\pci.sys,#65536;PCI bus %1, device %2, function %3;(3,0,0)",
	  "0000:03:00.0" },
	{ "PCI bus 26, device 0, function 0", "0000:1a:00.0" },
	{ "@System32\\drivers\\pci.sys,#65536;PCI bus %1, device %2, function %3;(259,31,7)",
	  "0001:03:1f.7" },
	{ "PCI bus 3, device 32, function 0", NULL },
	{ "PCI bus 3, device 0, function 8", NULL },
	{ "PCI bus 3, device 0", NULL },
	{ "PCI bus 99999999, device 0, function 0", NULL },
	{ "Port_#0003.Hub_#0001", NULL },
	{ "", NULL },
};

static void test_ids(void)
{
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		const struct pnp_id *want = &ids[i].id;
		struct pnp_id got;
		bool good = pnp_id_parse(span_of(ids[i].text), &got);

		ROW_CHECK(good == ids[i].good, ids[i].why);
		ROW_CHECK(!good || (got.vendor == want->vendor && got.device == want->device &&
				    got.has_subsystem == want->has_subsystem &&
				    got.subsystem_vendor == want->subsystem_vendor &&
				    got.subsystem_device == want->subsystem_device &&
				    got.has_revision == want->has_revision &&
				    got.revision == want->revision),
			  ids[i].why);
	}
}

static void test_places(void)
{
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		char text[PCI_ADDRESS_MAX] = "";
		struct pci_address at;
		bool good = pnp_location_parse(span_of(places[i].text), &at);

		if (good)
			pci_address_write(&at, text);
		ROW_CHECK(good == (places[i].address != NULL), places[i].text);
		ROW_CHECK(!good || span_is(span_of(text), places[i].address), places[i].text);
	}
}

static void test_classes(void)
{
	uint32_t class;

	CHECK(pnp_class_parse(span_of("PCI\\VEN_1002&DEV_744C&REV_C8\nPCI\\VEN_1002&CC_030000\n"),
			      &class));
	CHECK(class == 0x030000);
	CHECK(!pnp_class_parse(span_of("PCI\\VEN_1002&CC_0300\n"), &class));
	CHECK(!pnp_class_parse(span_of(""), &class));
}

int main(void)
{
	test_ids();
	test_places();
	test_classes();
	return check_end();
}
