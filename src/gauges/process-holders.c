#include "gauges/process-holders.h"

#include <errno.h>
#include <string.h>

#include "parse/drm-fdinfo.h"
#include "survey/drm-clients.h"

#define CLIENTS_MAX 1024

struct met_client {
	char address[16];
	uint64_t id;
};

struct holder_reading {
	struct met_client met[CLIENTS_MAX];
	size_t count;
	bool silent;
	process_holder_fn *tell;
	void *ctx;
};

/* A paragraph: "process PID UID COMMAND", then lines of a DRM file. */
static void take_file(struct holder_reading *r, struct span process, struct span lines)
{
	struct met_client c = { 0 };
	struct drm_fdinfo info;
	struct span word;
	uint64_t pid = 0;

	if (!drm_fdinfo_parse(lines, &info) || info.pdev.len >= sizeof(c.address)) {
		r->silent = true;
		return;
	}
	span_word(&process, &word);
	if (span_word(&process, &word))
		span_u64(word, &pid);
	memcpy(c.address, info.pdev.data, info.pdev.len);
	c.id = info.has_client_id ? info.client_id : pid;
	for (size_t i = 0; i < r->count; i++)
		if (r->met[i].id == c.id && strcmp(r->met[i].address, c.address) == 0)
			return;
	if (r->count == CLIENTS_MAX || !info.has_vram) {
		r->silent = true;
		return;
	}
	r->met[r->count++] = c;
	r->tell(r->ctx, c.address, (int64_t)info.vram_bytes);
}

static unsigned int count_denied(struct span line)
{
	struct span word;
	uint64_t n = 0;

	while (span_word(&line, &word))
		(void)span_u64(word, &n);
	return n < UINT32_MAX ? (unsigned int)n : UINT32_MAX;
}

bool process_holders_of(struct span text, process_holder_fn *tell, void *ctx,
			unsigned int *ret_denied)
{
	struct holder_reading r = { .tell = tell, .ctx = ctx };
	struct span line, process = { 0 }, lines = { text.data, 0 };
	unsigned int denied = 0;

	while (span_line(&text, &line)) {
		bool last = span_starts(line, "denied ");

		if (!last && !span_starts(line, "process ")) {
			lines.len = (size_t)(line.data + line.len - lines.data);
			continue;
		}
		if (process.len > 0)
			take_file(&r, process, lines);
		process = line;
		process.len = last ? 0 : line.len;
		lines = (struct span){ text.data, 0 };
		if (last)
			denied = count_denied(line);
	}
	*ret_denied = denied;
	return !r.silent;
}

bool process_holders(struct door *d, process_holder_fn *tell, void *ctx, unsigned int *ret_denied)
{
	struct buf text BUF_SCOPED = { 0 };
	int r = drm_clients(d, SPAN_LITERAL(""), &text);

	*ret_denied = 0;
	if (r == -ENOENT) /* without a node there is no client */
		return true;
	return r == 0 && process_holders_of(buf_get(&text), tell, ctx, ret_denied);
}
