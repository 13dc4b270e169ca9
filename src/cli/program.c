#include "cli/program.h"

#include <string.h>

#include "cli/say.h"
#include "kb/words.h"

const struct command *program_find(const char *name)
{
	for (size_t i = 0; i < program.count; i++)
		if (strcmp(program.commands[i].name, name) == 0)
			return &program.commands[i];
	return NULL;
}

bool program_lacks(const char *what)
{
	return words_has(program.elsewhere, what);
}

int program_refuse(const char *command, const char *what)
{
	say("%s is not in %s; it is in %s", what, program.name, program.other);
	say("%s", program.where);
	return say_where(command);
}
