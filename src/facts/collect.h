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

#define COLLECT_GPUS_MAX   256 /* a host of SR-IOV guests lists its virtual functions */
#define COLLECT_AGENTS_MAX 512

struct collect {
	struct root *root;
	struct facts *facts; /* NULL in the recording child */
	struct arena arena;
	struct collect_gpu gpus[COLLECT_GPUS_MAX];
	size_t gpu_count;
	struct collect_agent agents[COLLECT_AGENTS_MAX];
	size_t agent_count;
	const char *process; /* "/proc/self" of the judged process, or NULL */
	bool own_pids;       /* host pids mean nothing here */
	bool own_pids_known;
	uint64_t groups[256]; /* of the judged user, the first is the main one */
	size_t group_count;
	bool identity_known;
};

/* Fill the tables of one machine from its root. */
void collect_all(struct root *root, struct facts *facts);

/* For root_record(): every question, nothing kept. */
void collect_questions(struct root *root);

/*
 * Read a formatted path. On failure a gap of `topic` and `subject` is added
 * and false returned; *ret is trimmed of white space at both ends.
 */
bool collect_read(struct collect *c, const char *topic, const char *subject, struct span *ret,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* How a file becomes a column. */
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
struct collect_gpu *collect_find_render(struct collect *c, const char *render);

/* The collectors, in the order in which they run. */
void collect_run(struct collect *c);
void collect_host(struct collect *c);
void collect_identity(struct collect *c);
void collect_container(struct collect *c);
void collect_driver(struct collect *c);
void collect_kfd(struct collect *c); /* agents first: a gpu's row tells its gfx */
void collect_gpus(struct collect *c);
void collect_pcie(struct collect *c);
void collect_health(struct collect *c); /* firmware, ras, sensor */
void collect_nodes(struct collect *c);
void collect_env(struct collect *c);
void collect_services(struct collect *c);
void collect_limits(struct collect *c);
void collect_vram(struct collect *c);
void collect_kernel_log(struct collect *c);
void collect_rocm(struct collect *c);
