#include "parse/kernel-version.h"

/* The number in front; false if there is none or it fits no 32 bits. */
static bool cut_number(struct span *rest, uint32_t *ret)
{
	uint64_t value;
	size_t n = 0;

	while (n < rest->len && rest->data[n] >= '0' && rest->data[n] <= '9')
		n++;
	if (!span_u64((struct span){ rest->data, n }, &value) || value > UINT32_MAX)
		return false;
	rest->data += n;
	rest->len -= n;
	*ret = (uint32_t)value;
	return true;
}

static bool cut_dot(struct span *rest)
{
	if (!span_starts(*rest, "."))
		return false;
	rest->data++;
	rest->len--;
	return true;
}

bool kernel_version_parse(struct span text, struct kernel_version *ret)
{
	struct kernel_version v = { 0 };

	if (!cut_number(&text, &v.major) || !cut_dot(&text) || !cut_number(&text, &v.minor))
		return false;
	if (cut_dot(&text))
		(void)cut_number(&text, &v.patch); /* "6.8.rc1": no patch level */
	*ret = v;
	return true;
}

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

int kernel_version_compare(const struct kernel_version *a, const struct kernel_version *b)
{
	if (a->major != b->major)
		return compare(a->major, b->major);
	if (a->minor != b->minor)
		return compare(a->minor, b->minor);
	return compare(a->patch, b->patch);
}
