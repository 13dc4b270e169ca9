#include "parse/zstd-prefix.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "parse/zstd-fse.h"
#include "parse/zstd-huffman.h"

/*
 * RFC 8878, sections 3 and 4. A compressed block is literals, then sequences:
 * "copy so many literals, then so many bytes from so far back". Literals are
 * in one or four Huffman streams, the three numbers of a sequence in one
 * stream of three FSE codes. All streams are written to be read backwards,
 * from a last byte whose highest bit marks their end.
 */

#define BLOCK_MAX  (128u << 10)
#define HEAD_BYTES 512 /* headers and tables of a section are shorter */

struct literals {
	unsigned int type; /* 0 raw, 1 one byte repeated, 2 and 3 Huffman */
	uint64_t at;       /* of raw ones, or of the streams */
	uint8_t byte;
	size_t left;      /* of the block */
	size_t in_stream; /* left in this one */
	unsigned int streams, stream;
	uint32_t sizes[4];
	size_t each;
	struct bits bits;
};

struct zstd {
	struct source *source;
	unsigned char *out;
	size_t len, want;
	size_t ask_at; /* so many bytes, and the goal is asked again */
	zstd_goal *goal;
	struct huffman huffman;
	struct fse length, offset, match;
	uint64_t repeat[3];
	struct literals literals;
};

/* ---- literals ---- */

static uint64_t number_at(struct span s, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)(unsigned char)s.data[i] << i * 8;
	return value;
}

/* Streams of Huffman codes, after an optional tree and a table of three sizes. */
static int open_streams(struct zstd *z, uint64_t at, struct span head, size_t bytes)
{
	struct literals *l = &z->literals;
	size_t used = 0;

	if (head.len > bytes)
		head.len = bytes;
	if (l->type == 2) {
		int tree = huffman_read(&z->huffman, z->source, at, head);

		if (tree < 0)
			return tree;
		used = (size_t)tree;
	}
	if (z->huffman.log == 0)
		return -EBADMSG;
	l->each = l->left;
	l->sizes[0] = (uint32_t)(bytes - used);
	if (l->streams == 4) {
		if (head.len - used < 6 || l->left < 6)
			return -EBADMSG;
		l->each = (l->left + 3) / 4;
		l->sizes[3] = (uint32_t)(bytes - used - 6);
		for (int i = 0; i < 3; i++) {
			l->sizes[i] = (uint32_t)number_at(
				(struct span){ head.data + used + 2 * (size_t)i, 2 }, 2);
			if (l->sizes[i] > l->sizes[3])
				return -EBADMSG;
			l->sizes[3] -= l->sizes[i];
		}
		used += 6;
	}
	l->at = at + used;
	return 0;
}

/* Section 3.1.1.3.1.1. Where the sequences begin, counted from `at`, or -errno. */
static int64_t open_literals(struct zstd *z, uint64_t at, struct span head, size_t block)
{
	static const unsigned int header_bytes[] = { 3, 3, 4, 5 }, widths[] = { 10, 10, 14, 18 };
	struct literals *l = &z->literals;
	unsigned int format, header, width;
	uint64_t value;
	size_t bytes;
	int r;

	if (head.len < 1)
		return -EBADMSG;
	l->type = head.data[0] & 3;
	format = head.data[0] >> 2 & 3;
	l->stream = 0;
	l->in_stream = 0;
	if (l->type < 2) {
		header = format == 1 ? 2 : format == 3 ? 3 : 1;
		if (head.len < header)
			return -EBADMSG;
		l->left = (size_t)(number_at(head, header) >> (header == 1 ? 3 : 4));
		bytes = l->type == 0 ? l->left : 1;
		l->at = at + header;
		l->byte = head.len > header ? (uint8_t)head.data[header] : 0;
	} else {
		header = header_bytes[format];
		width = widths[format];
		if (head.len < header)
			return -EBADMSG;
		value = number_at(head, header) >> 4;
		l->left = value & ((1u << width) - 1);
		bytes = value >> width & ((1u << width) - 1);
		l->streams = format == 0 ? 1 : 4;
	}
	if (l->left > BLOCK_MAX || bytes > block - header)
		return -EBADMSG;
	if (l->type >= 2) {
		r = open_streams(z, at + header,
				 (struct span){ head.data + header, head.len - header }, bytes);
		if (r < 0)
			return r;
	}
	return (int64_t)(header + bytes);
}

