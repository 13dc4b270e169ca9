#pragma once

/*
 * apply (fix) - carry a remedy out, and take it back
 *
 * Looks first and refuses before anything is changed; then the record is
 * written, and each change follows it. If a change fails, those before it are
 * taken back at once. If we are killed, the record is there: applying again
 * goes on, undoing goes back. Undoing looks first too, and refuses where
 * somebody else has changed what we made. One at a time: see record-dir.h.
 *
 * 0, or -errno with a sentence in `said`; -EALREADY if it is applied, -ENOENT
 * if there is nothing to undo, -EEXIST and -EBUSY for what is not ours, -EAGAIN
 * while somebody else is at work. After an undo that kept what others have
 * changed meanwhile, `said` says so.
 */

#include "fix/record.h"

struct fix_wish {
	const char *remedy;
	const char *subject;
	const char *cause;
	const char *evidence; /* as in the record */
	const struct apply_action *actions;
	size_t count;
	/* Asked before anything is done, also of what an interrupted record still wants. */
	const char *(*refusal)(const struct apply_action *a);
};

int fix_apply(const struct record_dir *records, const struct fix_wish *wish, struct buf *said);
int fix_undo(const struct record_dir *records, const char *name, struct buf *said);

/* The path of a new environment: beside the old one. */
const char *fix_venv_path(struct arena *a, const char *old);

/* ---- the kinds of changes ---- */

struct fix_change {
	/* Look, and fill in what was there before. */
	int (*prepare)(const struct record_dir *s, struct fix_record *r,
		       struct fix_record_action *a, struct buf *said);
	int (*carry_out)(const struct record_dir *s, const struct fix_record *r,
			 const struct fix_record_action *a, struct buf *said);
	/* `really` false: only look whether it can be taken back. */
	int (*take_back)(const struct record_dir *s, const struct fix_record *r,
			 const struct fix_record_action *a, bool really, struct buf *said);
};

extern const struct fix_change fix_change_write;
extern const struct fix_change fix_change_join;
extern const struct fix_change fix_change_venv;

/* Why a path or a record was refused, in words. */
const char *fix_reason(int error);

/* -errno again, with a sentence about a path. */
int fix_refuse(struct buf *said, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
