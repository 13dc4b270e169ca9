#include "survey/ask-code.h"

#include <string.h>

#include "code/code.h"
#include "door/beside.h"

#define BYTES_MAX ((uint64_t)256 << 20) /* a library without section headers is searched */

static void remember(struct door *d, const char *key, struct span answer)
{
	struct span *kept = arena_alloc(&d->arena, sizeof(*kept));

	*kept = arena_span(&d->arena, answer);
	map_put(&d->code, arena_span(&d->arena, span_of(key)), kept);
}

static int read_code(struct reach *r, const char *path, struct buf *ret)
{
	struct arena arena = { 0 };
	struct beside beside = { .reach = r,
				 .until_ms = beacon_now_ms() + BESIDE_MS_MAX,
				 .limit = BYTES_MAX };
	struct code_opener opener = { beside_open, beside_close, beside_list, &beside };
	struct reach_file file;
	struct source source;
	struct code code;
	const struct span *known;
	const char *key;
	int error = reach_open(r, path, &file);

	if (error < 0)
		return error;
	file.until_ms = beside.until_ms;
	source = reach_source(&file, BYTES_MAX);
	beside.dir = arena_text(&arena, (struct span){ path, (size_t)(strrchr(path, '/') - path) });
	key = arena_format(&arena, "%llx %llx", (unsigned long long)file.device,
			   (unsigned long long)file.inode);
	known = map_find(&r->door->code, span_of(key));
	if (known) {
		buf_span(ret, *known);
	} else {
		code_read(&source, &opener, &arena, &code);
		code_digest(&source, &code);
		code_write(&code, ret);
		if (!code.kpack_name) /* it does not matter where the file lies */
			remember(r->door, key, buf_get(ret));
	}
	reach_close(&file);
	arena_done(&arena);
	return 0;
}

int ask_code(struct door *d, struct span argument, struct buf *ret)
{
	char path[REACH_PATH_MAX];
	struct reach reach;
	int error = reach_path(argument, path);

	if (error == 0)
		error = reach_begin(d, &reach);
	if (error < 0)
		return error;
	error = read_code(&reach, path, ret);
	reach_end(&reach);
	return error;
}
