#include "report/check-drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "report/html.h"

static size_t count(const struct buf *out, const char *what)
{
	size_t n = 0;

	for (const char *p = out->data; p && (p = strstr(p, what)); p++)
		n++;
	return n;
}

static void add_gpu(struct facts *f, int i, int links)
{
	char address[32];
	struct row gpu = row_of("gpu"), agent = row_of("agent");

	snprintf(address, sizeof(address), "0000:%02x:00.0", i + 1);
	row_string(&gpu, "address", address);
	row_string(&gpu, "vendor_id", "1002");
	row_string(&gpu, "product", "Card <of> \"64\"");
	row_int(&gpu, "vram_total_bytes", 1000);
	row_int(&gpu, "vram_used_bytes", 5000); /* more than there is: drawn as full */
	row_int(&gpu, "numa_node", i / 8);
	row_string(&gpu, "source", "x");
	facts_add(f, &gpu);
	row_int(&agent, "node", 100 + i);
	row_string(&agent, "address", address);
	row_string(&agent, "source", "x");
	facts_add(f, &agent);
	for (int k = 0; k < links; k++) {
		struct row link = row_of("agent_link");

		row_int(&link, "node_from", 100 + i);
		row_int(&link, "node_to", 100 + k);
		row_string(&link, "kind", "xgmi");
		row_int(&link, "peer", 0);
		row_string(&link, "source", "x");
		facts_add(f, &link);
	}
}

static void draw(int gpus, bool linked, struct buf *out)
{
	struct facts *f = facts_new();
	struct diagnosis d = { 0 };

	for (int i = 0; i < gpus; i++)
		add_gpu(f, i, linked ? i : 0);
	check_drawing(f, &d, out);
	facts_free(f);
}

static void keep(const struct buf *out)
{
	struct buf page BUF_SCOPED = { 0 };
	FILE *file = getenv("DRAWING") ? fopen(getenv("DRAWING"), "w") : NULL;

	html_begin(&page, "drawing");
	buf_text(&page, "<main>");
	buf_span(&page, buf_get(out));
	if (file) {
		fwrite(page.data, 1, page.len, file);
		fclose(file);
	}
}

int main(void)
{
	static const int sizes[] = { 0, 1, 2, 3, 16, 64, 100 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = (size_t)sizes[i];
		struct buf linked BUF_SCOPED = { 0 }, apart BUF_SCOPED = { 0 };

		draw(sizes[i], true, &linked);
		draw(sizes[i], false, &apart);
		CHECK_INT(count(&linked, "<li class=\"gpu"), n);
		CHECK_INT(count(&linked, "<line class=\"xgmi\" x1"), n > 1 ? n * (n - 1) / 2 : 0);
		CHECK_INT(count(&linked, "class=\"chip"), n > 1 ? n : 0);
		CHECK_INT(count(&apart, "<figure"), 0);
		CHECK_INT(count(&linked, "<of>"), 0);
		CHECK_INT(count(&linked, "nan") + count(&linked, "inf"), 0);
		CHECK(count(&linked, "<svg") == count(&linked, "</svg>"));
		if (sizes[i] == 64)
			keep(&linked);
	}
	return check_end();
}
