#include "door/standing.h"

#include <assert.h>

#include "base/array.h"

static const struct {
	int error;
	const char *name;
	const char *standing;
} names[] = {
	{ DOOR_STUCK, "STUCK", "stuck" },
	{ DOOR_ASLEEP, "ASLEEP", "unasked" },
	{ DOOR_SKIPPED, "SKIPPED", "stuck" },
	{ DOOR_UNASKED, "UNASKED", "unasked" },
	{ DOOR_LATE, "LATE", "unasked" },
	{ -ENOENT, "ENOENT", "absent" },
	{ -ENOTDIR, "ENOTDIR", "absent" },
	{ -ENXIO, "ENXIO", "absent" },
	{ -ENODEV, "ENODEV", "absent" },
	{ -ENODATA, "ENODATA", "absent" },
	{ -ESRCH, "ESRCH", "absent" },
	{ -EACCES, "EACCES", "denied" },
	{ -EPERM, "EPERM", "denied" },
	{ -EROFS, "EROFS", "denied" },
	{ -EBUSY, "EBUSY", "busy" },
	{ -EAGAIN, "EAGAIN", "busy" },
	{ -ETXTBSY, "ETXTBSY", "busy" },
	{ -EIO, "EIO", "broken" },
	{ -EINVAL, "EINVAL", "broken" },
	{ -EFBIG, "EFBIG", "broken" },
	{ -EISDIR, "EISDIR", "broken" },
	{ -ELOOP, "ELOOP", "broken" },
	{ -ENAMETOOLONG, "ENAMETOOLONG", "broken" },
	{ -ENOTTY, "ENOTTY", "broken" },
	{ -EOPNOTSUPP, "EOPNOTSUPP", "absent" },
	{ -ENOMEM, "ENOMEM", "broken" },
	{ -EMFILE, "EMFILE", "broken" },
	{ -ENFILE, "ENFILE", "broken" },
	{ -EXDEV, "EXDEV", "broken" },
	{ -ETIMEDOUT, "ETIMEDOUT", "broken" },
	{ -ENOSYS, "ENOSYS", "broken" },
	{ -EFAULT, "EFAULT", "broken" },
	{ -EBADMSG, "EBADMSG", "broken" },
	{ -EREMOTEIO, "EREMOTEIO", "broken" },
	{ -EPIPE, "EPIPE", "broken" },
};

const char *standing_error_name(int error)
{
	assert(error < 0);
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i].error == error)
			return names[i].name;
	return "EIO";
}

int standing_error(struct span name)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (span_is(name, names[i].name))
			return names[i].error;
	return 0;
}

const char *standing_of(int error)
{
	assert(error < 0); /* what was learned is no gap */
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i].error == error)
			return names[i].standing;
	return "broken";
}
