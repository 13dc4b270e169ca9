#pragma once

/*
 * collect - from the door to the tables
 *
 * Each collector is a function in a file of its own, listed in collect.c with
 * the tables it gives; they run in that order. A collector asks the root, adds
 * what it learned, and adds a gap where it did not. It keeps no state but what
 * later collectors need, in struct collect; it may not query the tables, since
 * the recording child has none.
 */

#include "base/arena.h"
#include "facts/facts.h"
#include "root/root.h"

/* A KFD node with a GPU. */
struct collect_agent {
	unsigned int node;
	uint64_t gpu_id;
	const char *address; /* of its PCI function */
	const char *gfx;     /* "gfx1100", or NULL on a kernel that does not say */
	unsigned int render_minor;
	unsigned int partition; /* among those on the same function */
};

/* A PCI function with an AMD GPU. */
struct collect_gpu {
	const char *address; /* 0000:03:00.0 */
	const char *dir;     /* /sys/bus/pci/devices/0000:03:00.0 */
	const char *card;    /* card0, or NULL */
	const char *render;  /* renderD128, or NULL */
	const char *gfx;     /* of its agents, NULL if KFD has none for it */
	bool bound;          /* amdgpu drives it */
	bool display;        /* a monitor is attached */
	uint64_t vram_used;  /* bytes, 0 if unknown */
	bool vram_known;
};

/*
 * A place with frameworks in it, as the answer to `environments` has it; made by
 * collect_environments, rows of it by collect_frameworks.
 */
struct collect_environment {
	const char *prefix;
	const char *kind;    /* venv, conda, uv, pipx, pyenv, system, user, application */
	const char *python;  /* "3.12", or NULL */
	const char *program; /* its Python, real path; NULL: none */
	const char *app;     /* of an application: ollama, llama.cpp, koboldcpp; else NULL */
	const char *file;    /* of an application: its program or library */
	const char *service;
	bool active;
	const char *const *sites; /* directories of Python packages */
	size_t site_count;
};

/* Put in by collect_frameworks for collect_libraries and collect_loads. */
struct collect_library {
	const char *environment; /* prefix */
	const char *framework;   /* name */
	const char *path;        /* a library or program of it */
	bool main;               /* the loader's walk begins here */
	const char *install;     /* prefix of the ROCm it belongs to, or NULL */
	bool guest;              /* opened where another framework's libraries are loaded */
};

/* A library that a framework would have loaded, by the name it was asked for. */
struct collect_loaded {
	const char *environment, *wanted, *path;
	const struct collect_loaded *next;
};

struct collect_kernels {
	const char *environment; /* prefix, or NULL: of an install */
	const char *path;        /* a directory of kernels */
	const char *install;     /* prefix of the ROCm it belongs to, or NULL */
};

#define COLLECT_GPUS_MAX         256 /* a host of SR-IOV guests lists its virtual functions */
#define COLLECT_AGENTS_MAX       512
#define COLLECT_ENVIRONMENTS_MAX 64
#define COLLECT_SITES_MAX        32 /* of one environment, and of the Python behind it */
#define COLLECT_LIBRARIES_MAX    1024
#define COLLECT_KERNELS_MAX      128

struct collect {
	struct root *root;
	struct facts *facts; /* NULL in the recording child */
	struct arena arena;
	bool windows;         /* the machine has a registry */
	bool hardware;        /* for the gate: only what it judges by */
	struct span expected; /* lines of parse/expect.h, all of them understood */
	struct collect_gpu gpus[COLLECT_GPUS_MAX];
	size_t gpu_count;
	struct collect_agent agents[COLLECT_AGENTS_MAX];
	size_t agent_count;
	const char **nics; /* PCI functions that offer RDMA, without virtual ones */
	size_t nic_count;
	const char *process; /* "/proc/self" of the judged process, or NULL */
	bool own_pids;       /* host pids mean nothing here */
	bool own_pids_known;
	uint64_t *groups; /* of the judged user, the first is the main one */
	size_t group_count;
	bool identity_known;
	struct collect_environment environments[COLLECT_ENVIRONMENTS_MAX];
	size_t environment_count;
	bool active_known;      /* the variables that say which one is in use were read */
	bool environments_cut;  /* there was no room for the last one that was named */
	int environments_error; /* why there are none: the question was not answered */
	struct collect_library libraries[COLLECT_LIBRARIES_MAX];
	size_t library_count;
	struct collect_kernels kernels[COLLECT_KERNELS_MAX];
	size_t kernels_count;
	const struct collect_loaded *loaded;
};

/* Fill the tables of one machine from its root. */
void collect_all(struct root *root, struct facts *facts);

/* For root_record(): every question, nothing kept. */
void collect_questions(struct root *root);

/*
 * The same two for what the kernel's own files tell of GPUs and links, as the gate
 * needs it: no software, no device that is opened, nobody's home.
 */
void collect_hardware(struct root *root, struct facts *facts);
void collect_hardware_questions(struct root *root);

