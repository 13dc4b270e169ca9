#include <errno.h>
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

int probe_unstarted(const char *program, int error)
{
	return error == ENOENT && access(program, F_OK) == 0 ? -ELIBACC : -error;
}

bool probe_find_program(char *ret, size_t size, struct buf *ret_why)
{
	/* Arch has no libexec: helpers of a package lie in a directory of lib. */
	static const char *const places[] = { "rocsteady-probe", "../libexec/rocsteady-probe",
					      "../lib/rocsteady/rocsteady-probe", NULL };
	ssize_t n = readlink("/proc/self/exe", ret, size - 64);
	char *slash;

	if (n <= 0)
		return false;
	ret[n] = '\0';
	slash = strrchr(ret, '/');
	for (const char *const *place = places; *place && ret_why->len == 0; place++) {
		strcpy(slash + 1, *place);
		if (may_run(ret, ret_why))
			return true;
	}
	return false;
}
