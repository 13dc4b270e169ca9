#pragma once

/*
 * pcie - the registers in a PCI function's config space that decide P2P and atomics
 *
 * Takes the bytes of sysfs `config`. Whoever is not root gets the first 64 of
 * them, which hold no capability at all, so every group of registers has a
 * flag for "reached": what was not reached is unknown, not zero.
 */

#include "base/span.h"

#define PCIE_CONFIG_MAX 4096

/* Device/port type, from the PCI Express capabilities register. */
enum pcie_port {
	PCIE_ENDPOINT = 0,
	PCIE_LEGACY_ENDPOINT = 1,
	PCIE_ROOT_PORT = 4,
	PCIE_UPSTREAM_PORT = 5,
	PCIE_DOWNSTREAM_PORT = 6,
	PCIE_TO_PCI_BRIDGE = 7,
	PCI_TO_PCIE_BRIDGE = 8,
	PCIE_ROOT_ENDPOINT = 9,
	PCIE_ROOT_COLLECTOR = 10,
};

#define PCIE_DEVCAP2_ATOMIC_ROUTING 0x0040u
#define PCIE_DEVCAP2_ATOMIC_32      0x0080u
#define PCIE_DEVCAP2_ATOMIC_64      0x0100u
#define PCIE_DEVCAP2_ATOMIC_128     0x0200u
#define PCIE_DEVCTL2_ATOMIC_REQUEST 0x0040u /* requester enable */
#define PCIE_DEVCTL2_ATOMIC_BLOCK   0x0080u /* egress blocking */

#define PCIE_ACS_SOURCE_VALIDATION 0x01u
#define PCIE_ACS_TRANSLATION_BLOCK 0x02u
#define PCIE_ACS_REQUEST_REDIRECT  0x04u
#define PCIE_ACS_COMPLETE_REDIRECT 0x08u
#define PCIE_ACS_UPSTREAM_FORWARD  0x10u
#define PCIE_ACS_EGRESS_CONTROL    0x20u
#define PCIE_ACS_DIRECT_TRANSLATED 0x40u

struct pcie_registers {
	uint16_t vendor;
	uint16_t device;

	bool capabilities_reached; /* the list in the first 256 bytes was read to its end */
	bool has_pcie;             /* and it held the PCI Express capability */
	uint8_t version;           /* of that capability; 1 has no devcap2 */
	uint8_t port;              /* enum pcie_port, or a reserved number */
	uint8_t max_speed;         /* 1 = 2.5, 2 = 5, 3 = 8, 4 = 16, 5 = 32, 6 = 64 GT/s */
	uint8_t max_width;
	uint8_t speed;
	uint8_t width;

	bool has_devcap2; /* devcap2 and devctl2 are valid */
	uint32_t devcap2;
	uint16_t devctl2;

	bool extended_reached; /* so was the extended list: absence is known */
	bool has_acs;
	bool has_resizable_bar;
	uint16_t acs_cap;
	uint16_t acs_ctl;
};

/* False when there is no header (under 64 bytes) or nobody answers (vendor ffff). */
bool pcie_registers_parse(struct span config, struct pcie_registers *ret);
