#pragma once

/*
 * json-pull - JSON, read item by item without a tree
 *
 * For small questions to files of others: the build of a conda package, the
 * torch that xformers was compiled for. Nothing is allocated, nesting has a
 * limit, and what is not JSON ends the reading with -EBADMSG. Texts and keys
 * are handed out as written between their quotes; json_pull_text() undoes the
 * escapes.
 */

#include "base/buf.h"

#define JSON_PULL_DEPTH_MAX 64

enum json_pull_kind {
	JSON_PULL_OBJECT, /* { */
	JSON_PULL_ARRAY,  /* [ */
	JSON_PULL_CLOSE,  /* } or ] */
	JSON_PULL_TEXT,
	JSON_PULL_NUMBER, /* as written */
	JSON_PULL_WORD,   /* true, false, null */
};

struct json_pull_item {
	enum json_pull_kind kind;
	unsigned int depth; /* 0: the whole; 1: a member of it */
	struct span key;    /* of a member of an object, otherwise empty */
	struct span text;   /* of a text, number or word */
};

struct json_pull {
	struct span rest;
	unsigned int depth;
	uint64_t objects;   /* bit n: depth n + 1 is an object */
	bool began, behind; /* something was read; a value stands before us */
};

struct json_pull json_pull_start(struct span text);

/* 1 and an item, 0 at the end of the whole, -EBADMSG. */
int json_pull_next(struct json_pull *j, struct json_pull_item *ret);

/* A member by its way from the top: "version.torch". Only objects are entered. */
bool json_pull_find(struct span text, const char *way, struct json_pull_item *ret);

/* Escapes undone; false, with nothing promised about *ret, if one is malformed. */
bool json_pull_text(struct span written, struct buf *ret);
