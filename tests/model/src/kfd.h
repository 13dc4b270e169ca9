/* kfd.h - the ioctls of /dev/kfd: a table of names, sizes and answers */
#pragma once

/* 0 or an errno. `size` is what the caller's request encodes; its structure may be older or newer. */
int kfd_ioctl(unsigned number, void *argument, unsigned size);
