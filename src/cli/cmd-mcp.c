#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "mcp/serve.h"

int cmd_mcp(const struct options *o)
{
	struct serve_order order = {
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.version = ROCSTEADY_VERSION,
		.directories = o->allow,
	};
	int r;

	if (o->word_count > 0)
		return say_usage("mcp", "it takes no words; a client starts it and writes to it");
	if (isatty(STDIN_FILENO))
		say("waiting for a client of the Model Context Protocol on standard input; "
		    "Ctrl-D ends it");
	r = serve(&order);
	if (r < 0)
		say("%s", strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}
