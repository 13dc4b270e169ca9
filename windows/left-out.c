/*
 * What rocsteady.exe does not have: everything that asks the machine it runs on,
 * which must be a Linux, and what only those use who make the knowledge. program.c
 * keeps the command line away from it.
 */

#include "cli/explain-follow.h"
#include "cli/kb-score.h"
#include "cli/kb-test-lever.h"
#include "cli/kb-test.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/machine.h"
#include "cli/program.h"
#include "cli/say.h"
#include "door/open-as-user.h"
#include "kb/apply.h"

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
	return "not judged by rocsteady.exe";
}

bool apply_kind(const char *name, enum apply_kind *ret)
{
	(void)name;
	(void)ret;
	return false;
}

bool machine_here(void)
{
	return false;
}

int machine_open(const struct options *o, struct machine *ret)
{
	(void)o;
	(void)ret;
	return say_usage("advise", "rocsteady.exe asks no machine; name a GPU: --gpu \"7900 xtx\"");
}

void machine_close(struct machine *m)
{
	m->facts = facts_free(m->facts);
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
	buf_addf(ret, "from    %s\n", o->kb ? o->kb : "rocsteady itself");
}

int kb_test_run(struct kb_test *t, const char *const *slugs, size_t count)
{
	(void)t;
	(void)slugs;
	(void)count;
	return program_refuse("kb", "kb test");
}

void kb_test_lint(const char *tests, const char *const *slugs, size_t count, struct faults *faults)
{
	(void)tests;
	(void)slugs;
	(void)count;
	(void)faults;
}

void kb_test_levers(struct kb_test *t)
{
	(void)t;
}

void kb_test_levers_lint(const char *tests, struct span kb, struct faults *faults)
{
	(void)tests;
	(void)kb;
	(void)faults;
}

int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path)
{
	(void)scan;
	(void)signatures;
	(void)path;
	return program_refuse("explain", "explain -f");
}

bool reach_is_kernels_own(long type)
{
	(void)type;
	return false;
}
