#include "plan.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "misdeeds.h"

#define RULES 256

struct rule {
	char name[64], address[32], action[16];
	bool many, alone;
	size_t over;
	unsigned nth, seen;
	long number;
};

static struct fake_device devices[FAKE_DEVICES];
static int device_count;
static struct rule rules[RULES];
static int rule_count;
static char workspace_call[64] = "hipMalloc";
static size_t workspace_bytes = (size_t)32 << 20;
static char directory[4096];

void fake_beside(const char *name, char *ret_path, size_t size)
{
	snprintf(ret_path, size, "%s/%s", directory, name);
}

static _Noreturn void fail(const char *line)
{
	fprintf(stderr, "fake: not understood in the plan: %s\n", line);
	abort();
}

static void take_device(const char *line)
{
	struct fake_device *d = &devices[device_count];

	if (device_count == FAKE_DEVICES ||
	    sscanf(line, "device %31s %31s %zu %zu", d->address, d->gfx, &d->total, &d->used) < 3)
		fail(line);
	device_count++;
}

static void take_rule(char *line)
{
	struct rule *r = &rules[rule_count++];
	char *rest = NULL, *word = strtok_r(line, " ", &rest);

	if (rule_count == RULES)
		fail(line);
	snprintf(r->name, sizeof(r->name), "%s", word);
	while ((word = strtok_r(NULL, " ", &rest))) {
		char *number = NULL;

		if (strcmp(word, "many") == 0)
			r->many = true;
		else if (strcmp(word, "alone") == 0)
			r->alone = true;
		else if (r->action[0])
			r->number = strtol(word, NULL, 0);
		else if (strcmp(word, "on") == 0 && (number = strtok_r(NULL, " ", &rest)))
			snprintf(r->address, sizeof(r->address), "%s", number);
		else if (strcmp(word, "over") == 0 && (number = strtok_r(NULL, " ", &rest)))
			r->over = strtoull(number, NULL, 0);
		else if (strcmp(word, "nth") == 0 && (number = strtok_r(NULL, " ", &rest)))
			r->nth = (unsigned)strtoul(number, NULL, 0);
		else
			snprintf(r->action, sizeof(r->action), "%s", word);
	}
	if (!misdeed_is_known(r->action))
		fail(r->name);
}

static void take_line(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '\0' || line[0] == '#')
		return;
	if (strncmp(line, "device ", 7) == 0)
		take_device(line);
	else if (strncmp(line, "workspace ", 10) == 0)
		sscanf(line, "workspace %63s %zu", workspace_call, &workspace_bytes);
	else
		take_rule(line);
}

/* When the library is loaded: `load` rules act here, before any call. */
__attribute__((constructor)) static void read_plan(void)
{
	char path[4200], line[512], load[64];
	const char *name;
	Dl_info info;
	FILE *file;

	if (!dladdr((void *)fake_call, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/'))
		return;
	name = strrchr(info.dli_fname, '/') + 1;
	snprintf(directory, sizeof(directory), "%.*s", (int)(name - 1 - info.dli_fname),
		 info.dli_fname);
	fake_beside("plan", path, sizeof(path));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		take_line(line);
	if (file)
		fclose(file);
	snprintf(load, sizeof(load), "load:%.*s", (int)strcspn(name, "."), name);
	fake_call(load, "", 0, 0);
}

const struct fake_device *fake_devices(int *ret_count)
{
	*ret_count = device_count;
	return devices;
}

int fake_visible(const char *variable, int *indices, int count)
{
	const char *list = getenv(variable);
	int kept[FAKE_DEVICES], n = 0;

	if (!list)
		return count;
	/* As the real ones do: the first index that is none ends the list. */
	while (*list >= '0' && *list <= '9' && n < FAKE_DEVICES) {
		char *end;
		long index = strtol(list, &end, 10);

		if (index >= count)
			break;
		kept[n++] = indices[index];
		list = *end == ',' ? end + 1 : end;
	}
	memcpy(indices, kept, (size_t)n * sizeof(*kept));
	return n;
}

static bool fits(struct rule *r, const char *name, const char *address, int visible, size_t bytes)
{
	if (strcmp(r->name, name) != 0 || (r->address[0] && strcmp(r->address, address) != 0))
		return false;
	if ((r->many && visible < 2) || (r->alone && visible != 1) || (r->over && bytes <= r->over))
		return false;
	return !r->nth || ++r->seen == r->nth;
}

int fake_call(const char *name, const char *address, int visible, size_t bytes)
{
	for (int i = 0; i < rule_count; i++) {
		if (!fits(&rules[i], name, address, visible, bytes))
			continue;
		if (strcmp(rules[i].action, "refuse") == 0)
			return (int)rules[i].number;
		if (strcmp(rules[i].action, "wrong") == 0)
			return FAKE_WRONG;
		misdeed_do(rules[i].action, rules[i].number);
		return 0;
	}
	return 0;
}

const char *fake_workspace(size_t *ret_bytes)
{
	*ret_bytes = workspace_bytes;
	return workspace_call;
}
