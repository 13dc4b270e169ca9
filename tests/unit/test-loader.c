/*
 * The loader's rule, against the loader itself: libraries are built with RPATH
 * and RUNPATH in every combination, and ld.so is asked what it would load
 * (LD_TRACE_LOADED_OBJECTS=1). With paths as arguments it answers about those,
 * for tests/live/loader.sh.
 */

#include "survey/loader.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "door/standing.h"

static struct door door;

static void open_door(void)
{
	static const struct door_options none;

	if (door_init(&door, DOOR_LIVE, "/", &none) < 0)
		exit(70);
	door.beacon = beacon_new();
}

/* "name => real path" of each object but the first, sorted by nothing: in load order. */
static int answer(const char *path, const char *library_path, const char *preload, const char *cwd,
		  struct buf *ret)
{
	struct loader *l = calloc(1, sizeof(*l));
	struct arena arena = { 0 };
	struct as_user user;
	char real[AS_USER_PATH_MAX];
	int r = as_user_begin(&door, &user);

	if (r == 0) {
		loader_init(l, &user, &arena, library_path, preload, cwd);
		r = loader_start(l, path);
		for (size_t i = 0; i < l->edge_count; i++) {
			const struct loader_edge *e = &l->edges[i];

			if (e->how == LOADER_LOADED)
				continue;
			buf_addf(ret, "%s => %s\n", e->wanted,
				 e->object < 0 ? "not found"
				 : as_user_real(&user, l->objects[e->object].path, real) == 0
					 ? real
					 : "?");
		}
		loader_done(l);
		as_user_end(&user);
	}
	arena_done(&arena);
	free(l);
	return r;
}

/* ---- against ld.so ---- */

static char top[64];

static int run(const char *command)
{
	return system(command);
}

