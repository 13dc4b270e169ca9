#include "parse/pcie.h"

#define HEADER_SIZE     0x40u
#define STATUS          0x06u
#define STATUS_CAP_LIST 0x10u
#define HEADER_TYPE     0x0eu
#define HEADER_CARDBUS  0x02u
#define CAP_POINTER     0x34u
#define CAP_PCIE        0x10u
#define EXTENDED        0x100u
#define EXTENDED_ACS    0x000du
#define EXTENDED_RESIZE 0x0015u

/* As many as fit without overlap; a longer list is a loop. */
#define CAP_MAX      ((0x100 - 0x40) / 4)
#define EXTENDED_CAP ((PCIE_CONFIG_MAX - 0x100) / 8)

/* Config space is little-endian. What lies past the end reads as all ones, like a dead device. */
static uint32_t read_le(struct span config, size_t at, size_t n)
{
	uint32_t value = 0;

	for (size_t i = n; i-- > 0;)
		value = value << 8 |
			(at + i < config.len ? (unsigned char)config.data[at + i] : 0xffu);
	return value;
}

static bool reaches(struct span config, size_t at, size_t n)
{
	return at <= config.len && config.len - at >= n;
}

/* False if a register that must be there lies past the end. */
static bool read_pcie(struct span config, size_t at, struct pcie_registers *r)
{
	uint32_t flags = read_le(config, at + 0x02, 2);
	uint32_t link_cap = read_le(config, at + 0x0c, 4);
	uint32_t link_status = read_le(config, at + 0x12, 2);

	if (!reaches(config, at, 0x14))
		return false;
	r->has_pcie = true;
	r->version = flags & 0xf;
	r->port = flags >> 4 & 0xf;
	r->max_speed = link_cap & 0xf;
	r->max_width = link_cap >> 4 & 0x3f;
	r->speed = link_status & 0xf;
	r->width = link_status >> 4 & 0x3f;
	if (r->version < 2)
		return true;
	if (!reaches(config, at, 0x2a))
		return false;
	r->has_devcap2 = true;
	r->devcap2 = read_le(config, at + 0x24, 4);
	r->devctl2 = (uint16_t)read_le(config, at + 0x28, 2);
	return true;
}

/* True when the whole list was seen. */
static bool walk_capabilities(struct span config, struct pcie_registers *r)
{
	size_t at = read_le(config, CAP_POINTER, 1) & 0xfc;

	if (!(read_le(config, STATUS, 2) & STATUS_CAP_LIST))
		return true;
	for (int i = 0; i < CAP_MAX; i++) {
		if (at == 0)
			return true;
		if (at < HEADER_SIZE || !reaches(config, at, 2) || read_le(config, at, 1) == 0xff)
			return false;
		if (read_le(config, at, 1) == CAP_PCIE && !r->has_pcie && !read_pcie(config, at, r))
			return false;
		at = read_le(config, at + 1, 1) & 0xfc;
	}
	return false;
}

/* A header is id, version and the next one's place: 0x1501000d is ACS, next at 0x150. */
static bool walk_extended(struct span config, struct pcie_registers *r)
{
	size_t at = EXTENDED;

	for (int i = 0; i < EXTENDED_CAP && reaches(config, at, 4); i++) {
		uint32_t header = read_le(config, at, 4);

		if (header == UINT32_MAX)
			return false;
		if ((header & 0xffff) == EXTENDED_ACS && !r->has_acs) {
			if (!reaches(config, at, 8))
				return false;
			r->has_acs = true;
			r->acs_cap = (uint16_t)read_le(config, at + 4, 2);
			r->acs_ctl = (uint16_t)read_le(config, at + 6, 2);
		}
		r->has_resizable_bar |= (header & 0xffff) == EXTENDED_RESIZE;
		at = header >> 20 & 0xffc;
		if (at < EXTENDED)
			return true;
	}
	return false;
}

bool pcie_registers_parse(struct span config, struct pcie_registers *ret)
{
	struct pcie_registers r = { 0 };
	struct span first = { config.data, config.len < EXTENDED ? config.len : EXTENDED };

	if (config.len < HEADER_SIZE || read_le(config, 0, 2) == 0xffff)
		return false;
	if (config.len > PCIE_CONFIG_MAX)
		config.len = PCIE_CONFIG_MAX;
	r.vendor = (uint16_t)read_le(config, 0, 2);
	r.device = (uint16_t)read_le(config, 2, 2);
	if ((read_le(config, HEADER_TYPE, 1) & 0x7f) != HEADER_CARDBUS)
		r.capabilities_reached = walk_capabilities(first, &r);
	r.extended_reached = walk_extended(config, &r);
	*ret = r;
	return true;
}
