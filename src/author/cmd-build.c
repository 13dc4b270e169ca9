#include "author/commands.h"
#include "author/compile-dir.h"
#include "cli/say.h"

int cmd_build(const struct options *o)
{
	struct buf db BUF_SCOPED = { 0 };
	struct faults faults = { 0 };
	int status;

	if (o->word_count != 1 || !o->output)
		return say_usage("build", "build needs a directory of YAML files and -o FILE: "
					  "rocsteady-kb build kb -o kb.db");
	status = compile_dir(o->words[0], &faults, &db);
	return status == 0 ? say_bytes(o->output, buf_get(&db)) : status;
}
