/* drm.h - the ioctls of a render node that libdrm_amdgpu and ROCr use */
#pragma once

#include "gpu.h"

/* 0 or an errno. */
int drm_ioctl(struct gpu *gpu, unsigned number, void *argument);
