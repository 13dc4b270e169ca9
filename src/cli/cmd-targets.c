#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "cli/commands.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/progress-line.h"
#include "cli/say-format.h"
#include "cli/say.h"
#include "cli/terminal-style.h"
#include "facts/devices.h"
#include "parse/code-object.h"
#include "parse/target-id.h"
#include "report/targets.h"
#include "targets/baseline.h"
#include "targets/find.h"
#include "targets/rules.h"

/* ---- targets rules: --skip and --rules, from the command line to the rows ---- */

#define RULES_MAX ((size_t)1 << 20)

static int read_file(const char *path, struct buf *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : fd_all(fd, RULES_MAX, ret);

	if (r < 0)
		say("%s: %s", path, strerror(-r));
	return r < 0 ? EXIT_NO_INPUT : 0;
}

/* 0, with what the file requires (or NULL), or an exit status after saying what is wrong. */
static int targets_rules_take(struct targets *t, const struct options *o, const char **ret_require)
{
	struct buf text BUF_SCOPED = { 0 };
	unsigned int line;

	*ret_require = NULL;
	if (o->skip)
		targets_rules_skip(t, o->skip);
	if (!o->rules)
		return 0;
	if (read_file(o->rules, &text) != 0)
		return EXIT_NO_INPUT;
	if (targets_rules_parse(t, buf_get(&text), o->rules, ret_require, &line))
		return 0;
	say("%s:%u: not a rule; rules are \"require gfx1100,gfx942\", \"skip GLOB\" and "
	    "\"skip GLOB gfx942\"",
	    o->rules, line);
	return EXIT_USAGE;
}

/* Names rules that fit nothing: they are older than the files. */
static void targets_rules_say_unused(const struct targets *t)
{
	for (size_t i = 0; i < t->rule_count; i++)
		if (!t->rules[i].used)
			say("%s: skip %s fits nothing here", t->rules[i].from, t->rules[i].glob);
}

/* ---- cmd targets ---- */

#define REQUIRED_MAX 64

/* ---- what is required ---- */

static bool is_processor(struct span name)
{
	for (uint32_t mach = 0; mach < 256; mach++) {
		const char *known = code_object_processor(mach);

		if (known && span_is(name, known))
			return true;
	}
	return false;
}

static int no_target(const char *word)
{
	struct did_you_mean near = did_you_mean(word);

	for (uint32_t mach = 0; mach < 256; mach++)
		did_you_mean_try(&near, span_of(code_object_processor(mach)));
	return say_no("targets", "target", &near,
		      "targets are named like gfx1100 or gfx90a:xnack-");
}

static int require_list(struct targets *t, const char *list)
{
	char *commas = arena_text(&t->arena, span_of(list));
	struct span rest, part;

	for (char *c = commas; *c; c++)
		if (*c == ';') /* as CMake and PYTORCH_ROCM_ARCH list targets */
			*c = ',';
	rest = span_of(commas);
	while (span_cut(&rest, ',', &part)) {
		struct target_id id;
		const char *word = arena_text(&t->arena, span_trim(part));

		if (!word[0])
			continue;
		if (!target_id_parse(span_of(word), &id) || !is_processor(id.processor))
			return no_target(word);
		if (t->device_count == REQUIRED_MAX)
			return say_usage("targets", "more than %d targets required", REQUIRED_MAX);
		targets_require(t, word);
	}
	if (!t->required)
		return say_usage("targets",
				 "--require names no target, for example --require gfx1100");
	return 0;
}

/*
 * Requires the targets of the GPUs that programs use, as the loader sees them: with
 * the override that is set, and without the iGPU of a CPU beside other GPUs.
 */
static size_t require_devices(struct targets *t, sqlite3 *db)
{
	struct arena a = { 0 };
	struct meant_device *devices = NULL;
	size_t count = devices_meant(db, &a, &devices);

	for (size_t i = 0; i < count; i++) {
		const struct meant_device *d = &devices[i];

		if (d->override)
			say("HSA_OVERRIDE_GFX_VERSION=%s turns %s into %s, so that target is checked; "
			    "to see whether that is right: rocsteady check",
			    d->override, d->gfx, d->target);
		if (d->target)
			targets_require(t, d->target);
		else
			targets_unread(t, "this machine",
				       "ROCm does not find this GPU: rocsteady check");
	}
	arena_done(&a);
	return count;
}

