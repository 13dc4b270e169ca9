#include <string.h>
#include <unistd.h>

#include "door/trust.h"
#include "probe/probe.h"

/* As root, whoever could have put it there would run as root. */
static bool may_run(const char *path, struct buf *ret_why)
{
	struct trust us = trust_us();

	return access(path, X_OK) == 0 && (us.uid != 0 || trust_path(&us, path, ret_why));
}

bool probe_find_program(char *ret, size_t size, struct buf *ret_why)
{
	ssize_t n = readlink("/proc/self/exe", ret, size - 64);
	char *slash;

	if (n <= 0)
		return false;
	ret[n] = '\0';
	slash = strrchr(ret, '/');
	strcpy(slash + 1, "rocsteady-probe");
	if (may_run(ret, ret_why))
		return true;
	if (ret_why->len > 0)
		return false;
	strcpy(slash + 1, "../libexec/rocsteady-probe");
	return may_run(ret, ret_why);
}
