#include "run/progress-rate.h"

#include "base/buf.h"
#include "check.h"

static struct progress_rate fresh;

static bool say(struct progress_rate *p, uint64_t at, const char *format, ...)
{
	struct buf b BUF_SCOPED = { 0 };
	va_list args;

	va_start(args, format);
	buf_addv(&b, format, args);
	va_end(args);
	return progress_rate_line(p, 0, buf_get(&b), at);
}

static void test_plain(void)
{
	struct progress_rate p = fresh;

	for (int i = 1; i <= 10; i++)
		CHECK(say(&p, 1000u * (unsigned int)i, "Epoch 1/3 Batch %d/192 loss 0.69", i));
	CHECK(say(&p, 15000, "Epoch 1/3 Batch 11/192 loss 0.69"));
	CHECK_INT(p.steps, 11);
	CHECK_INT(p.last_step_ms, 15000);
	CHECK_INT(p.usual_ms, 1000);
	CHECK_INT(p.slowest_ms, 5000);
	CHECK_INT(p.newest.batch, 11);
	CHECK(!say(&p, 16000, "Epoch 1/3 Batch 11/192 loss 0.69"));
	CHECK(!say(&p, 16000, "saved a checkpoint"));
	CHECK(say(&p, 17000, "Epoch 2/3 Batch 1/192 loss 0.69"));
}

static void test_restart(void)
{
	struct progress_rate p = fresh;
	uint64_t at = 0;

	for (int epoch = 0; epoch < 3; epoch++)
		for (int i = 0; i <= 20; i++)
			say(&p, at += 100, "%3d%%|####| %d/20 [00:12<00:15,  6.91it/s]", i * 5, i);
	/* the first update of a new bar is a doubt, the second is a step */
	CHECK_INT(p.steps, 21 + 20 + 20);
	CHECK_INT(p.slowest_ms, 200);
	for (int i = 0; i < 30; i++)
		say(&p, at += 100, "batch %d", i % 2);
	CHECK(at - p.last_step_ms <= 200);
}

static void test_ranks(void)
{
	struct progress_rate p = fresh;

	for (int i = 1; i < 100; i++)
		for (int rank = 0; rank < 8; rank++)
			say(&p, 1000u * (unsigned int)i + (unsigned int)rank,
			    "[rank%d]: step %d/500 loss 0.5", rank, i);
	CHECK_INT(p.steps, 99);
	CHECK_INT(p.usual_ms, 1000);

	/* a rank that lags by three steps */
	p = fresh;
	for (int i = 10; i < 100; i++) {
		say(&p, 1000u * (unsigned int)i, "step %d loss 0.5", i);
		say(&p, 1000u * (unsigned int)i + 500, "step %d loss 0.5", i - 3);
	}
	CHECK_INT(p.steps, 90);
	CHECK_INT(p.usual_ms, 1000);

	/* and one whose lines come in a burst */
	p = fresh;
	for (int i = 40; i < 50; i++)
		say(&p, 1000u * (unsigned int)i, "step %d loss 0.5", i);
	for (int i = 40; i < 50; i++)
		CHECK(!say(&p, 50000, "step %d loss 0.5", i));
	CHECK_INT(p.usual_ms, 1000);
}

static void test_bar_in_a_bar(void)
{
	struct progress_rate p = fresh;
	uint64_t at = 0;

	for (int epoch = 0; epoch < 3; epoch++)
		for (int i = 1; i <= 50; i++) {
			CHECK(say(&p, at += 100,
				  "Epoch %d: %d%%|###| %d/50 [00:12<00:15, 6.91it/s]", epoch, i * 2,
				  i));
			if (epoch + i > 1)
				CHECK(!say(&p, at, "Total: %d%%|###| 0/3 [00:12<?, ?it/s]", 0));
			else
				say(&p, at, "Total: %d%%|###| 0/3 [00:12<?, ?it/s]", 0);
		}
	CHECK_INT(p.usual_ms, 100);
}

