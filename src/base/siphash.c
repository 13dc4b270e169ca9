#include "base/siphash.h"

#include <string.h>

#include "base/endian.h"

#define ROTL(x, b) (((x) << (b)) | ((x) >> (64 - (b))))

struct siphash_state {
	uint64_t v0, v1, v2, v3;
};

static inline void rounds(struct siphash_state *s, int n)
{
	while (n-- > 0) {
		s->v0 += s->v1;
		s->v1 = ROTL(s->v1, 13) ^ s->v0;
		s->v0 = ROTL(s->v0, 32);
		s->v2 += s->v3;
		s->v3 = ROTL(s->v3, 16) ^ s->v2;
		s->v0 += s->v3;
		s->v3 = ROTL(s->v3, 21) ^ s->v0;
		s->v2 += s->v1;
		s->v1 = ROTL(s->v1, 17) ^ s->v2;
		s->v2 = ROTL(s->v2, 32);
	}
}

static inline void absorb(struct siphash_state *s, uint64_t word, int n)
{
	s->v3 ^= word;
	rounds(s, n);
	s->v0 ^= word;
}

/* SipHash-C-D: so many rounds for a word, so many at the end. */
static inline uint64_t hash(struct siphash_key key, struct span s, int c, int d)
{
	struct siphash_state st = { key.k0 ^ 0x736f6d6570736575u, key.k1 ^ 0x646f72616e646f6du,
				    key.k0 ^ 0x6c7967656e657261u, key.k1 ^ 0x7465646279746573u };
	uint64_t last = (uint64_t)s.len << 56;
	size_t i;

	for (i = 0; i + 8 <= s.len; i += 8)
		absorb(&st, endian_u64(s.data + i), c);
	for (size_t j = 0; i + j < s.len; j++)
		last |= (uint64_t)(unsigned char)s.data[i + j] << (8 * j);
	absorb(&st, last, c);
	st.v2 ^= 0xff;
	rounds(&st, d);
	return st.v0 ^ st.v1 ^ st.v2 ^ st.v3;
}

uint64_t siphash(struct siphash_key key, struct span s)
{
	return hash(key, s, 2, 4);
}

uint64_t siphash_quick(struct siphash_key key, struct span s)
{
	return hash(key, s, 1, 3);
}
