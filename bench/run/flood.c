/*
 * flood BYTES [RATE] - lines like those of a training, as fast as they go or at
 * RATE bytes a second; `flood spin MS` computes silently.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int spin(double seconds)
{
	volatile unsigned long sum = 0;
	struct timespec t;

	do {
		for (int i = 0; i < 100000; i++)
			sum = sum + (unsigned long)i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < seconds);
	return 0;
}

int main(int argc, char **argv)
{
	static char block[1 << 17];
	double bytes, rate, start = now();
	size_t len = 0;

	if (argc > 2 && strcmp(argv[1], "spin") == 0)
		return spin(atof(argv[2]) / 1000);
	bytes = argc > 1 ? atof(argv[1]) : 1e9;
	rate = argc > 2 ? atof(argv[2]) : 0;
	for (int i = 0; len + 128 < sizeof(block); i++)
		len += (size_t)snprintf(
			block + len, sizeof(block) - len,
			"Epoch 1/3 Batch %d/192 loss %.6f lr 1.0e-03 samples/s %.1f\n", i % 192,
			1.0 / (i + 1), 1234.5 + i);
	for (double done = 0; done < bytes;) {
		ssize_t n = write(1, block, len);

		if (n < 0)
			return 1;
		done += (double)n;
		while (rate > 0 && done / rate > now() - start)
			usleep(500);
	}
	return 0;
}
