#include "report/check-drawing.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/gpu-cards.h"
#include "report/html.h"

#define MANY  12  /* from here on cards are smaller */
#define DENSE 200 /* links: from here on they are thin */

/* ---- a card ---- */

#define BAR_WIDTH 240.0

static void bar_piece(struct buf *out, double *at, double width, int share)
{
	if (width < 0.5)
		return;
	html(out, "<rect class=\"s%d\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"14\"/>", share,
	     *at, *at + width > BAR_WIDTH ? BAR_WIDTH - *at : width);
	*at += width;
}

static void memory_words(const struct gpu_card *c, struct buf *ret)
{
	char used[UNITS_MAX], total[UNITS_MAX];

	units_bytes((uint64_t)c->total, total);
	if (c->used < 0) {
		buf_addf(ret, "%s, usage unknown", total);
		return;
	}
	units_bytes((uint64_t)c->used, used);
	buf_addf(ret, "%s of %s in use", used, total);
}

/* Who holds it, as far as shares are known; the rest of what is in use has a colour of its own. */
static void memory(const struct gpu_card *c, struct buf *out)
{
	struct buf words BUF_SCOPED = { 0 };
	int64_t known = 0;
	double at = 0;

	if (c->total <= 0) {
		buf_text(out, "<p class=\"dim\">VRAM unknown</p>");
		return;
	}
	memory_words(c, &words);
	html(out, "<svg viewBox=\"0 0 240 14\" role=\"img\" aria-label=\"%s\">", words.data);
	buf_text(out, "<rect class=\"track\" width=\"240\" height=\"14\" rx=\"3\"/>");
	for (int i = 0; i < GPU_SHARES; i++) {
		known += c->shares[i];
		bar_piece(out, &at, BAR_WIDTH * (double)c->shares[i] / (double)c->total, i);
	}
	if (c->used > known)
		bar_piece(out, &at, BAR_WIDTH * (double)(c->used - known) / (double)c->total,
			  GPU_SHARES);
	buf_text(out, "</svg>");
	html(out, "<div>%s</div>", words.data);
}

static void partitions(const struct gpu_card *c, struct buf *out)
{
	double width = (BAR_WIDTH + 3) / (double)c->agents;

	if (c->agents > 1) {
		html(out,
		     "<svg viewBox=\"0 0 240 10\" role=\"img\" aria-label=\"%lld partitions\">",
		     (long long)c->agents);
		for (int64_t i = 0; i < c->agents; i++)
			html(out,
			     "<rect class=\"part\" x=\"%.1f\" width=\"%.1f\" height=\"10\" rx=\"2\"/>",
			     (double)i * width, width - 3);
		buf_text(out, "</svg>");
		html(out, "<div>%lld partitions", (long long)c->agents);
		if (c->units > 0)
			html(out, " of %lld compute units", (long long)c->units);
		html(out, " (%s)</div>", c->partition);
	} else if (c->units > 0) {
		html(out, "<div class=\"dim\">%lld compute units</div>", (long long)c->units);
	} else if (c->agents == 0) {
		buf_text(out, "<div class=\"warning\">not listed by KFD</div>");
	}
}

static const char *class_of(const struct gpu_card *c)
{
	if (!c->ill)
		return "";
	return strcmp(c->ill, "problem") == 0 ? " ill" : " worn";
}

static void card(const struct gpu_card *c, struct buf *out)
{
	html(out, "<li class=\"gpu%s\"><div class=\"head\"><span>%s</span>", class_of(c),
	     c->numbers);
	if (c->ill)
		html_mark(out, c->ill, c->ill);
	html(out, "<span class=\"address\">%s</span></div>\n", c->address);
	html(out, "<div class=\"name\">%s</div><div>%s%s%s</div>\n", c->product, c->gfx,
	     c->gfx[0] && c->integrated ? ", " : "",
	     c->integrated ? "iGPU"
	     : c->gfx[0]   ? ""
			   : "gfx target unknown");
	memory(c, out);
	partitions(c, out);
	if (c->bus[0])
		html(out, "<div class=\"dim\">%s</div>", c->bus);
	buf_text(out, "</li>\n");
}

