#include "plan.h"

#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST_RULES 32
#define MOST_NODES 128

struct rule {
	char call[24], kind[16];
	unsigned nth; /* 0: every one */
	bool and_later;
	atomic_uint met;
	struct plan_fault fault;
};

struct plan_settings plan_settings = { .abi_major = 1, .abi_minor = 17 };
static struct rule rules[MOST_RULES];
static unsigned rule_count;
static uint64_t vram_of_all, vram_of[MOST_NODES];
static atomic_bool lost_all, lost[MOST_NODES];

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EPERM", EPERM },   { "ENOENT", ENOENT }, { "EINTR", EINTR }, { "EIO", EIO },
	{ "ENXIO", ENXIO },   { "EAGAIN", EAGAIN }, { "ENOMEM", ENOMEM }, { "EACCES", EACCES },
	{ "EFAULT", EFAULT }, { "EBUSY", EBUSY },   { "ENODEV", ENODEV }, { "EINVAL", EINVAL },
	{ "ENFILE", ENFILE }, { "EMFILE", EMFILE }, { "ENOTTY", ENOTTY }, { "ENOSPC", ENOSPC },
	{ "ETIME", ETIME },   { "EBADF", EBADF },   { "EOPNOTSUPP", EOPNOTSUPP },
	{ "ETIMEDOUT", ETIMEDOUT },
}, memory_faults[] = {
	{ "not-present", FAULT_NOT_PRESENT }, { "read-only", FAULT_READ_ONLY },
	{ "ecc", FAULT_ECC }, { "hang", FAULT_HANG },
};

static const struct {
	const char *name;
	enum plan_verb verb;
} verbs[] = {
	{ "refuse", PLAN_REFUSE }, { "late", PLAN_LATE },   { "hang", PLAN_HANG },
	{ "stuck", PLAN_STUCK },   { "lose", PLAN_LOSE },   { "stop", PLAN_STOP },
	{ "reset", PLAN_RESET },   { "fault", PLAN_FAULT }, { "garble", PLAN_GARBLE },
};

static bool read_verb(const char *word, enum plan_verb *ret)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(verbs[i].name, word)) {
			*ret = verbs[i].verb;
			return true;
		}
	return false;
}

static bool read_argument(enum plan_verb verb, const char *word, int *ret)
{
	if (verb == PLAN_LATE)
		return sscanf(word, "%d", ret) == 1 && *ret > 0;
	for (size_t i = 0; verb == PLAN_REFUSE && i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(errors[i].name, word))
			return *ret = errors[i].number, true;
	for (size_t i = 0; verb == PLAN_FAULT && i < sizeof(memory_faults) / sizeof(*memory_faults);
	     i++)
		if (!strcmp(memory_faults[i].name, word))
			return *ret = memory_faults[i].number, true;
	return verb != PLAN_REFUSE && verb != PLAN_FAULT && !*word;
}

/* "vram@4": takes the number off the word. */
static bool read_node(char *word, unsigned *ret)
{
	char *at = strchr(word, '@');

	*ret = PLAN_ANY_NODE;
	if (!at)
		return true;
	*at++ = '\0';
	*ret = (unsigned)strtoul(at, &at, 10);
	return *at == '\0' && *ret < MOST_NODES;
}

/* "create-queue.sdma@4#3+": the words before and behind the dot, the node and the number. */
static bool read_subject(char *word, struct rule *r)
{
	char *number = strchr(word, '#'), *kind;

	if (number) {
		*number++ = '\0';
		r->nth = (unsigned)strtoul(number, &number, 10);
		r->and_later = *number == '+';
		if (r->nth == 0 || number[r->and_later] != '\0')
			return false;
	}
	if (!read_node(word, &r->fault.node))
		return false;
	kind = strchr(word, '.');
	if (kind)
		*kind++ = '\0';
	snprintf(r->call, sizeof(r->call), "%s", word);
	snprintf(r->kind, sizeof(r->kind), "%s", kind ? kind : "");
	return true;
}

