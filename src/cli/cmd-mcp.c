#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "mcp/serve.h"

static void say_missing(const char *directory, int error)
{
	say("--allow %s: %s; no file below it will be opened", directory, strerror(error));
}

int cmd_mcp(const struct options *o)
{
	struct allowed allowed = { 0 };
	struct serve_order order = {
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.version = ROCSTEADY_VERSION,
		.allowed = o->allow ? &allowed : NULL,
	};
	int r;

	if (o->word_count > 0)
		return say_usage("mcp", "it takes no words; a client starts it and writes to it");
	if (isatty(STDIN_FILENO))
		say("waiting for a client of the Model Context Protocol on standard input; "
		    "Ctrl-D ends it");
	allowed_read(&allowed, o->allow, say_missing);
	r = serve(&order);
	allowed_done(&allowed);
	if (r < 0)
		say("%s", strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}
