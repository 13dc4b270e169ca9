#pragma once

/*
 * options - the words after a command
 *
 * Every option is a row of one table: its name, who takes it and what it says
 * in the help text. A command lists the groups it understands.
 */

#include "base/arena.h"
#include "base/buf.h"
#include "context/options.h"

enum {
	OPTIONS_MACHINE = 1, /* which machine: --from, --root, --host-root */
	OPTIONS_SUBJECT = 2, /* who is judged: --user, --pid, --unit, --container */
	OPTIONS_FACTS = 4,
	OPTIONS_QUERY = 8,
	OPTIONS_SNAPSHOT = 16,
	OPTIONS_CHECK = 32,
	OPTIONS_KB = 64,
	OPTIONS_TARGETS = 128,
	OPTIONS_EXPLAIN = 256,
	OPTIONS_PROBE = 512, /* how to walk through the GPU stack */
	OPTIONS_WALK = 1024, /* whether to: --probe */
	OPTIONS_PROBE_REPORT = 2048,
	OPTIONS_ADVISE = 4096,
	OPTIONS_RUN = 8192,
	OPTIONS_FIX = 16384,
	OPTIONS_FOLLOW = 32768,
	OPTIONS_HERE = 65536, /* --for-this-machine */
	OPTIONS_TRY = 131072, /* kb try */
	OPTIONS_GATE = 262144,
	OPTIONS_MCP = 524288,
	OPTIONS_EXPECT = 1048576,
	OPTIONS_COMPARE = 2097152,
	OPTIONS_BUILD = 4194304, /* from here on: of rocsteady-kb */
	OPTIONS_LINT = 8388608,
	OPTIONS_TEST = 16777216,
	OPTIONS_SCORE = 33554432,
	OPTIONS_OUTLIERS = 67108864,
	OPTIONS_WATCH = 134217728,
};

struct options {
	struct context_options context;
	const char *output; /* -o */
	const char *unpack;
	const char *scrub_key;
	const char *tests;    /* cases of causes */
	const char *machines; /* snapshots they name */
	const char *machine;  /* the one that statements are tried on */
	const char *why;      /* a cause */
	const char *only;     /* checks, with commas */
	const char *skip;     /* the same */
	bool list_checks;
	const char *require;     /* targets, with commas */
	const char *rules;       /* a file of what is required and left out */
	const char *baseline;    /* the last release */
	const char *gpu;         /* names or gfx, with commas */
	const char *application; /* that advice is for */
	const char *system;      /* linux, windows, wsl */
	const char *python;      /* 3.12 */
	const char *shell;       /* that steps are written for */
	const char *format;      /* of a report; NULL: text */
	bool if_any;             /* --require only binds what has device code */
	bool for_this_machine;
	const char *facts;   /* JSON of stated facts */
	const char *healthy; /* directory of healthy logs */
	const char *cures;
	bool each_fact;   /* score the facts of the records one by one */
	const char **set; /* NAME=VALUE, as often as it was given */
	size_t set_count;
	bool no_machine;
	bool together;          /* several logs are one text */
	bool batch;             /* standard input has a log in each line */
	const char *jobs;       /* files that are read at a time */
	const char *reader;     /* that a verdict is worded for */
	const char *verdict;    /* the file it is kept in */
	const char *config;     /* what the site lets the gate do */
	const char *by;         /* what outliers are listed by: node; NULL: fact */
	bool problems;          /* of many nodes those that are ready are left out */
	const char *with;       /* what the gate does beside looking: probe */
	int walk_s;             /* a walk takes no longer; 0: as long as it takes. Of no option */
	const char *every;      /* seconds from one verdict to the next */
	const char *against;    /* a second one of these, or a kb.db */
	bool observed;          /* what is only observed closes for npd, too */
	const char *allow;      /* directories outside of which no named file is opened */
	const char *dir;        /* of a run's journal */
	const char *report;     /* the same, to be shown */
	bool no_preflight;      /* the machine is not looked at */
	bool strict;            /* refuse to start */
	bool heal;              /* set what helps */
	const char *attempts;   /* how many */
	const char *on_hang;    /* notify, dump, end, retry */
	const char *hang_after; /* seconds */
	const char *resume;     /* words for the command */
	bool allow_cpu;         /* as the last step */
	bool leave;             /* what the job has left behind */
	bool survive;           /* the keeper's death */
	const char *level;      /* of a walk */
	const char *layer;      /* with commas */
	const char *device;     /* an index or a PCI address */
	const char *like;       /* framework@environment */
	const char *libraries;  /* a directory */
	const char *like_pid;
	bool probe; /* walk first */
	bool keep_going;
	bool force;
	bool follow;
	bool json; /* the format is json */
	bool paths;
	bool verbose;
	bool quiet;
	bool no_scrub;
	bool apply; /* what a remedy says, after asking */
	bool undo;
	bool verify;
	bool applied;
	bool scrub; /* of explain: print the text without names and secrets, explain nothing */
	bool raw;   /* of watch: what was seen, and no answer */
	bool proof; /* of snapshot: with a walk, the answer and a digest */
	bool yes;   /* asked and answered */
	const char *color; /* auto, always, never */
	bool help;
	const char *const *words; /* what is no option, in argv */
	int word_count;
	bool separated;     /* they stand after -- */
	struct arena arena; /* of what is given several times */
};

struct command {
	const char *name;
	int (*run)(const struct options *options);
	unsigned int groups;   /* of options */
	const char *arguments; /* for the usage line */
	const char *says;      /* one line */
	const char *more;      /* examples for its help */
	unsigned int lacks;    /* groups of options that only the other build has */
	const char *part;      /* of the overview: what it is used for, before the first of each */
};

/* That of the words with which a value begins, in any case: "Windows 11" is windows. Or NULL. */
#define OPTIONS_WORD 16
const char *options_word(const char *words, const char *value, char ret[static OPTIONS_WORD]);

/* 0, or EXIT_USAGE after saying what is wrong. After 0 options_done() ends it; words of argv are borrowed. */
int options_parse(const struct command *command, int argc, char **argv, struct options *ret);
void options_done(struct options *o);

void options_help(const struct command *command, struct buf *ret);

/* Those of the options, blanks between their names, that were given: as words of a shell, a blank before each. */
void options_again(const struct options *o, const char *names, struct buf *ret);

/* The help's row of an option. */
struct option_said {
	const char *name;
	char letter;          /* or 0 */
	const char *argument; /* NULL: a switch */
	const char *says;
	const char *words; /* the only values that it takes, or NULL */
	bool common;       /* many commands have it */
	bool rare;         /* few people need it */
};

/* The options of a command, one after the other from *at = 0 on. */
bool options_next(const struct command *command, size_t *at, struct option_said *ret);