static int next_stream(struct zstd *z)
{
	struct literals *l = &z->literals;
	uint64_t at = l->at;

	for (unsigned int i = 0; i < l->stream; i++)
		at += l->sizes[i];
	l->in_stream = l->stream + 1 < l->streams ? l->each : l->left;
	if (l->in_stream > l->left)
		l->in_stream = l->left;
	return bits_open(&l->bits, z->source, at, l->sizes[l->stream++]);
}

static int add_huffman(struct zstd *z, size_t n)
{
	struct literals *l = &z->literals;

	while (n > 0) {
		size_t now;

		if (l->in_stream == 0) {
			int r = next_stream(z);

			if (r < 0)
				return r;
		}
		now = n < l->in_stream ? n : l->in_stream;
		for (size_t i = 0; i < now; i++)
			z->out[z->len++] = huffman_next(&z->huffman, &l->bits);
		if (l->bits.error || l->bits.left < 0)
			return l->bits.error ? l->bits.error : -EBADMSG;
		l->in_stream -= now;
		l->left -= now;
		n -= now;
	}
	return 0;
}

/* The next n literals, as far as bytes are wanted. */
static int add_literals(struct zstd *z, size_t n)
{
	struct literals *l = &z->literals;
	int r = 0;

	if (n > l->left)
		return -EBADMSG;
	if (n > z->want - z->len)
		n = z->want - z->len;
	if (l->type >= 2)
		return add_huffman(z, n);
	if (l->type == 1)
		memset(z->out + z->len, l->byte, n);
	else
		r = source_read(z->source, l->at, z->out + z->len, n);
	l->at += n;
	l->left -= n;
	z->len += n;
	return r;
}

/* ---- sequences ---- */

struct code {
	uint32_t base;
	uint8_t bits;
};

/* Sections 3.1.1.3.2.1.1: lengths of literals and of matches. */
static const struct code lengths[36] = {
	{ 0, 0 },     { 1, 0 },     { 2, 0 },     { 3, 0 },      { 4, 0 },      { 5, 0 },
	{ 6, 0 },     { 7, 0 },     { 8, 0 },     { 9, 0 },      { 10, 0 },     { 11, 0 },
	{ 12, 0 },    { 13, 0 },    { 14, 0 },    { 15, 0 },     { 16, 1 },     { 18, 1 },
	{ 20, 1 },    { 22, 1 },    { 24, 2 },    { 28, 2 },     { 32, 3 },     { 40, 3 },
	{ 48, 4 },    { 64, 6 },    { 128, 7 },   { 256, 8 },    { 512, 9 },    { 1024, 10 },
	{ 2048, 11 }, { 4096, 12 }, { 8192, 13 }, { 16384, 14 }, { 32768, 15 }, { 65536, 16 },
};
static const struct code matches[53] = {
	{ 3, 0 },     { 4, 0 },     { 5, 0 },      { 6, 0 },      { 7, 0 },      { 8, 0 },
	{ 9, 0 },     { 10, 0 },    { 11, 0 },     { 12, 0 },     { 13, 0 },     { 14, 0 },
	{ 15, 0 },    { 16, 0 },    { 17, 0 },     { 18, 0 },     { 19, 0 },     { 20, 0 },
	{ 21, 0 },    { 22, 0 },    { 23, 0 },     { 24, 0 },     { 25, 0 },     { 26, 0 },
	{ 27, 0 },    { 28, 0 },    { 29, 0 },     { 30, 0 },     { 31, 0 },     { 32, 0 },
	{ 33, 0 },    { 34, 0 },    { 35, 1 },     { 37, 1 },     { 39, 1 },     { 41, 1 },
	{ 43, 2 },    { 47, 2 },    { 51, 3 },     { 59, 3 },     { 67, 4 },     { 83, 4 },
	{ 99, 5 },    { 131, 7 },   { 259, 8 },    { 515, 9 },    { 1027, 10 },  { 2051, 11 },
	{ 4099, 12 }, { 8195, 13 }, { 16387, 14 }, { 32771, 15 }, { 65539, 16 },
};

/* Section 3.1.1.3.2.2: tables that need not be written. */
static const int16_t length_counts[36] = {
	4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
	2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1
};
static const int16_t match_counts[53] = { 1, 4, 3, 2, 2,  2,  2,  2,  2,  1,  1, 1, 1, 1,
					  1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1, 1, 1,
					  1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1, 1, 1,
					  1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1 };
static const int16_t offset_counts[29] = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
					   1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1 };

