#include "advise/advise.h"

#include <errno.h>
#include <string.h>

#include "check-knowledge.h"

static const struct {
	const char *application, *system, *python, *gfx, *second;
	const char *kind;  /* of the best way */
	const char *piece; /* of its line */
	size_t parts;
	bool other_python;
} ways[] = {
	{ "torch", "linux", "3.12", "gfx1100", NULL, "device-package", "device-gfx1100", 1, false },
	{ "torch", "linux", "3.10", "gfx1100", NULL, "wheel", "whl/rocm7.14", 1, false },
	{ "torch", "linux", "3.8", "gfx1100", NULL, "wheel", "torch==2.4.1", 1, false },
	{ "torch", "linux", "3.8", "gfx1152", NULL, "device-package", "device-gfx1152", 1, true },
	{ "torch", "linux", "3.12", "gfx1031", NULL, "device-package", "device-gfx1031", 1, false },
	{ "torch", "linux", "3.12", "gfx906", "gfx1201", "wheel", "whl/rocm6.3", 1, false },
	{ "torch", "linux", "3.12", "gfx1031", "gfx1201", "device-package",
	  "torch[device-gfx1031,device-gfx1201]", 1, false },
	{ "torch", "linux", "3.12", "gfx1100", "gfx803", "device-package", "device-gfx1100", 2,
	  false },
	{ "torch", "linux", "3.12", "gfx90c", NULL, "override", "HSA_OVERRIDE_GFX_VERSION=9.0.0", 1,
	  false },
	{ "torch", "linux", "3.12", "gfx803", NULL, "none", NULL, 1, false },
	{ "torch", "windows", "3.13", "gfx1151", NULL, "device-package", "py -3.13", 1, false },
	{ "torch", "windows", "3.13", "gfx942", NULL, "none", NULL, 1, false },
	{ "torch", "wsl", NULL, "gfx1100", NULL, "device-package", "device-gfx1100", 1, false },
	{ "ollama", "linux", NULL, "gfx1151", NULL, "installer", "install.sh", 1, false },
	{ "ollama", "linux", NULL, "gfx1031", NULL, "vulkan", "install.sh", 1, false },
	{ "ollama", "linux", NULL, "gfx1103", NULL, "vulkan", "Environment=OLLAMA_IGPU_ENABLE=1", 1,
	  false },
	{ "ollama", "windows", NULL, "gfx1150", NULL, "installer", "setx OLLAMA_IGPU_ENABLE 1", 1,
	  false },
	{ "llama.cpp", "windows", NULL, "gfx1103", NULL, "vulkan", "win-vulkan", 1, false },
	{ "llama.cpp", "linux", NULL, "gfx1031", NULL, "vulkan", "server-vulkan", 1, false },
	{ "llama.cpp", "linux", NULL, "gfx950", NULL, "archive",
	  "rocm[libraries,device-gfx950]==7.14.*", 1, false },
	{ "comfyui", "linux", NULL, "gfx902", NULL, "override", "HSA_OVERRIDE_GFX_VERSION=9.0.0", 1,
	  false },
	{ "vllm", "linux", "3.12", "gfx942", NULL, "image", "vllm/vllm-openai-rocm:latest", 1,
	  false },
	{ "vllm", "windows", "3.12", "gfx1100", NULL, "none", NULL, 1, false },
};

static void test_ways(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct advise_wish wish = { .application = ways[i].application,
					    .system = ways[i].system,
					    .python = ways[i].python,
					    .gpus = (struct advise_gpu[]){ { ways[i].gfx, NULL },
									   { ways[i].second,
									     NULL } },
					    .gpu_count = ways[i].second ? 2 : 1 };
		const struct install_way *way;
		struct advice a;

		if (!CHECK(advise(db, &wish, &a) == 0))
			continue;
		way = &a.parts[0].ways[0];
		CHECK_INT(a.part_count, ways[i].parts);
		CHECK_TEXT(way->kind, ways[i].kind);
		CHECK(a.parts[0].other_python == ways[i].other_python);
		CHECK(strlen(way->checked) == 10);
		if (ways[i].piece && !CHECK(strstr(way->line, ways[i].piece) != NULL))
			printf("  %s\n", way->line);
		advise_done(&a);
	}
}

/* The table of statements is lent, not given. */
static void test_statements_stay(sqlite3 *db)
{
	struct advise_wish wish = { .application = "torch",
				    .system = "linux",
				    .gpus = (struct advise_gpu[]){ { "gfx1100", NULL } },
				    .gpu_count = 1 };
	sqlite3_stmt *stmt = NULL;
	struct advice a;

	sqlite3_exec(db,
		     "INSERT INTO statement (name, value, source) VALUES ('gfx', 'gfx803', 'x')",
		     NULL, NULL, NULL);
	CHECK_INT(advise(db, &wish, &a), 0);
	CHECK_TEXT(a.parts[0].ways[0].kind, "device-package");
	advise_done(&a);
	sqlite3_prepare_v2(db, "SELECT group_concat(value) FROM statement", -1, &stmt, NULL);
	CHECK_INT(sqlite3_step(stmt), SQLITE_ROW);
	CHECK_TEXT((const char *)sqlite3_column_text(stmt, 0), "gfx803");
	sqlite3_finalize(stmt);
	wish.application = "solitaire";
	CHECK_INT(advise(db, &wish, &a), -ENOENT);
}

int main(void)
{
	struct buf keep = { 0 };
	struct facts *f = with_knowledge(&keep);

	test_ways(facts_db(f));
	test_statements_stay(facts_db(f));
	facts_free(f);
	buf_done(&keep);
	return check_end();
}
