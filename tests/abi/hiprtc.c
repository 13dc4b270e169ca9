#include "prober/abi-hiprtc.h"

#include "abi.h"

ABI_HIPRTC_NUMBERS(ABI_NUMBER)
ABI_HIPRTC_CALLS(ABI_CALL)