static const struct {
	const int16_t *counts;
	unsigned int symbols, log; /* of the table that need not be written */
	unsigned int log_max, symbol_max;
} kinds[] = {
	{ length_counts, 36, 6, 9, 35 },
	{ offset_counts, 29, 5, 8, 31 },
	{ match_counts, 53, 6, 9, 52 },
};

/* One of the three tables: the bytes used, or -EBADMSG. */
static int open_table(struct fse *t, unsigned int kind, unsigned int mode, struct span s)
{
	int16_t counts[256];
	unsigned int symbols, log;
	int used;

	switch (mode) {
	case 0:
		fse_build(t, kinds[kind].counts, kinds[kind].symbols, kinds[kind].log);
		return 0;
	case 1:
		if (s.len < 1 || (unsigned char)s.data[0] > kinds[kind].symbol_max)
			return -EBADMSG;
		t->cells[0] = (struct fse_cell){ .symbol = (uint8_t)s.data[0] };
		t->log = 0;
		t->ready = true;
		return 1;
	case 2:
		used = fse_counts(s, kinds[kind].log_max, kinds[kind].symbol_max, counts, &symbols,
				  &log);
		if (used > 0)
			fse_build(t, counts, symbols, log);
		return used;
	default:
		return t->ready ? 0 : -EBADMSG;
	}
}

/* How many sequences there are, and how long the header is that says so. */
static int read_sequence_count(struct span head, uint32_t *ret)
{
	unsigned int first = head.len ? (unsigned char)head.data[0] : 0;
	int bytes = first < 128 ? 1 : first < 255 ? 2 : 3;

	if (head.len < (size_t)bytes)
		return -EBADMSG;
	if (first < 128)
		*ret = first;
	else if (first < 255)
		*ret = (first - 128) << 8 | (unsigned char)head.data[1];
	else
		*ret = (uint32_t)number_at((struct span){ head.data + 1, 2 }, 2) + 0x7f00;
	return bytes;
}

/* Section 3.1.1.5: the last three offsets have short names. */
static uint64_t offset_of(struct zstd *z, uint64_t value, bool no_literals)
{
	uint64_t *r = z->repeat, offset;
	unsigned int which;

	if (value > 3) {
		offset = value - 3;
		which = 2;
	} else {
		which = (unsigned int)value - 1 + no_literals;
		offset = which < 3 ? r[which] : r[0] - 1;
	}
	if (which >= 2)
		r[2] = r[1];
	if (which >= 1)
		r[1] = r[0];
	r[0] = offset;
	return offset;
}

static int add_match(struct zstd *z, uint64_t offset, size_t n)
{
	if (offset == 0 || offset > z->len)
		return -EBADMSG;
	if (n > z->want - z->len)
		n = z->want - z->len;
	/* What is copied may be what was copied just before. */
	while (n > 0) {
		size_t now = n < offset ? n : (size_t)offset;

		memcpy(z->out + z->len, z->out + z->len - offset, now);
		z->len += now;
		n -= now;
		if (n > offset)
			offset *= 2;
	}
	return 0;
}

/* Is less enough? Asked seldom: at 128 bytes, 256, ... */
static void ask_goal(struct zstd *z)
{
	size_t enough;

	if (!z->goal || z->len < z->ask_at)
		return;
	z->ask_at = 2 * z->len;
	enough = z->goal((struct span){ (const char *)z->out, z->len });
	if (enough < z->len)
		enough = z->len;
	if (enough < z->want)
		z->want = enough;
}

static int add_sequences(struct zstd *z, struct bits *b, uint32_t count)
{
	uint32_t length = bits_read(b, z->length.log);
	uint32_t offset = bits_read(b, z->offset.log);
	uint32_t match = bits_read(b, z->match.log);

	for (uint32_t i = 0; i < count && z->len < z->want; i++) {
		unsigned int power = z->offset.cells[offset].symbol;
		const struct code *m = &matches[z->match.cells[match].symbol];
		const struct code *l = &lengths[z->length.cells[length].symbol];
		uint64_t value = (UINT64_C(1) << power) + bits_read(b, power);
		size_t match_bytes = m->base + bits_read(b, m->bits);
		size_t literal_bytes = l->base + bits_read(b, l->bits);
		int r;

		if (i + 1 < count) {
			fse_next(&z->length, &length, b);
			fse_next(&z->match, &match, b);
			fse_next(&z->offset, &offset, b);
		}
		if (b->error || b->left < 0)
			return b->error ? b->error : -EBADMSG;
		r = add_literals(z, literal_bytes);
		if (r == 0 && z->len < z->want)
			r = add_match(z, offset_of(z, value, literal_bytes == 0), match_bytes);
		if (r < 0)
			return r;
		ask_goal(z);
	}
	return 0;
}

