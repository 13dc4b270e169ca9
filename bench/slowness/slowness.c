/*
 * slowness - what each signature of a kb.db may cost
 *
 *	slowness [--every N] [--most TIMES] [--show N] [--only ID,...] KB.DB [SIGNATURES.yaml...]
 *
 * Looks for the slowest text of each signature: its own examples, whole and
 * cut, repeated, and every Nth of its adversarial texts (kb/adversary.h), in
 * lines as long as a scan looks at and in a line each. The slowest of each is
 * fed once more, as a megabyte, and timed; so are texts of all literals at
 * once. Prints the slowest and a summary in milliseconds of CPU a megabyte,
 * and exits with 1 if one needs more than --most times the time of the median
 * signature: how fast the machine is does not count.
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
#include "kb/yaml.h"

#define SHOWN    16
#define CUTS     4
#define EXAMPLES 2 /* of a signature are cut */
#define SAMPLE   ((size_t)16 << 10)
#define MEGABYTE ((size_t)1 << 20)
#define LONG     4090 /* a line of it is looked at whole */
#define AIM      20.0 /* milliseconds */
#define TIMES    3 /* one beyond it is timed so often, and the least counts: others run beside us */

struct cost {
	const char *id;
	double ms;      /* a megabyte */
	struct buf fed; /* the slowest text: a sample of it */
	uint64_t given_up;
};

struct bench {
	struct log_signatures all;
	struct scan *scan; /* of the signature that is tried, or of all */
	struct arena arena;
	struct buf rows; /* struct cost */
	size_t row_count, texts;
	unsigned long every, shown;
	const char *only; /* ids behind commas, or NULL: all */
	struct example {
		const char *id, *text;
	} * examples;
	size_t example_count;
};

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- texts ---- */

/* A text again and again, in lines of `length` bytes; 0: each time a line. */
static void repeat(struct span text, size_t length, size_t size, struct buf *ret)
{
	buf_clear(ret);
	for (size_t line = 0; ret->len < size && text.len > 0;) {
		size_t room = length > 0 ? length - line : text.len;
		size_t n = text.len < room ? text.len : room;

		buf_add(ret, text.data, n);
		line += n;
		if (length == 0 || line == length) {
			buf_char(ret, '\n');
			line = 0;
		}
	}
}

static double feed(struct bench *b, struct span text, uint64_t *ret_given_up)
{
	double began = cpu_ms();

	scan_again(b->scan);
	scan_feed(b->scan, text);
	scan_end(b->scan);
	*ret_given_up = scan_given_up(b->scan);
	return (cpu_ms() - began) * (double)MEGABYTE / (double)text.len;
}

/* ---- the slowest of a signature ---- */

static void try_text(struct bench *b, struct cost *row, struct span text)
{
	static const size_t lengths[] = { LONG, 0 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct buf sample BUF_SCOPED = { 0 };
		uint64_t given_up;
		double ms;

		repeat(text, lengths[i], SAMPLE, &sample);
		if (sample.len == 0)
			continue;
		b->texts++;
		ms = feed(b, buf_get(&sample), &given_up);
		if (ms <= row->ms)
			continue;
		row->ms = ms;
		buf_clear(&row->fed);
		buf_span(&row->fed, buf_get(&sample));
	}
}

static void try_examples(struct bench *b, struct cost *row)
{
	size_t tried = 0;

	for (size_t i = 0; i < b->example_count && tried < EXAMPLES; i++) {
		const char *text = b->examples[i].text;
		size_t len = strcspn(text, "\n");

		if (strcmp(b->examples[i].id, row->id) != 0)
			continue;
		tried++;
		for (size_t cut = 1; cut <= CUTS; cut++)
			try_text(b, row, (struct span){ text, len * cut / CUTS });
	}
}

static void keep(struct bench *b, struct cost *row)
{
	struct buf megabyte BUF_SCOPED = { 0 };

	while (megabyte.len < MEGABYTE && row->fed.len > 0)
		buf_span(&megabyte, buf_get(&row->fed));
	for (int i = 0; i < TIMES && (i == 0 || row->ms > AIM); i++) {
		double ms = feed(b, buf_get(&megabyte), &row->given_up);

		row->ms = i == 0 || ms < row->ms ? ms : row->ms;
	}
	buf_add(&b->rows, row, sizeof(*row));
	b->row_count++;
}

static void try_signature(struct bench *b, size_t which)
{
	const struct signature *one = &b->all.list[which];
	const struct adversary a = { one->literals, one->literal_count, one->pattern };
	struct cost row = { .id = one->id };
	struct buf text BUF_SCOPED = { 0 };

	b->scan = scan_new(one, 1);
	try_examples(b, &row);
	for (size_t i = which % b->every; i < adversary_count(&a); i += b->every) {
		adversary_text(&a, i, LONG, &text);
		try_text(b, &row, buf_get(&text));
	}
	if (row.fed.len > 0)
		keep(b, &row);
	b->scan = scan_free(b->scan);
}

/* Every literal there is, whole and as nested beginnings, parted by a text. */
static void try_all(struct bench *b, const char *id, const char *gap, bool nested)
{
	struct cost row = { .id = id };
	struct buf text BUF_SCOPED = { 0 };

	for (size_t i = 0; text.len < MEGABYTE; i++) {
		struct span literal = b->all.literals[i % b->all.literal_count];

		if (nested)
			literal.len = 1 + i / b->all.literal_count % literal.len;
		buf_span(&text, literal);
		buf_text(&text, gap);
	}
	repeat(buf_get(&text), LONG, MEGABYTE, &row.fed);
	b->scan = scan_new(b->all.list, b->all.count);
	keep(b, &row);
	b->scan = scan_free(b->scan);
}

