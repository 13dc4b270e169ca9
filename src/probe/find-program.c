#include <string.h>
#include <unistd.h>

#include "probe/probe.h"

bool probe_find_program(char *ret, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", ret, size - 64);
	char *slash;

	if (n <= 0)
		return false;
	ret[n] = '\0';
	slash = strrchr(ret, '/');
	strcpy(slash + 1, "rocsteady-probe");
	if (access(ret, X_OK) == 0)
		return true;
	strcpy(slash + 1, "../libexec/rocsteady-probe");
	return access(ret, X_OK) == 0;
}
