#pragma once

/*
 * host - what one system call tells about this host
 *
 * The answers to questions that are no file: the clock, the architecture, an
 * ioctl of KFD, an access list, free space, the kernel's ring buffer. Each of
 * the first group has the form that the table of questions wants.
 */

#include "door/door.h"

/* 0 and text, or -errno. */
int host_clock(struct door *d, struct span argument, struct buf *ret);
int host_machine(struct door *d, struct span argument, struct buf *ret);
int host_open_node(struct door *d, struct span argument, struct buf *ret);
int host_kfd_version(struct door *d, struct span argument, struct buf *ret);
int host_access_list(struct door *d, struct span argument, struct buf *ret);
int host_space(struct door *d, struct span argument, struct buf *ret);

/* Whether the kernel that runs is this machine's: of a mount if it is of our boot. */
bool host_shares_kernel(struct door *d);

/* All that the kernel's ring buffer holds now: 0 or -errno. */
int host_kernel_ring(struct door *d, struct buf *ret);

/* A descriptor of what the kernel logs from now on, or -errno. Reading it never waits. */
int host_kernel_news(struct door *d);

/* A netlink socket that answers for the host's connections, or -errno. */
int host_connections(void);

/* Clock ticks of /proc/PID/stat in milliseconds, and its pages in bytes. */
int64_t host_ticks_ms(uint64_t ticks);
int64_t host_page_bytes(uint64_t pages);