static void test_lines_of_their_own(void)
{
	struct progress_rate p = fresh;

	say(&p, 1000, "Epoch 2/3");
	say(&p, 1100, "86/192 [=====>....] - ETA: 5s");
	CHECK_INT(p.newest.epoch, 2);
	CHECK_INT(p.newest.epochs, 3);
	CHECK_INT(p.newest.batch, 86);
	CHECK(!(p.newest.known & PROGRESS_LOSS));
	say(&p, 1200, "{'loss': 0.25, 'learning_rate': 4.9e-05, 'epoch': 2.0}");
	say(&p, 1300, "87/192 [=====>....] - ETA: 5s");
	CHECK(p.newest.known & PROGRESS_LOSS && p.newest.loss == 0.25);
	p.has_loss = false;
	say(&p, 1400, "88/192 [=====>....] - ETA: 5s");
	CHECK(!(p.newest.known & PROGRESS_LOSS));
}

static void feed(struct progress_rate *p, const char *bytes, uint64_t at)
{
	progress_rate_bytes(p, 0, span_of(bytes), at);
}

static void test_bytes(void)
{
	struct progress_rate p = fresh;

	feed(&p, "\r 10%|#  | 1/10 [00:01<00:09,  1.0it/s]", 1000);
	CHECK_INT(p.steps, 0);
	progress_rate_rest(&p, 1010);
	CHECK_INT(p.steps, 0); /* it may still be being written */
	progress_rate_rest(&p, 1900);
	CHECK_INT(p.steps, 1);
	CHECK_INT(p.last_step_ms, 1000);
	feed(&p, "\r 20%|## | 2/10 [00:01<00:09,  1.0it/s]", 2000);
	CHECK_INT(p.steps, 1);
	feed(&p, "\r 30%|## | 3/10 [00:01<00:09,  1.0it/s]", 3000);
	CHECK_INT(p.steps, 2);
	CHECK_INT(p.newest.step, 2);
	feed(&p, "\n", 3001); /* too soon to be looked at */
	feed(&p, "one\nEpoch 5/9 Ba", 4000);
	feed(&p, "tch 7/8\n", 4100);
	CHECK_INT(p.newest.epoch, 5);
	CHECK_INT(p.newest.batch, 7);
	feed(&p, "Epoch 5/9 Batch 8/8\r\nsaved\r\nmore\r\n", 4200);
	CHECK_INT(p.newest.batch, 8);
}

static void test_catch_up(void)
{
	struct buf b BUF_SCOPED = { 0 };
	struct progress_rate p = fresh;

	/* a hundred batches in a millisecond, and a traceback in the same piece */
	for (int i = 1; i <= 100; i++)
		buf_addf(&b, "Epoch 1/3 Batch %d/192 loss 0.69\n", i);
	for (int i = 0; i < 40; i++)
		buf_addf(&b, "  File \"/x.py\", line %d, in f\n", i);
	for (size_t at = 0; at < b.len; at += 1000)
		progress_rate_bytes(
			&p, 0, (struct span){ b.data + at, b.len - at < 1000 ? b.len - at : 1000 },
			5000);
	CHECK(p.newest.batch < 100);
	progress_rate_catch_up(&p);
	CHECK_INT(p.newest.batch, 100);
	progress_rate_catch_up(&p);
	CHECK_INT(p.newest.batch, 100);
	feed(&p, "Epoch 1/3 Batch 101/192 loss 0.69\nRuntimeError: x\n", 5001);
	progress_rate_catch_up(&p);
	CHECK_INT(p.newest.batch, 101);
}

static void test_a_line_without_end(void)
{
	static char block[128 << 10];
	struct progress_rate p = fresh;

	memset(block, 'x', sizeof(block));
	for (unsigned int i = 0; i < 100; i++)
		progress_rate_bytes(&p, 1, (struct span){ block, sizeof(block) }, i * 30);
	progress_rate_rest(&p, 10000);
	progress_rate_bytes(&p, 1, SPAN_LITERAL(" step 7/8\n"), 11000);
	CHECK_INT(p.steps, 0);
	progress_rate_bytes(&p, 1, SPAN_LITERAL("step 7/8\n"), 12000);
	CHECK_INT(p.steps, 1);
	CHECK_INT(p.stream, 1);
	progress_rate_bytes(&p, 1, (struct span){ block, 0 }, 13000);
}

int main(void)
{
	test_plain();
	test_restart();
	test_ranks();
	test_bar_in_a_bar();
	test_lines_of_their_own();
	test_bytes();
	test_catch_up();
	test_a_line_without_end();
	return check_end();
}
