#pragma once

/*
 * pci - addresses and the text files of a PCI function in sysfs
 *
 * An address is "0000:03:00.0": domain, bus, device, function, hexadecimal.
 * Domains may have more than four digits ("10000:e0:06.0" behind Intel VMD).
 */

#include "base/span.h"

struct pci_address {
	uint32_t domain;
	uint8_t bus;
	uint8_t device;   /* below 32 */
	uint8_t function; /* below 8 */
};

#define PCI_ADDRESS_MAX 20

bool pci_address_parse(struct span text, struct pci_address *ret);
void pci_address_write(const struct pci_address *address, char ret[static PCI_ADDRESS_MAX]);
int pci_address_compare(const struct pci_address *a, const struct pci_address *b);

/*
 * From KFD's domain and location_id: bus << 8 | device << 3 | function. On a
 * partitioned MI300 the kernel ORs the partition's number into it: most into
 * the function (27:00.0 to 27:00.7, of which only .0 exists), some into bits
 * 28-31, which are dropped here. Ask the render node for the true function.
 */
bool pci_address_from_location(uint64_t domain, uint64_t location_id, struct pci_address *ret);

/* The last component of a sysfs path that is an address; false if none is. */
bool pci_address_find_last(struct span path, struct pci_address *ret);

/* The first word that is one with its domain, in brackets or before a colon or not. */
bool pci_address_find_word(struct span text, struct pci_address *ret);

/*
 * current_link_speed: "16.0 GT/s PCIe" gives 160, "2.5 GT/s PCIe" gives 25.
 * False for "Unknown" and whatever else is no speed.
 */
bool pci_link_speed(struct span text, uint32_t *ret_tenths);

/*
 * One line of the `resource` file: start, end, flags. Lines 0-5 are the BARs,
 * 6 the ROM; an unused one is all zero and has size 0. False past the end.
 */
struct pci_resource {
	uint64_t start;
	uint64_t end;
	uint64_t flags;
	uint64_t size;
};

bool pci_resource_next(struct span *rest, struct pci_resource *ret);
bool pci_resource_find(struct span text, unsigned int bar, struct pci_resource *ret);
