#include "survey/ask-code.h"

#include <string.h>

#include "code/code.h"
#include "door/beside.h"

#define BYTES_MAX ((uint64_t)256 << 20) /* a library without section headers is searched */

static int read_code(struct as_user *u, const char *path, struct buf *ret)
{
	struct arena arena = { 0 };
	struct beside beside = { .user = u,
				 .until_ms = beacon_now_ms() + BESIDE_MS_MAX,
				 .limit = BYTES_MAX };
	struct code_opener opener = { beside_open, beside_close, beside_list, &beside };
	struct as_user_file file;
	struct source source;
	struct code code;
	const struct span *known;
	const char *key;
	int error = as_user_open(u, path, &file);

	if (error < 0)
		return error;
	file.until_ms = beside.until_ms;
	source = as_user_source(&file, BYTES_MAX);
	beside.dir = arena_text(&arena, (struct span){ path, (size_t)(strrchr(path, '/') - path) });
	key = arena_format(&arena, "%llx %llx", (unsigned long long)file.device,
			   (unsigned long long)file.inode);
	known = map_find(&u->door->code, span_of(key));
	if (known) {
		buf_span(ret, *known);
	} else {
		code_read(&source, &opener, &arena, &code);
		code_digest(&source, &code);
		code_write(&code, ret);
		if (!code.kpack_name) { /* it does not matter where the file lies */
			struct span *kept = arena_alloc(&u->door->arena, sizeof(*kept));

			*kept = arena_span(&u->door->arena, buf_get(ret));
			map_put(&u->door->code, arena_span(&u->door->arena, span_of(key)), kept);
		}
	}
	as_user_close(&file);
	arena_done(&arena);
	return 0;
}

int ask_code(struct door *d, struct span argument, struct buf *ret)
{
	char path[AS_USER_PATH_MAX];
	struct as_user user;
	int error = as_user_path(argument, path);

	if (error == 0)
		error = as_user_begin(d, &user);
	if (error < 0)
		return error;
	error = read_code(&user, path, ret);
	as_user_end(&user);
	return error;
}
