#include "prober/abi-hipblas.h"

#include "abi.h"

ABI_HIPBLAS_NUMBERS(ABI_NUMBER)
ABI_HIPBLAS_CALLS(ABI_CALL)
