#include "run/hang.h"

#include <stdlib.h>

#include "check.h"

/* Histories made up: a job that made steps and then fell silent. Rates are for a second. */
struct history {
	const char *name;
	enum hang_kind want;
	unsigned int steps; /* 0: many */
	double usual, slowest;
	unsigned int silent, least; /* seconds; least 0: the usual minute */
	unsigned int cpu;           /* milliseconds of CPU time */
	unsigned int kib;           /* read and written */
	unsigned int compilers;
	int compile_ms;
	bool compiler_runs;
	unsigned int disks; /* KiB of the machine's disks */
	unsigned int gpus;
	int busy[4];
	bool reset, complete, runs, blocked, stopped, asks, held, gpu_stuck;
	unsigned int quiet;    /* all rates end so many seconds ago; 0: they do not */
	unsigned int unseen;   /* no looks in the last seconds */
	bool uneven;           /* GPUs are busy in every other look only */
	bool secret;           /* nothing is known about the processes */
	unsigned int in_burst; /* KiB at once, 10 seconds ago */

	unsigned int net; /* KiB that connections move */

	bool proved; /* the job may be ended for it */
	bool faulted;
	bool no_sensors;
	int64_t vram_more;                  /* bytes, in the last quarter of the silence */
	unsigned int power_more, sclk_more; /* percent more in every third look */
};