static bool read_bytes(const char *word, uint64_t *ret)
{
	char *end;
	uint64_t n = strtoull(word, &end, 10);
	const char *units = "KMG", *unit = *end ? strchr(units, *end) : NULL;

	if (end == word || (*end && (!unit || end[1])))
		return false;
	*ret = unit ? n << (10 * (unit - units + 1)) : n;
	return true;
}

static bool read_vram(char *subject, const char *size)
{
	unsigned node;

	return read_node(subject, &node) && !strcmp(subject, "vram") &&
	       read_bytes(size, node == PLAN_ANY_NODE ? &vram_of_all : &vram_of[node]);
}

static bool read_line(const char *line)
{
	char subject[64] = "", verb[64] = "", argument[64] = "";
	struct rule *r = &rules[rule_count];
	int words = sscanf(line, "%63s %63s %63s", subject, verb, argument);

	if (words <= 0 || subject[0] == '#')
		return true;
	if (!strcmp(subject, "abi"))
		return sscanf(verb, "%u.%u", &plan_settings.abi_major, &plan_settings.abi_minor) ==
		       2;
	if (!strcmp(subject, "driver"))
		return plan_settings.is_dkms = !strcmp(verb, "dkms");
	if (!strncmp(subject, "vram", 4))
		return read_vram(subject, verb);
	if (rule_count == MOST_RULES || !read_subject(subject, r) ||
	    !read_verb(verb, &r->fault.verb) ||
	    !read_argument(r->fault.verb, argument, &r->fault.argument))
		return false;
	rule_count++;
	return true;
}

void plan_read(void)
{
	FILE *f = fopen(MODEL_DIRECTORY "/plan", "re");
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!read_line(line)) {
			dprintf(2, "kfdmodel: " MODEL_DIRECTORY "/plan: cannot read: %s", line);
			_exit(70);
		}
	if (f)
		fclose(f);
}

uint64_t plan_vram(unsigned node)
{
	return node < MOST_NODES && vram_of[node] ? vram_of[node] : vram_of_all;
}

static bool meets(const struct rule *r, const char *call, const char *kind, unsigned node)
{
	return !strcmp(r->call, call) && (!r->kind[0] || !strcmp(r->kind, kind)) &&
	       (r->fault.node == PLAN_ANY_NODE || r->fault.node == node);
}

struct plan_fault plan_meet(const char *call, const char *kind, unsigned node)
{
	for (unsigned i = 0; i < rule_count; i++) {
		struct rule *r = &rules[i];
		unsigned n;

		if (!meets(r, call, kind, node))
			continue;
		n = ++r->met;
		if (r->nth == 0 || n == r->nth || (r->and_later && n > r->nth)) {
			log_line("fault: %s.%s, the %uth", call, kind, n);
			return r->fault;
		}
	}
	return (struct plan_fault){ PLAN_NOTHING, 0, node };
}

/* A read that its server has taken and never answers is not ended by SIGKILL, as a driver's wait for firmware. */
static int wait_in_state_d(void)
{
	char byte;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, MODEL_DIRECTORY "/tarpit/x",
			      O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		log_line("no tarpit: %s", strerror(errno));
	return fd < 0 || read(fd, &byte, 1) != 1 ? EIO : 0;
}

int plan_suffer(struct plan_fault fault)
{
	struct timespec time = { fault.argument / 1000, fault.argument % 1000 * 1000000L };

	switch (fault.verb) {
	case PLAN_REFUSE:
		return fault.argument;
	case PLAN_LATE:
		nanosleep(&time, NULL);
		return 0;
	case PLAN_HANG:
		for (;;)
			pause();
	case PLAN_STUCK:
		return wait_in_state_d();
	case PLAN_LOSE:
		*(fault.node == PLAN_ANY_NODE ? &lost_all : &lost[fault.node]) = true;
		return ENODEV;
	default:
		return plan_is_lost(fault.node) ? ENODEV : 0;
	}
}

bool plan_is_lost(unsigned node)
{
	return lost_all || (node < MOST_NODES && lost[node]);
}
