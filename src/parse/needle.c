#include "parse/needle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK   4
#define LEAP    (NEEDLE_MIN - BLOCK + 1) /* blocks of a window */
#define WIDE    8
#define LONG    (LEAP + WIDE - 1) /* from here on eight bytes of the literal stand at each block */
#define BACK    3  /* seven bytes of a brief literal stand at a block, or from here */
#define BITS    18 /* a set of blocks is 32 kB: it stays in the first-level cache */
#define SET     (((size_t)1 << BITS) / 64)
#define BUCKETS ((size_t)1 << 14)
#define BATCH   256

struct entry {
	uint64_t word; /* eight bytes of the window, with the block in them */
	unsigned int literal;
	unsigned short back; /* from the block to where the literal begins */
	unsigned char word_back;
};

/* The tables made of the literals. Literals are named by number, so that tables can be moved. */
struct needle_tables {
	uint64_t order;       /* of bytes: 1 where it was made for such a machine */
	uint64_t count;       /* of the literals */
	uint64_t blocks[SET]; /* of all windows */
	uint64_t brief[SET];  /* blocks of windows that have no eight bytes at each block */
	uint64_t wide[SET];   /* eight bytes at each block of the others, seven of the brief */
	unsigned int first[BUCKETS + 2]; /* one for the end, one to make it even */
	struct entry entries[];
};

struct needle {
	const struct needle_tables *tables;
	struct needle_tables *own; /* or NULL: they are somebody else's */
	const struct span *literals;
	size_t count;
};

