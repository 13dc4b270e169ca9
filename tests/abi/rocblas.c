#include "prober/abi-rocblas.h"

#include "abi.h"

ABI_ROCBLAS_NUMBERS(ABI_NUMBER)
ABI_ROCBLAS_CALLS(ABI_CALL)
