#include "survey/kernel-log.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "door/host.h"
#include "door/standing.h"
#include "parse/journal.h"
#include "parse/log-line.h"

#define FIRST_MAX    300  /* the boot: which GPUs were found, which firmware */
#define LAST_MAX     700  /* what happened lately */
#define LINE_MAX     1024 /* no line of printk is longer */
#define JOURNAL_LAST 20000
#define TAIL_MAX     ((size_t)4 << 20)

static const char *const words[] = {
	"amdgpu",        "kfd",          "AMD-Vi",   "iommu",  "IOMMU",
	"ttm",           "TTM",          "vfio",     "drm",    "pcieport",
	"AER:",          "ut of memory", "oom-kill", "mce:",   "Hardware Error",
	"firmware",      "SVM",          "hsa",      "xgmi",   "XGMI",
	"Linux version", "Command line", "BAR ",     "radeon", "nvidia",
	"microcode",     "EDAC MC",      "GHES:",    "BERT:",  "memory error",
};

/* For each byte the words that have it first, and second: a bit for each word. */
struct first_bytes {
	uint32_t first[256];
	uint32_t second[256];
	bool is_made;
};

static const struct first_bytes *first_bytes(void)
{
	static struct first_bytes bytes;

	static_assert(COUNT(words) <= 32, "a word is a bit");
	for (size_t i = 0; !bytes.is_made && i < COUNT(words); i++) {
		bytes.first[(unsigned char)words[i][0]] |= 1U << i;
		bytes.second[(unsigned char)words[i][1]] |= 1U << i;
	}
	bytes.is_made = true;
	return &bytes;
}

static bool begins_with_one(struct span text, uint32_t some)
{
	for (; some; some &= some - 1)
		if (span_starts(text, words[__builtin_ctz(some)]))
			return true;
	return false;
}

/* All words in one pass: a ring has thousands of lines, and hardly one is of them. */
bool kernel_log_concerns(struct span text)
{
	const struct first_bytes *bytes = first_bytes();

	for (size_t i = 0; i + 1 < text.len; i++) {
		uint32_t some = bytes->first[(unsigned char)text.data[i]] &
				bytes->second[(unsigned char)text.data[i + 1]];

		if (some && begins_with_one((struct span){ text.data + i, text.len - i }, some))
			return true;
	}
	return false;
}

/* Lines as they come; the first ones are kept, of the others the last. */
struct kept_lines {
	struct buf *out;
	size_t seen;
	char *ring[LAST_MAX];
};

static void add_line(struct kept_lines *l, char *line)
{
	size_t slot;

	if (l->seen < FIRST_MAX) {
		buf_text(l->out, line);
		free(line);
	} else {
		slot = (l->seen - FIRST_MAX) % LAST_MAX;
		free(l->ring[slot]);
		l->ring[slot] = line;
	}
	l->seen++;
}

static void end_lines(struct kept_lines *l)
{
	size_t late = l->seen > FIRST_MAX ? l->seen - FIRST_MAX : 0;
	size_t from = late > LAST_MAX ? late - LAST_MAX : 0;

	if (from > 0)
		buf_addf(l->out, "... %zu left out\n", from);
	for (size_t i = from; i < late; i++) {
		buf_text(l->out, l->ring[i % LAST_MAX]);
		free(l->ring[i % LAST_MAX]);
	}
}

/* "BOOT WALL UPTIME_US LEVEL TEXT", a dash for what is not known. */
static char *format_line(const char *boot, const struct log_line *line)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s ", boot);
	line->has_wall ? buf_addf(&b, "%lld ", (long long)line->wall_s) : buf_text(&b, "- ");
	line->has_since_boot ? buf_addf(&b, "%llu ", (unsigned long long)line->since_boot_us)
			     : buf_text(&b, "- ");
	line->level >= 0 ? buf_addf(&b, "%d ", line->level) : buf_text(&b, "- ");
	text_clean(&b,
		   (struct span){ line->text.data,
				  line->text.len < LINE_MAX ? line->text.len : LINE_MAX },
		   false);
	buf_char(&b, '\n');
	return b.data;
}

static void take_text(struct kept_lines *l, struct span text, const char *boot, bool kernel_only)
{
	struct log_line parsed;
	struct span line;

	while (span_line(&text, &line)) {
		log_line_parse(line, &parsed);
		if (kernel_only && parsed.tag.len > 0 && !span_is(parsed.tag, "kernel"))
			continue;
		if (kernel_log_concerns(parsed.text))
			add_line(l, format_line(boot, &parsed));
	}
}

int kernel_log_ring(struct door *d, struct span argument, struct buf *ret)
{
	struct buf text BUF_SCOPED = { 0 };
	struct kept_lines l = { .out = ret };
	int r = host_kernel_ring(d, &text);

	(void)argument;
	if (r < 0)
		return r;
	take_text(&l, buf_get(&text), ".", false);
	end_lines(&l);
	return 0;
}

/* ---- journal files ---- */

struct journal_file {
	struct door *door;
	const char *path;
	int fd;
};

static int read_at(void *ctx, uint64_t offset, void *into, size_t n)
{
	struct journal_file *f = ctx;
	ssize_t got;

	if (offset > INT64_MAX)
		return -EINVAL;
	beacon_step(f->door->beacon, f->path); /* a slow disk is not a stuck one */
	got = pread(f->fd, into, n, (off_t)offset);
	if (got < 0)
		return -errno;
	return (size_t)got == n ? 0 : -EIO;
}

