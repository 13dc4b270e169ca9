#include "facts/vram-owners.h"

#include <string.h>

#include "base/text.h"
#include "door/standing.h"
#include "parse/drm-fdinfo.h"

#define QUESTION "drm-clients"

/* The answer (survey/drm-clients.h) ends early beyond this length. */
#define ANSWER_MAX ((size_t)256 * 1024)

/* So that 4096 owners of many clients cannot overflow; no GPU has a pebibyte. */
#define BYTES_MAX ((uint64_t)1 << 50)

/* A client of a GPU: an open file of it, which several descriptors may show. */
struct drm_client {
	struct drm_client *next;
	const char *address;
	uint64_t id;
	uint64_t bytes;
	struct vram_owner *owner;
};

struct fdinfo_reading {
	struct collect *c;
	struct vram_owners *owners;
	struct drm_client *clients;
	uint64_t pid;
	const char *command;
	bool silent; /* a file that does not tell its memory */
};

static bool is_keeper(const struct vram_owner *owner)
{
	return owner->command && strncmp(owner->command, "systemd", 7) == 0;
}

/* logind opens the device for a session and keeps a descriptor; the other process uses it. */
static void share_client(struct fdinfo_reading *x, struct drm_client *client)
{
	struct vram_owner *owner;

	if (!is_keeper(client->owner) || client->owner->pid == x->pid)
		return;
	owner = vram_owner_get(x->c, x->owners, VRAM_DRM, client->address, x->pid);
	if (!owner)
		return;
	client->owner->bytes -= client->bytes;
	vram_owner_add(owner, client->bytes);
	owner->command = x->command;
	owner->source = QUESTION;
	client->owner = owner;
}

static void add_client(struct fdinfo_reading *x, const char *address, uint64_t id, uint64_t bytes)
{
	struct drm_client *client;
	struct vram_owner *owner;

	for (client = x->clients; client; client = client->next)
		if (client->address == address && client->id == id) {
			share_client(x, client);
			return;
		}
	owner = vram_owner_get(x->c, x->owners, VRAM_DRM, address, x->pid);
	if (!owner)
		return;
	client = arena_alloc(&x->c->arena, sizeof(*client));
	*client = (struct drm_client){ x->clients, address, id, bytes, owner };
	x->clients = client;
	vram_owner_add(owner, bytes);
	owner->command = x->command;
	owner->source = QUESTION;
}

/*
 * Kernels before 5.19 print keys of their own, or none: such a file may hold
 * anything. Where there is no client id, the process is taken for one client.
 */
static void add_file(struct fdinfo_reading *x, struct span lines)
{
	struct drm_fdinfo info;
	struct collect_gpu *gpu;

	if (!drm_fdinfo_parse(lines, &info)) {
		x->silent = true;
		return;
	}
	gpu = collect_find_gpu(x->c, arena_text(&x->c->arena, info.pdev));
	if (!gpu)
		return;
	if (!info.has_vram || info.vram_bytes > BYTES_MAX)
		x->silent = true;
	else
		add_client(x, vram_address(x->c, gpu->address),
			   info.has_client_id ? info.client_id : x->pid, info.vram_bytes);
}

/* "process 812 1000 gnome-shell" */
static bool read_process(struct fdinfo_reading *x, struct span line)
{
	struct buf command BUF_SCOPED = { 0 };
	struct span word;

	if (!span_word(&line, &word) || !span_word(&line, &word) || !span_u64(word, &x->pid) ||
	    x->pid > INT32_MAX || !span_word(&line, &word))
		return false;
	x->command = NULL;
	if (span_word(&line, &word) && text_unword(&command, word) && command.len > 0)
		x->command = arena_text(&x->c->arena, buf_get(&command));
	return true;
}

static void count_denied(struct fdinfo_reading *x, struct span line)
{
	struct span word;
	uint64_t denied = 0;

	span_word(&line, &word);
	if (span_word(&line, &word) && span_u64(word, &denied) && denied == 0)
		return;
	x->owners->incomplete = true;
	facts_gap_said(x->c->facts, "vram_owner", "", "denied",
		       arena_format(&x->c->arena, "%llu processes could not be looked into",
				    (unsigned long long)denied),
		       QUESTION);
}

static void read_answer(struct fdinfo_reading *x, struct span text)
{
	struct span lines = { 0 };
	struct span line;
	bool process = false;

	while (span_line(&text, &line)) {
		if (span_starts(line, "drm-")) {
			if (lines.len == 0)
				lines.data = line.data;
			lines.len = (size_t)(line.data + line.len - lines.data);
			continue;
		}
		if (process)
			add_file(x, lines);
		lines.len = 0;
		process = span_starts(line, "process ") && read_process(x, line);
		if (span_starts(line, "denied "))
			count_denied(x, line);
	}
	if (process)
		add_file(x, lines);
}

void vram_drm_collect(struct collect *c, struct vram_owners *o)
{
	struct fdinfo_reading x = { .c = c, .owners = o };
	struct span text;
	int r = root_ask(c->root, QUESTION, &text);

	if (r < 0) {
		o->incomplete = true;
		facts_gap(c->facts, "vram_owner", "", r, QUESTION);
		return;
	}
	if (text.len >= ANSWER_MAX) {
		o->incomplete = true;
		facts_gap_said(c->facts, "vram_owner", "", "unasked", "too many clients", QUESTION);
	}
	read_answer(&x, text);
	if (x.silent) {
		o->incomplete = true;
		facts_gap_said(c->facts, "vram_owner", "", "absent",
			       "an open device does not tell its memory", QUESTION);
	}
}
