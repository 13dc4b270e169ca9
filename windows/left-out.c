/*
 * What neither rocsteady.exe nor rocsteady.wasm has: everything that asks the machine it
 * runs on, which must be a Linux, and what only those use who make the knowledge.
 * program.c of each keeps the command line away from it.
 */

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/exit-status.h"
#include "cli/explain-follow.h"
#include "cli/kb-score.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/program.h"
#include "cli/say.h"
#include "door/open-as-user.h"
#include "door/output-file.h"
#include "door/trust.h"
#include "kb/apply.h"
#include "lab/kb-lint.h"
#include "lab/kb-test-workaround.h"
#include "lab/kb-test.h"

int kb_score(const struct options *o)
{
	(void)o;
	return program_refuse("kb", "kb score");
}

int kb_update(const struct options *o)
{
	(void)o;
	return program_refuse("kb", "kb update");
}

/* Only the compiler of the knowledge asks, and that reads no directory here. */
const char *const apply_kinds[] = { "write", "join-group", "venv", NULL };

const char *apply_refusal(const struct apply_action *a)
{
	(void)a;
	return "not judged by this build";
}

bool apply_kind(const char *name, enum apply_kind *ret)
{
	(void)name;
	(void)ret;
	return false;
}

int kb_try_run(const struct options *o, struct span db)
{
	(void)o;
	(void)db;
	return program_refuse("kb", "kb try");
}

void kb_update_origin(const struct options *o, const struct knowledge *k, struct buf *ret)
{
	(void)k;
	buf_addf(ret, "from    %s\n", o->context.kb ? o->context.kb : "rocsteady itself");
}

int kb_test_run(struct kb_test *t, const char *const *slugs, size_t count)
{
	(void)t;
	(void)slugs;
	(void)count;
	return program_refuse("kb", "kb test");
}

void kb_test_workarounds(struct kb_test *t)
{
	(void)t;
}

size_t kb_test_causes(struct span kb, struct arena *arena, const char ***ret)
{
	(void)kb;
	(void)arena;
	(void)ret;
	return 0;
}

int kb_lint_run(struct kb_lint *l)
{
	(void)l;
	return program_refuse("kb", "kb lint");
}

int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path)
{
	(void)scan;
	(void)signatures;
	(void)path;
	return program_refuse("explain", "explain -f");
}

bool as_user_is_kernels_own(long type)
{
	(void)type;
	return false;
}

/* ---- owners of files: Windows keeps them elsewhere, WebAssembly has none ---- */

struct trust trust_us(void)
{
	return (struct trust){ .uid = geteuid() };
}

bool trust_path(struct trust *t, const char *path, struct buf *ret_why)
{
	(void)t;
	(void)path;
	(void)ret_why;
	return true;
}

int output_file_write(const struct output_file *o, const char *path, struct span bytes)
{
	FILE *file = fopen(path, "we");
	bool good = file && fwrite(bytes.data, 1, bytes.len, file) == bytes.len;

	(void)o;
	if (file && fclose(file) != 0)
		good = false;
	return good ? 0 : -errno;
}
