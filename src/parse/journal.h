#pragma once

/*
 * journal - kernel messages out of a systemd journal file
 *
 * Where /dev/kmsg is denied or the machine has rebooted, the kernel log of
 * earlier hours stands in /var/log/journal. This reads it without libsystemd,
 * through a callback: a mapped file that shrinks would kill us.
 *
 * The file may be live, cut short, corrupt or hostile. Offsets within a chain
 * must rise (the writer only appends), every object visited is counted, and
 * what cannot be read is skipped and counted too.
 */

#include "base/span.h"

#define JOURNAL_TEXT_MAX    4096 /* of a message; longer ones are cut */
#define JOURNAL_OBJECTS_MAX (1u << 20)
#define JOURNAL_ARRAYS_MAX  64 /* each array of a chain doubles the one before */

/* Fill n bytes from an offset: 0, or -errno. Fewer bytes than n is an error. */
typedef int journal_read_at(void *ctx, uint64_t offset, void *into, size_t n);

struct journal_array {
	uint64_t offset;
	uint64_t first; /* number of its first entry */
	uint64_t count;
};

struct journal {
	journal_read_at *read_at;
	void *ctx;

	bool compact; /* 32-bit offsets, since systemd 252 */
	bool keyed;   /* SipHash with the file's id, since systemd 246 */
	uint8_t file_id[16];
	uint64_t header_bytes;
	uint64_t hash_offset;
	uint64_t hash_slots;

	uint64_t inline_entry;
	uint64_t at;    /* number of the next entry, 0 the oldest */
	uint64_t total; /* kernel entries of the file */
	size_t arrays_len;
	struct journal_array arrays[JOURNAL_ARRAYS_MAX]; /* the newest of the chain */

	uint64_t objects;    /* visited so far */
	uint64_t compressed; /* data objects left out: systemd packs payloads over 512 bytes */
	uint64_t broken;     /* entries and objects left out */

	char message[JOURNAL_TEXT_MAX];
	char device[64];
};

struct journal_entry {
	uint64_t seqnum;
	uint64_t realtime_us; /* since 1970, when journald took it in */
	uint64_t since_boot_us;
	uint8_t boot_id[16];
	int priority;        /* 0 emergency ... 7 debug; -1 if unsaid */
	bool cut;            /* the message was longer */
	struct span message; /* inside struct journal until the next call */
	struct span device;  /* "+pci:0000:03:00.0" */
};

/*
 * Read the header: 0, -EBADMSG for what is no journal, -EPROTONOSUPPORT for
 * one with flags that are not known, or what read_at answered.
 */
int journal_init(struct journal *ret, journal_read_at *read_at, void *ctx);

/*
 * Go to the last `last` kernel entries. Finding none is no error: total is 0.
 * 0, -E2BIG, -EBADMSG, or what read_at answered.
 */
int journal_seek_kernel(struct journal *journal, uint64_t last);

/*
 * The next kernel entry, oldest first: 1, 0 at the end, -E2BIG past
 * JOURNAL_OBJECTS_MAX. Entries that cannot be read are skipped and counted.
 */
int journal_next(struct journal *journal, struct journal_entry *ret);