/* What ld.so says, in the same form; vdso and the loader itself left out. */
static void truth(const char *path, const char *library_path, const char *preload, struct buf *ret)
{
	char command[8192], line[4096], name[512], file[2048], real[PATH_MAX];
	FILE *p;

	snprintf(command, sizeof(command),
		 "cd %s && LD_LIBRARY_PATH='%s' LD_PRELOAD='%s' LD_TRACE_LOADED_OBJECTS=1 "
		 "/lib64/ld-linux-x86-64.so.2 %s 2>/dev/null",
		 top, library_path, preload, path);
	p = popen(command, "r");
	while (p && fgets(line, sizeof(line), p)) {
		if (sscanf(line, " %511s => %2047[^(\n]", name, file) == 2) {
			file[strcspn(file, " ")] = strstr(file, "not found") ? ' ' : '\0';
			if (strncmp(file, "not", 3) == 0)
				buf_addf(ret, "%s => not found\n", name);
			else
				buf_addf(ret, "%s => %s\n", name,
					 realpath(file, real) ? real : file);
		} else if (sscanf(line, " %511s (", name) == 1 && name[0] == '/' &&
			   !strstr(name, "/ld-linux")) {
			buf_addf(ret, "%s => %s\n", name, realpath(name, real) ? real : name);
		}
	}
	if (p)
		pclose(p);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name asked for twice and missing is told twice by one and once by the other. */
static void sorted(struct buf *b)
{
	struct buf out = { 0 };
	char *lines[2048], *last = NULL;
	size_t n = 0;

	for (char *p = b->len ? strtok(b->data, "\n") : NULL; p && n < 2048; p = strtok(NULL, "\n"))
		lines[n++] = p;
	qsort(lines, n, sizeof(*lines), by_text);
	for (size_t i = 0; i < n; last = lines[i], i++)
		if (!last || strcmp(last, lines[i]) != 0)
			buf_addf(&out, "%s\n", lines[i]);
	buf_done(b);
	*b = out;
}

static bool same(const char *path, const char *library_path, const char *preload, const char *why)
{
	struct buf ours BUF_SCOPED = { 0 };
	struct buf theirs BUF_SCOPED = { 0 };
	bool good;

	answer(path, library_path, preload, top, &ours);
	truth(path, library_path, preload, &theirs);
	sorted(&ours);
	sorted(&theirs);
	good = ours.len > 0 && theirs.len > 0 && strcmp(ours.data, theirs.data) == 0;
	if (!good)
		printf("%s (LD_LIBRARY_PATH=%s LD_PRELOAD=%s): %s\nours:\n%stheirs:\n%s", path,
		       library_path, preload, why, ours.len ? ours.data : "",
		       theirs.len ? theirs.data : "");
	return good;
}

/*
 * liba needs libb, libb needs libc1. Copies of libb and libc1 lie in three
 * directories, so that whichever is taken tells which rule was followed.
 */
static bool build(void)
{
	char command[8192];

	snprintf(top, sizeof(top), "/tmp/rocsteady-loader-XXXXXX");
	if (!mkdtemp(top))
		return false;
	snprintf(
		command, sizeof(command),
		"set -e; cd %s; exec 2>/dev/null; "
		"mkdir -p one two three lib/x86_64-linux-gnu; echo 'int x;' >x.c; "
		"echo 'int main(void){return 0;}' >m.c; "
		"for d in one two three lib/x86_64-linux-gnu; do "
		"  cc -shared -fPIC -nostdlib -Wl,-soname,libc1.so.1 -o $d/libc1.so.1 x.c; "
		"  ln -sf libc1.so.1 $d/libc1.so; "
		"done; "
		"paths() { case $1 in "
		"  none) ;; "
		"  r:*) echo \"-Wl,--disable-new-dtags,-rpath,${1#r:}\" ;; "
		"  n:*) echo \"-Wl,--enable-new-dtags,-rpath,${1#n:}\" ;; esac; }; "
		"i=0; for pb in none r:'$ORIGIN/../two' n:'$ORIGIN/../two' n:'$ORIGIN'; do "
		"  mkdir -p b$i; "
		"  cc -shared -fPIC -nostdlib -Wl,--no-as-needed -Wl,-soname,libb.so.1 $(paths \"$pb\") "
		"    -o b$i/libb.so.1 x.c -Lone -lc1; "
		"  cp one/libc1.so.1 b$i/; i=$((i+1)); "
		"done; "
		"for b in 0 1 2 3; do j=0; "
		"  for pa in none r:'$ORIGIN/b'$b n:'$ORIGIN/b'$b r:'$ORIGIN/one:$ORIGIN/b'$b "
		"    n:'${ORIGIN}/three:${ORIGIN}/b'$b n:'$ORIGIN/$LIB:b'$b r:'b'$b; do "
		"    for k in shared exe; do "
		"      o=a$b$j.$k; s=; [ $k = shared ] && s='-shared -fPIC -nostdlib'; "
		"      f=x.c; [ $k = exe ] && f=m.c; "
		"      cc $s -Wl,--no-as-needed -Wl,--allow-shlib-undefined $(paths \"$pa\") -o $o $f "
		"        b$b/libb.so.1 -Wl,-rpath-link,one; "
		"    done; j=$((j+1)); "
		"  done; "
		"done",
		top);
	return run(command) == 0;
}

/* Each combination of the three ways to say where libraries are. */
static void compare_all(void)
{
	static const char *const variables[] = {
		"",       "one",   "%s/one", "%s/two:%s/one", "%s/b3:%s/three", "three;%s/b0",
		":%s/b1", "%s/b2:"
	};
	static const char *const preloads[] = { "", "%s/three/libc1.so.1", "libc1.so.1" };
	char path[128], variable[512], preload[128];
	struct stat st;
	int compared = 0, good = 0;

	for (int i = 0; i < 4 * 7 * 2; i++) {
		snprintf(path, sizeof(path), "%s/a%d%d.%s", top, i / 14, i / 2 % 7,
			 i % 2 ? "exe" : "shared");
		if (!CHECK(stat(path, &st) == 0))
			continue;
		for (size_t v = 0; v < sizeof(variables) / sizeof(variables[0]); v++)
			for (size_t p = 0; p < 3; p++) {
				snprintf(variable, sizeof(variable), variables[v], top, top);
				snprintf(preload, sizeof(preload), preloads[p], top);
				compared++;
				good += same(path, variable, preload, "combination");
			}
	}
	CHECK_INT(good, compared);
	CHECK_INT(compared, 56 * 8 * 3);
	printf("%d of %d combinations are as ld.so has them\n", good, compared);
}

/* A module system may put hundreds of directories into the path; the last one counts, too. */
static void compare_long(void)
{
	struct buf variable BUF_SCOPED = { 0 };
	char path[128];

	for (int i = 0; i < 300; i++)
		buf_addf(&variable, "/n%d:", i);
	buf_addf(&variable, "%s/b0:%s/two", top, top);
	snprintf(path, sizeof(path), "%s/a00.shared", top);
	CHECK(same(path, variable.data, "", "a long path"));
}

static void clean_up(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	CHECK_INT(run(command), 0);
}

/* ---- on its own ---- */

static void refuses(void)
{
	struct buf out BUF_SCOPED = { 0 };

	CHECK_INT(answer("/etc/passwd", "", "", NULL, &out), -ENOEXEC);
	CHECK_INT(answer("/dev/null", "", "", NULL, &out), -EINVAL);
	CHECK_INT(answer("/nonexistent", "", "", NULL, &out), -ENOENT);
	CHECK_INT(answer("/proc/self/status", "", "", NULL, &out), -EXDEV);
	CHECK_INT(answer("/tmp", "", "", NULL, &out), -EISDIR);
}

/* "PATH" and its objects for each argument, told apart by an empty line. */
static int answer_all(int argc, char **argv)
{
	const char *variable = getenv("ASKED_LD_LIBRARY_PATH");

	for (int i = 1; i < argc; i++) {
		struct buf out BUF_SCOPED = { 0 };
		int r = answer(argv[i], variable ? variable : "", "", "/", &out);

		printf("%s\n", argv[i]);
		if (r < 0)
			printf("!%s\n", standing_error_name(r));
		printf("%s\n", out.len ? out.data : "");
	}
	return 0;
}

int main(int argc, char **argv)
{
	open_door();
	if (argc > 1)
		return answer_all(argc, argv);
	refuses();
	if (access("/lib64/ld-linux-x86-64.so.2", X_OK) != 0 ||
	    run("cc --version >/dev/null 2>&1") != 0) {
		printf("no ld.so of this processor, or no compiler: nothing to compare with\n");
		return check_failed ? 1 : 77;
	}
	if (CHECK(build()) && CHECK(chdir(top) == 0))
		compare_all();
	compare_long();
	clean_up();
	return check_end();
}