/* A box for each memory node, if there are several. */
static void cards(const struct gpu_card *list, size_t count, struct buf *out)
{
	const char *size = count > MANY ? " many" : "";
	bool boxes = false;

	for (size_t i = 1; i < count; i++)
		boxes |= list[i].numa != list[0].numa;
	for (size_t i = 0; i < count; i++) {
		bool opens = i == 0 || (boxes && list[i].numa != list[i - 1].numa);
		bool closes = i + 1 == count || (boxes && list[i + 1].numa != list[i].numa);

		if (opens && boxes && list[i].numa < 0)
			buf_text(out, "<div class=\"numa\"><h3>NUMA node unknown</h3>\n");
		else if (opens && boxes)
			html(out, "<div class=\"numa\"><h3>NUMA node %lld</h3>\n",
			     (long long)list[i].numa);
		if (opens)
			html(out, "<ul class=\"cards%s\">\n", size);
		card(&list[i], out);
		if (closes)
			buf_text(out, boxes ? "</ul></div>\n" : "</ul>\n");
	}
}

/* Only shares that some GPU has. */
static void legend(const struct gpu_card *list, size_t count, struct buf *out)
{
	bool has[GPU_SHARES + 1] = { false };
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		int64_t known = 0;

		for (int k = 0; k < GPU_SHARES; k++) {
			known += list[i].shares[k];
			has[k] |= list[i].shares[k] > 0;
		}
		has[GPU_SHARES] |= list[i].used > known;
		any |= list[i].used > 0;
	}
	if (!any)
		return;
	buf_text(out, "<ul class=\"legend\"><li>VRAM held by:</li>");
	for (int k = 0; k <= GPU_SHARES; k++)
		if (has[k])
			html(out, "<li><span class=\"key s%d\"></span>%s</li>", k,
			     k < GPU_SHARES ? gpu_share_name(k) : "not read");
	buf_text(out, "<li><span class=\"key free\"></span>free</li></ul>\n");
}

/* ---- the ring ---- */

struct ring {
	const struct gpu_card *list;
	size_t count;
	double middle, radius, chip, height; /* chip: half of its side */
};

static struct ring ring_of(const struct gpu_card *list, size_t count)
{
	struct ring r = { list, count, 230, 122, 24, 350 };
	double fits = 2 * M_PI * r.radius / (double)count * 0.42;

	if (count == 2)
		r.height = 150;
	if (fits < r.chip)
		r.chip = fits;
	return r;
}

static void place(const struct ring *r, double index, double radius, double *x, double *y)
{
	double turn = r->count == 2 ? M_PI : -M_PI / 2 - M_PI / (double)r->count;
	double angle = turn + 2 * M_PI * (index + (r->count == 2 ? 0 : 1)) / (double)r->count;

	*x = r->middle + radius * cos(angle);
	*y = r->height / 2 + radius * sin(angle);
}

static const char *const link_classes[] = {
	[GPU_LINK_PCIE] = "pcie", [GPU_LINK_XGMI] = "xgmi", [GPU_LINK_LOST] = "lost"
};

static void ring_links(const struct ring *r, const struct gpu_link *links, size_t count,
		       struct buf *out)
{
	for (size_t i = 0; i < count; i++) {
		double x1, y1, x2, y2;

		place(r, (double)links[i].from, r->radius, &x1, &y1);
		place(r, (double)links[i].to, r->radius, &x2, &y2);
		html(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		     link_classes[links[i].kind], x1, y1, x2, y2);
	}
}

static void ring_chip(const struct ring *r, size_t i, struct buf *out)
{
	const struct gpu_card *c = &r->list[i];
	double x, y, side = 2 * r->chip;

	place(r, (double)i, r->radius, &x, &y);
	html(out,
	     "<rect class=\"chip%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>",
	     class_of(c), x - r->chip, y - r->chip, side, side, r->chip / 5);
	for (int64_t k = 1; k < c->agents && r->chip > 10; k++)
		html(out, "<line class=\"slice\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
		     x - r->chip + side * (double)k / (double)c->agents, y + r->chip * 0.35,
		     x - r->chip + side * (double)k / (double)c->agents, y + r->chip - 1);
	html(out,
	     "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"middle\">%s</text>\n", x,
	     y + r->chip * 0.28, strlen(c->numbers) > 3 ? r->chip * 0.55 : r->chip * 0.75,
	     c->numbers);
}

