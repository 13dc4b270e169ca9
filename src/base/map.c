#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/memory.h"
#include "base/siphash.h"

struct map_slot {
	struct span key;
	uint64_t hash;
	void *value; /* NULL marks a free slot */
};

static uint64_t hash_of(struct span key)
{
	static struct siphash_key secret;
	static bool ready;

	if (!ready) {
		(void)!getrandom(&secret, sizeof(secret), GRND_NONBLOCK);
		ready = true;
	}
	return siphash_quick(secret, key);
}

static struct map_slot *slot_of(const struct map *m, struct span key, uint64_t hash)
{
	for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct map_slot *slot = &m->slots[i];

		if (!slot->value)
			return slot;
		if (slot->hash == hash && slot->key.len == key.len &&
		    memcmp(slot->key.data, key.data, key.len) == 0)
			return slot;
	}
}

static void grow(struct map *m)
{
	struct map bigger = { .cap = m->cap ? m->cap * 2 : 64, .count = m->count };

	bigger.slots = memory_new(bigger.cap, sizeof(*bigger.slots));
	for (size_t i = 0; i < m->cap; i++)
		if (m->slots[i].value)
			*slot_of(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
	free(m->slots);
	*m = bigger;
}

void *map_find(const struct map *m, struct span key)
{
	return m->cap ? slot_of(m, key, hash_of(key))->value : NULL;
}

void map_put(struct map *m, struct span key, void *value)
{
	uint64_t hash = hash_of(key);
	struct map_slot *slot;

	assert(value); /* NULL is how map_find() says that there is none */
	if ((m->count + 1) * 4 > m->cap * 3)
		grow(m);
	slot = slot_of(m, key, hash);
	m->count += !slot->value;
	*slot = (struct map_slot){ key, hash, value };
}

void map_done(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}