/*
 * The GPUs that are there, and who holds their memory, anew into tables that were
 * filled. False: something did not answer in time, and the tables are as before.
 */
bool collect_again(struct root *root, struct facts *facts);
void collect_again_questions(struct root *root);

/*
 * Read a formatted path. On failure a gap of `topic` and `subject` is added
 * and false returned; *ret is trimmed of white space at both ends.
 */
bool collect_read(struct collect *c, const char *topic, const char *subject, struct span *ret,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The conversion of a file into a column. */
enum collect_form {
	FORM_TEXT,  /* as it is; an empty file gives no value */
	FORM_U64,   /* decimal */
	FORM_I64,   /* decimal, may be negative */
	FORM_HEX4,  /* "0x1002" -> "1002", padded to four digits */
	FORM_HEX2,  /* "0xc8" -> "c8" */
	FORM_HEX6,  /* "0x030000" -> "030000" */
	FORM_ID64,  /* hexadecimal -> 16 digits; zero gives no value */
	FORM_SPEED, /* "16.0 GT/s PCIe" -> 16.0 */
};

struct collect_file {
	const char *file;   /* below the directory */
	const char *column; /* of the row's table */
	enum collect_form form;
};

/* Read each file of a table into the row; failures become gaps "table.column". */
void collect_files(struct collect *c, struct row *r, const char *subject, const char *dir,
		   const struct collect_file *files, size_t count);

/* One value into a row; false, and a gap "broken", if it is not of the form. */
bool collect_value(struct collect *c, struct row *r, const char *subject, struct span value,
		   const struct collect_file *file, const char *source);

/* The GPU at an address, or NULL. */
struct collect_gpu *collect_find_gpu(struct collect *c, const char *address);

/*
 * For collect_libraries and collect_loads; what is borrowed must live as long
 * as *c. NULL if there is no room.
 */
struct collect_library *collect_add_library(struct collect *c, const char *environment,
					    const char *framework, const char *path, bool main);
struct collect_kernels *collect_add_kernels(struct collect *c, const char *environment,
					    const char *path);

/*
 * Ask for the libraries of ROCm in a directory and keep them for
 * collect_libraries. A row of rocm_install is added if it is one: `version` is
 * given, or stands beside the libraries, or in the name of libamdhip64.
 */
void collect_install(struct collect *c, const char *kind, const char *prefix, const char *lib,
		     const char *environment);

/* The next word of a line of an answer; blanks in a path are \x20. NULL at the end of the line. */
const char *collect_next_word(struct collect *c, struct span *rest);

/* Whether one of these names, `firmware.*` among them, is expected of this machine. */
bool collect_is_expected(const struct collect *c, const char *patterns);

/* A question with a path in it. */
int collect_ask_path(struct collect *c, const char *verb, const char *path, struct span *ret);

/* The variables of the judged process alone, without the files that set them. */
void collect_variables(struct collect *c);

/* A statement that this machine makes of itself, as texts make them of theirs. */
void collect_statement(struct collect *c, const char *name, struct span value, struct span version,
		       const char *source);

/* The collectors, in the order in which they run. */
void collect_run(struct collect *c);
void collect_host(struct collect *c);
void collect_identity(struct collect *c);
void collect_container(struct collect *c);
void collect_driver(struct collect *c);
void collect_kfd(struct collect *c); /* agents first: a gpu's row tells its gfx */
void collect_gpus(struct collect *c);
void collect_pcie(struct collect *c);
void collect_nics(struct collect *c);
void collect_pcie_errors(struct collect *c);
void collect_memory_errors(struct collect *c);
void collect_firmware(struct collect *c);
void collect_ras(struct collect *c);
void collect_sensors(struct collect *c);
void collect_nodes(struct collect *c);
void collect_expected(struct collect *c);
void collect_env(struct collect *c);
void collect_services(struct collect *c);
void collect_limits(struct collect *c);
void collect_vram(struct collect *c);
void collect_kernel_log(struct collect *c);

/* Lines that came later, as somebody has heard them, all at `wall_s`. */
struct klog_table;
void collect_kernel_news(struct facts *f, const struct klog_table *table, struct span lines,
			 uint64_t wall_s);
void collect_rocm(struct collect *c);
void collect_headers(struct collect *c);
void collect_environments(struct collect *c); /* the search; first of the software */
void collect_frameworks(struct collect *c);   /* environment, framework, package */
void collect_loads(struct collect *c);        /* and what else is loaded, for the next one */
void collect_libraries(struct collect *c);    /* library, target_set, kernel_dir */
void collect_probe(struct collect *c);        /* walk, probe, probe_value */

/* The same of a machine with Windows. */
void collect_windows_host(struct collect *c);
void collect_windows_identity(struct collect *c);
void collect_windows_unasked(struct collect *c); /* what has no question there */
void collect_windows_gpus(struct collect *c);
void collect_windows_driver(struct collect *c);
void collect_windows_env(struct collect *c);
void collect_windows_settings(struct collect *c);
void collect_windows_rocm(struct collect *c);
void collect_windows_wsl(struct collect *c);
