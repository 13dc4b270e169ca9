#include "prober/abi-hsa.h"

#include "abi.h"

ABI_HSA_NUMBERS(ABI_NUMBER)
ABI_HSA_CALLS(ABI_CALL)
