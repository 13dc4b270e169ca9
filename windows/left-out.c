/*
 * Functions that neither rocsteady.exe nor rocsteady.wasm has: all that ask the machine
 * they run on, which must be a Linux, and those that only authors of the knowledge use.
 * program.c of each keeps the command line away from them.
 */

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/exit-status.h"
#include "cli/explain-follow.h"
#include "cli/kb-try.h"
#include "cli/kb-update.h"
#include "cli/program.h"
#include "cli/run-report.h"
#include "cli/say.h"
#include "door/output-file.h"
#include "door/trust.h"

int kb_update(const struct options *o)
{
	(void)o;
	return program_refuse("kb", "kb update");
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

int explain_follow(struct scan *scan, const struct log_signatures *signatures, const char *path)
{
	(void)scan;
	(void)signatures;
	(void)path;
	return program_refuse("explain", "explain -f");
}

/* Runs are kept where there is rocsteady run. */
bool run_report_is_run(const char *directory)
{
	(void)directory;
	return false;
}

int run_report_explain(const struct options *o, const char *directory)
{
	(void)o;
	(void)directory;
	return program_refuse("explain", "explain of a run");
}

/* ---- owners of files: Windows keeps them elsewhere, WebAssembly has none ---- */

/* The owner of a site's file cannot be judged here, so there is no such file. */
int trust_open(const char *path, struct buf *ret_why)
{
	(void)path;
	(void)ret_why;
	return -ENOENT;
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
