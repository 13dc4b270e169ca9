#include "gauges/connections.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "door/host.h"
#include "door/proc.h"

#define ANSWER_US  200000
#define ANSWERS    4096                                             /* pieces of one list */
#define TCP_STATES (0xfffu & ~((1u << 6) | (1u << 7) | (1u << 10))) /* no ended, no listening */

/* ---- whose they are ---- */

static int by_inode(const void *a, const void *b)
{
	const struct connection *x = a, *y = b;

	return (x->inode > y->inode) - (x->inode < y->inode);
}

static struct connection *find(struct connections *c, uint64_t inode)
{
	struct connection key = { .inode = inode };

	return bsearch(&key, c->list, c->count, sizeof(key), by_inode);
}

/* A socket that was inherited is many processes' and counts once. */
static void sort(struct connections *c)
{
	size_t kept = 0;

	qsort(c->list, c->count, sizeof(c->list[0]), by_inode);
	for (size_t i = 0; i < c->count; i++)
		if (kept == 0 || c->list[kept - 1].inode != c->list[i].inode)
			c->list[kept++] = c->list[i];
	c->count = kept;
}

static void add_sockets(struct connections *c, pid_t pid)
{
	struct proc_files files;
	unsigned long long inode;

	(void)proc_files_open(proc_open(pid, "fd"), &files);
	while (!c->full && proc_files_next(&files)) {
		if (sscanf(files.target, "socket:[%llu]", &inode) != 1)
			continue;
		if (c->count == CONNECTIONS_MAX)
			sort(c); /* a socket that was inherited takes one place */
		c->full = c->count == CONNECTIONS_MAX;
		if (!c->full)
			c->list[c->count++] = (struct connection){ inode, -1 };
	}
	proc_files_close(&files);
}

/* ---- what the kernel counts ---- */

static void take_message(struct connections *c, const struct nlmsghdr *message)
{
	const struct inet_diag_msg *m = NLMSG_DATA(message);
	size_t at = NLMSG_SPACE(sizeof(*m));
	const char *bytes = (const char *)message;
	struct connection *one;

	if (message->nlmsg_len < at || !(one = find(c, m->idiag_inode)))
		return;
	while (at + NLA_HDRLEN <= message->nlmsg_len) {
		struct tcp_info info = { 0 };
		struct nlattr a;

		memcpy(&a, bytes + at, sizeof(a));
		if (a.nla_len < NLA_HDRLEN || at + a.nla_len > message->nlmsg_len)
			return;
		if (a.nla_type == INET_DIAG_INFO &&
		    a.nla_len >= NLA_HDRLEN + offsetof(struct tcp_info, tcpi_segs_out)) {
			memcpy(&info, bytes + at + NLA_HDRLEN,
			       offsetof(struct tcp_info, tcpi_segs_out));
			one->bytes = (int64_t)(info.tcpi_bytes_acked + info.tcpi_bytes_received);
		}
		at += NLA_ALIGN(a.nla_len);
	}
}

static bool ask(int fd, uint8_t family)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 body;
	} request = {
		.head = { .nlmsg_len = sizeof(request),
			  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.body = { .sdiag_family = family,
			  .sdiag_protocol = IPPROTO_TCP,
			  .idiag_ext = 1 << (INET_DIAG_INFO - 1),
			  .idiag_states = TCP_STATES },
	};

	return send(fd, &request, sizeof(request), 0) == (ssize_t)sizeof(request);
}

/* False: it does not tell. */
static bool take_list(struct connections *c, int fd, uint8_t family)
{
	_Alignas(struct nlmsghdr) char text[16384];

	if (!ask(fd, family))
		return false;
	for (int i = 0; i < ANSWERS; i++) {
		ssize_t n = recv(fd, text, sizeof(text), 0);
		unsigned int left = n > 0 ? (unsigned int)n : 0;
		const struct nlmsghdr *m = (const struct nlmsghdr *)(const void *)text;

		if (n <= 0)
			return false;
		for (; NLMSG_OK(m, left); m = NLMSG_NEXT(m, left)) {
			if (m->nlmsg_type == NLMSG_DONE)
				return true;
			if (m->nlmsg_type == NLMSG_ERROR)
				return false;
			take_message(c, m);
		}
	}
	return false;
}

/* Without IPv6 there is no such list, and nothing is missed. */
static bool take_bytes(struct connections *c)
{
	struct timeval patience = { .tv_usec = ANSWER_US };
	int fd = host_connections();
	bool told = false;

	if (fd < 0)
		return false;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0) {
		told = take_list(c, fd, AF_INET);
		(void)take_list(c, fd, AF_INET6);
	}
	close(fd);
	return told;
}

/* ---- rounds ---- */

int64_t connections_look(struct connections *c, const pid_t *pids, size_t count)
{
	struct connections now = { 0 };

	for (size_t i = 0; i < count; i++)
		add_sockets(&now, pids[i]);
	sort(&now);
	if (now.full || (now.count > 0 && !take_bytes(&now)))
		return c->moved = -1;
	now.moved = c->moved > 0 ? c->moved : 0;
	for (size_t i = 0; i < now.count; i++) {
		const struct connection *one = &now.list[i], *old = find(c, one->inode);
		int64_t from = old && old->bytes > 0 ? old->bytes : 0;

		if (one->bytes > from)
			now.moved += one->bytes - from;
	}
	*c = now;
	return c->moved;
}
