/*
 * slowness - the slowest text for the signatures of a kb.db
 *
 *	slowness [--every N] [--size BYTES] [--least MB/S] KB.DB
 *
 * Feeds the scan with every adversarial text of every signature
 * (kb/adversary.h), and with texts made of all literals at once: each without
 * a newline, with short lines, with lines of nearly 4 KiB, and as one string
 * of JSON. Prints the slowest by CPU time, and exits with 1 if one is slower
 * than --least. With --every N only each Nth of the signatures' texts.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explain/log.h"
#include "facts/facts.h"
#include "kb/adversary.h"
#include "kb/kb.h"
#include "scan/scan.h"

#define SHOWN 12

struct result {
	double rate; /* MB/s */
	char what[160];
};

static struct result slowest[SHOWN];
static size_t tried;
static unsigned long every = 1, size = 65536;

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void note(double rate, const char *id, struct span text, uint64_t given_up)
{
	struct result r = { .rate = rate };
	char shown[41] = { 0 };
	size_t i = SHOWN;

	tried++;
	for (size_t k = 0; k < 40 && k < text.len; k++)
		shown[k] = text.data[k] < ' ' ? '?' : text.data[k];
	snprintf(r.what, sizeof(r.what), "%-30s %6llu given up  %s", id,
		 (unsigned long long)given_up, shown);
	while (i > 0 && (slowest[i - 1].rate == 0 || slowest[i - 1].rate > rate))
		i--;
	if (i == SHOWN)
		return;
	memmove(&slowest[i + 1], &slowest[i], (SHOWN - 1 - i) * sizeof(r));
	slowest[i] = r;
}

/* One scan for all texts of a signature: patterns are compiled once in a log, too. */
static void feed(struct scan *scan, const char *id, struct span text)
{
	uint64_t before = scan_given_up(scan);
	double began = cpu_seconds();

	scan_feed(scan, text);
	scan_end(scan);
	note((double)text.len / (cpu_seconds() - began) / 1e6, id, text,
	     scan_given_up(scan) - before);
}

/* ---- texts ---- */

static void add_lines(struct span text, size_t length, struct buf *ret)
{
	buf_clear(ret);
	for (size_t at = 0; at < text.len; at += length) {
		buf_add(ret, text.data + at, text.len - at < length ? text.len - at : length);
		buf_char(ret, '\n');
	}
}

static void add_json(struct span text, struct buf *ret)
{
	buf_clear(ret);
	for (size_t at = 0; at < text.len; at += 64) {
		buf_text(ret, at % 4096 == 0 ? "\n{\"log\":\"" : "\\n");
		buf_add(ret, text.data + at, text.len - at < 64 ? text.len - at : 64);
	}
}

static void feed_forms(const struct log_signatures *all, const char *id, struct span text)
{
	static const size_t lengths[] = { 120, 1000, 4090 };
	struct scan *scan = scan_new(all->list, all->count);
	struct buf form BUF_SCOPED = { 0 };

	feed(scan, id, text);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		add_lines(text, lengths[i], &form);
		feed(scan, id, buf_get(&form));
	}
	add_json(text, &form);
	feed(scan, id, buf_get(&form));
	scan_free(scan);
}

static void feed_signature(const struct log_signatures *all, size_t which)
{
	const struct signature *one = &all->list[which];
	const struct adversary a = { one->literals, one->literal_count, one->pattern };
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = which % every; i < adversary_count(&a); i += every) {
		struct scan *scan = scan_new(all->list, all->count);

		adversary_text(&a, i, size, &text);
		feed(scan, one->id, buf_get(&text));
		scan_free(scan);
	}
}

/* Every literal there is, whole and as nested beginnings, parted by a text. */
static void feed_all(const struct log_signatures *all, const char *id, const char *gap, bool nested)
{
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; text.len < 32 * size; i++) {
		struct span literal = all->literals[i % all->literal_count];

		if (nested)
			literal.len = 1 + i / all->literal_count % literal.len;
		buf_span(&text, literal);
		buf_text(&text, gap);
	}
	feed_forms(all, id, buf_get(&text));
}

static int load(const char *path, struct buf *kb, struct facts *facts, struct log_signatures *ret)
{
	struct kb_info info;
	struct span bytes;

	if (kb_read(path, kb, &bytes) < 0 || kb_attach_as(facts_db(facts), "kb", bytes, &info) < 0)
		return -1;
	return log_signatures_load(facts_db(facts), ret);
}

static double tell(double least)
{
	for (size_t i = 0; i < SHOWN && slowest[i].rate > 0; i++)
		printf("%8.1f MB/s  %s\n", slowest[i].rate, slowest[i].what);
	printf("%zu texts, the slowest at %.1f MB/s\n", tried, slowest[0].rate);
	return slowest[0].rate < least;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "every", required_argument, NULL, 'e' },
						 { "size", required_argument, NULL, 's' },
						 { "least", required_argument, NULL, 'l' },
						 { 0 } };
	struct facts *facts = facts_new();
	struct log_signatures all = { 0 };
	struct buf kb BUF_SCOPED = { 0 };
	double least = 0;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'e')
			every = strtoul(optarg, NULL, 10);
		else if (c == 's')
			size = strtoul(optarg, NULL, 10);
		else if (c == 'l')
			least = strtod(optarg, NULL);
	}
	if (optind + 1 != argc || every == 0 || size == 0 ||
	    load(argv[optind], &kb, facts, &all) < 0) {
		fprintf(stderr,
			"usage: slowness [--every N] [--size BYTES] [--least MB/S] KB.DB\n");
		return 64;
	}
	feed_all(&all, "all literals", "", false);
	feed_all(&all, "all literals, parted", " ", false);
	feed_all(&all, "all beginnings", "", true);
	for (size_t i = 0; i < all.count; i++)
		feed_signature(&all, i);
	c = tell(least) > 0;
	log_signatures_done(&all);
	facts_free(facts);
	return c;
}
