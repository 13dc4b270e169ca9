#pragma once

/*
 * loader - which file the dynamic loader would take for each name
 *
 * The rule of ld.so(8), for 64-bit files: a name that is loaded already; the
 * RPATH of whoever asks and of those who asked for it, unless it has a RUNPATH;
 * LD_LIBRARY_PATH; the RUNPATH of whoever asks; ld.so.cache; the directories of
 * the system. Breadth first, preloaded libraries before all. Nothing is run.
 *
 * glibc-hwcaps directories are not looked into: what lies there is the same
 * library, built for newer processors.
 */

#include "door/open-as-user.h"
#include "parse/elf.h"
#include "parse/ld-cache.h"

#define LOADER_OBJECTS_MAX 1024

enum loader_how {
	LOADER_START, /* the file itself, or its program */
	LOADER_PRELOAD,
	LOADER_LOADED, /* its name was there already */
	LOADER_RPATH,
	LOADER_VARIABLE,
	LOADER_RUNPATH,
	LOADER_CACHE,
	LOADER_DEFAULT,
	LOADER_PATH, /* asked for with a slash in it */
	LOADER_MISSING,
	LOADER_HOWS,
};

struct loader_dirs {
	const char **dirs;
	size_t count;
	bool made;
};

struct loader_object {
	const char *path; /* as the loader calls it: $ORIGIN counts from here */
	dev_t device;
	ino_t inode;
	const char **names; /* by which it was asked for */
	size_t name_count;
	int parent; /* who asked for it first; -1: nobody */
	struct elf_dynamic dynamic;
	struct loader_dirs rpath, runpath;
};

/* One name that one file needs. */
struct loader_edge {
	const char *wanted;
	int by;     /* object */
	int object; /* what it gets; -1: nothing */
	enum loader_how how;
};

struct loader {
	struct as_user *user;
	struct arena *arena;
	const char *preload; /* LD_PRELOAD; NULL or empty: none */
	const char *cwd;     /* of the judged process; NULL: relative directories are passed over */
	struct buf cache_text;
	struct ld_cache cache;
	unsigned int machine;      /* of the first object */
	const char *variable_text; /* LD_LIBRARY_PATH */
	struct loader_dirs variable, system;
	struct loader_object objects[LOADER_OBJECTS_MAX];
	size_t object_count;
	struct loader_edge *edges;
	size_t edge_count;
	struct elf elf;    /* the file that is being read */
	bool full;         /* there were more objects than we take */
	bool cut;          /* an object has more needed libraries than are read */
	bool cache_unread; /* there is a cache, and what it names is not known */
};

/* `library_path` and the rest of the variables are the judged process's; they are borrowed. */
void loader_init(struct loader *l, struct as_user *user, struct arena *arena,
		 const char *library_path, const char *preload, const char *cwd);
void loader_done(struct loader *l);

/*
 * Load a program, or a library as if it were one, with all that it needs: the
 * number of its object, or -errno. A further file is then opened by it, as with
 * dlopen().
 */
int loader_start(struct loader *l, const char *path);
int loader_open(struct loader *l, const char *path);

/* Fills in where an object would look for more: its rpath and runpath. */
void loader_make_dirs(struct loader *l, int object);

/* "rpath", "ld_library_path", ... */
const char *loader_how_name(enum loader_how how);