static uint32_t read4(const char *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static uint64_t read8(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static unsigned int hash4(uint32_t word)
{
	return (word * 2654435761u) >> (32 - BITS);
}

static unsigned int hash8(uint64_t word)
{
	return (unsigned int)((word * 0x9e3779b97f4a7c15u) >> (64 - BITS));
}

/* Seven bytes: four, and four from the last of these on. */
static unsigned int hash7(const char *p)
{
	return hash8(read4(p) | (uint64_t)read4(p + 3) << 24);
}

/* Long literals are kept by eight bytes, brief ones by four, in the upper half. */
static size_t long_bucket(uint64_t word)
{
	return hash8(word) >> (BITS - 13);
}

static size_t brief_bucket(uint32_t block)
{
	return BUCKETS / 2 + (hash4(block) >> (BITS - 13));
}

static size_t bucket_of(struct span literal, const char *block)
{
	return literal.len < LONG ? brief_bucket(read4(block)) : long_bucket(read8(block));
}

static void set_bit(uint64_t *set, unsigned int bit)
{
	set[bit / 64] |= (uint64_t)1 << bit % 64;
}

static unsigned int has_bit(const uint64_t *set, unsigned int bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}

/* ---- making ---- */

/* Counters of the literals that hold a hash of eight bytes: an estimate, for hashes collide. */
#define USES ((size_t)1 << 15)

static unsigned char *use_of(unsigned char *uses, const char *wide)
{
	return &uses[hash8(read8(wide)) >> (BITS - 15)];
}

static void count_uses(const struct span *literals, size_t count, unsigned char *uses)
{
	for (size_t i = 0; i < count; i++)
		for (size_t at = 0; at + WIDE <= literals[i].len; at++) {
			unsigned char *use = use_of(uses, literals[i].data + at);

			*use = (unsigned char)(*use + (*use < 255));
		}
}

/*
 * The window of a literal is where it has least in common with the others:
 * of "HIP error: out of memory" the end. Only the first bytes are looked at.
 */
static size_t choose_window(struct span literal, unsigned char *uses)
{
	size_t places = literal.len < LONG ? 0 : literal.len - WIDE + 1;
	size_t best = 0;
	unsigned int sum = 0, least = ~0u;

	for (size_t i = 0; i < places && i < 128; i++) {
		sum += *use_of(uses, literal.data + i);
		if (i >= LEAP)
			sum -= *use_of(uses, literal.data + i - LEAP);
		if (i + 1 >= LEAP && sum < least) {
			least = sum;
			best = i + 1 - LEAP;
		}
	}
	return best;
}

static void enter_window(struct needle_tables *t, struct span literal, size_t window)
{
	for (size_t i = 0; i < LEAP; i++) {
		const char *block = literal.data + window + i;
		unsigned int bit = hash4(read4(block));

		set_bit(t->blocks, bit);
		if (literal.len < LONG)
			set_bit(t->brief, bit);
		set_bit(t->wide, literal.len >= LONG ? hash8(read8(block))
				 : i <= BACK         ? hash7(block)
						     : hash7(block - BACK));
		t->first[bucket_of(literal, block)]++;
	}
}

/* `first` holds the end of each bucket, and of each becomes its beginning as it fills. */
static void enter_entries(struct needle_tables *t, const struct span *literals,
			  const unsigned char *windows)
{
	for (size_t i = t->count; i-- > 0;)
		for (size_t k = 0; k < LEAP; k++) {
			const char *window = literals[i].data + windows[i];
			unsigned char word_back = (unsigned char)(k < 2 ? 0 : k - 2);

			t->entries[--t->first[bucket_of(literals[i], window + k)]] = (struct entry){
				.word = read8(window + k - word_back),
				.literal = (unsigned int)i,
				.back = (unsigned short)(windows[i] + k),
				.word_back = word_back,
			};
		}
}

static void fill(struct needle_tables *t, const struct span *literals, unsigned char *uses,
		 unsigned char *windows)
{
	count_uses(literals, t->count, uses);
	for (size_t i = 0; i < t->count; i++) {
		windows[i] = (unsigned char)choose_window(literals[i], uses);
		enter_window(t, literals[i], windows[i]);
	}
	for (size_t i = 0; i < BUCKETS; i++)
		t->first[i + 1] += t->first[i];
	enter_entries(t, literals, windows);
}

static size_t size_of(size_t count)
{
	return sizeof(struct needle_tables) + count * LEAP * sizeof(struct entry);
}

struct needle_tables *needle_make(const struct span *literals, size_t count, size_t *ret_size)
{
	struct needle_tables *t;
	unsigned char *uses, *windows;

	for (size_t i = 0; i < count; i++)
		if (literals[i].len < NEEDLE_MIN)
			return NULL;
	uses = memory_new(USES, 1);
	windows = memory_new(count + 1, 1);
	t = memory_new(1, size_of(count));
	t->order = 1;
	t->count = count;
	fill(t, literals, uses, windows);
	free(uses);
	free(windows);
	*ret_size = size_of(count);
	return t;
}

struct needle *needle_new(const struct span *literals, size_t count,
			  const struct needle_tables *made)
{
	struct needle *n = memory_new(1, sizeof(*n));
	size_t size;

	if (!made || made->order != 1 || made->count != count)
		made = n->own = needle_make(literals, count, &size);
	n->tables = made;
	n->literals = literals;
	n->count = count;
	return made ? n : needle_free(n);
}

struct needle *needle_free(struct needle *n)
{
	if (n)
		free(n->own);
	free(n);
	return NULL;
}

/* ---- finding ---- */

/*
 * Both sieves append without a branch: whether a block is one of ours is what
 * nobody can predict.
 */
static size_t sieve_blocks(const struct needle_tables *t, const char *text, size_t from,
			   size_t stop, size_t *ret)
{
	size_t count = 0;

	for (; from < stop; from += LEAP) {
		ret[count] = from;
		count += has_bit(t->blocks, hash4(read4(text + from)));
	}
	return count;
}

static size_t sieve_wide(const struct needle_tables *t, const char *text, size_t *places,
			 size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t word = read8(text + places[i]);
		uint32_t block = read4(text + places[i]);

		places[kept] = places[i];
		kept += has_bit(t->wide, hash8(word)) |
			(has_bit(t->brief, hash4(block)) &
			 (has_bit(t->wide, hash7(text + places[i])) |
			  has_bit(t->wide, hash7(text + places[i] - BACK))));
	}
	return kept;
}

struct finder {
	const struct needle *n;
	struct span text;
	struct needle_hit *hits;
	size_t count;
};

static void compare(struct finder *f, size_t place, size_t bucket)
{
	const struct needle_tables *t = f->n->tables;
	size_t most = f->count + NEEDLE_MAX_HERE / 2;

	for (unsigned int i = t->first[bucket]; i < t->first[bucket + 1]; i++) {
		const struct entry *e = &t->entries[i];
		size_t word_at = place - e->word_back, at = place - e->back;
		struct span literal;

		/* The entry's own word refuses nearly all, before the literal is fetched. */
		if (word_at + WIDE > f->text.len || read8(f->text.data + word_at) != e->word)
			continue;
		literal = f->n->literals[e->literal];
		if (place < e->back || f->text.len - at < literal.len ||
		    memcmp(f->text.data + at, literal.data, literal.len) != 0 || f->count == most)
			continue;
		f->hits[f->count++] = (struct needle_hit){ at, e->literal };
	}
}

static void compare_all(struct finder *f, size_t place)
{
	uint32_t block = read4(f->text.data + place);

	if (place + WIDE <= f->text.len)
		compare(f, place, long_bucket(read8(f->text.data + place)));
	if (has_bit(f->n->tables->brief, hash4(block)))
		compare(f, place, brief_bucket(block));
}

size_t needle_find(const struct needle *n, struct span text, size_t *from, struct needle_hit *ret,
		   size_t max)
{
	size_t at = *from ? *from : NEEDLE_MIN - BLOCK, end = text.len - BLOCK + 1;
	struct finder f = { n, text, ret, 0 };
	size_t places[BATCH + 1];

	assert(max >= NEEDLE_MAX_HERE); /* else nothing would be found */
	if (n->count == 0 || text.len < NEEDLE_MIN)
		return 0;
	while (at < end && max - f.count >= NEEDLE_MAX_HERE) {
		size_t stop = end - at > BATCH * LEAP ? at + BATCH * LEAP : end;
		size_t k = sieve_blocks(n->tables, text.data, at, stop, places), i = 0;

		at += (stop - at + LEAP - 1) / LEAP * LEAP;
		if (at < text.len) /* a block and four bytes after it end before the next look */
			k = sieve_wide(n->tables, text.data, places, k);
		for (; i < k && max - f.count >= NEEDLE_MAX_HERE; i++)
			compare_all(&f, places[i]);
		if (i < k)
			at = places[i];
	}
	*from = at;
	return f.count;
}
