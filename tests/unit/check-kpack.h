#pragma once

/*
 * check-kpack - archives of kernels for tests
 *
 * An archive is described as text, "lib/a.so#0 gfx906 gfx1100; lib/a.so#1
 * gfx906": each code object and its targets. Nothing of it is code.
 */

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "check-pack.h"

#define KPACK_BLOBS_AT 64

struct kpack_recipe {
	const char *toc;
	const char *listed; /* gfx_arches, by blanks */
	unsigned int version;
	unsigned int blobs; /* 0: as many as the table needs */
	bool plain;         /* compression_scheme none */
};

static inline unsigned int count_parts(const char *text, char separator)
{
	unsigned int n = *text ? 1 : 0;

	for (; *text; text++)
		n += *text == separator;
	return n;
}

static inline void pack_words(struct buf *b, const char *words)
{
	struct span rest = span_of(words), word;

	pack_array(b, count_parts(words, ' '));
	while (span_cut(&rest, ' ', &word)) {
		char text[256] = { 0 };

		memcpy(text, word.data, word.len);
		pack_text(b, text);
	}
}

static inline void pack_kernel(struct buf *b, unsigned int ordinal)
{
	pack_map(b, 3);
	pack_pair(b, "type", "hsaco");
	pack_text(b, "ordinal");
	pack_uint(b, ordinal);
	pack_text(b, "original_size");
	pack_uint(b, 7472);
}

static inline unsigned int pack_toc(struct buf *b, const char *toc)
{
	struct span rest = span_of(toc), entry, word;
	unsigned int ordinal = 0;

	pack_map(b, count_parts(toc, ';'));
	while (span_cut(&rest, ';', &entry)) {
		unsigned int targets = 0;
		bool key = true;

		entry = span_trim(entry);
		for (size_t i = 0; i < entry.len; i++)
			targets += entry.data[i] == ' ';
		for (struct span words = entry; span_word(&words, &word); key = false) {
			char one[256] = { 0 };

			memcpy(one, word.data, word.len);
			pack_text(b, one);
			if (key)
				pack_map(b, targets);
			else
				pack_kernel(b, ordinal++);
		}
	}
	return ordinal;
}

static inline void pack_blobs(struct buf *b, const struct kpack_recipe *recipe, unsigned int count)
{
	pack_pair(b, "compression_scheme", recipe->plain ? "none" : "zstd-per-kernel");
	if (!recipe->plain) {
		pack_text(b, "zstd_offset");
		pack_uint(b, KPACK_BLOBS_AT);
		pack_text(b, "zstd_size");
		pack_uint(b, 4 + 4 * count);
		return;
	}
	pack_text(b, "blobs");
	pack_array(b, count);
	for (unsigned int i = 0; i < count; i++) {
		pack_map(b, 2);
		pack_text(b, "offset");
		pack_uint(b, KPACK_BLOBS_AT + 4 + 4 * i);
		pack_text(b, "size");
		pack_uint(b, 4);
	}
}

/* Frames of no length stand for packed kernels: nobody unpacks them. */
static inline void make_kpack(struct buf *b, const struct kpack_recipe *recipe)
{
	struct buf toc BUF_SCOPED = { 0 };
	uint32_t version = recipe->version ? recipe->version : 1;
	uint32_t count = pack_toc(&toc, recipe->toc);
	uint64_t at;

	if (recipe->blobs)
		count = recipe->blobs;
	at = KPACK_BLOBS_AT + 4 + 4 * (uint64_t)count;
	buf_text(b, "KPAK");
	buf_add(b, &version, sizeof(version));
	buf_add(b, &at, sizeof(at));
	while (b->len < KPACK_BLOBS_AT)
		buf_char(b, 0);
	buf_add(b, &count, sizeof(count));
	while (b->len < at)
		buf_char(b, 0);
	pack_map(b, recipe->plain ? 6 : 7);
	pack_text(b, "format_version");
	pack_uint(b, 1);
	pack_pair(b, "group_name", "blas");
	pack_text(b, "gfx_arches");
	pack_words(b, recipe->listed);
	pack_blobs(b, recipe, count);
	pack_text(b, "toc");
	buf_span(b, buf_get(&toc));
}

static inline void make_kpack_ref(struct buf *b, const char *name, const char *paths)
{
	pack_map(b, 2);
	pack_text(b, "kpack_search_paths");
	pack_words(b, paths);
	pack_pair(b, "kernel_name", name);
}