static int require_machine(struct targets *t, const struct options *o)
{
	struct machine m = { 0 };
	int status = open_machine(o, &m);

	if (status != 0)
		return status;
	if (require_devices(t, facts_db(m.facts)) == 0) {
		say("KFD lists no GPU on this machine; see: rocsteady check");
		say("name targets with --require");
		status = EXIT_UNDECIDED;
	}
	machine_close(&m);
	return status;
}

static int require(struct targets *t, const struct options *o)
{
	bool machine =
		o->for_this_machine || o->context.from || o->context.root || o->context.host_root;
	const char *ruled = NULL;
	int status = o->require ? require_list(t, o->require) : 0;

	if (status == 0)
		status = targets_rules_take(t, o, &ruled);
	if (status == 0 && ruled)
		status = require_list(t, ruled);
	if (status == 0 && machine)
		status = require_machine(t, o);
	return status;
}

/* ---- the answer ---- */

static int answer(const struct targets *t, const struct options *o)
{
	struct buf text BUF_SCOPED = { 0 };
	struct page page = terminal_page(&text, o->output);

	if (o->quiet)
		return say_unread_tables();
	if (o->json)
		targets_json(t, &text);
	else if (o->format && strcmp(o->format, "sarif") == 0)
		targets_sarif(t, &text);
	else if (o->format && strcmp(o->format, "github") == 0)
		targets_annotations(t, &text);
	else
		targets_text(t, &page, o->verbose);
	return say_format(o->format, o->output, buf_get(&text));
}

static void tell_step(void *progress, const char *path)
{
	progress_line_step(progress, path);
}

static void find_all(struct targets *t, const char *const *paths, size_t count,
		     const struct allowed *allowed)
{
	struct progress_line progress;
	struct find f = { .t = t, .step = tell_step, .step_ctx = &progress, .allowed = allowed };

	progress_line_start(&progress);
	for (size_t i = 0; i < count; i++)
		find_path(&f, paths[i]);
	find_end(&f);
	progress_line_end(&progress);
}

/* The last release is listed as it is: what it was required to have does not matter. */
static void compare(struct targets *t, const char *baseline, const struct allowed *allowed)
{
	struct targets older = { 0 };
	const char *slash = strrchr(baseline, '/');

	find_all(&older, &baseline, 1, allowed);
	targets_judge(&older);
	targets_compare(t, &older, slash && slash[1] ? slash + 1 : baseline);
	targets_done(&older);
}

static void say_missing(const char *directory, int error)
{
	say("--allow %s: %s", directory, strerror(error));
}

/* One that is not there would leave less to look into than was asked for. */
static int allow(const struct options *o, struct allowed *ret)
{
	int r;

	allowed_read(ret, o->allow, say_missing);
	if (ret->missing > 0)
		return EXIT_NO_INPUT;
	r = allowed_enter(ret);
	if (r < 0)
		say_missing(o->allow, -r);
	return r < 0 ? EXIT_NO_INPUT : 0;
}

int cmd_targets(const struct options *o)
{
	struct targets t = { .if_any = o->if_any };
	struct allowed allowed = { 0 };
	int status;

	if (o->word_count == 0)
		return say_usage("targets",
				 "targets needs a file, a directory, a wheel or a package");
	if (o->quiet && o->format)
		return say_usage("targets",
				 "use only one of --format, --json, --sarif and --quiet");
	status = require(&t, o);
	if (status == 0)
		status = allow(o, &allowed);
	if (status == 0) {
		find_all(&t, o->words, (size_t)o->word_count, o->allow ? &allowed : NULL);
		targets_judge(&t);
		if (o->baseline)
			compare(&t, o->baseline, o->allow ? &allowed : NULL);
		targets_rules_say_unused(&t);
		status = answer(&t, o);
		if (status == 0)
			status = targets_exit_status(&t);
	}
	allowed_done(&allowed);
	targets_done(&t);
	return status;
}
