#include "prober/abi-hip.h"

#include "abi.h"

ABI_HIP_NUMBERS(ABI_NUMBER)
ABI_HIP_FLAGS(ABI_NUMBER)
ABI_HIP_CALLS(ABI_CALL)
