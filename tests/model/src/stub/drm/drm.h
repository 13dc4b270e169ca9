/* All that linux/kfd_ioctl.h wants of libdrm's header of this name, for check-abi.c. */
#include <linux/ioctl.h>
#include <linux/types.h>
