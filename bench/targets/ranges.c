/*
 * The bare cost of knowing: open files and read the bytes that nobody can do
 * without. Standard input: "file PATH", then "OFFSET SIZE" lines for each.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST ((size_t)1 << 24)

int main(void)
{
	unsigned long long files = 0, reads = 0, bytes = 0;
	unsigned long long offset;
	char line[8192];
	char *buffer = malloc(MOST);
	size_t size;
	int fd = -1;

	if (!buffer)
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "file ", 5) == 0) {
			if (fd >= 0)
				close(fd);
			fd = open(line + 5, O_RDONLY | O_CLOEXEC);
			if (fd < 0) {
				perror(line + 5);
				return 1;
			}
			files++;
		} else if (sscanf(line, "%llu %zu", &offset, &size) == 2) {
			ssize_t got = pread(fd, buffer, size < MOST ? size : MOST, (off_t)offset);

			if (got < 0) {
				perror("pread");
				return 1;
			}
			reads++;
			bytes += (unsigned long long)got;
		}
	}
	printf("%llu files, %llu reads, %llu bytes\n", files, reads, bytes);
	free(buffer);
	return 0;
}
