#include "run/sample-text.h"

#include "base/text.h"

static void add_number(struct buf *out, const char *before, int64_t value)
{
	buf_text(out, before);
	if (value >= 0)
		buf_addf(out, "%lld", (long long)value);
	else
		buf_char(out, '-');
}

static void add_gpu(struct buf *out, const struct sample_gpu *g)
{
	buf_addf(out, "gpu %s", g->address);
	add_number(out, " vram ", g->vram_used);
	add_number(out, " ", g->vram_total);
	add_number(out, " gtt ", g->gtt_used);
	add_number(out, " ", g->gtt_total);
	add_number(out, " job ", g->job);
	add_number(out, " others ", g->others);
	add_number(out, " busy ", g->busy);
	add_number(out, " temp ", g->temp);
	add_number(out, " sclk ", g->sclk);
	add_number(out, " power ", g->power);
	buf_char(out, '\n');
}

void sample_text(struct buf *out, const struct sample *p)
{
	for (size_t i = 0; i < p->gpu_count; i++)
		add_gpu(out, &p->gpus[i]);
	add_number(out, "host used ", p->host_used);
	add_number(out, " total ", p->host_total);
	add_number(out, " swap ", p->swap_used);
	add_number(out, "\ncgroup used ", p->cgroup_used);
	add_number(out, " max ", p->cgroup_max);
	add_number(out, "\njob processes ", p->processes);
	add_number(out, " threads ", p->threads);
	add_number(out, " rss ", p->rss);
	add_number(out, " cpu_ms ", p->cpu_ms);
	add_number(out, " read ", p->read);
	add_number(out, " written ", p->written);
	buf_char(out, '\n');
	for (size_t i = 0; i < p->listed; i++) {
		const struct sample_process *one = &p->list[i];

		buf_addf(out, "process %d", (int)one->pid);
		add_number(out, " vram ", one->vram);
		add_number(out, " gtt ", one->gtt);
		add_number(out, " rss ", one->rss);
		buf_char(out, ' ');
		text_word(out, span_of(one->name[0] ? one->name : "-"));
		buf_char(out, '\n');
	}
}

void progress_text(struct buf *out, const struct progress *g)
{
	const struct {
		const char *name;
		unsigned int key;
		double value;
	} parts[] = {
		{ "epoch", PROGRESS_EPOCH, (double)g->epoch + g->part },
		{ "epochs", PROGRESS_EPOCHS, (double)g->epochs },
		{ "batch", PROGRESS_BATCH, (double)g->batch },
		{ "batches", PROGRESS_BATCHES, (double)g->batches },
		{ "step", PROGRESS_STEP, (double)g->step },
		{ "steps", PROGRESS_STEPS, (double)g->steps },
		{ "loss", PROGRESS_LOSS, g->loss },
		{ "rate", PROGRESS_RATE, g->rate },
		{ "percent", PROGRESS_PERCENT, g->percent },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (g->known & parts[i].key)
			buf_addf(out, " %s %.9g", parts[i].name, parts[i].value);
}
