/*
 * The same signatures by Vectorscan (or Hyperscan, whose header is the same),
 * streaming. What it cannot compile is told and left out.
 *
 *	vector literals|patterns FILE LOG      one a line
 */

#include <fcntl.h>
#include <hs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 18)
#define MOST  8192

static unsigned long long found;

static int count(unsigned int id, unsigned long long from, unsigned long long to,
		 unsigned int flags, void *data)
{
	(void)id, (void)from, (void)to, (void)flags, (void)data;
	found++;
	return 0;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Patterns that do not compile by themselves are dropped. */
static unsigned int keep_good(const char **list, unsigned int n)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < n; i++) {
		hs_database_t *db = NULL;
		hs_compile_error_t *error = NULL;

		if (hs_compile(list[i], 0, HS_MODE_STREAM, NULL, &db, &error) == HS_SUCCESS)
			list[kept++] = list[i];
		else
			hs_free_compile_error(error);
		hs_free_database(db);
	}
	return kept;
}

int main(int argc, char **argv)
{
	static const char *list[MOST];
	static size_t lengths[MOST];
	static unsigned int flags[MOST], ids[MOST];
	static char line[8192];
	hs_database_t *db = NULL;
	hs_compile_error_t *error = NULL;
	hs_scratch_t *scratch = NULL;
	hs_stream_t *stream = NULL;
	unsigned int n = 0, all;
	char *piece = malloc(PIECE);
	double start = now();
	ssize_t got;
	FILE *f;
	int fd, r;

	if (argc != 4 || !(f = fopen(argv[2], "r")) || (fd = open(argv[3], O_RDONLY)) < 0)
		return 2;
	while (n < MOST && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		ids[n] = n;
		lengths[n] = strlen(line);
		list[n++] = strdup(line);
	}
	all = n;
	if (strcmp(argv[1], "literals") == 0) {
		r = hs_compile_lit_multi(list, flags, ids, lengths, n, HS_MODE_STREAM, NULL, &db,
					 &error);
	} else {
		n = keep_good(list, n);
		r = hs_compile_multi(list, flags, ids, n, HS_MODE_STREAM, NULL, &db, &error);
	}
	if (r != HS_SUCCESS || hs_alloc_scratch(db, &scratch) != HS_SUCCESS ||
	    hs_open_stream(db, 0, &stream) != HS_SUCCESS)
		return 3;
	fprintf(stderr, "%u of %u compiled in %.3f s\n", n, all, now() - start);
	start = now();
	while ((got = read(fd, piece, PIECE)) > 0)
		hs_scan_stream(stream, piece, (unsigned int)got, 0, scratch, count, NULL);
	hs_close_stream(stream, scratch, count, NULL);
	printf("%llu %.3f\n", found, now() - start);
	return 0;
}
