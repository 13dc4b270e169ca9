#pragma once

/*
 * find - files, trees and containers that the user named, to rows
 *
 * A file is read where it lies. A directory is walked without following links:
 * what a link inside it leads to is met by itself, and what lies outside was
 * not asked for. Directories of kernels become one row each. A container is
 * read in one pass (archive/archive.h). Everything is opened below what was
 * named (door/below.h), and a library's references at most below its parent.
 */

#include "archive/archive.h"
#include "base/map.h"
#include "door/allowed.h"
#include "targets/targets.h"

struct find {
	struct targets *t;
	void (*step)(void *ctx, const char *path); /* told what is looked at now */
	void *step_ctx;
	const struct allowed
		*allowed;            /* nothing outside of these is opened; NULL: the user's word */
	struct below top;            /* what is looked at now */
	size_t skip;                 /* so many bytes of a path lead to it */
	struct arena names;          /* of the directories on the way */
	struct arena arena;          /* for as long as is searched */
	struct map seen;             /* files by device and inode */
	struct find_member *members; /* kept until all paths were seen: find-members.c */
	size_t held;                 /* bytes of those */
};

void find_path(struct find *f, const char *path);
void find_end(struct find *f); /* what had to wait for all paths; frees */

/* ---- shared by the walks of files and of members ---- */

/* By name: text and the like, of which a tree is full. */
bool find_is_unlikely(struct span name);

/* By its first bytes: a file that code_read() knows. */
bool find_is_code(struct span first);

/* A row, if there is anything to say; false if it holds no device code. In the arena of the rows. */
bool find_add_code(struct find *f, const char *container, const char *path, const struct code *code,
		   const char *why);

/* A container that the user named, or that was found. */
void find_container(struct find *f, const char *path, int fd, bool named);

/* Libraries in containers, whose kernels may have come by later or in another container. */
void find_members_end(struct find *f);
