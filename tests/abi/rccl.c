#include "prober/abi-rccl.h"

#include "abi.h"

ABI_RCCL_NUMBERS(ABI_NUMBER)
ABI_SIZE(ncclUniqueId, 128)
ABI_RCCL_CALLS(ABI_CALL)
