#include "probe/environment.h"

#include <string.h>

/* `%s` is the home. The user's name is for programs that would look for it in /etc/passwd. */
static const char *const usual[] = {
	"PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/opt/rocm/bin",
	"LC_ALL=C.UTF-8",
	"USER=rocsteady",
	"LOGNAME=rocsteady",
	"HOME=%s",
	"TMPDIR=%s/tmp",
	"XDG_CACHE_HOME=%s/cache",
	"XDG_CONFIG_HOME=%s/config",
	"MIOPEN_USER_DB_PATH=%s/cache",
	"MIOPEN_CUSTOM_CACHE_DIR=%s/cache",
	NULL,
};

/* HIP looks at the first of the last three that is set; ROCR_ acts below them and renumbers. */
static const char *const above_rocr[] = {
	"HIP_VISIBLE_DEVICES",
	"CUDA_VISIBLE_DEVICES",
	"GPU_DEVICE_ORDINAL",
	NULL,
};

static bool is_named(const char *variable, struct span name)
{
	return strncmp(variable, name.data, name.len) == 0 && variable[name.len] == '=';
}

static void set(char **env, size_t *count, char *variable)
{
	struct span name = { variable, (size_t)(strchrnul(variable, '=') - variable) };

	for (size_t i = 0; i < *count; i++)
		if (is_named(env[i], name)) {
			env[i] = variable;
			return;
		}
	env[(*count)++] = variable;
}

static const char *get(char **env, size_t count, const char *name)
{
	struct span key = span_of(name);

	for (size_t i = 0; i < count; i++)
		if (is_named(env[i], key))
			return env[i] + key.len + 1;
	return NULL;
}

/* The n-th of `2,3` or `GPU-1f2e,GPU-2c3d`; without a list, or beyond it, n itself. */
static struct span token(struct arena *a, const char *list, struct span n)
{
	struct span rest = span_of(list), part;
	uint64_t index;

	if (!list || list[0] == '\0' || !span_u64(n, &index))
		return n;
	while (span_cut(&rest, ',', &part))
		if (index-- == 0)
			return arena_span(a, span_trim(part));
	return n;
}

static void show_one(struct arena *a, char **env, size_t *count, int index)
{
	struct span which = span_of(arena_format(a, "%d", index));
	const char *list = NULL;

	for (const char *const *name = above_rocr; *name && !list; name++)
		list = get(env, *count, *name);
	which = token(a, list, which);
	which = token(a, get(env, *count, "ROCR_VISIBLE_DEVICES"), which);
	for (const char *const *name = above_rocr; *name; name++)
		for (size_t i = 0; i < *count; i++)
			if (is_named(env[i], span_of(*name)))
				env[i--] = env[--*count];
	set(env, count, arena_format(a, "ROCR_VISIBLE_DEVICES=%.*s", (int)which.len, which.data));
}

char **environment_make(struct arena *a, const char *home, const char *const *variables, int alone)
{
	size_t room = sizeof(usual) / sizeof(usual[0]) + 1, count = 0;
	char **env;

	for (const char *const *v = variables; v && *v; v++)
		room++;
	env = arena_alloc(a, room * sizeof(*env));
	for (const char *const *u = usual; *u; u++)
		set(env, &count, arena_format(a, *u, home));
	for (const char *const *v = variables; v && *v; v++)
		if (strchr(*v, '='))
			set(env, &count, arena_text(a, span_of(*v)));
	if (alone >= 0)
		show_one(a, env, &count, alone);
	env[count] = NULL;
	return env;
}