/* `head` are the first bytes of the section, which has `bytes` in all. */
static int read_sequences(struct zstd *z, uint64_t at, struct span head, size_t bytes)
{
	struct fse *tables[] = { &z->length, &z->offset, &z->match };
	struct bits b;
	uint32_t count;
	size_t used;
	int r = read_sequence_count(head, &count);
	unsigned int modes;

	if (r < 0 || count == 0)
		return r < 0 ? r : 0;
	used = (size_t)r;
	if (head.len <= used)
		return -EBADMSG;
	modes = (unsigned char)head.data[used++];
	if (modes & 3)
		return -EBADMSG;
	for (unsigned int i = 0; i < 3; i++) {
		r = open_table(tables[i], i, modes >> (6 - 2 * i) & 3,
			       (struct span){ head.data + used, head.len - used });
		if (r < 0)
			return r;
		used += (size_t)r;
	}
	r = bits_open(&b, z->source, at + used, bytes - used);
	return r < 0 ? r : add_sequences(z, &b, count);
}

/* ---- blocks ---- */

static int read_compressed(struct zstd *z, uint64_t at, size_t bytes)
{
	char bytes_of_head[HEAD_BYTES];
	struct span head = { bytes_of_head, bytes < HEAD_BYTES ? bytes : HEAD_BYTES };
	int r = source_read(z->source, at, bytes_of_head, head.len);
	int64_t literals;

	if (r < 0)
		return r;
	literals = open_literals(z, at, head, bytes);
	if (literals < 0)
		return (int)literals;
	at += (uint64_t)literals;
	bytes -= (size_t)literals;
	head.len = bytes < HEAD_BYTES ? bytes : HEAD_BYTES;
	r = source_read(z->source, at, bytes_of_head, head.len);
	if (r == 0)
		r = read_sequences(z, at, head, bytes);
	return r == 0 && z->len < z->want ? add_literals(z, z->literals.left) : r;
}

/* Types 0 and 1: bytes as they are, or one byte so many times. */
static int read_simple(struct zstd *z, uint64_t at, size_t size, bool repeated)
{
	size_t n = size < z->want - z->len ? size : z->want - z->len;
	unsigned char byte;
	int r = source_read(z->source, at, repeated ? &byte : z->out + z->len, repeated ? 1 : n);

	if (r < 0)
		return r;
	if (repeated)
		memset(z->out + z->len, byte, n);
	z->len += n;
	return 0;
}

/* Not the tables: they are most of the struct, and are filled before they are used. */
static void begin(struct zstd *z, struct source *s, unsigned char *out, size_t want,
		  zstd_goal *goal)
{
	z->source = s;
	z->out = out;
	z->len = 0;
	z->want = want;
	z->ask_at = 128;
	z->goal = goal;
	z->huffman.log = 0;
	z->length.ready = z->offset.ready = z->match.ready = false;
	z->repeat[0] = 1;
	z->repeat[1] = 4;
	z->repeat[2] = 8;
}

int64_t zstd_prefix(struct source *s, uint64_t at, uint64_t end, unsigned char *ret, size_t want,
		    zstd_goal *goal, bool *ret_ended)
{
	struct zstd z;
	bool last = false;

	begin(&z, s, ret, want, goal);
	while (!last && z.len < z.want) {
		unsigned char head[3];
		uint32_t value, size, bytes;
		unsigned int type;
		int r;

		if (at > end || end - at < sizeof(head))
			return -ENODATA;
		r = source_read(s, at, head, sizeof(head));
		if (r < 0)
			return r;
		value = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
		last = value & 1;
		type = value >> 1 & 3;
		size = value >> 3;
		bytes = type == 1 ? 1 : size;
		at += sizeof(head);
		if (type == 3 || size > BLOCK_MAX)
			return -EBADMSG;
		if (bytes > end - at)
			return -ENODATA;
		r = type == 2 ? read_compressed(&z, at, size)
			      : read_simple(&z, at, size, type == 1);
		if (r < 0)
			return r;
		at += bytes;
	}
	*ret_ended = last && z.len < z.want;
	return (int64_t)z.len;
}
