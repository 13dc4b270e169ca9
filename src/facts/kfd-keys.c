#include "facts/kfd-keys.h"

#include <assert.h>
#include <stdio.h>

#include "parse/keyvals.h"

static void take_value(struct kfd_keys *k, size_t i, struct span text)
{
	uint64_t value;

	if (k->present & 1u << i)
		return;
	k->present |= 1u << i;
	if (!span_u64(text, &value) || (k->keys[i].form != KFD_ID && value > UINT32_MAX))
		return;
	k->value[i] = value;
	k->known |= 1u << i;
}

/* A table in the order of the file makes the search a single comparison. */
void kfd_keys_read(struct kfd_keys *k, struct span text)
{
	struct span key, value;
	size_t next = 0;

	assert(k->count <= KFD_KEYS_MAX);
	while (keyvals_next(&text, &key, &value))
		for (size_t n = 0; n < k->count; n++) {
			size_t i = (next + n) % k->count;

			if (!span_is(key, k->keys[i].key))
				continue;
			take_value(k, i, value);
			next = i + 1;
			break;
		}
}

bool kfd_keys_know(const struct kfd_keys *k, size_t key)
{
	return k->known & 1u << key;
}

void kfd_keys_gap(struct collect *c, const char *table, const char *column, const char *subject,
		  const struct kfd_keys *k, size_t key)
{
	bool present = k->present & 1u << key;
	char topic[96];
	char detail[96];

	snprintf(topic, sizeof(topic), "%s.%s", table, column);
	snprintf(detail, sizeof(detail), present ? "%s is no number that fits" : "no %s",
		 k->keys[key].key);
	facts_gap_said(c->facts, topic, subject, present ? "broken" : "absent", detail, k->path);
}

void kfd_keys_columns(struct collect *c, struct row *r, const char *subject,
		      const struct kfd_keys *k)
{
	for (size_t i = 0; i < k->count; i++) {
		const struct kfd_key *key = &k->keys[i];
		unsigned long long value = k->value[i];

		if (!key->column)
			continue;
		if (!kfd_keys_know(k, i))
			kfd_keys_gap(c, r->table, key->column, subject, k, i);
		else if (key->form == KFD_NUMBER)
			row_u64(r, key->column, value);
		else if (key->form == KFD_HEX)
			row_string(r, key->column, arena_format(&c->arena, "%04llx", value));
		else if (value != 0)
			row_string(r, key->column, arena_format(&c->arena, "%016llx", value));
	}
}
