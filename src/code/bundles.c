#include <string.h>

#include "code/gather.h"
#include "code/read-bundle.h"
#include "parse/bundle.h"

static uint64_t next_page(uint64_t at)
{
	return (at + GATHER_PAGE) & ~(uint64_t)(GATHER_PAGE - 1);
}

static uint64_t page_up(uint64_t at)
{
	return at % GATHER_PAGE ? next_page(at) : at;
}

/* In a source with holes: the next kept page that begins a bundle. */
static bool search_kept(struct source *s, uint64_t from, uint64_t *ret)
{
	unsigned char head[BUNDLE_MAGIC_BYTES];

	while (s->kept(s, from, &from)) {
		from = page_up(from);
		if (source_read(s, from, head, sizeof(head)) == 0 &&
		    bundle_kind((struct span){ (char *)head, sizeof(head) }) !=
			    BUNDLE_KIND_NOTHING) {
			*ret = from;
			return true;
		}
		if (from >= s->size)
			break;
		from++;
	}
	return false;
}

/* The first page of a window that begins a bundle; the window's first byte is at `at`. */
static bool search_pages(struct span w, uint64_t at, uint64_t *ret)
{
	for (uint64_t page = page_up(at); page - at < w.len; page += GATHER_PAGE) {
		size_t i = (size_t)(page - at);

		if (bundle_kind((struct span){ w.data + i, w.len - i }) != BUNDLE_KIND_NOTHING) {
			*ret = page;
			return true;
		}
	}
	return false;
}

/* The same at any byte. Both magics have a C: "CCOB" and "__CLANG...". */
static bool search_bytes(struct span w, uint64_t at, uint64_t *ret)
{
	const char *end = w.data + w.len, *hit = w.data;

	for (; hit < end && (hit = memchr(hit, 'C', (size_t)(end - hit))); hit++) {
		for (size_t before = 0; before <= 2 && before <= (size_t)(hit - w.data);
		     before += 2) {
			const char *here = hit - before;

			if (bundle_kind((struct span){ here, (size_t)(end - here) }) ==
			    BUNDLE_KIND_NOTHING)
				continue;
			*ret = at + (uint64_t)(here - w.data);
			return true;
		}
	}
	return false;
}

/* The next place from here on where a bundle begins. */
static bool search(struct gather *g, struct source *s, uint64_t from, bool aligned, uint64_t *ret)
{
	if (s->kept)
		return search_kept(s, from, ret);
	buf_clear(&g->window);
	buf_room(&g->window, GATHER_WINDOW);
	while (from < s->size) {
		int64_t got = source_some(s, from, g->window.data, GATHER_WINDOW);
		struct span w;

		if (got < 0) {
			gather_problem(g, "at 0x%llx: cannot be read",
				       (unsigned long long)gather_place(s, from));
			return false;
		}
		w = (struct span){ g->window.data, (size_t)got };
		if (aligned ? search_pages(w, from, ret) : search_bytes(w, from, ret))
			return true;
		if ((size_t)got < GATHER_WINDOW)
			return false;
		from += GATHER_WINDOW - BUNDLE_MAGIC_BYTES;
	}
	return false;
}

/*
 * From bundle to bundle: the next one begins on the page after the end of the
 * last. Where none does, the bytes from that end on are searched (`go_on`).
 */
static void walk(struct gather *g, struct source *s, bool go_on, bool aligned)
{
	uint64_t at = 0, from = 1;

	while (at < s->size || from < s->size) {
		int64_t got = bundle_page(g, s, at);
		struct span head = { (const char *)g->page, got < 0 ? 0 : (size_t)got };

		if (bundle_kind(head) != BUNDLE_KIND_NOTHING) {
			uint64_t end = bundle_read(g, s, at, head);

			if (g->full)
				break;
			from = end ? end : at + 1;
			if (end)
				at = page_up(end);
			else if (!search(g, s, next_page(at), true, &at))
				break;
			continue;
		}
		if (!go_on || !search(g, s, from, aligned, &at))
			break;
		from = at + 1;
	}
}

void gather_bundles(struct gather *g, struct source *s, bool search_on)
{
	walk(g, s, search_on, false);
}

void gather_scan(struct gather *g, struct source *s)
{
	walk(g, s, true, true);
}
