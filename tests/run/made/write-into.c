/*
 * write-into - what root writes deep inside of a command, into a directory of choice
 *
 * usage: write-into hook DIRECTORY      the Python hook of `run --heal`
 *        write-into install FILE        a knowledge base, as `kb update` puts it
 */

#include <stdio.h>
#include <string.h>

#include "kb/install-file.h"
#include "run/settings.h"

int main(int argc, char **argv)
{
	struct install_file place;
	int r = -1;

	if (argc != 3)
		return 64;
	if (strcmp(argv[1], "hook") == 0)
		r = settings_write_hook(argv[2]);
	else
		r = install_file_open(argv[2], &place);
	printf("%s\n", r < 0 ? strerror(-r) : "done");
	return r < 0 ? 1 : 0;
}
