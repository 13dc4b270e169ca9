#include "base/json-write.h"
#include "report/advise.h"

#define SCHEMA 1 /* only grows */

static void write_way(struct json *j, const struct install_way *way)
{
	json_open(j, NULL, '{');
	json_string(j, "id", way->id);
	json_string(j, "kind", way->kind);
	json_string(j, "line", way->line);
	json_string(j, "why", way->why);
	json_string(j, "caveat", way->caveat);
	json_string(j, "checked", way->checked);
	json_string(j, "class", way->class);
	json_string(j, "source", way->source);
	json_close(j, '}');
}

static void write_part(struct json *j, const struct advise_part *part)
{
	json_open(j, NULL, '{');
	json_open(j, "gpus", '[');
	for (size_t i = 0; i < part->gpu_count; i++) {
		json_open(j, NULL, '{');
		json_string(j, "gfx", part->gpus[i].gfx);
		json_string(j, "name", part->gpus[i].name);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_bool(j, "other_python", part->other_python);
	json_string(j, "driver", part->kernel);
	json_string(j, "memory", part->memory);
	json_open(j, "ways", '[');
	for (size_t i = 0; i < part->way_count; i++)
		write_way(j, &part->ways[i]);
	json_close(j, ']');
	json_close(j, '}');
}

void advise_json(const struct advice *a, const char *kb_version, struct buf *ret)
{
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "knowledge", kb_version);
	json_string(&j, "application", a->wish.application);
	json_string(&j, "system", a->wish.system);
	json_string(&j, "python", a->wish.python);
	json_open(&j, "advice", '[');
	for (size_t i = 0; i < a->part_count; i++)
		write_part(&j, &a->parts[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(ret, '\n');
}