/* Along the outside: which GPUs hang on one memory node. */
static void ring_node(const struct ring *r, size_t first, size_t last, struct buf *out)
{
	double away = r->radius + r->chip + 12, x1, y1, x2, y2, x, y;

	place(r, (double)first - 0.3, away, &x1, &y1);
	place(r, (double)last + 0.3, away, &x2, &y2);
	place(r, (double)(first + last) / 2, away + 12, &x, &y);
	html(out, "<path class=\"arc\" d=\"M%.1f %.1f A%.1f %.1f 0 %d 1 %.1f %.1f\"/>", x1, y1,
	     away, away, 2 * (last - first) + 1 > r->count ? 1 : 0, x2, y2);
	html(out,
	     "<text class=\"dimtext\" x=\"%.1f\" y=\"%.1f\" font-size=\"13\" text-anchor=\"%s\">NUMA %lld</text>\n",
	     x, y + 5 + 7 * (y - r->height / 2) / away,
	     x > r->middle + 20   ? "start"
	     : x < r->middle - 20 ? "end"
				  : "middle",
	     (long long)r->list[first].numa);
}

static void ring_nodes(const struct ring *r, struct buf *out)
{
	size_t first = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (i + 1 < r->count && r->list[i + 1].numa == r->list[i].numa)
			continue;
		if ((first > 0 || i + 1 < r->count) && r->list[i].numa >= 0 && r->count > 2)
			ring_node(r, first, i, out);
		first = i + 1;
	}
}

static void say_kind(enum gpu_link_kind kind, size_t number, size_t pairs, struct buf *out)
{
	static const char *const says[] = { [GPU_LINK_PCIE] = "peer access over PCIe between",
					    [GPU_LINK_XGMI] = "xGMI between",
					    [GPU_LINK_LOST] = "xGMI link lost between" };

	if (number > 0)
		html(out,
		     "<p><svg width=\"34\" height=\"8\" aria-hidden=\"true\"><line class=\"%s\" x2=\"34\" y1=\"4\" y2=\"4\"/></svg> %s %zu of %zu %s",
		     link_classes[kind], says[kind], number, pairs, pairs == 1 ? "pair" : "pairs");
}

/* Few enough to be named: "2 and 5, 2 and 6". */
static void name_lost(const struct gpu_card *list, const struct gpu_link *links, size_t count,
		      struct buf *out)
{
	size_t named = 0;

	for (size_t i = 0; i < count && named < 8; i++)
		if (links[i].kind == GPU_LINK_LOST)
			html(out, "%s%s and %s", named++ > 0 ? ", " : ": ",
			     list[links[i].from].numbers, list[links[i].to].numbers);
	if (named == 8)
		buf_text(out, ", ...");
}

static void say_links(const struct gpu_card *list, size_t count, const struct gpu_link *links,
		      size_t link_count, struct buf *out)
{
	size_t pairs = count * (count - 1) / 2, of[3] = { 0 };

	for (size_t i = 0; i < link_count; i++)
		of[links[i].kind]++;
	for (int kind = GPU_LINK_LOST; kind >= GPU_LINK_PCIE; kind--) {
		say_kind((enum gpu_link_kind)kind, of[kind], pairs, out);
		if (kind == GPU_LINK_LOST)
			name_lost(list, links, link_count, out);
		buf_text(out, of[kind] > 0 ? "</p>\n" : "");
	}
	if (link_count < pairs)
		html(out,
		     "<p>KFD lists no direct link between %zu pairs: their transfers go through host memory.</p>\n",
		     pairs - link_count);
}

static void ring(struct facts *f, struct arena *a, const struct gpu_card *list, size_t count,
		 struct buf *out)
{
	struct gpu_link *links;
	size_t link_count = gpu_links(f, list, count, a, &links);
	struct ring r = ring_of(list, count);

	if (link_count == 0)
		return;
	html(out,
	     "<figure class=\"links%s\"><svg viewBox=\"0 0 460 %.0f\" role=\"img\" aria-label=\"%zu GPUs and the links between them\">\n",
	     link_count > DENSE ? " dense" : "", r.height, count);
	ring_nodes(&r, out);
	ring_links(&r, links, link_count, out);
	for (size_t i = 0; i < count; i++)
		ring_chip(&r, i, out);
	buf_text(out, "</svg>\n<figcaption>");
	say_links(list, count, links, link_count, out);
	buf_text(out, "</figcaption></figure>\n");
}

void check_drawing(struct facts *f, const struct diagnosis *d, struct buf *out)
{
	struct gpu_card *list;
	struct arena a = { 0 };
	size_t count = gpu_cards(f, d, &a, &list);

	if (count == 0)
		buf_text(out, "<p>No AMD GPU found on this machine.</p>\n");
	buf_text(out, "<div class=\"board\"><div>\n");
	cards(list, count, out);
	legend(list, count, out);
	buf_text(out, "</div>\n");
	if (count > 1)
		ring(f, &a, list, count, out);
	buf_text(out, "</div>\n");
	arena_done(&a);
}