/* clang-format off */
static const struct history histories[] = {
	/* The five healthy silences, after steps have been seen. */
	{ "a convolution search: kernels are tried, code is made in the process", HANG_SLOW, .usual = 300, .slowest = 900,
	  .silent = 150, .cpu = 980, .gpus = 1, .busy = { 30 }, .uneven = true },
	{ "a convolution search that writes its finds", HANG_NONE, .usual = 300, .silent = 150, .cpu = 980, .kib = 40,
	  .gpus = 1, .busy = { 30 } },
	{ "a compile of three minutes in a child", HANG_NONE, .usual = 250, .silent = 180, .cpu = 990, .compilers = 1,
	  .compile_ms = 990, .gpus = 1 },
	{ "weights from a disk", HANG_NONE, .usual = 250, .silent = 120, .cpu = 40, .kib = 90000, .gpus = 1 },
	{ "weights mapped into memory, over a slow disk", HANG_NONE, .usual = 250, .silent = 120, .cpu = 5, .blocked = true,
	  .disks = 800, .gpus = 1 },
	{ "weights from the page cache", HANG_SLOW, .usual = 250, .silent = 70, .cpu = 600, .gpus = 1 },
	{ "a checkpoint that is written", HANG_NONE, .usual = 250, .silent = 90, .cpu = 30, .kib = 4000, .gpus = 1 },
	{ "a checkpoint that is synchronised: no bytes of the job, but of the disk", HANG_NONE, .usual = 250, .silent = 200,
	  .blocked = true, .disks = 2000, .gpus = 1 },
	{ "a barrier: one rank works, the others spin on their GPUs", HANG_SLOW, .usual = 250, .silent = 100, .cpu = 1000,
	  .gpus = 4, .busy = { 100, 100, 100, 40 } },
	{ "a barrier: one rank works on the CPU", HANG_SLOW, .usual = 250, .silent = 100, .cpu = 1000, .gpus = 2,
	  .busy = { 100, 0 } },
	{ "a barrier: one rank works, and others have the processors", HANG_SLOW, .usual = 250, .silent = 100, .cpu = 30,
	  .runs = true, .gpus = 2 },
	{ "a barrier: one rank writes a checkpoint", HANG_NONE, .usual = 250, .silent = 100, .kib = 9000, .gpus = 2,
	  .busy = { 100, 0 } },

	/* Nothing learnt, or nothing to be learnt. */
	{ "no step at all, for an hour", HANG_NONE, .steps = 1, .silent = 3600, .gpus = 1 },
	{ "two steps, then an hour", HANG_NONE, .steps = 2, .usual = 100, .silent = 3600, .gpus = 1 },
	{ "three steps, then an hour", HANG_HOST, .proved = true, .steps = 3, .usual = 100, .silent = 3600, .gpus = 1 },
	{ "a GPU was reset before anything is learnt", HANG_NONE, .steps = 2, .usual = 100, .silent = 600, .reset = true },
	{ "below a minute", HANG_NONE, .usual = 100, .slowest = 200, .silent = 59 },
	{ "below twenty usual steps", HANG_NONE, .usual = 10000, .slowest = 11000, .silent = 199 },
	{ "above twenty usual steps", HANG_HOST, .usual = 10000, .slowest = 11000, .silent = 200 },
	{ "below three of the slowest", HANG_NONE, .usual = 100, .slowest = 60000, .silent = 179 },
	{ "above three of the slowest", HANG_HOST, .usual = 100, .slowest = 60000, .silent = 180 },
	{ "a limit that the user has set", HANG_HOST, .usual = 100, .slowest = 200, .least = 5, .silent = 5 },
	{ "below the user's limit", HANG_NONE, .usual = 100, .slowest = 200, .least = 600, .silent = 599 },
	{ "the user's limit is not below what was learnt", HANG_NONE, .usual = 1000, .least = 5, .silent = 19 },
	{ "all steps are done", HANG_NONE, .usual = 100, .silent = 9000, .complete = true },

	/* Silence for reasons outside. */
	{ "stopped", HANG_NONE, .usual = 100, .silent = 500, .stopped = true },
	{ "a debugger asks", HANG_NONE, .usual = 100, .silent = 500, .asks = true },
	{ "Ctrl-S, or a pager", HANG_NONE, .usual = 100, .silent = 500, .held = true },

	/* Stalls. */
	{ "every thread waits, no GPU", HANG_HOST, .usual = 100, .silent = 61 },
	{ "every thread waits, the GPU is idle", HANG_HOST, .usual = 100, .silent = 61, .gpus = 1, .busy = { 1 } },
	{ "threads that look at a clock", HANG_HOST, .usual = 100, .silent = 61, .cpu = 60, .gpus = 1 },
	{ "a log that is flushed now and then", HANG_HOST, .proved = true, .usual = 100, .silent = 90, .in_burst = 64, .gpus = 1 },
	{ "the checkpoint is written, and then nothing", HANG_HOST, .proved = true, .usual = 100, .silent = 300, .kib = 9000, .quiet = 60 },
	{ "the checkpoint is written, and then nothing for a window", HANG_HOST, .usual = 100, .silent = 300, .kib = 9000,
	  .quiet = 45 },
	{ "every thread waits, the second window is not over", HANG_HOST, .usual = 100, .silent = 88 },
	{ "every thread waits, and a second window", HANG_HOST, .proved = true, .usual = 100, .silent = 90 },
	{ "a limit of seconds: five at least are the second window", HANG_HOST, .usual = 100, .least = 2, .silent = 6 },
	{ "a limit of seconds, and five", HANG_HOST, .proved = true, .usual = 100, .least = 2, .silent = 7 },
	{ "slow steps, two windows of a minute", HANG_HOST, .proved = true, .usual = 10000, .silent = 260 },
	{ "slow steps, quiet for a window and a half", HANG_HOST, .usual = 10000, .silent = 300, .kib = 900, .quiet = 90 },
	{ "a checkpoint that is sent away", HANG_NONE, .usual = 100, .silent = 300, .net = 500, .gpus = 1 },
	{ "it was sent, and then nothing", HANG_HOST, .proved = true, .usual = 100, .silent = 300, .net = 500, .quiet = 60 },
	{ "ranks that tell each other that they live", HANG_HOST, .proved = true, .usual = 100, .silent = 100, .net = 6 },
	{ "the same beside a busy GPU", HANG_DEVICE, .proved = true, .usual = 100, .silent = 100, .net = 6, .gpus = 1,
	  .busy = { 100 } },
	{ "the checkpoint was written a moment ago", HANG_NONE, .usual = 100, .silent = 300, .kib = 9000, .quiet = 20 },
	{ "short compiles, each look sees a younger one", HANG_NONE, .usual = 100, .silent = 100, .cpu = 900, .compilers = 2,
	  .compile_ms = -5, .gpus = 1 },
	{ "a compiler that others leave no processor", HANG_NONE, .usual = 100, .silent = 100, .compilers = 1,
	  .compiler_runs = true, .runs = true, .gpus = 1 },
	{ "compile workers that idle", HANG_HOST, .proved = true, .usual = 100, .silent = 100, .compilers = 8, .gpus = 1 },
	{ "a thread sleeps in the driver, the disks work for others", HANG_DEVICE, .proved = true, .usual = 100, .silent = 100,
	  .disks = 5000, .gpus = 1, .busy = { 100 } },
	{ "a dead file server", HANG_HOST, .proved = true, .usual = 100, .silent = 100, .blocked = true, .gpus = 1 },
	{ "a dead file server, the machine keeps its own logs", HANG_HOST, .proved = true, .usual = 100, .silent = 100, .blocked = true,
	  .disks = 30, .gpus = 1 },
	{ "a GPU busy, every thread waits", HANG_DEVICE, .usual = 100, .silent = 61, .gpus = 1, .busy = { 100 } },
	{ "one of four GPUs busy", HANG_DEVICE, .usual = 100, .silent = 61, .gpus = 4, .busy = { 0, 100, 0, 0 } },
	{ "a collective that does not end", HANG_DEVICE, .usual = 100, .silent = 61, .gpus = 4, .busy = { 100, 100, 100, 99 } },
	{ "a GPU busy, the host starts long kernels", HANG_SLOW, .usual = 100, .silent = 61, .cpu = 40, .gpus = 1,
	  .busy = { 100 } },
	{ "a GPU that works in part", HANG_SLOW, .usual = 100, .silent = 61, .gpus = 1, .busy = { 60 } },
	{ "a reset in the log, the host spins", HANG_DEVICE, .proved = true, .usual = 100, .silent = 61, .cpu = 1000, .reset = true, .gpus = 1 },
	{ "a reset in the log, and a checkpoint is written", HANG_NONE, .usual = 100, .silent = 61, .kib = 5000, .reset = true },
	{ "the GPU's files do not answer", HANG_DEVICE, .usual = 100, .silent = 61, .gpus = 1, .gpu_stuck = true, .cpu = 1000 },
	{ "no counter of the GPU", HANG_UNCLEAR, .usual = 100, .silent = 61, .gpus = 1, .busy = { -1 } },
	{ "no counter of the GPU, the host computes", HANG_SLOW, .usual = 100, .silent = 61, .gpus = 1, .busy = { -1 },
	  .cpu = 700 },
	{ "a GPU busy, another window, nothing moves", HANG_DEVICE, .proved = true, .usual = 100, .silent = 91, .gpus = 1,
	  .busy = { 100 } },
	{ "a GPU busy, the second window is not over", HANG_DEVICE, .usual = 100, .silent = 88, .gpus = 1, .busy = { 100 } },
	{ "a long kernel: its power changes", HANG_DEVICE, .usual = 100, .silent = 600, .gpus = 1, .busy = { 100 },
	  .power_more = 8 },
	{ "a long kernel: its clock changes", HANG_DEVICE, .usual = 100, .silent = 600, .gpus = 1, .busy = { 100 },
	  .sclk_more = 8 },
	{ "sensors that tremble", HANG_DEVICE, .proved = true, .usual = 100, .silent = 600, .gpus = 1, .busy = { 100 },
	  .power_more = 3, .sclk_more = 3 },
	{ "a graph that is replayed: a little CPU time for each", HANG_DEVICE, .usual = 100, .silent = 600, .cpu = 12,
	  .gpus = 1, .busy = { 100 } },
	{ "threads that look at a clock, beside a GPU that hangs", HANG_DEVICE, .proved = true, .usual = 100, .silent = 600,
	  .cpu = 3, .gpus = 1, .busy = { 100 } },
	{ "a long kernel, and its memory grows", HANG_DEVICE, .usual = 100, .silent = 91, .gpus = 1, .busy = { 100 },
	  .vram_more = 2 << 20 },
	{ "the memory grew, and then nothing for a window", HANG_DEVICE, .proved = true, .usual = 100, .silent = 300,
	  .gpus = 1, .busy = { 100 }, .vram_more = 2 << 20 },
	{ "a log that is written meanwhile", HANG_DEVICE, .usual = 100, .silent = 600, .kib = 1, .gpus = 1, .busy = { 100 } },
	{ "one of two GPUs still works", HANG_DEVICE, .usual = 100, .silent = 600, .gpus = 2, .busy = { 100, 100 },
	  .power_more = 8 },
	{ "no clock and no power are told: nobody knows", HANG_DEVICE, .usual = 100, .silent = 600, .gpus = 1,
	  .busy = { 100 }, .no_sensors = true },
	{ "a page fault in the log, and busy", HANG_DEVICE, .proved = true, .usual = 100, .silent = 61, .gpus = 1,
	  .busy = { 100 }, .faulted = true },
	{ "a page fault in the log, the host computes", HANG_SLOW, .usual = 100, .silent = 61, .cpu = 900, .gpus = 1,
	  .busy = { 100 }, .faulted = true },
	{ "the GPU's files have not answered for long", HANG_DEVICE, .proved = true, .usual = 100, .silent = 91, .gpus = 1,
	  .gpu_stuck = true, .cpu = 1000 },
	{ "no looks yet", HANG_NONE, .usual = 100, .silent = 61, .unseen = 61 },
	{ "no looks for long", HANG_UNCLEAR, .usual = 100, .silent = 91, .unseen = 91 },
	{ "looks that ended ten seconds ago", HANG_NONE, .usual = 100, .silent = 61, .unseen = 10 },
	{ "looks that ended long ago", HANG_UNCLEAR, .usual = 100, .silent = 91, .unseen = 40 },
	{ "processes that tell nothing", HANG_UNCLEAR, .usual = 100, .silent = 61, .secret = true },
};
/* clang-format on */

