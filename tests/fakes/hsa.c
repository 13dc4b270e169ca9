#include "prober/abi-hsa.h"

#include <stdio.h>
#include <string.h>

#include "plan.h"

#define OUT_OF_RESOURCES 0x1008 /* what the real one says where there is no GPU */

ABI_HSA_CALLS(FAKE_DECLARE)

static int indices[FAKE_DEVICES];

static int count_visible(void)
{
	int count;

	fake_devices(&count);
	for (int i = 0; i < count; i++)
		indices[i] = i;
	return fake_visible("ROCR_VISIBLE_DEVICES", indices, count);
}

#define BEGIN(name)                                                                \
	int visible = count_visible(), outcome = fake_call(#name, "", visible, 0); \
	if (outcome > 0)                                                           \
	return (hsa_status_t)outcome

FAKE_PUBLIC hsa_status_t hsa_init(void)
{
	BEGIN(hsa_init);
	return visible ? HSA_STATUS_SUCCESS : (hsa_status_t)OUT_OF_RESOURCES;
}

/* Agent 0 is the processor. */
FAKE_PUBLIC hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data),
					    void *data)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;

	BEGIN(hsa_iterate_agents);
	for (int i = 0; i <= visible && status == HSA_STATUS_SUCCESS; i++)
		status = callback((hsa_agent_t){ (uint64_t)i }, data);
	return status;
}

FAKE_PUBLIC hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute,
					    void *value)
{
	unsigned domain, bus, device, function;
	const struct fake_device *d;
	int count;

	BEGIN(hsa_agent_get_info);
	if ((int)attribute == HSA_AGENT_INFO_DEVICE)
		*(int *)value = agent.handle ? HSA_DEVICE_TYPE_GPU : 0;
	if (agent.handle == 0)
		return HSA_STATUS_SUCCESS;
	d = &fake_devices(&count)[indices[agent.handle - 1]];
	sscanf(d->address, "%x:%x:%x.%x", &domain, &bus, &device, &function);
	if ((int)attribute == HSA_AGENT_INFO_NAME)
		snprintf((char *)value, 64, "%s", d->gfx);
	if ((int)attribute == HSA_AMD_AGENT_INFO_BDFID)
		*(uint32_t *)value = bus << 8 | device << 3 | function;
	if ((int)attribute == HSA_AMD_AGENT_INFO_DOMAIN)
		*(uint32_t *)value = domain;
	return HSA_STATUS_SUCCESS;
}
