#pragma once

/*
 * acl - POSIX access control lists, as kept and as recorded
 *
 * The kernel hands out the extended attribute system.posix_acl_access: a
 * version (2) and entries of tag, permissions and id, little-endian. logind
 * opens /dev/dri to the seat's user this way, invisible in the mode bits.
 * A snapshot holds the same as lines: "user:1000:rw-", "mask::rw-".
 */

#include "base/buf.h"

enum acl_tag {
	ACL_TAG_USER_OBJ = 0x01, /* user:: */
	ACL_TAG_USER = 0x02,
	ACL_TAG_GROUP_OBJ = 0x04, /* group:: */
	ACL_TAG_GROUP = 0x08,
	ACL_TAG_MASK = 0x10,
	ACL_TAG_OTHER = 0x20,
};

#define ACL_PERM_READ  4u
#define ACL_PERM_WRITE 2u
#define ACL_PERM_EXEC  1u

struct acl_entry {
	enum acl_tag tag;
	unsigned int perm;
	uint32_t id; /* ACL_NO_ID unless the tag is USER or GROUP */
};

#define ACL_NO_ID UINT32_MAX

/*
 * Check the attribute's header and length and give the entries, to be walked
 * with acl_next. False for another version or a torn entry.
 */
bool acl_parse(struct span attribute, struct span *ret_entries);

/* The next entry; false at the end, or at a tag that does not exist. */
bool acl_next(struct span *entries, struct acl_entry *ret);

void acl_text_write(struct buf *out, const struct acl_entry *entry); /* one line */
bool acl_text_next(struct span *rest, struct acl_entry *ret);        /* skips malformed lines */