static void fill(const struct history *h, unsigned int ago, struct hang_look *ret)
{
	unsigned int t = h->silent - ago;
	unsigned int at_work = h->quiet && ago < h->quiet ? h->silent - h->quiet : t;
	struct hang_look l = { .at_ms = 1000000 + 1000ull * t,
			       .cpu_ms = h->secret ? HANG_UNKNOWN : (int64_t)h->cpu * at_work,
			       .bytes = 1024ll * h->kib * at_work,
			       .moved = 1024ll * h->net * at_work,
			       .compile_ms = (int64_t)h->compile_ms * at_work,
			       .compiles = h->compilers,
			       .compiler_runs = h->compiler_runs,
			       .storage_kib = (int64_t)h->disks * at_work,
			       .runs = h->runs,
			       .blocked = h->blocked,
			       .stopped = h->stopped,
			       .asks = h->asks,
			       .held = h->held,
			       .gpu_stuck = h->gpu_stuck,
			       .gpu_count = h->gpus };

	if (ago <= 10)
		l.bytes += 1024 * h->in_burst;
	for (unsigned int i = 0; i < h->gpus; i++) {
		bool more = ago % 3 == 0 && i == 0;

		l.busy[i] = (int8_t)(h->uneven && ago % 2 ? 0 : h->busy[i]);
		l.readings[i] = (struct hang_reading){
			.vram = (8ll << 30) + (4 * ago < h->silent ? h->vram_more : 0),
			.sclk = h->no_sensors ? -1 : 2000 + (more ? 20ll * h->sclk_more : 0ll),
			.power = h->no_sensors ? -1
					       : 90000000 + (more ? 900000ll * h->power_more : 0ll),
		};
	}
	*ret = l;
}

