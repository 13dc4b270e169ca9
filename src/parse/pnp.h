#pragma once

/*
 * pnp - what Windows calls a PCI function in its registry
 *
 * The key below Enum\PCI is named after the ids of the function, and its value
 * LocationInformation holds its place on the bus.
 */

#include "base/span.h"
#include "parse/pci.h"

struct pnp_id {
	uint16_t vendor;
	uint16_t device;
	bool has_subsystem;
	uint16_t subsystem_vendor;
	uint16_t subsystem_device;
	bool has_revision;
	uint8_t revision;
};

/* "PCI\VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8", in either case, with or without "PCI\". */
bool pnp_id_parse(struct span text, struct pnp_id *ret);

/*
 * "PCI bus 3, device 0, function 0", or as newer systems write it
 * "@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(3,0,0)". A number of a
 * bus above 255 holds the number of its segment in front.
 */
bool pnp_location_parse(struct span text, struct pci_address *ret);

/* The class in the first "...&CC_030000" among the lines of HardwareID: six digits. */
bool pnp_class_parse(struct span lines, uint32_t *ret);
