#include "probe/devices.h"

#include <string.h>

struct devices {
	struct arena *arena;
	const struct probe_options *options;
	struct device *all;
	size_t count;
};

/* 0000:03:00.0, or with a partition 0000:03:00.0/p3. Whatever else was said is no device. */
static bool is_address(struct span s)
{
	static const char allowed[] = "0123456789abcdef:./p";

	if (s.len < 7 || s.len > 40)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!memchr(allowed, s.data[i], sizeof(allowed) - 1))
			return false;
	return true;
}

static void add(struct devices *d, uint64_t index, struct span address)
{
	d->all[d->count++] =
		(struct device){ .index = (int)index, .address = arena_text(d->arena, address) };
}

static void take_all(struct devices *d, struct answer *answer)
{
	struct span rest = buf_get(&answer->lines), name, text, address;
	uint64_t index;

	if (answer->ending != ANSWER_ANSWERED)
		return;
	while (answer_next_value(&rest, &name, &text)) {
		if (!span_u64(name, &index) || !span_word(&text, &address) || !is_address(address))
			continue;
		if (d->count == DEVICES_MAX || index >= DEVICES_MAX) {
			answer_sayf(answer, "(more than %d devices: the others are not tested)",
				    DEVICES_MAX);
			return;
		}
		add(d, index, address);
	}
}

/* Partitions of one GPU may have been given one address: they are counted then. */
static void name_partitions(struct devices *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const char *address = d->all[i].address;
		unsigned int count = 0;

		for (size_t j = i + 1; j < d->count; j++)
			if (strcmp(d->all[j].address, address) == 0)
				d->all[j].address =
					arena_format(d->arena, "%s/p%u", address, ++count);
		if (count > 0)
			d->all[i].address = arena_format(d->arena, "%s/p0", address);
	}
}

static bool is_named(const struct device *d, const char *name)
{
	uint64_t index;

	if (!name)
		return true;
	if (span_u64(span_of(name), &index))
		return index == (uint64_t)d->index;
	return strcmp(d->address, name) == 0;
}

/* A partition is in use if its GPU is. */
static const char *find_bar(const struct probe_options *o, const char *address)
{
	size_t len = strcspn(address, "/");

	for (size_t i = 0; i < o->gpu_count && !o->force; i++) {
		const struct probe_gpu *g = &o->gpus[i];

		if (strncmp(g->address, address, len) != 0 || g->address[len] != '\0')
			continue;
		if (g->in_use)
			return "the GPU is in use by another process";
		if (g->display)
			return "the GPU drives a display";
	}
	return NULL;
}

struct device *devices_read(struct arena *a, const struct probe_options *options,
			    struct answer *answer, size_t *ret_count)
{
	struct devices d = { a, options, arena_alloc(a, (DEVICES_MAX + 1) * sizeof(struct device)),
			     0 };
	size_t chosen = 0;

	take_all(&d, answer);
	name_partitions(&d);
	for (size_t i = 0; i < d.count; i++) {
		d.all[i].chosen = is_named(&d.all[i], options->device);
		d.all[i].barred = find_bar(options, d.all[i].address);
		chosen += d.all[i].chosen;
	}
	if (chosen == 0) { /* a row that stands for the device which is not there */
		struct device *none = &d.all[d.count];

		add(&d, 0, SPAN_LITERAL("-"));
		none->chosen = none->is_none = true;
		if (d.count > 1)
			none->unasked = "no such device";
		else if (!options->keep_going)
			none->unasked = "HIP names no device";
	}
	*ret_count = d.count;
	return d.all;
}
