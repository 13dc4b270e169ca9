#include "prober/abi-hsa.h"

#include <stdio.h>

#include "prober/answers.h"
#include "prober/vendor.h"

struct hsa_calls {
	ABI_HSA_CALLS(VENDOR_POINTER)
};

static struct hsa_calls hsa;
static const char *const names[] = { ABI_HSA_CALLS(VENDOR_NAME) NULL };

#define HSA(name, ...) wire_accept((long)VENDOR_CALL(hsa, name, __VA_ARGS__))

/* hsa_agent_info_t of the standard and what AMD adds to it are one parameter. */
static void ask_agent(hsa_agent_t agent, int attribute, void *ret_value)
{
	HSA(hsa_agent_get_info, agent, (hsa_agent_info_t)attribute, ret_value);
}

static hsa_status_t list_agent(hsa_agent_t agent, void *data)
{
	int *count = data, type = 0;
	char name[64] = "", index[16];
	uint32_t bdf = 0, domain = 0;

	ask_agent(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_SUCCESS;
	ask_agent(agent, HSA_AGENT_INFO_NAME, name);
	ask_agent(agent, HSA_AMD_AGENT_INFO_BDFID, &bdf);
	ask_agent(agent, HSA_AMD_AGENT_INFO_DOMAIN, &domain);
	name[sizeof(name) - 1] = '\0';
	snprintf(index, sizeof(index), "%d", (*count)++);
	wire_value(index, "%04x:%02x:%02x.%x %s", domain, bdf >> 8 & 0xff, bdf >> 3 & 0x1f, bdf & 7,
		   name);
	return HSA_STATUS_SUCCESS;
}

void answer_hsa_init(const struct ask *ask)
{
	int count = 0;

	(void)ask;
	vendor_load_hsa();
	vendor_fill(VENDOR_HSA, names, &hsa);
	wire_accept((long)VENDOR_CALL_PLAIN(hsa, hsa_init));
	HSA(hsa_iterate_agents, list_agent, &count);
	wire_value("agents", "%d", count);
	wire_answered();
}
