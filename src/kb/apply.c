#include "kb/apply.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/memory.h"

const char *const apply_kinds[] = { "write", "join-group", "venv", NULL };

bool apply_kind(const char *name, enum apply_kind *ret)
{
	for (size_t i = 0; i < APPLY_KINDS; i++)
		if (name && strcmp(name, apply_kinds[i]) == 0) {
			*ret = (enum apply_kind)i;
			return true;
		}
	return false;
}

/*
 * Not in these lines, since each would run a program or load its code as root:
 * install and remove of modprobe.d, RUN and PROGRAM of udev, Exec of systemd,
 * LD_ and PATH of an environment.
 */
#define OURS "/rocsteady-[a-z0-9-]+"
#define WORD "[A-Za-z0-9_.,:-]"
static const struct {
	const char *path;
	const char *line;
} places[] = {
	{ "^/etc/modprobe\\.d" OURS "\\.conf$", "^options [a-z0-9_]+( [a-z0-9_]+=" WORD "+)+$" },
	{ "^/etc/udev/rules\\.d" OURS "\\.rules$",
	  "^((KERNEL|SUBSYSTEM)==\"[A-Za-z0-9*_-]+\", )+GROUP=\"(render|video)\", MODE=\"0660\"$" },
	{ "^/etc/security/limits\\.d" OURS "\\.conf$",
	  "^[A-Za-z_][A-Za-z0-9_.-]* - (nofile|memlock|as) ([0-9]+|unlimited)$" },
	{ "^/etc/systemd/system/[A-Za-z0-9@_.-]+\\.service\\.d" OURS "\\.conf$",
	  "^(\\[Service\\]|PrivateDevices=no|DeviceAllow=(/dev/kfd|char-drm) rw|SupplementaryGroups=(render|video))$" },
	{ "^(/etc|(/[^/]+)+/\\.config)/environment\\.d" OURS "\\.conf$",
	  "^(HIP|HSA|ROCR|ROCBLAS|HIPBLASLT|MIOPEN|NCCL|PYTORCH|GPU|OLLAMA)_[A-Z0-9_]+=" WORD
	  "*$" },
};

/* Not regcomp(): without memory glibc's frees twice. */
static bool fits(const char *pattern, const char *text)
{
	PCRE2_SIZE at;
	int error, r;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
					 PCRE2_DOLLAR_ENDONLY, &error, &at, NULL);
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);

	if (!code || !match) /* the patterns are our own */
		memory_out();
	r = pcre2_match(code, (PCRE2_SPTR)text, strlen(text), 0, 0, match, NULL);
	pcre2_match_data_free(match);
	pcre2_code_free(code);
	if (r == PCRE2_ERROR_NOMEMORY)
		memory_out();
	return r >= 0;
}

/* Absolute, and every name stands for itself. */
static bool is_plain_path(const char *path)
{
	struct span rest = span_of(path + 1), name;

	if (path[0] != '/' || strlen(path) > 1000 || span_ends(span_of(path), "/"))
		return false;
	while (span_cut(&rest, '/', &name))
		if (name.len == 0 || span_is(name, ".") || span_is(name, ".."))
			return false;
	for (; *path; path++)
		if ((unsigned char)*path < ' ' || *path == 127)
			return false;
	return true;
}

static const char *refuse_lines(const char *form, const char *content)
{
	struct buf one BUF_SCOPED = { 0 };
	struct span rest = span_of(content), line;
	size_t count = 0;

	while (span_line(&rest, &line)) {
		buf_clear(&one);
		buf_span(&one, line);
		if (line.len == 0 || line.data[0] == '#')
			continue;
		if (!fits(form, one.data))
			return "a line that such a file may not have";
		count++;
	}
	return count > 0 ? NULL : "a file that says nothing";
}

static const char *refuse_write(const struct apply_action *a)
{
	if (!a->content || a->place)
		return "write takes content, and nothing else";
	if (!is_plain_path(a->target))
		return "not a plain path";
	for (size_t i = 0; i < COUNT(places); i++)
		if (fits(places[i].path, a->target))
			return refuse_lines(places[i].line, a->content);
	return "not a place that may be written: a file rocsteady-NAME of modprobe.d, udev/rules.d, "
	       "environment.d, security/limits.d or a unit's .service.d";
}

static const char *refuse_join(const struct apply_action *a)
{
	if (a->content || a->place)
		return "join-group takes nothing else";
	if (!fits("^[A-Za-z_][A-Za-z0-9_.-]{0,31}:(render|video)(,(render|video))*$", a->target))
		return "join-group is user:render, user:video or user:render,video";
	return NULL;
}

/* Never an option of pip. */
#define PACKAGE "[a-z0-9][a-z0-9-]*(\\[[a-z0-9-]+\\])?"

static const char *refuse_venv(const struct apply_action *a)
{
	if (!a->content || !a->place)
		return "venv takes packages and index";
	if (!is_plain_path(a->target))
		return "not a plain path";
	if (!fits("^" PACKAGE "( " PACKAGE ")*$", a->content))
		return "packages are names, with an extra in brackets";
	if (!fits("^https://[a-z0-9.-]+/[A-Za-z0-9._/-]+$", a->place))
		return "index is an https address";
	return NULL;
}

const char *apply_refusal(const struct apply_action *a)
{
	static const char *(*const refuse[])(
		const struct apply_action *) = { refuse_write, refuse_join, refuse_venv };

	return a->kind < APPLY_KINDS && a->target ? refuse[a->kind](a) : "no such kind of action";
}