/* ---- what there is to try ---- */

static int load(struct bench *b, const char *path, struct buf *kb, struct facts *facts)
{
	struct kb_info info;
	struct span bytes;

	if (kb_read(path, kb, &bytes) < 0 || kb_attach_as(facts_db(facts), "kb", bytes, &info) < 0)
		return -1;
	return log_signatures_load(facts_db(facts), &b->all);
}

static void add_examples(struct bench *b, const struct yaml_node *signature)
{
	const struct yaml_node *id = yaml_find(signature, "id");
	const struct yaml_node *list = yaml_find(signature, "examples");

	for (const struct yaml_node *n = id && list ? list->children : NULL; n; n = n->next) {
		b->examples =
			arena_grow(&b->arena, b->examples, b->example_count, sizeof(*b->examples));
		b->examples[b->example_count++] = (struct example){ id->text, n->text };
	}
}

static int load_examples(struct bench *b, const char *path)
{
	struct yaml_error error;
	struct yaml_node *tree;
	struct buf keep BUF_SCOPED = { 0 };
	const struct yaml_node *list;
	FILE *file = fopen(path, "r");
	int c;

	while (file && (c = getc(file)) != EOF)
		buf_char(&keep, (char)c);
	if (!file || yaml_parse(buf_get(&keep), &b->arena, &tree, &error) < 0)
		return -1;
	fclose(file);
	list = yaml_find(tree, "list");
	for (const struct yaml_node *n = list ? list->children : NULL; n; n = n->next)
		add_examples(b, n);
	return 0;
}

static bool is_meant(const struct bench *b, const char *id)
{
	struct span rest = span_of(b->only ? b->only : ""), one;

	while (span_cut(&rest, ',', &one))
		if (span_is(one, id))
			return true;
	return !b->only;
}

/* ---- what is told ---- */

static int by_time(const void *a, const void *b)
{
	double x = ((const struct cost *)a)->ms, y = ((const struct cost *)b)->ms;

	return (x < y) - (x > y);
}

static void tell_row(const struct cost *row)
{
	char shown[49] = { 0 };

	for (size_t i = 0; i < sizeof(shown) - 1 && i < row->fed.len; i++)
		shown[i] = row->fed.data[i] < ' ' ? '?' : row->fed.data[i];
	printf("%8.1f ms/MB  %-30s %6llu given up  %s\n", row->ms, row->id,
	       (unsigned long long)row->given_up, shown);
}

/* Prints the slowest, and whether each takes at most `most` times as long as the usual one. */
static bool tell(struct bench *b, double most)
{
	struct cost *rows = (struct cost *)(void *)b->rows.data;
	size_t n = b->row_count, beyond = 0;
	double usual;

	qsort(rows, n, sizeof(*rows), by_time);
	usual = rows[n / 2].ms;
	for (size_t i = 0; i < n && i < b->shown; i++)
		tell_row(&rows[i]);
	while (beyond < n && rows[beyond].ms > AIM)
		beyond++;
	printf("%zu texts of %zu signatures, milliseconds of CPU a megabyte of the slowest of each:\n"
	       "median %.1f, one in ten %.1f, one in a hundred %.1f, the slowest %.1f (%.1f times the median); beyond %.0f: %zu\n",
	       b->texts, n, usual, rows[n / 10].ms, rows[n / 100].ms, rows[0].ms,
	       rows[0].ms / usual, AIM, beyond);
	return most == 0 || rows[0].ms <= most * usual;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "every", required_argument, NULL, 'e' },
						 { "most", required_argument, NULL, 'm' },
						 { "show", required_argument, NULL, 's' },
						 { "only", required_argument, NULL, 'o' },
						 { 0 } };
	struct facts *facts = facts_new();
	struct bench b = { .every = 1, .shown = SHOWN };
	struct buf kb BUF_SCOPED = { 0 };
	double most = 0;
	bool good;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'e')
			b.every = strtoul(optarg, NULL, 10);
		else if (c == 'm')
			most = strtod(optarg, NULL);
		else if (c == 's')
			b.shown = strtoul(optarg, NULL, 10);
		else if (c == 'o')
			b.only = optarg;
	}
	good = optind < argc && b.every > 0 && load(&b, argv[optind], &kb, facts) == 0;
	for (int i = optind + 1; good && i < argc; i++)
		good = load_examples(&b, argv[i]) == 0;
	if (!good) {
		fprintf(stderr,
			"usage: slowness [--every N] [--most TIMES] [--show N] [--only ID,...] KB.DB [SIGNATURES.yaml...]\n");
		return 64;
	}
	if (!b.only) {
		try_all(&b, "all literals", "", false);
		try_all(&b, "all literals, parted", " ", false);
		try_all(&b, "all beginnings", "", true);
	}
	for (size_t i = 0; i < b.all.count; i++)
		if (is_meant(&b, b.all.list[i].id))
			try_signature(&b, i);
	good = tell(&b, most);
	for (size_t i = 0; i < b.row_count; i++)
		buf_done(&((struct cost *)(void *)b.rows.data)[i].fed);
	buf_done(&b.rows);
	arena_done(&b.arena);
	log_signatures_done(&b.all);
	facts_free(facts);
	return good ? 0 : 1;
}
