/*
 * hip.h - what the fake HIP runtime tells the fakes above it, beside HIP's own calls
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Address of the current device, and how many are visible. Without a device: "" and 0. */
const char *fake_hip_current(int *ret_visible);

/* Its target, as the plan has it; without a device "". */
const char *fake_hip_gfx(void);

#ifdef __cplusplus
}
#endif

/* Begins a fake call of the library above HIP: returns what the plan refuses with. */
#define FAKE_ABOVE_HIP(type, name)                          \
	int visible_, outcome_;                             \
	const char *address_ = fake_hip_current(&visible_); \
	outcome_ = fake_call(#name, address_, visible_, 0); \
	if (outcome_ > 0)                                   \
	return (type)outcome_
#define FAKE_IS_WRONG (outcome_ == FAKE_WRONG)