static int take_journal(struct door *d, const char *path, struct kept_lines *l)
{
	struct journal_file file = { .door = d, .path = path };
	struct journal_entry entry;
	struct journal *journal;
	char boot[33];
	int r;

	file.fd = door_open(d, path, O_RDONLY);
	if (file.fd < 0)
		return file.fd;
	journal = memory_new(1, sizeof(*journal));
	r = journal_init(journal, read_at, &file);
	if (r == 0)
		r = journal_seek_kernel(journal, JOURNAL_LAST);
	while (r == 0 && journal_next(journal, &entry) > 0) {
		struct log_line line = { .has_since_boot = true,
					 .has_wall = true,
					 .level = entry.priority,
					 .since_boot_us = entry.since_boot_us,
					 .wall_s = (int64_t)(entry.realtime_us / 1000000),
					 .text = entry.message };

		beacon_step(d->beacon, path);
		if (!kernel_log_concerns(entry.message))
			continue;
		for (int i = 0; i < 16; i++)
			snprintf(boot + 2 * i, 3, "%02x", entry.boot_id[i]);
		add_line(l, format_line(boot, &line));
	}
	free(journal);
	close(file.fd);
	return r;
}

/*
 * When an archived file was begun, from its name: the third part of
 * system@ID-SEQNUM-REALTIME.journal, and the first of system@REALTIME-X.journal~,
 * which journald makes of a file that was not closed: the boot that froze.
 */
static bool archived_at(struct span name, uint64_t *ret)
{
	int part = span_ends(name, ".journal~") ? 0 : 2;
	struct span field = { name.data, 0 };

	if (!span_starts(name, "system@"))
		return false;
	name.data += 7;
	name.len -= 7;
	for (int i = 0; i <= part; i++)
		if (!span_cut(&name, '-', &field))
			return false;
	field.len = field.len < 16 ? field.len : 16;
	return span_hex(field, ret);
}

/* The two newest archived files, the older one first; empty where there is none. */
static void newest_archives(struct span names, struct span ret[2])
{
	uint64_t at[2] = { 0, 0 };
	struct span name;
	uint64_t when;

	ret[0] = ret[1] = (struct span){ "", 0 };
	while (span_line(&names, &name)) {
		if (!archived_at(name, &when) || when <= at[0])
			continue;
		if (when > at[1]) {
			ret[0] = ret[1];
			at[0] = at[1];
		}
		ret[when > at[1]] = name;
		at[when > at[1]] = when;
	}
}

static int take_named(struct door *d, const char *dir, struct span name, struct kept_lines *l)
{
	char path[512];

	if (name.len == 0 || name.len > 128)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%.*s", dir, (int)name.len, name.data);
	return take_journal(d, path, l);
}

/* Reads one machine's directory: the ended files first, then the file that is written now. */
static int take_machine(struct door *d, const char *dir, struct kept_lines *l)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span archives[2];
	int r = door_list(d, dir, &names);

	if (r < 0)
		return r;
	newest_archives(buf_get(&names), archives);
	(void)take_named(d, dir, archives[0], l); /* an archive is a bonus */
	(void)take_named(d, dir, archives[1], l);
	return take_named(d, dir, SPAN_LITERAL("system.journal"), l);
}

static int take_journal_dir(struct door *d, const char *dir, struct kept_lines *l)
{
	struct buf names BUF_SCOPED = { 0 };
	struct span rest;
	struct span name;
	char path[256];
	int found = -ENOENT;
	int r = door_list(d, dir, &names);

	if (r < 0)
		return r;
	rest = buf_get(&names);
	while (span_line(&rest, &name)) {
		if (name.len < 2 || name.len > 64 || name.data[name.len - 1] != '/')
			continue;
		snprintf(path, sizeof(path), "%s/%.*s", dir, (int)name.len - 1, name.data);
		r = take_machine(d, path, l);
		if (r == 0 || found == -ENOENT)
			found = r;
	}
	return found;
}

int kernel_log_journal(struct door *d, struct span argument, struct buf *ret)
{
	static const char *const dirs[] = { "/var/log/journal", "/run/log/journal" };
	struct kept_lines l = { .out = ret };
	int r = -ENOENT;

	(void)argument;
	for (size_t i = 0; r < 0 && i < 2; i++) {
		int one = take_journal_dir(d, dirs[i], &l);

		r = one == -ENOENT ? r : one;
	}
	end_lines(&l);
	return r;
}

/* ---- text files ---- */

static int take_tail(struct door *d, const char *path, struct kept_lines *l)
{
	struct buf text BUF_SCOPED = { 0 };
	struct span tail;
	ssize_t n;
	off_t end;
	int fd = door_open(d, path, O_RDONLY);

	if (fd < 0)
		return fd;
	buf_room(&text, TAIL_MAX);
	end = lseek(fd, 0, SEEK_END);
	n = pread(fd, text.data, TAIL_MAX, end > (off_t)TAIL_MAX ? end - (off_t)TAIL_MAX : 0);
	close(fd);
	if (n < 0)
		return -EIO;
	tail = (struct span){ text.data, (size_t)n };
	take_text(l, tail, "-", true);
	return 0;
}

int kernel_log_file(struct door *d, struct span argument, struct buf *ret)
{
	static const char *const paths[] = { "/var/log/kern.log", "/var/log/messages" };
	struct kept_lines l = { .out = ret };
	int r = -ENOENT;

	(void)argument;
	for (size_t i = 0; r < 0 && i < 2; i++) {
		int one = take_tail(d, paths[i], &l);

		r = one == -ENOENT ? r : one;
	}
	end_lines(&l);
	return r;
}