static struct hang_verdict decide(const struct history *h)
{
	struct hang_look looks[HANG_LOOKS];
	size_t count = 0;
	struct hang_view v = { .now_ms = 1000000 + 1000ull * h->silent,
			       .steps = h->steps ? h->steps : 100,
			       .last_step_ms = 1000000,
			       .usual_ms = h->usual,
			       .slowest_ms = h->slowest > h->usual ? h->slowest : h->usual,
			       .complete = h->complete,
			       .least_ms = 1000ull * h->least,
			       .reset = h->reset,
			       .faulted = h->faulted,
			       .looks = looks };

	for (unsigned int ago = h->silent < HANG_LOOKS ? h->silent : HANG_LOOKS - 1;
	     count < HANG_LOOKS && ago + 1 > h->unseen; ago--) {
		fill(h, ago, &looks[count++]);
		if (ago == 0)
			break;
	}
	v.count = count;
	return hang_decide(&v);
}

static void check_histories(void)
{
	for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		const struct history *h = &histories[i];
		struct hang_verdict verdict = decide(h);

		if (!CHECK(verdict.kind == h->want))
			printf("  %s: %s (%s), wanted %s\n", h->name, hang_kind_name(verdict.kind),
			       verdict.says, hang_kind_name(h->want));
		if (!CHECK((verdict.proof != NULL) == h->proved))
			printf("  %s: proof: %s\n", h->name,
			       verdict.proof ? verdict.proof : "none");
	}
	CHECK(sizeof(histories) / sizeof(histories[0]) >= 30);
}

/* Looks begin before the limit, and never before it is learnt. */
static void check_from(void)
{
	struct hang_view v = { .steps = 2, .last_step_ms = 5000, .usual_ms = 10 };

	CHECK_INT(hang_looks_from(&v), 0);
	v.steps = 3;
	CHECK_INT(hang_looks_from(&v), 5000 + 30000);
	v.least_ms = 4000;
	CHECK_INT(hang_looks_from(&v), 5000 + 2000);
	v.usual_ms = 60000;
	CHECK_INT(hang_looks_from(&v), 5000 + 1200000 - 60000);
}

/* Seconds of silence, one by one: an alarm comes at the limit and not before. */
static void check_course(void)
{
	struct history h = { .usual = 100, .gpus = 1 };

	for (h.silent = 1; h.silent < 90; h.silent++) {
		struct hang_verdict verdict = decide(&h);

		CHECK(verdict.kind == (h.silent < 60 ? HANG_NONE : HANG_HOST));
		CHECK_INT(verdict.silent_ms, 1000 * h.silent);
		CHECK_INT(verdict.limit_ms, 60000);
	}
}

int main(void)
{
	check_histories();
	check_from();
	check_course();
	return check_end();
}
