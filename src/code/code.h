#pragma once

/*
 * code - which GPUs a binary holds code for
 *
 * code_read() looks into any file that may carry device code: a host binary of
 * Linux (ELF) or Windows (PE) with bundles (plain or compressed), with a
 * reference to kpack archives or with sections per target; a bundle or code
 * object by itself; a kpack archive. It reads headers and tables, never the
 * code. Whatever it meets, it answers: what could not be read stands in
 * `problems`, one sentence each.
 *
 * The answer has a text form (code_write, code_parse), which is what the door
 * records: a replay needs no binary. docs/design/0007-device-code.md has the
 * grammar.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"

enum code_kind {
	CODE_NOTHING, /* no binary at all, or none of ours */
	CODE_SHARED_LIBRARY,
	CODE_EXECUTABLE,
	CODE_RELOCATABLE,
	CODE_STATIC_ARCHIVE, /* ar */
	CODE_OBJECT,         /* an AMDGPU ELF: .co, .hsaco */
	CODE_BUNDLE,         /* a bundle by itself */
	CODE_KPACK,          /* an archive of kernels */
	CODE_KINDS,
};

enum code_form {
	CODE_PLAIN, /* bundles */
	CODE_CCOB1,
	CODE_CCOB2,
	CODE_CCOB3,
	CODE_ELF,       /* a bare code object */
	CODE_KPACKED,   /* in an archive beside the library */
	CODE_SECTIONS,  /* one section per target, of relocatable device code */
	CODE_OFFLOADED, /* LLVM's OffloadBinary, which HIP cannot load */
	CODE_FORMS,
};

#define CODE_ID_MAX 64

struct code_target {
	char id[CODE_ID_MAX]; /* gfx90a:sramecc+:xnack-, gfx11-generic, amdgcnspirv */
	unsigned int in;      /* of so many bundles */
};

struct code_archive {
	const char *path; /* where a kpack archive was looked for, @GFXARCH@ put in */
	bool found;
	unsigned int kernels; /* of this library; 0: the archive is there and empty for it */
};

struct code {
	enum code_kind kind;
	uint64_t size;
	char head[17]; /* see code_digest; empty until then */
	bool scanned;  /* no index (section table) was followed: the file was searched */
	unsigned int bundles;
	unsigned int forms[CODE_FORMS];
	unsigned int oldest_cov, newest_cov; /* code object versions seen, 0: none looked at */
	const struct code_target *targets;   /* sorted by id */
	size_t target_count;

	/* of a host ELF */
	const char *soname, *rpath, *runpath; /* NULL: none */
	const char *defines;                  /* the highest version node it defines, as hip_7.2 */
	const char *const *needed;
	size_t needed_count;
	const char *kpack_name; /* what the library is called in its archives, or NULL */
	const struct code_archive *archives;
	size_t archive_count;

	const char *const *problems;
	size_t problem_count;
};

/* Opens what a file refers to: a path relative to the directory of the file. -errno, or 0. */
struct code_opener {
	int (*open)(void *of, const char *relative, struct source *ret);
	void (*close)(void *of, struct source *s);
	/* Names in a directory that begin and end so: how @GFXARCH@ is filled without a device. */
	int (*list)(void *of, const char *relative_dir, struct arena *arena,
		    const char *const **ret_names, size_t *ret_count);
	void *of;
};

/* Why an opener did not open, in words. */
const char *code_opener_error(int error);

/* `opener` may be NULL: references are then named and not followed. */
void code_read(struct source *s, const struct code_opener *opener, struct arena *arena,
	       struct code *ret);

/*
 * The first 16 digits of the SHA-256 of the first 4096 bytes, for an answer
 * that is kept. Apart, because it costs more than all other reading of a file.
 */
void code_digest(struct source *s, struct code *ret);

void code_write(const struct code *code, struct buf *ret);
bool code_parse(struct span text, struct arena *arena, struct code *ret);

/* In how many bundles a target stands; 0 if it does not. */
unsigned int code_holds(const struct code *code, struct span id);

const char *code_kind_name(enum code_kind kind); /* "shared-library", ... */
const char *code_form_name(enum code_form form); /* "ccob3", ... */
